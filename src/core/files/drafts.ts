/** Makes the drafts of a file's Units. */
import { METADATA_STRING_MAX_CHARS, PATH_MAX_PARTS, PATH_PART_MAX_CHARS, TEXT_MAX_BYTES } from "../../base/limits.ts";
import { sourceUri, type StoredFile } from "../../domain/file.ts";
import { type ExtractedUnit, FEATURE_MODELS, type SourceFile } from "../../domain/media.ts";
import { defaultPlane } from "../../domain/plane.ts";
import type { NamespaceTransactor } from "../../domain/port/store.ts";
import type { Upserted } from "../../domain/port/units.ts";
import { type UnitDraft, unitId } from "../../domain/unit.ts";
import { sorted } from "../units/metadata.ts";

/** A file on disk, as extraction takes it. */
export function sourceOf({ bytes, name, kind, mime }: StoredFile, path: string): SourceFile {
  return { path, bytes, name, format: { kind, mime } };
}

/** What all Units of a file share. */
export function draftOf(namespace: string, file: Omit<StoredFile, "created_at" | "updated_at">, unit: Omit<ExtractedUnit, "features">): UnitDraft {
  const text = unit.text === null ? null : clean(unit.text, TEXT_MAX_BYTES);
  const identity = {
    namespace,
    scope: file.scope,
    acl_owner: file.acl_owner,
    doc_id: file.doc_id,
    path: pathOf(unit.path),
    source_uri: sourceUri(file.file_id),
    locator: unit.locator,
    modality: unit.modality,
    plane: defaultPlane(unit.modality),
    text: text === "" ? null : text,
  };
  // Metadata found in the file goes before the caller's, which is for all its Units.
  const found = Object.entries(unit.metadata).map(([key, value]) => [
    key,
    typeof value === "string" ? clean(value, METADATA_STRING_MAX_CHARS) : value,
  ]);
  const metadata = sorted({ ...file.metadata, ...Object.fromEntries(found), file_name: file.name, mime: file.mime });
  return { ...identity, unit_id: unitId(identity), acl_groups: file.acl_groups, mime: file.mime, metadata };
}

/** Links stored Units to their file and stores their features. `units`: as they were extracted, in the same order; `standing`: as FileWriter.addUnits. */
export async function keepWith(
  tx: NamespaceTransactor,
  file_id: string,
  stored: readonly Upserted[],
  units: readonly ExtractedUnit[],
  standing: "settled" | "fresh" = "settled",
): Promise<void> {
  const uids = stored.map(({ uid }) => uid);
  await tx.files.addUnits(file_id, uids, standing);
  for (const [index, { features }] of units.entries()) {
    if (features !== null) await tx.features.put(uids[index] as number, FEATURE_MODELS[features.kind].model, features);
  }
}

/** A path from a file as it can be stored: parts without text are left out, and of too many those between the outermost and the innermost. */
function pathOf(parts: readonly string[]): string[] | null {
  const kept = parts.map((part) => cutTo(PATH_PART_MAX_CHARS, storable(part).trim())).filter((part) => part !== "");
  const path = kept.length > PATH_MAX_PARTS ? [...kept.slice(0, 1), ...kept.slice(1 - PATH_MAX_PARTS)] : kept;
  return path.length === 0 ? null : path;
}

/** At most `chars` UTF-16 units, without half a character at the end. */
function cutTo(chars: number, text: string): string {
  return text.length <= chars ? text : text.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
}

/** Text from a file as it can be stored: well-formed, without NUL, of at most `maxBytes`; offsets stay what they are. */
function clean(text: string, maxBytes: number): string {
  const whole = storable(text);
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  // A character that is cut in two comes back as U+FFFD at the end.
  return Buffer.from(whole)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD$/, "");
}

/** Well-formed and without NUL, of the same length. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
