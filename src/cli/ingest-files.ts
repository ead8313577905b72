/** Files and folders into the service: sent a few at a time, ahead of what is read, and followed until their Units are searchable. */
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { Fault, StartError } from "../base/fault.ts";
import { FILE_MAX_BYTES, FILES_IN_FLIGHT_MAX, FILES_IN_FLIGHT_MAX_BYTES, FILES_SENT_AT_ONCE_MAX } from "../base/limits.ts";
import { Semaphore } from "../base/semaphore.ts";
import type { Backend } from "./backend.ts";
import type { Context } from "./command.ts";
import { count, counted, printable } from "./format.ts";
import { type JobBody, JobFollower } from "./jobs.ts";
import { byteRate, Progress, sum, Work } from "./progress.ts";

/** What is sent with every file. */
export interface FileOptions {
  scope: string | null;
  groups: readonly string[];
}

/** What became of the files of one call. */
export interface FileTotals {
  files: number;
  units: number;
  created: number;
  /** Files that were there already, as they are. */
  unchanged: number;
  skipped: { path: string; reason: string }[];
  /** What was left out of files that were taken in. */
  notes: { path: string; note: string }[];
}

interface Found {
  path: string;
  /** Relative to the folder that was named, with "/" between its parts. */
  name: string;
  bytes: number;
}

/** Follows no link, out of a folder or in a circle, and takes nothing hidden. Errors: StartError for a path that is not there. */
export function findFiles(paths: readonly string[]): { files: Found[]; skipped: FileTotals["skipped"] } {
  const files: Found[] = [];
  const skipped: FileTotals["skipped"] = [];
  const take = (path: string, name: string) => {
    const { size } = lstatSync(path);
    if (size === 0) skipped.push({ path, reason: "the file is empty" });
    else if (size > FILE_MAX_BYTES) skipped.push({ path, reason: `larger than ${FILE_MAX_BYTES / 1024 / 1024} MiB` });
    else files.push({ path, name, bytes: size });
  };
  const open = (folder: string, within: string) => {
    for (const entry of entriesOf(folder, skipped)) {
      const path = join(folder, entry.name);
      const reason = reasonToSkip(entry);
      if (reason !== null) skipped.push({ path, reason });
      else if (entry.isDirectory()) open(path, `${within}${entry.name}/`);
      else take(path, `${within}${entry.name}`);
    }
  };
  for (const path of paths) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) throw new StartError(`no file or folder ${path}`);
    if (stats.isDirectory()) open(path, "");
    else if (stats.isFile()) take(path, basename(path));
    else skipped.push({ path, reason: stats.isSymbolicLink() ? "a link: name what it points to" : "no regular file" });
  }
  return { files, skipped };
}

function entriesOf(folder: string, skipped: FileTotals["skipped"]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    skipped.push({ path: folder, reason: "the folder cannot be read" });
    return [];
  }
}

function reasonToSkip(entry: Dirent): string | null {
  if (entry.name.startsWith(".")) return "hidden";
  if (entry.isSymbolicLink()) return "a link: links are not followed";
  if (entry.name.endsWith(".ndjson")) return "Units as NDJSON: ingest it by itself";
  return entry.isDirectory() || entry.isFile() ? null : "no regular file";
}

/** Sends everything. A file that is refused or fails is skipped and named; what the operator interrupts goes on at the next call. */
export async function ingestFiles(
  { io, interruption }: Context,
  backend: Backend,
  paths: readonly string[],
  options: FileOptions,
): Promise<FileTotals> {
  const { files, skipped } = findFiles(paths);
  const totals: FileTotals = { files: 0, units: 0, created: 0, unchanged: 0, skipped, notes: [] };
  const progress = new Progress(io.stderr);
  const work = new Work(progress, byteRate);
  const signal = interruption();
  const queue = [...files];
  const bytes = sum(files.map((file) => file.bytes));
  const settled = { files: 0, bytes: 0 };
  const reading = new Map<Found, number>();
  const show = (file: Found, { stage, progress: share }: Pick<JobBody, "stage" | "progress">) => {
    reading.set(file, share * file.bytes);
    const read = settled.bytes + sum(reading.values());
    const done = `${count(settled.files)} of ${counted(files.length, "file")}`;
    work.show({ share: read / bytes, count: read, done, at: `${printable(basename(file.path))}, ${stage}` });
  };
  const sender = new Sender(backend, options, signal);
  const worker = async () => {
    for (let file = queue.shift(); file !== undefined && !signal.aborted; file = queue.shift()) {
      const taken = file;
      await ingestFile(sender, taken, totals, (job) => show(taken, job));
      reading.delete(taken);
      settled.files += 1;
      settled.bytes += taken.bytes;
    }
  };
  await Promise.all(Array.from({ length: FILES_IN_FLIGHT_MAX }, worker)).finally(() => progress.clear());
  if (signal.aborted) throw new StartError(`interrupted after ${counted(totals.files, "file")}; the same command goes on from there`);
  totals.skipped.sort((a, b) => (a.path < b.path ? -1 : 1));
  return totals;
}

/** Sends files, a few at a time, and follows their jobs. */
class Sender {
  private readonly jobs: JobFollower;
  private readonly underWay = new Semaphore(FILES_IN_FLIGHT_MAX_BYTES);
  private readonly sending = new Semaphore(FILES_SENT_AT_ONCE_MAX);

  constructor(
    private readonly backend: Backend,
    private readonly options: FileOptions,
    private readonly signal: AbortSignal,
  ) {
    this.jobs = new JobFollower(backend, options.scope, signal);
  }

  /** Its job when it has ended; null when the signal came first. `known`: the file was there already. Errors: as Backend.call. */
  send(file: Found, onProgress: (job: JobBody) => void): Promise<{ job: JobBody; known: boolean } | null> {
    // Of files of any size as many are under way as are sent at once.
    return this.underWay.during(Math.min(file.bytes, FILES_IN_FLIGHT_MAX_BYTES / FILES_SENT_AT_ONCE_MAX), async () => {
      const sent = await this.sending.during(1, () => this.put(file));
      const job = sent && (await this.jobs.follow(sent, onProgress));
      return job === null || this.signal.aborted ? null : { job, known: sent?.state === "done" };
    });
  }

  private async put({ path, name }: Found): Promise<JobBody | null> {
    if (this.signal.aborted) return null;
    const { scope, groups } = this.options;
    return ((await this.backend.call("putFile", { scope, file: { path, name, acl_groups: groups } })) as { job: JobBody }).job;
  }
}

async function ingestFile(sender: Sender, file: Found, totals: FileTotals, onProgress: (job: JobBody) => void): Promise<void> {
  const { path } = file;
  try {
    const sent = await sender.send(file, onProgress);
    if (sent === null) return;
    if (sent.job.error !== null) totals.skipped.push({ path, reason: sent.job.error.detail });
    else account(totals, path, sent.job, sent.known);
  } catch (error) {
    // What concerns this file alone; a server that is gone or a token that is wrong stops everything.
    if (!(error instanceof Fault) || !["bad_request", "payload_too_large", "conflict", "upgrade_required"].includes(error.kind)) throw error;
    totals.skipped.push({ path, reason: error.message });
  }
}

function account(totals: FileTotals, path: string, { counts, notes }: JobBody, known: boolean): void {
  totals.files += 1;
  totals.units += counts.units;
  if (known) totals.unchanged += 1;
  else totals.created += counts.created;
  for (const note of notes) totals.notes.push({ path, note });
}

/** What a person reads at the end: every file that was skipped is named. */
export function fileSummary({ files, units, created, unchanged, skipped, notes }: FileTotals): string {
  const known = unchanged > 0 ? `, ${count(unchanged)} of them there already` : "";
  const lines = [`${counted(files, "file")} taken in${known}: ${counted(units, "Unit")}, ${count(created)} new`];
  if (notes.length > 0) lines.push(...notes.map(({ path, note }) => `note     ${printable(path)}: ${printable(note)}`));
  if (skipped.length > 0) {
    lines.push(
      `${counted(skipped.length, "file")} skipped:`,
      ...skipped.map(({ path, reason }) => `skipped  ${printable(path)}: ${printable(reason)}`),
    );
  }
  return `${lines.join("\n")}\n`;
}
