/** Native files and models: found in the checkout when the sources run, unpacked once from the executable otherwise. */
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { assert, StartError } from "../base/fault.ts";
import { FILE_CHUNK_BYTES, UNPACK_STALE_MS } from "../base/limits.ts";
import { isMediaEntry, modelManifest, verifyModels } from "./models.ts";
import type { AddonPaths } from "./native.ts";

export interface RuntimePaths {
  addons: AddonPaths;
  /** Folder that holds a folder for each model. */
  models: string;
}

/** Every file to unpack: where it lies in the checkout, and in the folder it is unpacked to. */
export const ASSETS = {
  lancedb: { source: "node_modules/@lancedb/lancedb-linux-x64-gnu/lancedb.linux-x64-gnu.node", target: "lancedb.node" },
  tantivy: {
    source: "node_modules/@oxdev03/node-tantivy-binding-linux-x64-gnu/node-tantivy-binding.linux-x64-gnu.node",
    target: "tantivy.node",
  },
  onnxruntime: { source: "node_modules/onnxruntime-node/bin/napi-v6/linux/x64/onnxruntime_binding.node", target: "onnxruntime.node" },
  onnxruntimeLibrary: {
    source: "node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1",
    target: "libonnxruntime.so.1",
  },
  model: { source: "models/bge-small-en-v1.5/model.onnx", target: "models/bge-small-en-v1.5/model.onnx" },
  tokenizer: { source: "models/bge-small-en-v1.5/tokenizer.json", target: "models/bge-small-en-v1.5/tokenizer.json" },
  rerankingModel: { source: "models/ms-marco-minilm-l12/model.onnx", target: "models/ms-marco-minilm-l12/model.onnx" },
  rerankingTokenizer: { source: "models/ms-marco-minilm-l12/tokenizer.json", target: "models/ms-marco-minilm-l12/tokenizer.json" },
  entailmentModel: { source: "models/nli-minilm/model.onnx", target: "models/nli-minilm/model.onnx" },
  entailmentTokenizer: { source: "models/nli-minilm/tokenizer.json", target: "models/nli-minilm/tokenizer.json" },
} as const;

export type AssetName = keyof typeof ASSETS;
export const ASSET_NAMES = Object.keys(ASSETS) as AssetName[];

/** What build.ts fixes in the executable: the size of each asset, and an id over their contents. */
export interface AssetsBuild {
  id: string;
  bytes: Record<AssetName, number>;
}

/** The hidden first argument with which the executable runs itself to unpack; main hands the rest to `unpackMain`. */
export const UNPACK_ARGUMENT = "__unpack";

const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;
const TEMPORARY_PREFIX = "unpack-";

const build: AssetsBuild | undefined = typeof STRATA_ASSETS === "undefined" ? undefined : STRATA_ASSETS;

/** Version of the build; the sources run as they are have none. */
export const VERSION: string = typeof STRATA_VERSION === "undefined" ? "0.0.0-dev" : STRATA_VERSION;

/**
 * Puts the native files and the models where they can be used and verifies the models by hash. The executable unpacks
 * into `<runtimeDir>/<build id>` unless a whole copy lies there; concurrent calls are harmless.
 * Errors: StartError for a full or read-only disk or a model file that differs from the manifest.
 */
export async function unpackAssets(runtimeDir: string): Promise<RuntimePaths> {
  const paths = build === undefined ? checkoutPaths() : await unpackedPaths(resolve(runtimeDir), build);
  await verifyModels(
    paths.models,
    modelManifest().filter((entry) => !isMediaEntry(entry)),
  );
  return paths;
}

function checkoutPaths(): RuntimePaths {
  const root = resolve(import.meta.dir, "../..");
  return runtimePaths((name) => join(root, ASSETS[name].source), join(root, "models"));
}

function runtimePaths(path: (name: AssetName) => string, models: string): RuntimePaths {
  const addons = {
    lancedb: path("lancedb"),
    tantivy: path("tantivy"),
    onnxruntime: path("onnxruntime"),
    onnxruntimeLibrary: path("onnxruntimeLibrary"),
  };
  return { addons, models };
}

async function unpackedPaths(runtimeDir: string, { id, bytes }: AssetsBuild): Promise<RuntimePaths> {
  const folder = join(runtimeDir, id);
  try {
    if (!(await isWhole(folder, bytes))) {
      await unpack(runtimeDir, folder);
      if (!(await isWhole(folder, bytes))) throw new StartError(`the runtime files in ${folder} are not as large as they should be`);
      await removeOthers(runtimeDir, id);
    }
  } catch (error) {
    throw explain(runtimeDir, error);
  }
  return runtimePaths((name) => join(folder, ASSETS[name].target), join(folder, "models"));
}

async function isWhole(folder: string, bytes: AssetsBuild["bytes"]): Promise<boolean> {
  for (const name of ASSET_NAMES) {
    const found = await stat(join(folder, ASSETS[name].target)).catch(() => undefined);
    if (found?.size !== bytes[name]) return false;
  }
  return true;
}

/** Fills a temporary folder in a child process, since the pages of this executable that are read stay in its memory. */
async function unpack(runtimeDir: string, folder: string): Promise<void> {
  const temporary = join(runtimeDir, `${TEMPORARY_PREFIX}${crypto.randomUUID()}`);
  await mkdir(temporary, { recursive: true, mode: PRIVATE_DIRECTORY });
  try {
    const child = Bun.spawn([process.execPath, UNPACK_ARGUMENT, temporary], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
    const [code, complaint] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    if (code !== 0) throw new StartError(`cannot unpack the runtime files into ${runtimeDir}: ${complaint.trim() || `exit status ${code}`}`);
    await replaceFolder(temporary, folder);
    await syncFolder(runtimeDir);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Renames over an empty or missing folder; one that is there was unpacked by another start, or is damaged: it goes aside first. */
async function replaceFolder(temporary: string, folder: string): Promise<void> {
  await rename(folder, `${temporary}-replaced`).catch(ignore("ENOENT"));
  await rename(temporary, folder).catch(ignore("ENOTEMPTY", "EEXIST"));
  await rm(`${temporary}-replaced`, { recursive: true, force: true });
}

/** Other builds' copies, and what starts left that died. */
async function removeOthers(runtimeDir: string, id: string): Promise<void> {
  for (const name of await readdir(runtimeDir)) {
    if (name === id) continue;
    const path = join(runtimeDir, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0);
    if (!name.startsWith(TEMPORARY_PREFIX) || age > UNPACK_STALE_MS) await rm(path, { recursive: true, force: true });
  }
}

function ignore(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? "")) throw error;
  };
}

const REASONS: Record<string, string> = {
  ENOSPC: "no space left on the disk",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOTDIR: "a part of the path is no directory",
};

function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

function explain(runtimeDir: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`cannot unpack the runtime files into ${runtimeDir}: ${reason(error)}`, { cause: error });
}

/**
 * The child process's whole work: writes every asset into the folder `argv[0]`, synced.
 * Returns the exit status; a failure is one line on stderr.
 */
export async function unpackMain(argv: readonly string[]): Promise<number> {
  try {
    const [folder] = argv;
    assert(folder !== undefined && build !== undefined, "unpacking is for the executable itself");
    const { EMBEDDED } = await import("./embedded.ts");
    for (const name of ASSET_NAMES) await copySynced(EMBEDDED[name], join(folder, ASSETS[name].target));
    for (const path of new Set(ASSET_NAMES.map((name) => dirname(ASSETS[name].target)))) await syncFolder(join(folder, path));
    return 0;
  } catch (error) {
    process.stderr.write(`${reason(error)}\n`);
    return 1;
  }
}

async function copySynced(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: PRIVATE_DIRECTORY });
  const file = await open(target, "wx", PRIVATE_FILE);
  try {
    const bytes = Bun.file(source);
    for (let start = 0; start < bytes.size; start += FILE_CHUNK_BYTES) {
      await file.writeFile(new Uint8Array(await bytes.slice(start, start + FILE_CHUNK_BYTES).arrayBuffer()));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
