/** Stored files through today's extractors. */
import { basename } from "node:path";
import { Fault, StartError } from "../base/fault.ts";
import { REREAD_FILES_MAX } from "../base/limits.ts";
import type { Backend } from "./backend.ts";
import { type Context, defineCommand, EXIT, toggle } from "./command.ts";
import { DEFAULT_NAMESPACE, JSON_OUTPUT, NAMESPACE_FLAG, namespaceOf, SCOPE, scopeOf, TARGET, targetOf } from "./flags.ts";
import { count, counted, json, printable } from "./format.ts";
import { type JobBody, JobFollower } from "./jobs.ts";
import { withBackend } from "./open-backend.ts";
import { Progress, sum, Work } from "./progress.ts";

export const reread = defineCommand({
  purpose:
    "Reads stored files again that an older version read, so that they get what today's extractors give: the headings that a text stands under, \
tables row by row, and whatever else has been learnt since they were taken in. Files that are up to date are left alone. While it runs, all that \
is stored is found as before: the Units of a file serve until its new ones are stored, and those that it no longer gives go in the same moment. \
Scope, owner, groups, name and metadata stay. A file that cannot be read any more keeps what it has and is named. Interrupted, the same command \
goes on with the part of the file that comes next. A file of which Units were deleted one by one is left out, since reading it again would bring \
them back. strata doctor says how many files there are to read again. It needs admin.",
  operands: [],
  flags: {
    scope: { ...SCOPE, help: "files of this scope and those below it, or * for all (default: where the token works; without a server, all)" },
    "with-deleted": toggle("also files of which Units were deleted one by one: these Units come back"),
    namespace: NAMESPACE_FLAG,
    ...TARGET,
    ...JSON_OUTPUT,
  },
  environment: [
    ["STRATA_FFMPEG", "path of ffmpeg, which video needs (default: the one on PATH)"],
    ["STRATA_MEMORY", "memory for reading files without a server, such as 2GiB (default: half of the machine's)"],
  ],
  examples: [
    ["everything in ./strata-data", "strata reread --namespace main"],
    ["one scope of a running server", "strata reread --scope office/minutes --url http://127.0.0.1:4700 --token-file token.txt"],
  ],
  async run(context, flags) {
    const target = targetOf(flags, context.env);
    const scope = scopeOf(flags.scope);
    const named = flags.namespace === undefined ? null : namespaceOf(flags.namespace);
    const namespace = named ?? (target.kind === "data" ? DEFAULT_NAMESPACE : null);
    const asked = { scope, withDeleted: flags["with-deleted"] };
    const totals = await withBackend(context, target, { namespace }, (backend) => rereadAll(context, backend, asked));
    context.io.stdout.write(flags.json ? json(totals) : rereadText(totals));
    return totals.failed.length > 0 ? EXIT.failed : EXIT.done;
  },
});

/** What became of the files of one call. */
export interface RereadTotals {
  files: number;
  units: number;
  created: number;
  /** They keep the Units that they had. */
  failed: { path: string; reason: string }[];
  left_out: { path: string; reason: string }[];
  notes: { path: string; note: string }[];
}

interface Asked {
  scope: string | null;
  withDeleted: boolean;
}

interface Found {
  file_id: string;
  name: string;
  scope: string;
  job: JobBody;
}

interface Page {
  files: Found[];
  left_out: (Omit<Found, "job"> & { reason: string })[];
  outdated: number;
  next: string | null;
}

const placeOf = ({ scope, name }: Pick<Found, "scope" | "name">) => `${scope}: ${name}`;

/** The files to read again, a page at a time. What the pages leave out is noted in `totals`; `onPage` gets how many files there are. */
async function* outdatedFiles(
  backend: Backend,
  { scope, withDeleted }: Asked,
  totals: RereadTotals,
  onPage: (outdated: number) => void,
): AsyncGenerator<Found, void, void> {
  for (let after: string | null = null; ; ) {
    const input: Record<string, unknown> = { with_deleted: withDeleted, ...(after === null ? {} : { after }) };
    const page = (await backend.call("reread", { scope, input })) as Page;
    if (after === null) onPage(page.outdated);
    totals.left_out.push(...page.left_out.map((file) => ({ path: placeOf(file), reason: file.reason })));
    yield* page.files;
    if (page.next === null) return;
    after = page.next;
  }
}

/** Follows every file until it is read. Errors: StartError when the operator interrupts; what was queued goes on at the next call, or in the server. */
async function rereadAll({ io, interruption }: Context, backend: Backend, asked: Asked): Promise<RereadTotals> {
  const totals: RereadTotals = { files: 0, units: 0, created: 0, failed: [], left_out: [], notes: [] };
  const progress = new Progress(io.stderr);
  const work = new Work(progress);
  const signal = interruption();
  let [all, settled] = [0, 0];
  const reading = new Map<string, number>();
  const jobs = new JobFollower(backend, asked.scope, signal);
  const found = outdatedFiles(backend, asked, totals, (outdated) => {
    all = outdated;
  });
  const show = ({ name, file_id }: Found, { stage, progress: share }: JobBody) => {
    reading.set(file_id, share);
    const files = Math.max(all, settled + reading.size);
    const done = settled + sum(reading.values());
    work.show({
      share: done / files,
      count: done,
      done: `${count(settled)} of ${counted(files, "file")}`,
      at: `${printable(basename(name))}, ${stage}`,
    });
  };
  const worker = async () => {
    for (let next = await found.next(); !next.done && !signal.aborted; next = await found.next()) {
      const file = next.value;
      const job = await ended(jobs, file, (now) => show(file, now));
      if (signal.aborted) return;
      if (job !== null) account(totals, file, job);
      reading.delete(file.file_id);
      settled += 1;
    }
  };
  await Promise.all(Array.from({ length: REREAD_FILES_MAX }, worker)).finally(() => progress.clear());
  if (signal.aborted) throw new StartError(`interrupted after ${counted(totals.files, "file")}; the same command goes on from there`);
  for (const list of [totals.failed, totals.left_out, totals.notes]) list.sort((a, b) => (a.path < b.path ? -1 : 1));
  return totals;
}

/** The job of a file when it has ended, or the operator interrupts; null when the file was deleted meanwhile. */
async function ended(jobs: JobFollower, { job }: Found, onProgress: (job: JobBody) => void): Promise<JobBody | null> {
  try {
    return await jobs.follow(job, onProgress);
  } catch (error) {
    if (error instanceof Fault && error.kind === "not_found") return null;
    throw error;
  }
}

function account(totals: RereadTotals, file: Found, { error, counts, notes }: JobBody): void {
  const path = placeOf(file);
  totals.notes.push(...notes.map((note) => ({ path, note })));
  if (error !== null) {
    totals.failed.push({ path, reason: error.detail });
    return;
  }
  totals.files += 1;
  totals.units += counts.units;
  totals.created += counts.created;
}

/** What a person reads at the end: every file that keeps its old Units is named. */
export function rereadText({ files, units, created, failed, left_out, notes }: RereadTotals): string {
  const nothing = files + failed.length + left_out.length === 0;
  return [
    nothing
      ? "nothing to read again: today's extractors made all there is"
      : `${counted(files, "file")} read again: ${counted(units, "Unit")}, ${count(created)} new`,
    ...notes.map(({ path, note }) => `note     ${printable(path)}: ${printable(note)}`),
    ...(failed.length === 0 ? [] : [`not read again, their Units stay as they are: ${counted(failed.length, "file")}`]),
    ...failed.map(({ path, reason }) => `failed   ${printable(path)}: ${printable(reason)}`),
    ...(left_out.length === 0 ? [] : [`left out, unless --with-deleted is given: ${counted(left_out.length, "file")}`]),
    ...left_out.map(({ path, reason }) => `left out ${printable(path)}: ${printable(reason)}`),
    "",
  ].join("\n");
}
