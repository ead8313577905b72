import { Type } from "@sinclair/typebox";
import { Fault } from "../../base/fault.ts";
import { ID_MAX_CHARS, JOBS_WAITING_MAX, REREAD_FILES_MAX } from "../../base/limits.ts";
import { EXTRACTOR_VERSIONS } from "../../domain/extractor-version.ts";
import { isActive, type Job, newJobId, type StoredFile } from "../../domain/file.ts";
import type { OutdatedFile } from "../../domain/port/files.ts";
import type { NamespaceTransactor } from "../../domain/port/store.ts";
import { JobBody, shownJob } from "../jobs/schema.ts";
import { ADMINISTER, type Call, operation } from "../operation.ts";
import { checkValues, Count, describe, Nullable, text, validator } from "../schema.ts";
import { FileBody } from "./schema.ts";

const Asked = Type.Object({
  after: Type.Optional(Type.String({ minLength: 1, maxLength: ID_MAX_CHARS, description: "Go on behind this file: `next` of the call before." })),
  with_deleted: Type.Optional(
    Type.Boolean({ default: false, description: "Also files of which Units were deleted one by one: these Units come back." }),
  ),
});

interface RereadInput {
  after: string;
  withDeleted: boolean;
}

const { file_id, name, scope } = FileBody;
const Named = { file_id, name, scope };
const check = validator(Asked);

/**
 * Queues the next REREAD_FILES_MAX files in the effective scopes that older extractors read, to be read by today's. Their Units
 * serve until the new ones are stored. A file is left out when it has fewer Units than it gave: somebody deleted them, and
 * reading it again would bring them back. Errors: `unavailable` when too many files wait already.
 */
export const reread = operation({
  name: "reread",
  summary: "Reads stored files again that older extractors read, a page of files a call",
  action: "files.reread",
  access: ADMINISTER,
  input: Asked,
  output: Type.Object({
    files: Type.Array(Type.Object({ ...Named, job: JobBody }), { description: "Those that are read again." }),
    left_out: Type.Array(Type.Object({ ...Named, reason: text("Why it is not read.") }), { description: "Those that are not." }),
    outdated: describe(Count, "Files in the effective scopes that older extractors read."),
    next: Nullable(Type.String({ description: "`after` of the next call; null: there are no more." })),
  }),
  parse({ input }): RereadInput {
    checkValues(input);
    const { after = "", with_deleted: withDeleted = false } = check(input ?? {});
    return { after, withDeleted };
  },
  async run({ view, input: { after, withDeleted }, services: { jobs: runner } }: Call<RereadInput>) {
    const { tenant, caller, effective } = view;
    const { files, jobs } = tenant.reader;
    if ((await jobs.activeCount()) >= JOBS_WAITING_MAX) throw new Fault("unavailable", "too many files wait to be worked on; ask again later");
    const { files: outdated } = await files.countOutdated(EXTRACTOR_VERSIONS, effective);
    const found = await files.outdated(EXTRACTOR_VERSIONS, effective, after, REREAD_FILES_MAX);
    const chosen = found.filter((each) => withDeleted || !hasDeleted(each));
    const work = async (tx: NamespaceTransactor): Promise<{ file: StoredFile; job: Job }[]> => {
      const queued: { file: StoredFile; job: Job }[] = [];
      for (const { file } of chosen) {
        const job = await jobFor(tx, file, caller.principal.principal_id);
        if (job !== null) queued.push({ file, job });
      }
      const detail = { files: queued.length, left_out: found.length - chosen.length };
      const { principal_id } = caller.principal;
      await tx.ledger.append({ principal_id, action: "files.reread", outcome: "ok", scope: view.requested, target: null, detail });
      return queued;
    };
    const { value: queued } = await tenant.store.transact(work);
    for (const { job } of queued) runner.start(tenant, job);
    return {
      files: queued.map(({ file, job }) => ({ ...named(file), job: shownJob(job) })),
      left_out: found.filter((each) => !chosen.includes(each)).map(({ file, units, made }) => ({ ...named(file), reason: deleted(units, made) })),
      outdated,
      next: found.length < REREAD_FILES_MAX ? null : (found.at(-1)?.file.file_id ?? null),
    };
  },
});

/** True when Units of a file were deleted since its last job ended. */
function hasDeleted({ units, made }: OutdatedFile): boolean {
  return made !== null && units < made;
}

function deleted(units: number, made: number | null): string {
  return `${(made ?? 0) - units} of its ${made ?? 0} Units were deleted; reading it again would bring them back`;
}

function named({ file_id, name, scope }: StoredFile) {
  return { file_id, name, scope };
}

/** A new job, or the one that is under way; null when the file was deleted meanwhile. */
async function jobFor({ files, jobs }: NamespaceTransactor, { file_id }: StoredFile, asked_by: string): Promise<Job | null> {
  if ((await files.byId(file_id)) === null) return null;
  const last = await jobs.lastOf(file_id);
  return last !== null && isActive(last) ? last : jobs.enqueue(newJobId(), file_id, asked_by);
}
