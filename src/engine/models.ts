/** The model manifest: which model files belong to this build, and proof that they are those. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import manifestJson from "../../models/manifest.json";
import { StartError } from "../base/fault.ts";
import { FILE_CHUNK_BYTES } from "../base/limits.ts";

const ModelFile = Type.Object({
  file: Type.String({ pattern: "^[A-Za-z0-9._-]+$" }),
  bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});

const SelfTest = Type.Object({
  text: Type.String(),
  token_ids: Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2 }),
  vector_first_5: Type.Array(Type.Number(), { minItems: 5, maxItems: 5 }),
});

const ModelEntry = Type.Object({
  name: Type.String({ pattern: "^[A-Za-z0-9._-]+$" }),
  task: Type.Literal("text-embedding"),
  files: Type.Array(ModelFile, { minItems: 1 }),
  licence: Type.String(),
  origin: Type.String(),
  dims: Type.Integer({ minimum: 1 }),
  pooling: Type.Literal("cls"),
  normalise: Type.Literal("l2"),
  max_tokens: Type.Integer({ minimum: 8 }),
  // A prefix would shift the spans of windows; none of our models has one.
  prefix: Type.Literal(""),
  metric: Type.Literal("cosine"),
  selftest: Type.Array(SelfTest, { minItems: 1 }),
});

const Manifest = Type.Array(ModelEntry, { minItems: 1 });

export type ModelEntry = Static<typeof ModelEntry>;

/** The manifest's entries. Errors: StartError naming the first field that is wrong. */
export function parseManifest(value: unknown): ModelEntry[] {
  if (Value.Check(Manifest, value)) return value;
  const first = Value.Errors(Manifest, value).First();
  throw new StartError(`model manifest: ${first?.path || "/"}: ${first?.message ?? "malformed"}`);
}

/** The manifest that this build carries. */
export function modelManifest(): ModelEntry[] {
  return parseManifest(manifestJson);
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

/** Checks every file of `entries` under the folder `models`. Errors: StartError naming the file and both hashes. */
export async function verifyModels(models: string, entries: readonly ModelEntry[]): Promise<void> {
  for (const entry of entries) {
    for (const { file, sha256 } of entry.files) {
      const name = `${entry.name}/${file}`;
      const found = await hashFile(modelFile(models, entry, file)).catch((cause: unknown) => {
        throw new StartError(`model file ${name} cannot be read`, { cause });
      });
      if (found !== sha256) throw new StartError(`model file ${name} is not the one in the manifest: expected sha256 ${sha256}, found ${found}`);
    }
  }
}
