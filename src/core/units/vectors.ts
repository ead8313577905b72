/** The vectors of drafts: those that came with them, those that are stored already, and what the encoder gives for the rest. */
import { badField } from "../../base/fault.ts";
import { classesOf } from "../../domain/access.ts";
import type { Encoder, EncoderInfo, TextWindow } from "../../domain/port/encoder.ts";
import { embeddedSha256, embeddedText, givenKey, type UnitDraft } from "../../domain/unit.ts";
import type { NamespaceReader } from "../../domain/port/store.ts";
import type { IngestUnit } from "./drafts.ts";

/** Texts of a namespace whose vectors may be used again: those of Units in these classes. */
export interface KnownTexts {
  reader: NamespaceReader;
  classes: readonly number[];
}

/** What rounding to 8 or 16 bits takes from a norm of 1 is less; another norm tells of another model, or of one without its last step. */
const NORM_TOLERANCE = 0.01;

/**
 * The vectors that came with these Units, by `givenKey`: normalised, each as one window over what would be embedded. Errors:
 * `bad_request` with a pointer for one of another length or norm, and where nothing is embedded.
 */
export function givenWindows(units: readonly IngestUnit[], drafts: readonly UnitDraft[], info: EncoderInfo): Map<string, TextWindow[]> {
  const given = new Map<string, TextWindow[]>();
  for (const [index, draft] of drafts.entries()) {
    const sent = units[index]?.vector;
    if (sent === undefined) continue;
    const pointer = `/units/${index}/vector`;
    const text = embeddedText(draft);
    if (text === null) throw badField(pointer, "needs a text that is embedded: this Unit has none");
    given.set(givenKey(draft.unit_id), roundToStored([{ start: 0, end: text.length, vector: normalised(sent, info, pointer) }]));
  }
  return given;
}

function normalised(sent: number[] | string, { model, dims }: EncoderInfo, pointer: string): Float32Array {
  const vector = typeof sent === "string" ? floatsOf(sent, pointer) : Float32Array.from(sent);
  if (vector.length !== dims) throw badField(pointer, `has ${vector.length} numbers; those of ${model} have ${dims}`);
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  // Also false of what is no number.
  if (Math.abs(norm - 1) <= NORM_TOLERANCE) return vector.map((value) => value / norm);
  throw badField(pointer, `has a norm of ${norm.toPrecision(3)}; it must be 1, give or take ${NORM_TOLERANCE}, as ${model} gives it`);
}

function floatsOf(base64: string, pointer: string): Float32Array {
  try {
    return new Float32Array(Uint8Array.fromBase64(base64).slice().buffer);
  } catch {
    throw badField(pointer, "is no base64 of 32-bit floats");
  }
}

export interface WindowOptions {
  /** The vectors that came with some of the drafts, by `givenKey`; their texts are not encoded. */
  given?: ReadonlyMap<string, TextWindow[]>;
  signal?: AbortSignal | undefined;
}

/**
 * Vectors of every draft with a text, by `vectorsKey`: those that came with it, else those of its text, read with its path. What the
 * caller may not know is encoded again, since a fast answer would tell that it is stored.
 */
export async function windowsFor(
  known: readonly KnownTexts[],
  encoder: Encoder,
  drafts: readonly UnitDraft[],
  { given = new Map(), signal }: WindowOptions = {},
): Promise<Map<string, TextWindow[]>> {
  const texts = new Map(
    drafts.flatMap((draft) => {
      const text = embeddedText(draft);
      return text === null || given.has(givenKey(draft.unit_id)) ? [] : [[embeddedSha256(draft) ?? "", text] as const];
    }),
  );
  const hashes = [...texts.keys()];
  const stored = await Promise.all(known.map(({ reader, classes }) => reader.embeddings.windowsWithin(hashes, classes)));
  const windows = new Map([...given, ...stored.flatMap((each) => [...each])]);
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
