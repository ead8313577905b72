/** The tables of a namespace as core still asks for them, until it works on the ports. */
import type { Database } from "bun:sqlite";
import type { Span } from "../../base/span.ts";
import type { AccessClass } from "../../domain/access.ts";
import type { Plane } from "../../domain/plane.ts";
import type { TextWindow } from "../../domain/port/encoder.ts";
import type { IndexEntry, IndexName } from "../../domain/port/index.ts";
import type { LiveUnit, PlaneCount, UnitStatus } from "../../domain/port/units.ts";
import type { ScopeEntry } from "../../domain/scope.ts";
import type { Unit, UnitDraft } from "../../domain/unit.ts";
import { OutboxTable } from "./outbox.ts";
import type { Tables } from "./tables.ts";

class OldOutbox extends OutboxTable {
  reopenAll(target: IndexName): void {
    this.reopen(target, "all");
  }
}

export class Catalog {
  readonly outbox: OldOutbox;
  readonly scans;
  readonly embeddings;

  constructor(
    private readonly db: Database,
    readonly namespace: string,
    now: () => number,
    private readonly tables: Tables,
  ) {
    this.outbox = new OldOutbox(db, now);
    const { units, embeddings } = tables;
    this.scans = Object.assign(Object.create(units) as typeof units, {
      planeCounts: (classes: readonly number[]): Promise<PlaneCount[]> => units.counts(classes),
    });
    this.embeddings = {
      model: embeddings.model,
      windows: (hash: string): TextWindow[] => embeddings.windows([hash]).get(hash) ?? [],
      spans: (hash: string): Span[] => embeddings.spans([hash]).get(hash) ?? [],
      foreign: () => embeddings.foreign(),
      missing: (limit: number) => embeddings.missing(limit),
      add: (hash: string, windows: readonly TextWindow[]) => embeddings.put(hash, windows),
      removeForeign: () => embeddings.removeForeign(),
    };
  }

  reload(): void {
    this.tables.access.forget();
  }

  registry(): ScopeEntry[] {
    return [...this.tables.access.scopes()];
  }

  classes(): AccessClass[] {
    return [...this.tables.access.classes()];
  }

  unitCount(): number {
    return this.tables.units.total();
  }

  page(classes: readonly number[], limit: number, offset: number): Promise<Unit[]> {
    return this.tables.units.list(classes, limit, offset);
  }

  byId(unit_id: string): Unit | null {
    return this.tables.units.byIds([unit_id]).get(unit_id) ?? null;
  }

  byUids(uids: readonly number[]): Map<number, Unit> {
    return this.tables.units.byUids(uids);
  }

  live(uids: readonly number[]): Promise<Map<number, LiveUnit>> {
    return this.tables.units.live(uids);
  }

  unitsAfter(uid: number, limit: number): IndexEntry[] {
    return this.tables.units.entriesAfter(uid, limit);
  }

  windowsOf(hashes: readonly string[], _model: string): Map<string, TextWindow[]> {
    return this.tables.embeddings.windows(hashes);
  }

  windowsWithin(hashes: readonly string[], _model: string, classes: readonly number[]): Map<string, TextWindow[]> {
    return this.tables.embeddings.windowsWithin(hashes, classes);
  }

  open(target: IndexName, afterUid: number, limit: number): IndexEntry[] {
    return this.tables.units.pending(target, afterUid, limit);
  }

  registerScope(scope: string, planes: readonly Plane[]): void {
    this.tables.access.register(scope, planes);
  }

  contentOf(scope: string): "Units" | "files" | "scopes" | null {
    return this.tables.access.contentOf(scope);
  }

  removeScope(scope: string): void {
    this.tables.access.remove(scope);
  }

  putScope(entry: Pick<ScopeEntry, "scope" | "planes" | "read_only_agents">): void {
    this.tables.access.put(entry);
  }

  upsert(draft: UnitDraft, windows: number): { unit: Unit; status: UnitStatus } {
    const [{ uid, status } = { uid: 0, status: "unchanged" as const }] = this.tables.units.upsert([draft], new Map());
    if (status === "created") this.db.query("UPDATE unit SET windows = ? WHERE uid = ?").run(windows, uid);
    return { unit: this.byUids([uid]).get(uid) as Unit, status };
  }

  remove(uids: readonly number[]): number {
    return this.tables.units.remove(uids);
  }

  storeWindows(hash: string, _model: string, windows: readonly TextWindow[]): void {
    this.tables.embeddings.keep(hash, windows);
  }

  idempotent(principal_id: string, key: string): { body_sha256: string; response: string } | null {
    return this.tables.idempotency.find(principal_id, key);
  }

  rememberIdempotent(principal_id: string, key: string, body_sha256: string, response: string): void {
    this.tables.idempotency.remember(principal_id, key, body_sha256, response);
  }
}
