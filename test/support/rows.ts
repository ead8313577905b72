/** The rows of a namespace's SQLite file, read and written at once and past the store: for a test that sets a world up or looks into it. */
import type { Database } from "bun:sqlite";
import type { Ledger } from "../../src/adapter/sqlite/ledger.ts";
import { openNamespaceStore } from "../../src/app/data.ts";
import { SqliteStore } from "../../src/adapter/sqlite/namespace-store.ts";
import type { Tables } from "../../src/adapter/sqlite/tables.ts";
import type { AuditEvent, AuditRow, ChainPart } from "../../src/domain/audit.ts";
import type { Job, StoredFile } from "../../src/domain/file.ts";
import type { Plane } from "../../src/domain/plane.ts";
import type { NamespaceStore } from "../../src/domain/port/store.ts";
import type { UnitStatus } from "../../src/domain/port/units.ts";
import type { ScopeEntry } from "../../src/domain/scope.ts";
import type { Unit, UnitDraft } from "../../src/domain/unit.ts";

interface Inside {
  tables: Tables;
  connections: { db: Database; ledger: Ledger };
}

export type Rows = ReturnType<typeof rowsOf>;

export function rowsOf({ store }: { store: NamespaceStore }) {
  if (!(store instanceof SqliteStore)) throw new Error("this store has no SQLite file");
  const { tables, connections } = store as unknown as Inside;
  const { db, ledger: chain } = connections;
  const { files, jobs } = tables;
  return {
    db,
    catalog: new Catalog(db, tables),
    features: tables.features,
    files: {
      file: (file_id: string) => files.byId(file_id),
      fileOfUnit: (uid: number) => files.ofUnit(uid),
      uids: (file_id: string) => files.uids(file_id),
      stored: () => files.withUnits(),
      usesObject: (sha256: string) => files.usesObject(sha256),
      putFile: (file: Omit<StoredFile, "created_at" | "updated_at">) => files.put(file),
      addUnit: (file_id: string, uid: number) => files.addUnits(file_id, [uid]),
      job: (job_id: string) => jobs.byId(job_id),
      lastJob: (file_id: string) => jobs.lastOf(file_id),
      activeJobs: () => jobs.active(),
      activeCount: () => jobs.activeCount(),
      addJob: (job_id: string, file_id: string) => jobs.enqueue(job_id, file_id),
      updateJob: (job: Job) => jobs.put(job),
    },
    ledger: {
      append: async (event: AuditEvent): Promise<AuditRow> => (await store.transact((tx) => tx.ledger.append(event))).value,
      appendIn: (event: AuditEvent) => chain.append(event),
      /** Runs `work` in a transaction, with a signed head when it appends rows. */
      transact: <T>(work: () => T): T => (chain as unknown as { transact(work: () => T): T }).transact(work),
      page: (limit: number, offset: number) => chain.page(limit, offset),
      get length() {
        return chain.length();
      },
      verify: (part?: ChainPart) => chain.verify(part),
      beginEpoch: (principal_id: string, intact: boolean) => chain.beginEpoch(principal_id, intact),
    },
  };
}

/** As openNamespaceStore, with its rows. */
export function openRows(...options: Parameters<typeof openNamespaceStore>) {
  const store = openNamespaceStore(...options);
  return Object.assign(rowsOf({ store }), { store, close: () => store.close() });
}

class Catalog {
  readonly outbox;
  readonly embeddings;

  constructor(
    private readonly db: Database,
    private readonly tables: Tables,
  ) {
    this.outbox = tables.outbox;
    this.embeddings = tables.embeddings;
  }

  registry(): readonly ScopeEntry[] {
    return this.tables.access.scopes();
  }

  classes() {
    return this.tables.access.classes();
  }

  unitCount(): number {
    return (this.db.query("SELECT count(*) AS n FROM unit").get() as { n: number }).n;
  }

  byId(unit_id: string): Unit | null {
    return this.tables.units.byIds([unit_id]).get(unit_id) ?? null;
  }

  byUids(uids: readonly number[]): Map<number, Unit> {
    return this.tables.units.byUids(uids);
  }

  page(classes: readonly number[], limit: number, offset: number): Promise<Unit[]> {
    return this.tables.units.list(classes, limit, offset);
  }

  unitsAfter(uid: number, limit: number) {
    return this.tables.units.entriesAfter(uid, limit);
  }

  registerScope(scope: string, planes: readonly Plane[]): void {
    this.tables.access.register(scope, planes);
  }

  putScope(entry: Pick<ScopeEntry, "scope" | "planes" | "read_only_agents">): void {
    this.tables.access.put(entry);
  }

  /** A Unit that says it has so many windows, whether or not they are stored. */
  upsert(draft: UnitDraft, windows: number): { unit: Unit; status: UnitStatus } {
    const [{ uid, status } = { uid: 0, status: "unchanged" as const }] = this.tables.units.upsert([draft], new Map());
    if (status === "created") this.db.query("UPDATE unit SET windows = ? WHERE uid = ?").run(windows, uid);
    return { unit: this.byUids([uid]).get(uid) as Unit, status };
  }

  remove(uids: readonly number[]): number {
    return this.tables.units.remove(uids);
  }
}
