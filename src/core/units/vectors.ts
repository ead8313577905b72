/** The vectors of drafts: those that are stored already, and what the encoder gives for the rest. */
import { classesOf } from "../../domain/access.ts";
import type { Encoder, TextWindow } from "../../domain/port/encoder.ts";
import { embeddedSha256, embeddedText, type UnitDraft } from "../../domain/unit.ts";
import type { NamespaceReader } from "../../domain/port/store.ts";

/** Texts of a namespace whose vectors may be used again: those of Units in these classes. */
export interface KnownTexts {
  reader: NamespaceReader;
  classes: readonly number[];
}

/**
 * Vectors of every text in the drafts, each read with its path, by the hash of what is embedded (`embeddedSha256`). What the
 * caller may not know is encoded again, since a fast answer would tell that it is stored.
 */
export async function windowsFor(
  known: readonly KnownTexts[],
  encoder: Encoder,
  drafts: readonly UnitDraft[],
  signal?: AbortSignal,
): Promise<Map<string, TextWindow[]>> {
  const texts = new Map(
    drafts.flatMap((draft) => {
      const text = embeddedText(draft);
      return text === null ? [] : [[embeddedSha256(draft) ?? "", text] as const];
    }),
  );
  const hashes = [...texts.keys()];
  const stored = await Promise.all(known.map(({ reader, classes }) => reader.embeddings.windowsWithin(hashes, classes)));
  const windows = new Map(stored.flatMap((each) => [...each]));
  const missing = [...texts].filter(([hash]) => !windows.has(hash));
  const tenant = drafts[0]?.namespace ?? "";
  // When one text fails, the others of the batch that wait are not encoded.
  const refused = new AbortController();
  const options = { tenant, signal: AbortSignal.any([refused.signal, ...(signal === undefined ? [] : [signal])]) };
  const encoded = await Promise.all(missing.map(([, text]) => encoder.encode(text, "ingest", options))).catch((error: unknown) => {
    refused.abort();
    throw error;
  });
  missing.forEach(([hash], index) => {
    windows.set(hash, roundToStored(encoded[index] ?? []));
  });
  return windows;
}

/** The texts that the owners of these drafts may know. */
export async function knownToOwners(reader: NamespaceReader, drafts: readonly UnitDraft[]): Promise<KnownTexts> {
  return { reader, classes: classesOf(new Set(drafts.map(({ acl_owner }) => acl_owner)), await reader.access.classes()) };
}

/** Rounds to the half-precision floats that stores keep, so that an index built again equals the one first written. */
export function roundToStored(windows: readonly TextWindow[]): TextWindow[] {
  return windows.map((window) => ({ ...window, vector: Float32Array.from(new Float16Array(window.vector)) }));
}
