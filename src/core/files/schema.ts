/** Files as they are shown. */
import { Type } from "@sinclair/typebox";
import { type StoredFile, sourceUri } from "../../domain/file.ts";
import { JobBody } from "../jobs/schema.ts";
import { Count, Metadata, Millis, Nullable } from "../schema.ts";

export const FileBody = {
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
  job: Nullable(JobBody),
  created_at: Millis,
  updated_at: Millis,
};

export function shownFile({ metadata, ...file }: StoredFile) {
  const given = metadata === null ? {} : { metadata };
  return { ...file, ...given, source_uri: sourceUri(file.file_id) };
}
