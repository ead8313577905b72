/** The engines of one process, which all namespaces share. */
import { availableParallelism } from "node:os";
import { descriptorLimit } from "../base/descriptors.ts";
import {
  FULLTEXT_MEMORY_SHARE,
  FULLTEXT_POSTINGS_BYTES,
  HEAPS_MIN,
  MEDIA_PROCESSES_MAX,
  NAMESPACE_BYTES,
  NAMESPACE_DESCRIPTORS,
  NAMESPACES_OPEN_MAX,
  NAMESPACES_OPEN_MIN,
  NAMESPACES_SHARE,
  VECTOR_MEMORY_SHARE,
} from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import { MemoryShare } from "../base/memory-share.ts";
import { once } from "../base/once.ts";
import { createVectorEngine, type VectorEngine } from "../adapter/lancedb/vector-index.ts";
import { type DataDirectory, runtimeDirectory, temporaryDirectory } from "../adapter/sqlite/data-directory.ts";
import { FullTextEngine } from "../adapter/tantivy/full-text-index.ts";
import { type Inference, startInference } from "../inference/inference.ts";
import { createExtractor, type MediaExtractor } from "../media/extractor.ts";
import { unreadableKinds } from "../media/sandbox/memory-budget.ts";
import { prepareAssets } from "../runtime/assets.ts";
import { defaultMemoryBytes } from "../runtime/memory.ts";
import { modelManifest } from "../runtime/model-manifest.ts";
import { limitHeaps, provideAddons, setNativeEnvironment } from "../runtime/native.ts";

export interface Engines {
  /** Resolves once the libraries and models are known to be those of this build: nothing of them is loaded before. Errors: StartError. */
  verified(): Promise<void>;
  inference: Inference;
  /** Loads LanceDB. */
  vectors(): Promise<VectorEngine>;
  vectorMemory: MemoryShare;
  fulltext: FullTextEngine;
  extractor: MediaExtractor;
  /** How many namespaces may be open at once. */
  namespacesMax: number;
}

/** As AppOptions. */
export interface EnginesOptions {
  log: Log;
  ffmpeg: string | null;
  memory: number | null;
  runtime: string | null;
  resumeJobs: boolean;
}

/** Files that are read at once. */
export function mediaWorkers(): number {
  return Math.min(availableParallelism(), MEDIA_PROCESSES_MAX);
}

export async function startEngines(data: DataDirectory, { log, ffmpeg, memory, runtime, resumeJobs }: EnginesOptions): Promise<Engines> {
  const memoryBytes = memory ?? defaultMemoryBytes();
  limitHeaps(Math.max(HEAPS_MIN, availableParallelism()));
  // For native code; what JavaScript assigns to process.env does not reach it.
  setNativeEnvironment("TMPDIR", temporaryDirectory(data.root));
  // What other builds unpacked into the data directory goes; a folder of the operator's is theirs.
  const { paths, verify: verified } = await prepareAssets(runtime ?? runtimeDirectory(data.root), { removeOthers: resumeJobs && runtime === null });
  provideAddons(paths.addons);
  const inference = startInference({ paths, verified, manifest: modelManifest(), workers: availableParallelism(), log });
  const extractor = createExtractor({ addons: paths.addons, workers: mediaWorkers(), temporary: temporaryDirectory(data.root), ffmpeg, memoryBytes });
  const unreadable = unreadableKinds(memoryBytes);
  if (unreadable.length > 0) log.warn("there is too little memory to read some kinds of files", { memory_bytes: memoryBytes, kinds: unreadable });
  const fulltext = new FullTextEngine({
    addonPath: paths.addons.tantivy,
    postingsBytes: Math.min(FULLTEXT_POSTINGS_BYTES, memoryBytes * FULLTEXT_MEMORY_SHARE),
    log,
  });
  const vectors = once(async () => createVectorEngine({ log }));
  const vectorMemory = new MemoryShare(memoryBytes * VECTOR_MEMORY_SHARE);
  return { verified, inference, vectors, vectorMemory, fulltext, extractor, namespacesMax: namespacesOpenMax(memoryBytes) };
}

/** How many namespaces may be open at once on a machine. `memoryBytes`: what reading files may take. */
function namespacesOpenMax(memoryBytes: number): number {
  const byDescriptors = (descriptorLimit() * NAMESPACES_SHARE) / NAMESPACE_DESCRIPTORS;
  const byMemory = (memoryBytes * NAMESPACES_SHARE) / NAMESPACE_BYTES;
  return Math.max(NAMESPACES_OPEN_MIN, Math.min(NAMESPACES_OPEN_MAX, Math.floor(byDescriptors), Math.floor(byMemory)));
}
