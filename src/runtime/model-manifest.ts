/** The model manifest: the model files of this build with their hashes, and the check of files against them. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import manifestJson from "../../models/manifest.json";
import { StartError } from "../base/fault.ts";
import { sha256Hex } from "../base/hash.ts";
import { FILE_CHUNK_BYTES } from "../base/limits.ts";

const ModelFile = Type.Object({
  file: Type.String({ pattern: "^(fixture/)?[A-Za-z0-9._-]+$" }),
  bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});

const TokenIds = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2 });

const EVERY_ENTRY = {
  name: Type.String({ pattern: "^[A-Za-z0-9._-]+$" }),
  files: Type.Array(ModelFile, { minItems: 1 }),
  licence: Type.String(),
  origin: Type.String(),
};

const EVERY_TEXT_ENTRY = { ...EVERY_ENTRY, max_tokens: Type.Integer({ minimum: 8 }) };

const TextEmbeddingEntry = Type.Object({
  ...EVERY_TEXT_ENTRY,
  task: Type.Literal("text-embedding"),
  dims: Type.Integer({ minimum: 1 }),
  pooling: Type.Literal("cls"),
  normalise: Type.Literal("l2"),
  // A prefix would shift the spans of windows; none of our models has one.
  prefix: Type.Literal(""),
  metric: Type.Literal("cosine"),
  /** As EncoderInfo. */
  floor: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
  selftest: Type.Array(
    Type.Object({
      text: Type.String(),
      token_ids: TokenIds,
      vector_first_5: Type.Array(Type.Number(), { minItems: 5, maxItems: 5 }),
    }),
    { minItems: 1 },
  ),
});

const MultilingualEntry = Type.Object({
  ...EVERY_TEXT_ENTRY,
  task: Type.Literal("multilingual-embedding"),
  dims: Type.Integer({ minimum: 1 }),
  /** What stands before the tokens of a query, and of any other text. */
  query_prefix: Type.String(),
  passage_prefix: Type.String(),
  metric: Type.Literal("cosine"),
  selftest: Type.Array(
    Type.Object({
      kind: Type.Union([Type.Literal("query"), Type.Literal("passage")]),
      text: Type.String(),
      token_ids: TokenIds,
      vector_first_8: Type.Array(Type.Number(), { minItems: 8, maxItems: 8 }),
    }),
    { minItems: 1 },
  ),
});

const RerankingEntry = Type.Object({
  ...EVERY_TEXT_ENTRY,
  task: Type.Literal("reranking"),
  selftest: Type.Array(Type.Object({ query: Type.String(), text: Type.String(), token_ids: TokenIds, logit: Type.Number() }), { minItems: 1 }),
});

const Label = Type.Union([Type.Literal("entailment"), Type.Literal("neutral"), Type.Literal("contradiction")]);

const EntailmentEntry = Type.Object({
  ...EVERY_TEXT_ENTRY,
  task: Type.Literal("entailment"),
  /** Softmax temperature: the logits are divided by it. */
  temperature: Type.Number({ exclusiveMinimum: 0 }),
  /** The meaning of the logits, in their order: the one order that we read. */
  labels: Type.Tuple([Type.Literal("entailment"), Type.Literal("neutral"), Type.Literal("contradiction")]),
  selftest: Type.Array(Type.Object({ premise: Type.String(), hypothesis: Type.String(), token_ids: TokenIds, label: Label }), { minItems: 1 }),
});

/** Models of pictures and sound. src/media has the code that runs their graphs; `fixture` has inputs with the expected outputs. */
const MEDIA_TASKS = ["image-classification", "text-recognition", "page-layout", "speech-recognition", "sound-events", "voice-activity"] as const;

const MediaEntry = Type.Object({
  ...EVERY_ENTRY,
  task: Type.Union(MEDIA_TASKS.map((task) => Type.Literal(task))),
  /** Of the embedding, where there is one. */
  dims: Type.Optional(Type.Integer({ minimum: 1 })),
  fixture: Type.Array(ModelFile, { minItems: 1 }),
});

const TEXT_SCHEMAS = {
  "text-embedding": TextEmbeddingEntry,
  "multilingual-embedding": MultilingualEntry,
  reranking: RerankingEntry,
  entailment: EntailmentEntry,
};
const TEXT_TASKS = ["text-embedding", "multilingual-embedding", "reranking", "entailment"] as const;

const Task = Type.Union([...TEXT_TASKS, ...MEDIA_TASKS].map((task) => Type.Literal(task)));
const Manifest = Type.Array(Type.Object({ task: Task }), { minItems: 1 });

export type TextEmbeddingEntry = Static<typeof TextEmbeddingEntry>;
export type MultilingualEntry = Static<typeof MultilingualEntry>;
export type RerankingEntry = Static<typeof RerankingEntry>;
export type EntailmentEntry = Static<typeof EntailmentEntry>;
export type TextModelEntry = TextEmbeddingEntry | MultilingualEntry | RerankingEntry | EntailmentEntry;
export type MediaEntry = Static<typeof MediaEntry>;
export type ModelEntry = TextModelEntry | MediaEntry;

export function isMediaEntry(entry: ModelEntry): entry is MediaEntry {
  return MEDIA_TASKS.some((task) => task === entry.task);
}

export function isMultilingualEntry(entry: ModelEntry): entry is MultilingualEntry {
  return entry.task === "multilingual-embedding";
}

/** The manifest's entries. Errors: StartError naming the first field that is wrong. */
export function parseManifest(value: unknown): ModelEntry[] {
  const entries = checked(Manifest, value, "");
  return entries.map((entry, index) => {
    const text = TEXT_TASKS.find((task) => task === entry.task);
    return checked<TSchema & { static: ModelEntry }>(text === undefined ? MediaEntry : TEXT_SCHEMAS[text], entry, `/${index}`);
  });
}

function checked<T extends TSchema>(schema: T, value: unknown, path: string): Static<T> {
  if (Value.Check(schema, value)) return value;
  const first = Value.Errors(schema, value).First();
  throw new StartError(`model manifest: ${path}${first?.path || "/"}: ${first?.message ?? "malformed"}`);
}

/** The first model for a task. Errors: StartError when there is none. */
export function modelFor<T extends TextModelEntry["task"]>(entries: readonly ModelEntry[], task: T): Extract<TextModelEntry, { task: T }> {
  const found = entries.find((entry): entry is Extract<TextModelEntry, { task: T }> => entry.task === task);
  if (found === undefined) throw new StartError(`the model manifest has no model for ${task}`);
  return found;
}

/** The manifest that this build carries. */
export function modelManifest(): ModelEntry[] {
  return parseManifest(manifestJson);
}

/** The models of text that every build carries. */
export function textModels(): TextModelEntry[] {
  return modelManifest().filter((entry) => !isMediaEntry(entry) && !isMultilingualEntry(entry));
}

/** The files of the multilingual encoder, as `model/file`. */
export function multilingualModelFiles(): string[] {
  const { name, files } = modelFor(modelManifest(), "multilingual-embedding");
  return files.map(({ file }) => `${name}/${file}`);
}

/** The models of pictures and sound, which a build may have left out. */
export function mediaEntries(): MediaEntry[] {
  return modelManifest().filter(isMediaEntry);
}

/** The files of the media models and of their fixtures, as `model/file`. */
export function mediaModelFiles(): string[] {
  return mediaEntries().flatMap(({ name, files, fixture }) => [...files, ...fixture].map(({ file }) => `${name}/${file}`));
}

/** Path of one of a model's files under the folder `models`. */
export function modelFile(models: string, entry: ModelEntry, file: string): string {
  return join(models, entry.name, file);
}

/** SHA-256 of a file as hex, read in pieces. Errors: those of the file system. */
export async function hashFile(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  const handle = await open(path, "r");
  try {
    const chunk = new Uint8Array(FILE_CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length);
      if (bytesRead === 0) return hasher.digest("hex");
      hasher.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** The content of the model file at `path`, `name` in the manifest. Errors: StartError with both hashes when it is another one. */
export async function readModelFile(path: string, name: string, sha256: string): Promise<Uint8Array> {
  const bytes = await Bun.file(path).bytes();
  checkHash(name, sha256, sha256Hex(bytes));
  return bytes;
}

function checkHash(name: string, expected: string, found: string): void {
  if (found !== expected) throw new StartError(`model file ${name} is not the one in the manifest: expected sha256 ${expected}, found ${found}`);
}

/** Checks every file of `entries` under the folder `models`. Errors: StartError naming the file and both hashes. */
export async function verifyModels(models: string, entries: readonly ModelEntry[]): Promise<void> {
  for (const entry of entries) {
    for (const { file, sha256 } of isMediaEntry(entry) ? [...entry.files, ...entry.fixture] : entry.files) {
      const name = `${entry.name}/${file}`;
      const found = await hashFile(modelFile(models, entry, file)).catch((cause: unknown) => {
        throw new StartError(`model file ${name} cannot be read`, { cause });
      });
      checkHash(name, sha256, found);
    }
  }
}
