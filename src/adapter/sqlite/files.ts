/**
 * Files, their Units and their jobs in the catalog of one namespace. Everything that writes runs inside a transaction of
 * the caller, together with the Units that it is about.
 */
import type { Database } from "bun:sqlite";
import { Fault } from "../../base/fault.ts";
import { randomToken } from "../../base/hash.ts";
import { pages } from "../../base/turns.ts";
import { classesAsSet } from "../../domain/access.ts";
import type { ExtractorVersions } from "../../domain/extractor-version.ts";
import type { Job, StoredFile } from "../../domain/file.ts";
import type { FileCursor, Lease, OutdatedFile } from "../../domain/port/files.ts";

interface FileRow extends Omit<StoredFile, "acl_groups" | "metadata"> {
  acl_groups: string;
  metadata: string | null;
}

interface JobRow extends Omit<Job, "notes" | "error"> {
  notes: string;
  error: string | null;
  lease: string | null;
  lease_until: number | null;
}

/** Of jobs that are not finished. */
export const ACTIVE = "state IN ('queued', 'running')";
const LEASE_TOKEN_BYTES = 12;
const LOST = "the job is gone, or somebody else works on it";

/** `?1`: the version of each kind, as JSON. */
const OUTDATED = "extractor < (SELECT value FROM json_each(?1) WHERE key = file.kind)";

const OF_CLASSES = "class_id IN (SELECT value FROM json_each(?))";

interface SharedFileRow {
  file_id: string;
  class_id: number;
  bytes: number;
}

export class FileTable {
  constructor(
    private readonly db: Database,
    private readonly now: () => number,
  ) {}

  byId(file_id: string): StoredFile | null {
    return fileOf(this.db.query("SELECT * FROM file WHERE file_id = ?").get(file_id) as FileRow | null);
  }

  newest(scopes: readonly string[], after: FileCursor | null, limit: number): StoredFile[] {
    const sql = `SELECT * FROM file WHERE scope IN (SELECT value FROM json_each(?)) AND (created_at, file_id) < (?, ?)
      ORDER BY created_at DESC, file_id DESC LIMIT ?`;
    const { created_at, file_id } = after ?? { created_at: Number.MAX_SAFE_INTEGER, file_id: "" };
    return (this.db.query(sql).all(JSON.stringify(scopes), created_at, file_id, limit) as FileRow[]).flatMap((row) => fileOf(row) ?? []);
  }

  countUnits(file_id: string, classes: readonly number[]): number {
    const wanted = classesAsSet(classes);
    const rows = this.db.query("SELECT class_id, units FROM file_class WHERE file_id = ?").values(file_id) as [number, number][];
    return rows.reduce((sum, [class_id, units]) => sum + (wanted.has(class_id) ? units : 0), 0);
  }

  ofUnit(uid: number): StoredFile | null {
    return fileOf(this.db.query("SELECT file.* FROM file_unit JOIN file USING (file_id) WHERE uid = ?").get(uid) as FileRow | null);
  }

  unitIds(file_id: string, classes: readonly number[]): string[] {
    const sql = `SELECT unit_id FROM file_unit JOIN unit USING (uid) WHERE file_id = ? AND ${OF_CLASSES} ORDER BY uid`;
    return (this.db.query(sql).all(file_id, JSON.stringify(classes)) as { unit_id: string }[]).map(({ unit_id }) => unit_id);
  }

  uids(file_id: string): number[] {
    return (this.db.query("SELECT uid FROM file_unit WHERE file_id = ? ORDER BY uid").all(file_id) as { uid: number }[]).map(({ uid }) => uid);
  }

  hasUnits(file_id: string, classes: readonly number[] | null): boolean {
    const inClasses = classes === null ? "" : `AND ${OF_CLASSES}`;
    const sql = `SELECT 1 FROM file_class WHERE file_id = ? ${inClasses} LIMIT 1`;
    return this.db.query(sql).get(file_id, ...(classes === null ? [] : [JSON.stringify(classes)])) !== null;
  }

  withUnits(): StoredFile[] {
    const sql = "SELECT * FROM file WHERE EXISTS (SELECT 1 FROM file_unit WHERE file_unit.file_id = file.file_id) ORDER BY file_id";
    return (this.db.query(sql).all() as FileRow[]).flatMap((row) => fileOf(row) ?? []);
  }

  /** The sums of the classes, less what they count again of files in several of them. */
  async bytesIn(classes: readonly number[]): Promise<number> {
    const readable = classesAsSet(classes);
    const page = this.db.query(`SELECT file_id, class_id, bytes FROM shared_file JOIN file_class USING (file_id) JOIN file USING (file_id)
      WHERE shared_file.file_id >= ?1 AND (shared_file.file_id, class_id) > (?1, ?2) ORDER BY shared_file.file_id, class_id LIMIT ?3`);
    const read = (after: SharedFileRow | undefined, room: number) => page.all(after?.file_id ?? "", after?.class_id ?? 0, room) as SharedFileRow[];
    let again = 0;
    let counted = "";
    for await (const rows of pages(read)) {
      for (const { file_id, class_id, bytes } of rows) {
        if (!readable.has(class_id)) continue;
        if (file_id === counted) again += bytes;
        counted = file_id;
      }
    }
    const sum = `SELECT coalesce(sum(bytes), 0) AS bytes FROM class_bytes WHERE ${OF_CLASSES}`;
    return (this.db.query(sum).get(JSON.stringify(classes)) as { bytes: number }).bytes - again;
  }

  put(file: Omit<StoredFile, "created_at" | "updated_at">): StoredFile {
    const now = this.now();
    const created_at = this.byId(file.file_id)?.created_at ?? now;
    this.db
      .query(
        `INSERT INTO file (file_id, scope, acl_owner, acl_groups, doc_id, name, kind, mime, bytes, sha256, metadata, extractor, created_at,
           updated_at)
         VALUES ($file_id, $scope, $acl_owner, $acl_groups, $doc_id, $name, $kind, $mime, $bytes, $sha256, $metadata, $extractor, $created_at, $now)
         ON CONFLICT (file_id) DO UPDATE SET acl_groups = excluded.acl_groups, name = excluded.name, kind = excluded.kind,
           mime = excluded.mime, metadata = excluded.metadata, extractor = excluded.extractor, updated_at = excluded.updated_at`,
      )
      .run({ ...file, acl_groups: JSON.stringify(file.acl_groups), metadata: file.metadata && JSON.stringify(file.metadata), created_at, now });
    return { ...file, created_at, updated_at: now };
  }

  addUnits(file_id: string, uids: readonly number[], standing: "settled" | "fresh" = "settled"): void {
    const sql = `INSERT INTO file_unit (uid, file_id, standing) SELECT value, ?, ? FROM json_each(?) WHERE true
      ON CONFLICT (uid) DO UPDATE SET file_id = excluded.file_id,
        standing = CASE WHEN excluded.standing = 'settled' OR file_unit.standing = 'former' THEN 'settled' ELSE file_unit.standing END`;
    this.db.query(sql).run(file_id, standing, JSON.stringify(uids));
  }

  beginReading(file_id: string): number[] {
    const fresh = this.standing(file_id, "fresh");
    this.db.query("UPDATE file_unit SET standing = 'former' WHERE file_id = ? AND standing = 'settled'").run(file_id);
    return fresh;
  }

  endReading(file_id: string, extractor: number): number[] {
    this.db.query("UPDATE file SET extractor = ? WHERE file_id = ?").run(extractor, file_id);
    this.db.query("UPDATE file_unit SET standing = 'settled' WHERE file_id = ? AND standing = 'fresh'").run(file_id);
    return this.standing(file_id, "former");
  }

  abandonReading(file_id: string): number[] {
    this.db.query("UPDATE file_unit SET standing = 'settled' WHERE file_id = ? AND standing = 'former'").run(file_id);
    return this.standing(file_id, "fresh");
  }

  formerUnits(file_id: string): number {
    return this.standing(file_id, "former").length;
  }

  groupsOfUnits(file_id: string): string[][] {
    const sql = "SELECT DISTINCT acl_groups FROM file_unit JOIN unit USING (uid) WHERE file_id = ? ORDER BY acl_groups";
    return (this.db.query(sql).values(file_id) as [string][]).map(([groups]) => JSON.parse(groups) as string[]);
  }

  outdated(versions: ExtractorVersions, scopes: readonly string[], after: string, limit: number): OutdatedFile[] {
    const sql = `SELECT file.*,
        (SELECT count(*) FROM file_unit WHERE file_unit.file_id = file.file_id AND standing <> 'fresh') AS own,
        (SELECT units FROM job WHERE job.file_id = file.file_id AND state = 'done' ORDER BY created_at DESC, rowid DESC LIMIT 1) AS made
      FROM file WHERE ${OUTDATED} AND scope IN (SELECT value FROM json_each(?2)) AND file_id > ?3 ORDER BY file_id LIMIT ?4`;
    const rows = this.db.query(sql).all(JSON.stringify(versions), JSON.stringify(scopes), after, limit);
    return (rows as (FileRow & { own: number; made: number | null })[]).flatMap(({ own, made, ...row }) => {
      const file = fileOf(row);
      return file === null ? [] : { file, units: own, made };
    });
  }

  countOutdated(versions: ExtractorVersions, scopes: readonly string[] | null): { files: number; units: number } {
    const own = "SELECT count(*) FROM file_unit WHERE file_unit.file_id = file.file_id";
    const sql = `SELECT count(*) AS files, coalesce(sum((${own})), 0) AS units FROM file
      WHERE ${OUTDATED} AND (?2 IS NULL OR scope IN (SELECT value FROM json_each(?2)))`;
    return this.db.query(sql).get(JSON.stringify(versions), scopes && JSON.stringify(scopes)) as { files: number; units: number };
  }

  private standing(file_id: string, standing: "former" | "fresh"): number[] {
    const rows = this.db.query("SELECT uid FROM file_unit WHERE file_id = ? AND standing = ? ORDER BY uid").values(file_id, standing);
    return (rows as [number][]).map(([uid]) => uid);
  }

  remove(file_id: string): void {
    this.db.query("DELETE FROM job WHERE file_id = ?").run(file_id);
    this.db.query("DELETE FROM file WHERE file_id = ?").run(file_id);
  }

  usesObject(sha256: string): boolean {
    return this.db.query("SELECT 1 FROM file WHERE sha256 = ? LIMIT 1").get(sha256) !== null;
  }
}

export class JobTable {
  constructor(
    private readonly db: Database,
    private readonly now: () => number,
  ) {}

  byId(job_id: string): Job | null {
    return jobOf(this.db.query("SELECT * FROM job WHERE job_id = ?").get(job_id) as JobRow | null);
  }

  lastOf(file_id: string): Job | null {
    return jobOf(this.db.query("SELECT * FROM job WHERE file_id = ? ORDER BY created_at DESC, rowid DESC LIMIT 1").get(file_id) as JobRow | null);
  }

  active(): Job[] {
    const rows = this.db.query(`SELECT * FROM job WHERE ${ACTIVE} ORDER BY created_at, rowid`).all() as JobRow[];
    return rows.flatMap((row) => jobOf(row) ?? []);
  }

  activeCount(): number {
    return (this.db.query(`SELECT count(*) AS n FROM job WHERE ${ACTIVE}`).get() as { n: number }).n;
  }

  wasDone(file_id: string): boolean {
    return this.db.query("SELECT 1 FROM job WHERE file_id = ? AND state = 'done' LIMIT 1").get(file_id) !== null;
  }

  enqueue(job_id: string, file_id: string, asked_by: string | null = null): Job {
    const now = this.now();
    this.db
      .query(
        `INSERT INTO job (job_id, file_id, asked_by, state, stage, progress, next_part, units, created, notes, error, created_at, updated_at)
         VALUES (?, ?, ?, 'queued', 'waiting', 0, 0, 0, 0, '[]', NULL, ?, ?)`,
      )
      .run(job_id, file_id, asked_by, now, now);
    const job = this.byId(job_id);
    if (job === null) throw new Error("a job that was written is there");
    return job;
  }

  put(job: Job): void {
    this.db
      .query(
        `UPDATE job SET extractor = $extractor, state = $state, stage = $stage, progress = $progress, next_part = $next_part, units = $units, created = $created,
           notes = $notes, error = $error, updated_at = $now WHERE job_id = $job_id`,
      )
      .run({ ...job, notes: JSON.stringify(job.notes), error: job.error && JSON.stringify(job.error), now: this.now() });
  }

  lease(job_id: string, forMs: number): Lease | null {
    const [token, expires_at] = [randomToken(LEASE_TOKEN_BYTES), this.now() + forMs];
    const sql = `UPDATE job SET lease = ?, lease_until = ? WHERE job_id = ? AND ${ACTIVE} AND (lease IS NULL OR lease_until <= ?)`;
    const { changes } = this.db.query(sql).run(token, expires_at, job_id, this.now());
    return changes === 0 ? null : { job_id, token, expires_at };
  }

  renew({ job_id, token }: Lease, forMs: number): Lease {
    const expires_at = this.now() + forMs;
    const { changes } = this.db.query("UPDATE job SET lease_until = ? WHERE job_id = ? AND lease = ?").run(expires_at, job_id, token);
    if (changes === 0) throw new Fault("conflict", LOST);
    return { job_id, token, expires_at };
  }

  advance({ job_id, token }: Lease, job: Job): void {
    if (this.db.query("SELECT 1 FROM job WHERE job_id = ? AND lease = ?").get(job_id, token) === null) throw new Fault("conflict", LOST);
    this.put(job);
  }

  release({ job_id, token }: Lease): void {
    this.db.query("UPDATE job SET lease = NULL, lease_until = NULL WHERE job_id = ? AND lease = ?").run(job_id, token);
  }
}

function fileOf(row: FileRow | null): StoredFile | null {
  if (row === null) return null;
  return {
    ...row,
    acl_groups: JSON.parse(row.acl_groups) as string[],
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as StoredFile["metadata"]),
  };
}

function jobOf(row: JobRow | null): Job | null {
  if (row === null) return null;
  const { lease: _, lease_until: __, ...job } = row;
  return { ...job, notes: JSON.parse(row.notes) as string[], error: row.error === null ? null : (JSON.parse(row.error) as Job["error"]) };
}
