/** The facts that a caller sends with a file: scope, groups, name, metadata. */
import { Type } from "@sinclair/typebox";
import { badField } from "../../base/fault.ts";
import { GROUPS_MAX } from "../../base/limits.ts";
import type { Metadata as MetadataValue } from "../../domain/unit.ts";
import { describe, Id, Metadata, validator } from "../schema.ts";
import { checkMetadata } from "../units/metadata.ts";

export interface FileFacts {
  name: string;
  doc_id: string | null;
  acl_groups: string[];
  metadata: MetadataValue | null;
}

export const FileFields = Type.Object({
  doc_id: Type.Optional(describe(Id, "Groups the Units of the file; without it, the id of the file.")),
  acl_groups: Type.Array(Id, { maxItems: GROUPS_MAX, description: "Groups that may read its Units; without any, the owner alone." }),
  metadata: Type.Optional(Metadata),
});

const check = validator(FileFields);

/** Checks what came with a file. Errors: `bad_request`, `payload_too_large`, with a pointer. */
export function checkedFacts({
  doc_id,
  acl_groups,
  metadata,
}: {
  doc_id?: string;
  acl_groups: readonly unknown[];
  metadata?: unknown;
}): Omit<FileFacts, "name"> {
  const checked = check({ acl_groups, ...(doc_id === undefined ? {} : { doc_id }), ...(metadata === undefined ? {} : { metadata }) });
  for (const [name, text] of [["doc_id", doc_id], ...acl_groups.map((group) => ["acl_groups", group])] as [string, unknown][]) {
    if (typeof text === "string" && (!text.isWellFormed() || text.includes("\0")))
      throw badField(`/${name}`, "holds a character that cannot be kept");
  }
  checkMetadata(checked.metadata, "/metadata");
  return { acl_groups: checked.acl_groups, doc_id: checked.doc_id ?? null, metadata: (checked.metadata as MetadataValue | undefined) ?? null };
}
