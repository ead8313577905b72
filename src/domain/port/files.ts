/** Files and their jobs in a namespace's store. */
import type { ExtractorVersions } from "../extractor-version.ts";
import type { Job, StoredFile } from "../file.ts";

/** A file that an older extractor read. */
export interface OutdatedFile {
  file: StoredFile;
  /** The Units that it has. */
  units: number;
  /** The Units that its last finished job left; null: none finished. */
  made: number | null;
}

/** The last file of a page in the order of lists: newest first, then by `file_id` from behind. */
export type FileCursor = Pick<StoredFile, "created_at" | "file_id">;

export interface FileReader {
  byId(file_id: string): Promise<StoredFile | null>;
  /** The first `limit` files in these scopes, newest first. `after`: the file to go on after; null: from the newest. */
  newest(scopes: readonly string[], after: FileCursor | null, limit: number): Promise<StoredFile[]>;
  /** How many of the file's Units lie in these classes. */
  countUnits(file_id: string, classes: readonly number[]): Promise<number>;
  /** The file that a Unit was made of. */
  ofUnit(uid: number): Promise<StoredFile | null>;
  /** Ids of the file's Units in these classes, in the order in which they were made. */
  unitIds(file_id: string, classes: readonly number[]): Promise<string[]>;
  /** Uids of every Unit of the file. */
  uids(file_id: string): Promise<number[]>;
  /** Whether the file has a Unit in these classes; null: in any. */
  hasUnits(file_id: string, classes: readonly number[] | null): Promise<boolean>;
  /** Every file that has a Unit. */
  withUnits(): Promise<StoredFile[]>;
  /** Bytes of the files that have a Unit in these classes. */
  bytesIn(classes: readonly number[]): Promise<number>;
  /** True when a file has these bytes, whatever became of it. */
  usesObject(sha256: string): Promise<boolean>;
  /** The first `limit` files in these scopes that extractors before `versions` read, by file_id, behind `after`. */
  outdated(versions: ExtractorVersions, scopes: readonly string[], after: string, limit: number): Promise<OutdatedFile[]>;
  /** All such files in these scopes, and their Units. `scopes` null: in all. */
  countOutdated(versions: ExtractorVersions, scopes: readonly string[] | null): Promise<{ files: number; units: number }>;
  /** The different groups that Units of a file have. */
  groupsOfUnits(file_id: string): Promise<string[][]>;
  /** How many of its former Units a file that is being read has not given again so far. */
  formerUnits(file_id: string): Promise<number>;
}

export interface FileWriter extends FileReader {
  /** Writes a file as given, keeping `created_at` when it is known. */
  put(file: Omit<StoredFile, "created_at" | "updated_at">): Promise<StoredFile>;
  /**
   * Says of Units that the file gave them. `fresh`: by the job that `beginReading` began, so that those it had before count
   * as given again, and the others may be taken back.
   */
  addUnits(file_id: string, uids: readonly number[], standing?: "settled" | "fresh"): Promise<void>;
  /** Makes all Units of a file former ones. Returns the uids of those that an unfinished reading made, which the caller removes. */
  beginReading(file_id: string): Promise<number[]>;
  /** Ends a reading: writes down who read the file, and returns the uids of the former Units that it did not give again, which the caller removes. */
  endReading(file_id: string, extractor: number): Promise<number[]>;
  /** Gives a reading up: the former Units stay, and the uids of those that it made are returned, which the caller removes. */
  abandonReading(file_id: string): Promise<number[]>;
  /** Forgets a file that has no Unit, with its jobs. */
  remove(file_id: string): Promise<void>;
}

export interface JobReader {
  byId(job_id: string): Promise<Job | null>;
  /** The newest job of a file. */
  lastOf(file_id: string): Promise<Job | null>;
  /** Jobs that are not finished, oldest first. */
  active(): Promise<Job[]>;
  /** Jobs that are not finished, counted. */
  activeCount(): Promise<number>;
  /** True when a job of the file ended well. */
  wasDone(file_id: string): Promise<boolean>;
}

/** The right to work on a job, until `expires_at` (ms). `token` tells one lease of a job from the next. */
export interface Lease {
  job_id: string;
  token: string;
  expires_at: number;
}

export interface JobWriter extends JobReader {
  enqueue(job_id: string, file_id: string, asked_by?: string | null): Promise<Job>;
  /** Writes a job as given. For work under a lease, `advance`. */
  put(job: Job): Promise<void>;
  /** The right to work on a job for `forMs`; null when it is finished, gone, or another lease on it lasts. */
  lease(job_id: string, forMs: number): Promise<Lease | null>;
  /** Prolongs a lease. Errors: `conflict` when it is lost: the job is gone, or another has taken it. */
  renew(lease: Lease, forMs: number): Promise<Lease>;
  /** Writes how far a job is. Errors: `conflict` when the lease is lost; the transaction that names it stores nothing. */
  advance(lease: Lease, job: Job): Promise<void>;
  /** Gives the right back; harmless when it is lost. */
  release(lease: Lease): Promise<void>;
}
