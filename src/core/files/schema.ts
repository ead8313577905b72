/** Files as they are shown. */
import { Type } from "@sinclair/typebox";
import { type StoredFile, sourceUri } from "../../domain/file.ts";
import { JobBody } from "../jobs/schema.ts";
import { Count, describe, Metadata, Millis, Nullable, text } from "../schema.ts";

export const FileBody = {
  file_id: text("`f_` and a hash of its bytes, owner and scope: the same file has the same id."),
  doc_id: text("Groups its Units; `file_id` unless the sender named one."),
  source_uri: text("`strata://files/<file_id>`, which its Units name as their source."),
  name: text("Relative to the folder that it was taken from, with `/` between its parts."),
  kind: text("`picture`, `document`, `sound`, `video` or `log`, as its bytes say."),
  mime: text("Content type, as its bytes say."),
  bytes: describe(Count, "Size in bytes."),
  sha256: text("SHA-256 of its bytes, as hex."),
  scope: text("Path of the scope that it lies in."),
  acl_owner: text("Principal that sent it."),
  acl_groups: describe(Type.Array(Type.String()), "Groups that may read its Units, beside its owner."),
  metadata: Type.Optional(Metadata),
  extractor: Type.Integer({ description: "The version of the extractor of its kind that read it." }),
  job: describe(Nullable(JobBody), "Its last job; null where there is none."),
  created_at: describe(Millis, "When it was taken in, in ms since the Unix epoch."),
  updated_at: describe(Millis, "When it was last changed, in ms since the Unix epoch."),
};

export function shownFile({ metadata, ...file }: StoredFile) {
  const given = metadata === null ? {} : { metadata };
  return { ...file, ...given, source_uri: sourceUri(file.file_id) };
}
