/**
 * The files of the demo with what extraction gave, recorded: seeding then needs no model and no ffmpeg, takes no longer,
 * and gives the same everywhere. A test holds the record to what the product extracts today.
 */
import { FEATURE_MODELS, type Features, type ExtractedUnit } from "../../domain/media.ts";
import type { StoredFile } from "../../domain/file.ts";

export interface DemoFile extends Pick<StoredFile, "name" | "doc_id" | "scope" | "acl_groups" | "kind" | "mime" | "bytes" | "sha256"> {
  units: (Omit<ExtractedUnit, "features"> & { content: (Omit<Features, "embedding"> & { embedding: string }) | null })[];
}

/** Half-precision floats as base64: what the catalog keeps of an embedding. */
export function packEmbedding(embedding: Float32Array): string {
  return Buffer.from(new Float16Array(embedding).buffer).toString("base64");
}

function unpackEmbedding(packed: string, kind: Features["kind"]): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(packed, "base64"));
  const embedding = Float32Array.from(new Float16Array(bytes.buffer));
  if (embedding.length !== FEATURE_MODELS[kind].dims) throw new Error("a recorded embedding is as long as the model's");
  return embedding;
}

/** The Units as extraction gives them. */
export function recordedUnits({ units }: DemoFile): ExtractedUnit[] {
  return units.map(({ content, ...unit }) => ({
    ...unit,
    features: content && { ...content, embedding: unpackEmbedding(content.embedding, content.kind) },
  }));
}
