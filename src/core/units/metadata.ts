/** Checks the metadata of Units and files. */
import { badField, Fault } from "../../base/fault.ts";
import { canonicalJson } from "../../base/hash.ts";
import { METADATA_MAX_BYTES } from "../../base/limits.ts";
import { METADATA_KEY } from "../../domain/filter.ts";
import type { Metadata } from "../../domain/unit.ts";

const KIB = 1024;

/** Errors: `bad_request`, `payload_too_large`, at `pointer`. */
export function checkMetadata(metadata: Record<string, unknown> | undefined, pointer: string): void {
  if (metadata === undefined) return;
  const badKey = Object.keys(metadata).find((key) => !METADATA_KEY.test(key));
  if (badKey !== undefined) throw badField(pointer, "keys are 1 to 64 letters, digits, dots, dashes or underscores");
  if (Buffer.byteLength(canonicalJson(metadata)) > METADATA_MAX_BYTES) {
    throw new Fault("payload_too_large", `at most ${METADATA_MAX_BYTES / KIB} KiB of JSON`, { pointer });
  }
}

/** Metadata with its members in the order of their names, so that equal metadata is stored equal. */
export function sorted(metadata: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1)));
}
