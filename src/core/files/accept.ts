import { Type } from "@sinclair/typebox";
import { stopIfGone } from "../../base/abort.ts";
import { Fault } from "../../base/fault.ts";
import { JOBS_WAITING_MAX } from "../../base/limits.ts";
import { EXTRACTOR_VERSIONS } from "../../domain/extractor-version.ts";
import { fileId, isActive, type Job, newJobId, sourceUri, type StoredFile } from "../../domain/file.ts";
import type { FileFormat } from "../../domain/media.ts";
import { defaultPlane } from "../../domain/plane.ts";
import type { Received } from "../../domain/port/objects.ts";
import type { NamespaceTransactor } from "../../domain/port/store.ts";
import type { Caller } from "../../domain/principal.ts";
import { TIER_LIMITS } from "../../domain/tier.ts";
import type { View } from "../access/view.ts";
import { type Call, operation, WRITE } from "../operation.ts";
import { JobBody, shownJob } from "../jobs/schema.ts";
import { FileBody } from "./schema.ts";
import type { Tenant } from "../tenant.ts";
import { checkGroups, writableScope } from "../units/admission.ts";
import { sorted } from "../units/metadata.ts";
import type { FileFacts } from "./facts.ts";
import { type Receive, whileReceived } from "./receive.ts";

interface AcceptInput {
  wait: boolean;
  file: Receive;
}

const { file_id, doc_id, source_uri } = FileBody;

/**
 * Takes a file in: what can be refused is, before a byte is read. Its result leaves when the file and its job are durable,
 * or, with `wait`, when its Units are searchable. Errors: `bad_request`, `forbidden`, `upgrade_required`,
 * `payload_too_large`, `conflict`, `unavailable`; with `wait`, what the job failed with.
 */
export const acceptFile = operation({
  name: "putFile",
  summary: "Takes a file in and makes Units of it; with wait=true, answers when they are searchable",
  action: "ingest",
  access: WRITE,
  input: Type.Object({ wait: Type.Optional(Type.Boolean({ default: false, description: "Answer when the Units are searchable." })) }),
  faults: ["upgrade_required", "quota_exceeded", "conflict"],
  output: Type.Object({ file_id, doc_id, source_uri, job: JobBody }),
  parse({ input, file }): AcceptInput {
    if (file === null) throw new Fault("bad_request", "a file is required");
    return { wait: (input as { wait?: boolean }).wait === true, file };
  },
  async run({ view, input, services: { extractor, jobs } }: Call<AcceptInput>) {
    await targetOf(view, []);
    const mayGive = (groups: readonly unknown[]) => checkGroups(view.caller, groups, "");
    return whileReceived(view.tenant, input.file, mayGive, async (received, facts) => {
      const scope = await targetOf(view, facts.acl_groups);
      const recognise = (path: string) => extractor.recognise(path, received.bytes, facts.name);
      const format = await view.tenant.objects.onDisk(received, recognise);
      checkTier(view.tenant, format);
      stopIfGone(view.caller.signal);
      const { file, job } = await keepFile(view, received, format, facts, scope);
      if (isActive(job)) jobs.start(view.tenant, job);
      return { file_id: file.file_id, doc_id: file.doc_id, source_uri: sourceUri(file.file_id), job: shownJob(job) };
    });
  },
  async wait({ view, input, services: { jobs } }, accepted) {
    if (!input.wait) return accepted;
    const finished = await jobs.finished(view.tenant, accepted.job.id, view.caller.signal);
    if (finished.error !== null) throw new Fault(finished.error.kind, finished.error.detail);
    return { ...accepted, job: shownJob(finished) };
  },
});

/** The modalities that each kind of file may give. A tier that has the plane of none of them takes no such file. */
const MODALITIES = {
  picture: ["image", "ocr"],
  document: ["chunk", "doc_page", "image_region"],
  sound: ["asr", "audio_utterance"],
  video: ["video_shot", "ocr", "asr", "audio_utterance"],
  log: ["log_template"],
} as const;

/** Refuses a request for what the caller may not do, before a byte is kept. Returns the scope to write to. */
export async function targetOf({ tenant, caller, scope: asked }: View, acl_groups: readonly string[]): Promise<string> {
  const { access, jobs } = tenant.reader;
  const scope = writableScope(caller, asked, undefined, await access.scopes(), "");
  checkGroups(caller, acl_groups, "");
  if ((await jobs.activeCount()) >= JOBS_WAITING_MAX) throw new Fault("unavailable", "too many files wait to be worked on; send it again later");
  return scope;
}

/** Refuses a kind of file of which the tier takes no Unit. */
export function checkTier(tenant: Tenant, { kind }: FileFormat): void {
  const { tier } = tenant.namespace;
  const planes = new Set(MODALITIES[kind].map(defaultPlane));
  if (TIER_LIMITS[tier].planes.some((plane) => planes.has(plane))) return;
  throw new Fault("upgrade_required", `the ${tier} tier takes no ${kind} files: it has no ${[...planes].join(" or ")} plane`);
}

/**
 * Records a received object as a file and starts its job, in one transaction with the audit row. The same file again
 * starts a job only when something about it is new, the last one failed, or an older extractor read it. Errors: `conflict` when it is known under
 * another doc_id; `unavailable`.
 */
export async function keepFile(
  { tenant, caller }: View,
  received: Received,
  format: FileFormat,
  facts: FileFacts,
  scope: string,
): Promise<{ file: StoredFile; job: Job }> {
  const identity = { namespace: tenant.namespace.namespace, scope, acl_owner: caller.principal.principal_id, sha256: received.sha256 };
  const file_id = fileId(identity);
  const { namespace: _, ...own } = identity;
  const draft = {
    ...own,
    file_id,
    acl_groups: [...new Set(facts.acl_groups)].sort(),
    doc_id: facts.doc_id ?? (await tenant.reader.files.byId(file_id))?.doc_id ?? file_id,
    name: facts.name,
    kind: format.kind,
    mime: format.mime,
    bytes: received.bytes,
    metadata: facts.metadata === null ? null : sorted(facts.metadata),
  };
  await tenant.objects.keep(received);
  let used = false;
  try {
    // Changes no Unit, so that no index has to follow.
    const { value: accepted } = await tenant.store.transact((tx) => record(tx, caller, draft));
    used = true;
    return accepted;
  } finally {
    await tenant.objects.release(received.sha256, used || (await tenant.reader.files.usesObject(received.sha256)));
  }
}

async function record(
  { files, jobs, ledger, access }: NamespaceTransactor,
  { principal, namespace }: Caller,
  draft: Omit<StoredFile, "extractor" | "created_at" | "updated_at">,
): Promise<{ file: StoredFile; job: Job }> {
  const before = await files.byId(draft.file_id);
  if (before !== null && before.doc_id !== draft.doc_id) {
    throw new Fault("conflict", `this file is stored already, with doc_id ${before.doc_id}; delete it first to store it with another one`);
  }
  await access.register(draft.scope, TIER_LIMITS[namespace.tier].planes);
  const last = await jobs.lastOf(draft.file_id);
  const today = EXTRACTOR_VERSIONS[draft.kind];
  const file = await files.put({ ...draft, extractor: before?.extractor ?? today });
  const whole = last?.state === "done" && file.extractor >= today && (await files.hasUnits(draft.file_id, null));
  const current = before !== null && sameForUnits(before, draft) && last !== null && (isActive(last) || whole);
  const job = current ? last : await jobs.enqueue(newJobId(), draft.file_id);
  await ledger.append({
    principal_id: principal.principal_id,
    action: "ingest",
    outcome: "ok",
    scope: draft.scope,
    target: draft.file_id,
    detail: { kind: draft.kind, job: job.job_id },
  });
  return { file, job };
}

/** True when the Units of a file would be what they are. */
function sameForUnits(a: Pick<StoredFile, "acl_groups" | "name" | "mime" | "metadata">, b: typeof a): boolean {
  const members = ({ acl_groups, name, mime, metadata }: typeof a) => JSON.stringify([acl_groups, name, mime, metadata]);
  return members(a) === members(b);
}
