import { Type } from "@sinclair/typebox";
import { Fault } from "../../base/fault.ts";
import { sourceUri } from "../../domain/file.ts";
import { record } from "../audit/record.ts";
import { JobBody, shownJob } from "../jobs/schema.ts";
import { type Call, operation, READ } from "../operation.ts";
import { ById, Count, Metadata, Millis, Nullable } from "../schema.ts";
import { NO_FILE, readableFile, shownTo } from "./read.ts";

/** Errors: `not_found`, the same for an unknown file and for one of which the caller may read nothing. */
export const getFile = operation({
  name: "file",
  summary: "A file and its Units",
  action: "file.get",
  access: READ,
  input: ById,
  output: Type.Object({
    file_id: Type.String(),
    doc_id: Type.String(),
    source_uri: Type.String(),
    name: Type.String(),
    kind: Type.String(),
    mime: Type.String(),
    bytes: Count,
    sha256: Type.String(),
    scope: Type.String(),
    acl_owner: Type.String(),
    acl_groups: Type.Array(Type.String()),
    metadata: Type.Optional(Metadata),
    extractor: Type.Integer({ description: "The version of the extractor of its kind that read it." }),
    units: Type.Array(Type.String({ description: "Ids of its Units that the caller may read." })),
    job: Nullable(JobBody),
    created_at: Millis,
    updated_at: Millis,
  }),
  async run({ view, input: { id } }: Call<ById>) {
    const found = await readableFile(view, id);
    await record(view, "file.get", { target: id });
    if (found === null) throw new Fault("not_found", NO_FILE);
    const { file, units, job } = await shownTo(view, found);
    const { metadata, ...shown } = file;
    const given = metadata === null ? {} : { metadata };
    return { ...shown, ...given, source_uri: sourceUri(file.file_id), units, job: job && shownJob(job) };
  },
});
