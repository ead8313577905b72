/**
 * The catalog of one namespace: Units, scopes, access classes, stored vectors, the outbox and
 * idempotency records. It is the truth; the indexes follow from its outbox. A handle is bound to its
 * namespace: no method takes one.
 */
import type { Database } from "bun:sqlite";
import { Fault } from "../../base/fault.ts";
import { sha256Hex } from "../../base/hash.ts";
import { inTurns } from "../../base/turns.ts";
import { IDEMPOTENCY_TTL_MS, NAMESPACE_MAX_SCOPES } from "../../base/limits.ts";
import type { AccessClass } from "../../domain/access.ts";
import type { Locator } from "../../domain/locator.ts";
import type { Modality, Plane } from "../../domain/plane.ts";
import type { TextWindow } from "../../domain/port/encoder.ts";
import { lineage, parentScope, type ScopeEntry } from "../../domain/scope.ts";
import type { Unit, UnitDraft } from "../../domain/unit.ts";
import { Embeddings } from "./embeddings.ts";
import { type IndexTarget, Outbox } from "./outbox.ts";
import { UnitScans } from "./unit-scans.ts";
import { packWindows, unpackWindows } from "./vector-codec.ts";

export type UnitStatus = "created" | "updated" | "unchanged";

interface UnitRow {
  uid: number;
  unit_id: string;
  version: number;
  class_id: number;
  scope: string;
  acl_owner: string;
  acl_groups: string;
  doc_id: string | null;
  source_uri: string | null;
  mime: string | null;
  locator: string | null;
  modality: Modality;
  plane: Plane;
  text: string | null;
  metadata: string | null;
  content_sha256: string | null;
  windows: number;
  created_at: number;
  updated_at: number;
}

/** The live version of a Unit, as hits of an index are checked against it. */
export interface LiveUnit {
  uid: number;
  version: number;
  classId: number;
  doc_id: string | null;
  unit_id: string;
}

function sameJson(stored: string | null, value: unknown): boolean {
  return stored === (value === null ? null : JSON.stringify(value));
}

export class Catalog {
  readonly scans: UnitScans;
  private readonly classByKey = new Map<string, AccessClass>();
  private readonly scopes = new Map<string, ScopeEntry>();
  readonly outbox: Outbox;
  readonly embeddings: Embeddings;

  constructor(
    private readonly db: Database,
    readonly namespace: string,
    private readonly now: () => number,
    /** The model whose vectors are read. */
    model: string,
  ) {
    this.outbox = new Outbox(db, now);
    this.embeddings = new Embeddings(db, model);
    this.scans = new UnitScans(db, this.outbox);
    this.reload();
  }

  /** Reads the scopes and classes again: after a rollback memory must not know what the file does not. */
  reload(): void {
    this.classByKey.clear();
    this.scopes.clear();
    for (const row of this.db.query("SELECT class_id, scope, owner, groups FROM access_class").all() as {
      class_id: number;
      scope: string;
      owner: string;
      groups: string;
    }[]) {
      const acl = { classId: row.class_id, scope: row.scope, owner: row.owner, groups: JSON.parse(row.groups) as string[] };
      this.classByKey.set(classKey(acl), acl);
    }
    for (const row of this.db.query("SELECT scope, planes, read_only_agents, created_at FROM scope ORDER BY scope").all() as {
      scope: string;
      planes: string;
      read_only_agents: number;
      created_at: number;
    }[]) {
      this.scopes.set(row.scope, {
        scope: row.scope,
        namespace: this.namespace,
        parent: parentScope(row.scope),
        planes: JSON.parse(row.planes) as Plane[],
        read_only_agents: row.read_only_agents === 1,
        created_at: row.created_at,
      });
    }
  }

  /** Every registered scope, sorted. */
  registry(): ScopeEntry[] {
    return [...this.scopes.values()].sort((a, b) => (a.scope < b.scope ? -1 : 1));
  }

  classes(): AccessClass[] {
    return [...this.classByKey.values()];
  }

  // --- reading -------------------------------------------------------------------------------

  unitCount(): number {
    return (this.db.query("SELECT count(*) AS n FROM unit").get() as { n: number }).n;
  }

  /** Units of these classes by `created_at`, then `unit_id`. */
  async page(classes: readonly number[], limit: number, offset: number): Promise<Unit[]> {
    const uids = await this.scans.uidsByTime(classes, limit, offset);
    const units = this.byUids(uids);
    return uids.flatMap((uid) => units.get(uid) ?? []);
  }

  byId(unit_id: string): Unit | null {
    const row = this.db.query("SELECT * FROM unit WHERE unit_id = ?").get(unit_id) as UnitRow | null;
    return row && this.unit(row);
  }

  /** The Units of these uids; unknown ones are missing. */
  byUids(uids: readonly number[]): Map<number, Unit> {
    const rows = this.db.query("SELECT * FROM unit WHERE uid IN (SELECT value FROM json_each(?))").all(JSON.stringify(uids));
    return new Map((rows as UnitRow[]).map((row) => [row.uid, this.unit(row)]));
  }

  /** The live versions of these uids; unknown ones are missing. */
  async live(uids: readonly number[]): Promise<Map<number, LiveUnit>> {
    const sql = `SELECT uid, version, class_id AS classId, doc_id, unit_id FROM unit
      WHERE uid IN (SELECT value FROM json_each(?))`;
    const live = new Map<number, LiveUnit>();
    for await (const piece of inTurns(uids)) {
      for (const row of this.db.query(sql).all(JSON.stringify(piece)) as LiveUnit[]) live.set(row.uid, row);
    }
    return live;
  }

  /** Units after `uid` in the order of their uids, with what the indexes should hold of them: for checking. */
  unitsAfter(uid: number, limit: number): { unit: Unit; windows: TextWindow[] }[] {
    const rows = this.db.query("SELECT * FROM unit WHERE uid > ? ORDER BY uid LIMIT ?").all(uid, limit) as UnitRow[];
    return rows.map((row) => this.entry(row));
  }

  /** The stored windows of texts, by SHA-256 of the text. */
  windowsOf(hashes: readonly string[], model: string): Map<string, TextWindow[]> {
    const sql = "SELECT text_sha256, windows FROM embedding WHERE model = ? AND text_sha256 IN (SELECT value FROM json_each(?))";
    const rows = this.db.query(sql).all(model, JSON.stringify(hashes)) as { text_sha256: string; windows: Uint8Array }[];
    return new Map(rows.map((row) => [row.text_sha256, unpackWindows(row.windows)]));
  }

  /** As `windowsOf`, of the texts alone that a Unit of these classes has. */
  windowsWithin(hashes: readonly string[], model: string, classes: readonly number[]): Map<string, TextWindow[]> {
    // The plus keeps to the few Units of a text, where there may be thousands of classes.
    const sql = `SELECT value AS hash FROM json_each(?) AS asked WHERE EXISTS (
      SELECT 1 FROM unit WHERE content_sha256 = asked.value AND +class_id IN (SELECT value FROM json_each(?)))`;
    const known = this.db.query(sql).all(JSON.stringify(hashes), JSON.stringify(classes)) as { hash: string }[];
    return this.windowsOf(
      known.map(({ hash }) => hash),
      model,
    );
  }

  /** Units with an open outbox row for `target`, in the order of their uids. */
  open(target: IndexTarget, afterUid: number, limit: number): { unit: Unit; windows: TextWindow[] }[] {
    const sql = "SELECT unit.* FROM outbox JOIN unit USING (uid) WHERE target = ? AND uid > ? ORDER BY uid LIMIT ?";
    return (this.db.query(sql).all(target, afterUid, limit) as UnitRow[]).map((row) => this.entry(row));
  }

  // --- writing, inside a transaction of the caller ------------------------------------------------

  /** Registers a scope and its missing parents. Errors: `conflict` when the namespace holds NAMESPACE_MAX_SCOPES. */
  registerScope(scope: string, planes: readonly Plane[]): void {
    const missing = lineage(scope).filter((path) => !this.scopes.has(path));
    if (missing.length > 0 && this.scopes.size + missing.length > NAMESPACE_MAX_SCOPES) {
      throw new Fault(
        "conflict",
        `a namespace holds at most ${NAMESPACE_MAX_SCOPES} scopes; an admin removes empty ones with DELETE /v1/scopes/PATH`,
      );
    }
    for (const path of missing) this.putScope({ scope: path, planes: [...planes], read_only_agents: false });
  }

  /** What lies in a scope, in words; null when it is empty. */
  contentOf(scope: string): "Units" | "files" | "scopes" | null {
    if ([...this.scopes.values()].some(({ parent }) => parent === scope)) return "scopes";
    const units = "SELECT 1 FROM unit WHERE class_id IN (SELECT class_id FROM access_class WHERE scope = ?) LIMIT 1";
    if (this.db.query(units).get(scope) !== null) return "Units";
    return this.db.query("SELECT 1 FROM file WHERE scope = ? LIMIT 1").get(scope) === null ? null : "files";
  }

  /** Takes a scope out of the registry. Its access classes stay: a class id is never used for another class. */
  removeScope(scope: string): void {
    this.db.query("DELETE FROM scope WHERE scope = ?").run(scope);
    this.scopes.delete(scope);
  }

  /** Writes a registry entry as given, keeping its `created_at` when it exists. */
  putScope(entry: Pick<ScopeEntry, "scope" | "planes" | "read_only_agents">): void {
    const known = this.scopes.get(entry.scope);
    const full: ScopeEntry = {
      ...entry,
      namespace: this.namespace,
      parent: parentScope(entry.scope),
      created_at: known?.created_at ?? this.now(),
    };
    this.db
      .query("INSERT OR REPLACE INTO scope (scope, planes, read_only_agents, created_at) VALUES (?, ?, ?, ?)")
      .run(full.scope, JSON.stringify(full.planes), full.read_only_agents ? 1 : 0, full.created_at);
    this.scopes.set(entry.scope, full);
  }

  /** Creates, updates or finds unchanged one Unit, and opens its outbox rows. */
  upsert(draft: UnitDraft, windows: number): { unit: Unit; status: UnitStatus } {
    const row = this.db.query("SELECT * FROM unit WHERE unit_id = ?").get(draft.unit_id) as UnitRow | null;
    if (row === null) return { unit: this.insert(draft, windows), status: "created" };
    const same = sameJson(row.acl_groups, draft.acl_groups) && row.mime === draft.mime && sameJson(row.metadata, draft.metadata);
    return same ? { unit: this.unit(row), status: "unchanged" } : { unit: this.update(row, draft), status: "updated" };
  }

  /**
   * Removes Units and all that hangs on them, in as many statements for thousands as for one. What the indexes hold of
   * them is removed through `removals`. Returns how many there were.
   */
  remove(uids: readonly number[]): number {
    const ids = JSON.stringify(uids);
    const among = "uid IN (SELECT value FROM json_each(?1))";
    const hashes = this.db.query(`SELECT DISTINCT content_sha256 FROM unit WHERE ${among} AND content_sha256 IS NOT NULL`).values(ids);
    for (const target of ["plane", "'fulltext'"]) {
      this.db.query(`INSERT OR REPLACE INTO removal (target, uid) SELECT ${target}, uid FROM unit WHERE ${among} AND text IS NOT NULL`).run(ids);
    }
    for (const table of ["outbox", "quarantine", "file_unit", "content_label", "content"])
      this.db.query(`DELETE FROM ${table} WHERE ${among}`).run(ids);
    const { changes } = this.db.query(`DELETE FROM unit WHERE ${among}`).run(ids);
    const unused = "NOT EXISTS (SELECT 1 FROM unit WHERE content_sha256 = text_sha256)";
    this.db
      .query(`DELETE FROM embedding WHERE text_sha256 IN (SELECT value FROM json_each(?)) AND ${unused}`)
      .run(JSON.stringify(hashes.map(([hash]) => hash)));
    return changes;
  }

  storeWindows(text_sha256: string, model: string, windows: readonly TextWindow[]): void {
    this.db.query("INSERT OR IGNORE INTO embedding (text_sha256, model, windows) VALUES (?, ?, ?)").run(text_sha256, model, packWindows(windows));
  }

  // --- idempotency ---------------------------------------------------------------------------

  /** The stored answer of a key, unless it has expired. */
  idempotent(principal_id: string, key: string): { body_sha256: string; response: string } | null {
    return this.db
      .query("SELECT body_sha256, response FROM idempotency WHERE principal_id = ? AND key = ? AND created_at > ?")
      .get(principal_id, key, this.now() - IDEMPOTENCY_TTL_MS) as { body_sha256: string; response: string } | null;
  }

  rememberIdempotent(principal_id: string, key: string, body_sha256: string, response: string): void {
    this.db.query("DELETE FROM idempotency WHERE created_at <= ?").run(this.now() - IDEMPOTENCY_TTL_MS);
    this.db
      .query("INSERT OR REPLACE INTO idempotency (principal_id, key, body_sha256, response, created_at) VALUES (?, ?, ?, ?, ?)")
      .run(principal_id, key, body_sha256, response, this.now());
  }

  // --- rows ----------------------------------------------------------------------------------

  private insert(draft: UnitDraft, windows: number): Unit {
    const now = this.now();
    const acl = this.classOf(draft);
    const hash = draft.text === null ? null : sha256Hex(draft.text);
    const { uid } = this.db
      .query(
        `INSERT INTO unit (unit_id, version, class_id, scope, acl_owner, acl_groups, doc_id, source_uri, mime, locator,
           modality, plane, text, metadata, content_sha256, windows, created_at, updated_at)
         VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING uid`,
      )
      .get(
        draft.unit_id,
        acl.classId,
        draft.scope,
        draft.acl_owner,
        JSON.stringify(draft.acl_groups),
        draft.doc_id,
        draft.source_uri,
        draft.mime,
        draft.locator && JSON.stringify(draft.locator),
        draft.modality,
        draft.plane,
        draft.text,
        draft.metadata && JSON.stringify(draft.metadata),
        hash,
        windows,
        now,
        now,
      ) as { uid: number };
    const unit: Unit = { ...draft, uid, version: 1, classId: acl.classId, content_sha256: hash, created_at: now, updated_at: now };
    this.announce(unit);
    return unit;
  }

  private update(row: UnitRow, draft: UnitDraft): Unit {
    const acl = this.classOf(draft);
    const unit: Unit = {
      ...this.unit(row),
      acl_groups: draft.acl_groups,
      mime: draft.mime,
      metadata: draft.metadata,
      classId: acl.classId,
      version: row.version + 1,
      updated_at: this.now(),
    };
    this.db
      .query("UPDATE unit SET version = ?, class_id = ?, acl_groups = ?, mime = ?, metadata = ?, updated_at = ? WHERE uid = ?")
      .run(
        unit.version,
        unit.classId,
        JSON.stringify(unit.acl_groups),
        unit.mime,
        unit.metadata && JSON.stringify(unit.metadata),
        unit.updated_at,
        unit.uid,
      );
    this.announce(unit);
    return unit;
  }

  /** Only text is indexed; a Unit without it is found by listing and id. */
  private announce(unit: Unit): void {
    if (unit.text === null) return;
    this.outbox.reopen(unit.plane, [unit]);
    this.outbox.reopen("fulltext", [unit]);
  }

  private classOf(draft: UnitDraft): AccessClass {
    const wanted = { scope: draft.scope, owner: draft.acl_owner, groups: [...new Set(draft.acl_groups)].sort() };
    const known = this.classByKey.get(classKey(wanted));
    if (known) return known;
    const { class_id } = this.db
      .query("INSERT INTO access_class (scope, owner, groups) VALUES (?, ?, ?) RETURNING class_id")
      .get(wanted.scope, wanted.owner, JSON.stringify(wanted.groups)) as { class_id: number };
    const acl = { classId: class_id, ...wanted };
    this.classByKey.set(classKey(acl), acl);
    return acl;
  }

  private entry(row: UnitRow): { unit: Unit; windows: TextWindow[] } {
    if (row.content_sha256 === null) return { unit: this.unit(row), windows: [] };
    return { unit: this.unit(row), windows: this.embeddings.windows(row.content_sha256) };
  }

  private unit(row: UnitRow): Unit {
    return {
      uid: row.uid,
      unit_id: row.unit_id,
      version: row.version,
      classId: row.class_id,
      namespace: this.namespace,
      scope: row.scope,
      acl_owner: row.acl_owner,
      acl_groups: JSON.parse(row.acl_groups) as string[],
      doc_id: row.doc_id,
      source_uri: row.source_uri,
      mime: row.mime,
      locator: row.locator === null ? null : (JSON.parse(row.locator) as Locator),
      modality: row.modality,
      plane: row.plane,
      text: row.text,
      metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Unit["metadata"]),
      content_sha256: row.content_sha256,
      created_at: row.created_at,
      updated_at: row.updated_at,
    };
  }
}

function classKey(acl: Omit<AccessClass, "classId">): string {
  return JSON.stringify([acl.scope, acl.owner, acl.groups]);
}
