/**
 * Files, their Units and their jobs in the catalog of one namespace. Everything that writes runs inside a transaction of
 * the caller, together with the Units that it is about.
 */
import type { Database } from "bun:sqlite";
import { readPage } from "../../base/turns.ts";
import type { Job, JobState, StoredFile } from "../../domain/file.ts";

interface FileRow extends Omit<StoredFile, "acl_groups" | "metadata"> {
  acl_groups: string;
  metadata: string | null;
}

interface JobRow extends Omit<Job, "notes" | "error"> {
  notes: string;
  error: string | null;
}

const OF_CLASSES = "class_id IN (SELECT value FROM json_each(?))";

interface FileUnitRow {
  uid: number;
  class_id: number;
  file_id: string;
  bytes: number;
}

export class Files {
  constructor(
    private readonly db: Database,
    private readonly now: () => number,
  ) {}

  // --- files ---------------------------------------------------------------------------------

  file(file_id: string): StoredFile | null {
    return fileOf(this.db.query("SELECT * FROM file WHERE file_id = ?").get(file_id) as FileRow | null);
  }

  /** The file that a Unit was made of. */
  fileOfUnit(uid: number): StoredFile | null {
    return fileOf(this.db.query("SELECT file.* FROM file_unit JOIN file USING (file_id) WHERE uid = ?").get(uid) as FileRow | null);
  }

  /** Ids of the file's Units in these classes, in the order in which they were made. */
  unitIds(file_id: string, classes: readonly number[]): string[] {
    const sql = `SELECT unit_id FROM file_unit JOIN unit USING (uid) WHERE file_id = ? AND ${OF_CLASSES} ORDER BY uid`;
    return (this.db.query(sql).all(file_id, JSON.stringify(classes)) as { unit_id: string }[]).map(({ unit_id }) => unit_id);
  }

  /** Uids of every Unit of the file. */
  uids(file_id: string): number[] {
    return (this.db.query("SELECT uid FROM file_unit WHERE file_id = ? ORDER BY uid").all(file_id) as { uid: number }[]).map(({ uid }) => uid);
  }

  hasUnits(file_id: string, classes: readonly number[] | null = null): boolean {
    const inClasses = classes === null ? "" : `AND ${OF_CLASSES}`;
    const sql = `SELECT 1 FROM file_unit JOIN unit USING (uid) WHERE file_id = ? ${inClasses} LIMIT 1`;
    return this.db.query(sql).get(file_id, ...(classes === null ? [] : [JSON.stringify(classes)])) !== null;
  }

  /** Every file that has a Unit. */
  stored(): StoredFile[] {
    const sql = "SELECT * FROM file WHERE EXISTS (SELECT 1 FROM file_unit WHERE file_unit.file_id = file.file_id) ORDER BY file_id";
    return (this.db.query(sql).all() as FileRow[]).flatMap((row) => fileOf(row) ?? []);
  }

  /** Bytes of the files that have a Unit in these classes. */
  async bytesIn(classes: readonly number[]): Promise<number> {
    const readable = new Set(classes);
    const page = this.db.query(`SELECT uid, class_id, file_id, bytes FROM (SELECT uid, file_id FROM file_unit WHERE uid > ? ORDER BY uid LIMIT ?)
      JOIN unit USING (uid) JOIN file USING (file_id) ORDER BY uid`);
    const bytes = new Map<string, number>();
    for (let after = 0, more = true; more; ) {
      const { rows, last } = await readPage((room) => page.all(after, room) as FileUnitRow[]);
      for (const row of rows) if (readable.has(row.class_id)) bytes.set(row.file_id, row.bytes);
      after = rows.at(-1)?.uid ?? after;
      more = !last;
    }
    return [...bytes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** Writes a file as given, keeping `created_at` when it is known. */
  putFile(file: Omit<StoredFile, "created_at" | "updated_at">): StoredFile {
    const now = this.now();
    const created_at = this.file(file.file_id)?.created_at ?? now;
    this.db
      .query(
        `INSERT INTO file (file_id, scope, acl_owner, acl_groups, doc_id, name, kind, mime, bytes, sha256, metadata, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (file_id) DO UPDATE SET acl_groups = excluded.acl_groups, name = excluded.name, kind = excluded.kind,
           mime = excluded.mime, metadata = excluded.metadata, updated_at = excluded.updated_at`,
      )
      .run(
        file.file_id,
        file.scope,
        file.acl_owner,
        JSON.stringify(file.acl_groups),
        file.doc_id,
        file.name,
        file.kind,
        file.mime,
        file.bytes,
        file.sha256,
        file.metadata && JSON.stringify(file.metadata),
        created_at,
        now,
      );
    return { ...file, created_at, updated_at: now };
  }

  /** Says of a Unit that the file gave it. */
  addUnit(file_id: string, uid: number): void {
    this.db.query("INSERT OR REPLACE INTO file_unit (uid, file_id) VALUES (?, ?)").run(uid, file_id);
  }

  /** Forgets a file that has no Unit, with its jobs. */
  removeFile(file_id: string): void {
    this.db.query("DELETE FROM job WHERE file_id = ?").run(file_id);
    this.db.query("DELETE FROM file WHERE file_id = ?").run(file_id);
  }

  /** True when a file has these bytes, whatever became of it. */
  usesObject(sha256: string): boolean {
    return this.db.query("SELECT 1 FROM file WHERE sha256 = ? LIMIT 1").get(sha256) !== null;
  }

  // --- jobs ----------------------------------------------------------------------------------

  job(job_id: string): Job | null {
    return jobOf(this.db.query("SELECT * FROM job WHERE job_id = ?").get(job_id) as JobRow | null);
  }

  /** The newest job of a file. */
  lastJob(file_id: string): Job | null {
    return jobOf(this.db.query("SELECT * FROM job WHERE file_id = ? ORDER BY created_at DESC, rowid DESC LIMIT 1").get(file_id) as JobRow | null);
  }

  /** Jobs that are not finished, counted. */
  activeCount(): number {
    return (this.db.query("SELECT count(*) AS n FROM job WHERE state IN ('queued', 'running')").get() as { n: number }).n;
  }

  /** Jobs that are not finished, oldest first. */
  activeJobs(): Job[] {
    const rows = this.db.query("SELECT * FROM job WHERE state IN ('queued', 'running') ORDER BY created_at, rowid").all() as JobRow[];
    return rows.flatMap((row) => jobOf(row) ?? []);
  }

  /** True when a job of the file ended well. */
  wasDone(file_id: string): boolean {
    return this.db.query("SELECT 1 FROM job WHERE file_id = ? AND state = 'done' LIMIT 1").get(file_id) !== null;
  }

  addJob(job_id: string, file_id: string): Job {
    const now = this.now();
    this.db
      .query(
        `INSERT INTO job (job_id, file_id, state, stage, progress, next_part, units, created, notes, error, created_at, updated_at)
         VALUES (?, ?, 'queued', 'waiting', 0, 0, 0, 0, '[]', NULL, ?, ?)`,
      )
      .run(job_id, file_id, now, now);
    const job = this.job(job_id);
    if (job === null) throw new Error("a job that was written is there");
    return job;
  }

  updateJob(job: Job): void {
    this.db
      .query(
        `UPDATE job SET state = ?, stage = ?, progress = ?, next_part = ?, units = ?, created = ?, notes = ?, error = ?, updated_at = ?
         WHERE job_id = ?`,
      )
      .run(
        job.state satisfies JobState,
        job.stage,
        job.progress,
        job.next_part,
        job.units,
        job.created,
        JSON.stringify(job.notes),
        job.error && JSON.stringify(job.error),
        this.now(),
        job.job_id,
      );
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
  return { ...row, notes: JSON.parse(row.notes) as string[], error: row.error === null ? null : (JSON.parse(row.error) as Job["error"]) };
}
