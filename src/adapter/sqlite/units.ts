/** The Units of one namespace, as rows of the table `unit`. */
import type { Database } from "bun:sqlite";
import { sha256Hex } from "../../base/hash.ts";
import { inTurns } from "../../base/turns.ts";
import type { Locator } from "../../domain/locator.ts";
import type { TextWindow } from "../../domain/port/encoder.ts";
import type { IndexEntry, IndexName } from "../../domain/port/index.ts";
import type { LiveUnit, UnitCursor, UnitOrder, Upserted } from "../../domain/port/units.ts";
import { isGiven, type Unit, type UnitDraft, vectorsKey } from "../../domain/unit.ts";
import type { AccessTable } from "./access.ts";
import type { EmbeddingTable } from "./embeddings.ts";
import type { OutboxTable } from "./outbox.ts";
import { UnitScans } from "./unit-scans.ts";

interface UnitRow extends Omit<Unit, "namespace" | "classId" | "embeddedSha256" | "acl_groups" | "path" | "locator" | "metadata"> {
  class_id: number;
  acl_groups: string;
  path: string | null;
  locator: string | null;
  metadata: string | null;
  embedded_sha256: string | null;
}

function sameJson(stored: string | null, value: unknown): boolean {
  return stored === (value === null ? null : JSON.stringify(value));
}

/** What the rows of Units hang together with. */
export interface UnitTableOptions {
  namespace: string;
  now: () => number;
  access: AccessTable;
  embeddings: EmbeddingTable;
  outbox: OutboxTable;
  /** Gets the Units that are made, changed or removed. */
  touched: Set<number>;
}

export class UnitTable extends UnitScans {
  constructor(
    db: Database,
    private readonly options: UnitTableOptions,
  ) {
    super(db, options.outbox);
  }

  byIds(unit_ids: readonly string[]): Map<string, Unit> {
    const rows = this.db.query("SELECT * FROM unit WHERE unit_id IN (SELECT value FROM json_each(?))").all(JSON.stringify(unit_ids));
    return new Map((rows as UnitRow[]).map((row) => [row.unit_id, this.unit(row)]));
  }

  byUids(uids: readonly number[]): Map<number, Unit> {
    const rows = this.db.query("SELECT * FROM unit WHERE uid IN (SELECT value FROM json_each(?))").all(JSON.stringify(uids));
    return new Map((rows as UnitRow[]).map((row) => [row.uid, this.unit(row)]));
  }

  async list(classes: readonly number[], limit: number, from: UnitCursor | number, order: UnitOrder = "oldest"): Promise<Unit[]> {
    const uids = await this.uidsByTime(classes, limit, from, order);
    const units = this.byUids(uids);
    return uids.flatMap((uid) => units.get(uid) ?? []);
  }

  async live(uids: readonly number[]): Promise<Map<number, LiveUnit>> {
    const sql = `SELECT uid, version, class_id AS classId, doc_id, unit_id FROM unit
      WHERE uid IN (SELECT value FROM json_each(?))`;
    const live = new Map<number, LiveUnit>();
    for await (const piece of inTurns(uids)) {
      for (const row of this.db.query(sql).all(JSON.stringify(piece)) as LiveUnit[]) live.set(row.uid, row);
    }
    return live;
  }

  entriesAfter(uid: number, limit: number): IndexEntry[] {
    return this.entries(this.db.query("SELECT * FROM unit WHERE uid > ? ORDER BY uid LIMIT ?").all(uid, limit) as UnitRow[]);
  }

  /** As Outbox.pending. */
  pending(index: IndexName, after: number, limit: number): IndexEntry[] {
    const sql = "SELECT unit.* FROM outbox JOIN unit USING (uid) WHERE target = ? AND uid > ? ORDER BY uid LIMIT ?";
    const rows = this.db.query(sql).all(index, after, limit) as UnitRow[];
    return index === "fulltext" ? rows.map((row) => ({ unit: this.unit(row), windows: [] })) : this.entries(rows);
  }

  upsert(drafts: readonly UnitDraft[], windows: ReadonlyMap<string, readonly TextWindow[]>): Upserted[] {
    const find = this.db.query("SELECT * FROM unit WHERE unit_id = ?");
    const changed = new Map<IndexName, number[]>();
    const upserted = drafts.map((draft): Upserted => {
      const { unit_id, plane } = draft;
      const row = find.get(unit_id) as UnitRow | null;
      const key = vectorsKey(draft, windows);
      const own = key === null ? undefined : windows.get(key);
      const moves = row !== null && this.movesVectors(row, key, own);
      const same = row !== null && sameJson(row.acl_groups, draft.acl_groups) && row.mime === draft.mime && sameJson(row.metadata, draft.metadata);
      if (same && !moves) return { uid: row.uid, unit_id, status: "unchanged" };
      const uid = row === null ? this.insert(draft, key, own) : this.update(row, draft);
      if (moves) this.moveVectors(row, key, own);
      changed
        .set(plane, changed.get(plane) ?? [])
        .get(plane)
        ?.push(uid);
      return { uid, unit_id, status: row === null ? "created" : "updated" };
    });
    this.changed([...changed.values()].flat());
    for (const [plane, uids] of changed) for (const target of [plane, "fulltext"] as const) this.outbox.again(target, uids);
    return upserted;
  }

  /** In as many statements for thousands as for one. */
  remove(uids: readonly number[]): number {
    if (uids.length === 0) return 0;
    const ids = JSON.stringify(uids);
    const among = "uid IN (SELECT value FROM json_each(?1))";
    const hashes = this.db.query(`SELECT DISTINCT embedded_sha256 FROM unit WHERE ${among} AND embedded_sha256 IS NOT NULL`).values(ids);
    for (const target of ["plane", "'fulltext'"]) {
      this.db.query(`INSERT OR REPLACE INTO removal (target, uid) SELECT ${target}, uid FROM unit WHERE ${among} AND text IS NOT NULL`).run(ids);
    }
    for (const table of ["outbox", "quarantine", "file_unit", "content_label", "content"])
      this.db.query(`DELETE FROM ${table} WHERE ${among}`).run(ids);
    const { changes } = this.db.query(`DELETE FROM unit WHERE ${among}`).run(ids);
    if (changes > 0) this.changed(uids);
    this.options.embeddings.removeUnused(hashes.map(([hash]) => hash as string));
    return changes;
  }

  /** Whether a Unit that came with a vector comes without it, or with another one, or comes with its first. */
  private movesVectors(row: UnitRow, key: string | null, own: readonly TextWindow[] | undefined): boolean {
    if (key === null || !isGiven(key)) return isGiven(row.embedded_sha256);
    return row.embedded_sha256 !== key || !this.options.embeddings.holds(key, own ?? []);
  }

  private moveVectors({ uid, embedded_sha256 }: UnitRow, key: string | null, own: readonly TextWindow[] | undefined): void {
    const { embeddings } = this.options;
    this.db.query("UPDATE unit SET embedded_sha256 = ?, windows = ? WHERE uid = ?").run(key, own?.length ?? 0, uid);
    if (key !== null && own !== undefined) {
      if (isGiven(key)) embeddings.put(key, own);
      else embeddings.keep(key, own);
    }
    if (embedded_sha256 !== null) embeddings.removeUnused([embedded_sha256]);
  }

  private insert(draft: UnitDraft, key: string | null, own: readonly TextWindow[] | undefined): number {
    const now = this.options.now();
    const { uid } = this.db
      .query(
        `INSERT INTO unit (unit_id, version, class_id, scope, acl_owner, acl_groups, doc_id, path, source_uri, mime, locator,
           modality, plane, text, metadata, content_sha256, embedded_sha256, windows, created_at, updated_at)
         VALUES ($unit_id, 1, $class_id, $scope, $acl_owner, $acl_groups, $doc_id, $path, $source_uri, $mime, $locator,
           $modality, $plane, $text, $metadata, $hash, $embedded, $windows, $now, $now) RETURNING uid`,
      )
      .get({
        ...draft,
        class_id: this.classOf(draft),
        acl_groups: JSON.stringify(draft.acl_groups),
        path: draft.path && JSON.stringify(draft.path),
        locator: draft.locator && JSON.stringify(draft.locator),
        metadata: draft.metadata && JSON.stringify(draft.metadata),
        hash: draft.text && sha256Hex(draft.text),
        embedded: key,
        windows: own?.length ?? 0,
        now,
      }) as { uid: number };
    if (key !== null && own !== undefined) this.options.embeddings.keep(key, own);
    return uid;
  }

  private update(row: UnitRow, draft: UnitDraft): number {
    this.db
      .query("UPDATE unit SET version = ?, class_id = ?, acl_groups = ?, mime = ?, metadata = ?, updated_at = ? WHERE uid = ?")
      .run(
        row.version + 1,
        this.classOf(draft),
        JSON.stringify(draft.acl_groups),
        draft.mime,
        draft.metadata && JSON.stringify(draft.metadata),
        this.options.now(),
        row.uid,
      );
    return row.uid;
  }

  private changed(uids: readonly number[]): void {
    if (uids.length === 0) return;
    this.db.query("UPDATE revision SET revision = revision + 1").run();
    for (const uid of uids) this.options.touched.add(uid);
  }

  private classOf({ scope, acl_owner, acl_groups }: UnitDraft): number {
    return this.options.access.classOf(scope, acl_owner, acl_groups);
  }

  private entries(rows: readonly UnitRow[]): IndexEntry[] {
    const windows = this.options.embeddings.windows(rows.flatMap(({ embedded_sha256 }) => embedded_sha256 ?? []));
    return rows.map((row) => ({ unit: this.unit(row), windows: windows.get(row.embedded_sha256 ?? "") ?? [] }));
  }

  /** Units are shown with their members in this order. */
  private unit({ unit_id, class_id, scope, acl_owner, acl_groups, doc_id, path, embedded_sha256, ...row }: UnitRow): Unit {
    return {
      unit_id,
      namespace: this.options.namespace,
      scope,
      acl_owner,
      acl_groups: JSON.parse(acl_groups) as string[],
      doc_id,
      path: path === null ? null : (JSON.parse(path) as string[]),
      ...row,
      classId: class_id,
      embeddedSha256: embedded_sha256,
      locator: row.locator === null ? null : (JSON.parse(row.locator) as Locator),
      metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Unit["metadata"]),
    };
  }
}
