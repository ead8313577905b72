/** Native files and models: read from the checkout when the sources run, unpacked once when the executable runs. */
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { sync } from "../base/durable-files.ts";
import { assert, StartError } from "../base/fault.ts";
import { FILE_CHUNK_BYTES, UNPACK_STALE_MS } from "../base/limits.ts";
import { machineFault } from "../base/machine.ts";
import { once } from "../base/once.ts";
import { EMBEDDED } from "./embedded.ts";
import { hashFile, readModelFile, textModels, verifyModels } from "./model-manifest.ts";
import { type AddonPaths, holdDirectory, isHeld } from "./native.ts";

export interface RuntimePaths {
  addons: AddonPaths;
  /** Folder that holds a folder for each model. */
  models: string;
}

/** Every file to unpack: its path in the checkout, by its path in the folder that it is unpacked into. */
export const ASSETS: Readonly<Record<string, string>> = {
  "lancedb.node": "node_modules/@lancedb/lancedb-linux-x64-gnu/lancedb.linux-x64-gnu.node",
  "tantivy.node": "node_modules/@oxdev03/node-tantivy-binding-linux-x64-gnu/node-tantivy-binding.linux-x64-gnu.node",
  "onnxruntime.node": "node_modules/onnxruntime-node/bin/napi-v6/linux/x64/onnxruntime_binding.node",
  "libonnxruntime.so.1": "node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1",
  ...Object.fromEntries(textModels().flatMap(({ name, files }) => files.map(({ file }) => [`models/${name}/${file}`, `models/${name}/${file}`]))),
};

/** What build.ts fixes in the executable: the size and hash of each asset by its name in ASSETS, and an id over their contents. */
export interface AssetsBuild {
  id: string;
  files: Record<string, { bytes: number; sha256: string }>;
}

/** The hidden first argument with which the executable runs itself to unpack; main hands the rest to `unpackMain`. */
export const UNPACK_ARGUMENT = "__unpack";

const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;
const WRITABLE_BY_OTHERS = 0o022;
const TEMPORARY_PREFIX = "unpack-";

const build: AssetsBuild | undefined = typeof STRATA_ASSETS === "undefined" ? undefined : STRATA_ASSETS;

/** Files that can be used once `verify` has resolved: it checks the hash of each, the first time that it is called. */
export interface Assets {
  paths: RuntimePaths;
  /** Errors: StartError for a file of another build. */
  verify(): Promise<void>;
}

/** As `prepareAssets`, with the hashes checked. */
export async function unpackAssets(runtimeDir: string, options = {}): Promise<RuntimePaths> {
  const { paths, verify } = await prepareAssets(runtimeDir, options);
  await verify();
  return paths;
}

/**
 * Puts the native files and the models where they can be used. The executable unpacks into `<runtimeDir>/<build id>`
 * unless a complete copy is there, and marks it as in use for as long as this process lives; calls may run at once. Owner
 * and permissions of every file are checked here; the caller waits for `verify`, which reads 390 MB, before it loads
 * anything. `removeOthers`: removes the copies of other builds that no process uses, for the process that has locked the
 * data directory. Errors: StartError for a full or read-only disk, or a folder that others may write to.
 */
export async function prepareAssets(runtimeDir: string, { removeOthers = false } = {}): Promise<Assets> {
  if (build === undefined) {
    const paths = checkoutPaths();
    return { paths, verify: once(() => verifyModels(paths.models, textModels())) };
  }
  const assets = build;
  const root = resolve(runtimeDir);
  const explained = (error: unknown) => {
    throw explain(root, error);
  };
  try {
    const folder = await unpackedFolder(root, assets);
    if (removeOthers) await removeUnused(root, assets.id);
    await refuseUntrusted(folder, Object.keys(assets.files));
    return { paths: pathsIn(folder), verify: once(() => verifyHashes(folder, assets).catch(explained)) };
  } catch (error) {
    throw explain(root, error);
  }
}

/**
 * As `unpackAssets`, for a command that changes nothing: it uses the copy in `runtimeDir`, or unpacks one into a new
 * folder under `temporary`, which `release` removes.
 */
export async function borrowAssets(runtimeDir: string, temporary: string): Promise<{ paths: RuntimePaths; release(): Promise<void> }> {
  const existing = await findAssets(runtimeDir);
  if (existing !== null) return { paths: existing, release: async () => {} };
  assert(build !== undefined, "a checkout has its files");
  const own = join(resolve(temporary), `${TEMPORARY_PREFIX}${crypto.randomUUID()}`);
  const release = () => rm(own, { recursive: true, force: true });
  try {
    await fill(own);
    return { paths: await checked(own, build), release };
  } catch (error) {
    await release();
    throw explain(temporary, error);
  }
}

/** The files of this build in `runtimeDir`; null when there is no complete copy. Writes nothing. Errors: StartError, as unpackAssets. */
export async function findAssets(runtimeDir: string): Promise<RuntimePaths | null> {
  if (build === undefined) return verified(checkoutPaths());
  const folder = join(resolve(runtimeDir), build.id);
  return holdDirectory(folder) && (await isWhole(folder, build)) ? checked(folder, build) : null;
}

/** Checks the models inside the executable against the manifest's hashes, without unpacking. Errors: StartError that names the file. */
export async function verifyEmbedded(): Promise<void> {
  for (const { name, files } of textModels()) {
    for (const { file, sha256 } of files) await readModelFile(embedded(`models/${name}/${file}`), `${name}/${file}`, sha256);
  }
}

async function verified(paths: RuntimePaths): Promise<RuntimePaths> {
  await verifyModels(paths.models, textModels());
  return paths;
}

/** The paths of a copy whose permissions and hashes were checked. */
async function checked(folder: string, assets: AssetsBuild): Promise<RuntimePaths> {
  await refuseUntrusted(folder, Object.keys(assets.files));
  await verifyHashes(folder, assets);
  return pathsIn(folder);
}

/** Checks the models against the manifest, and the libraries against what build.ts recorded. */
async function verifyHashes(folder: string, { files }: AssetsBuild): Promise<void> {
  for (const [name, { sha256 }] of Object.entries(files)) {
    const path = join(folder, name);
    if (!name.startsWith("models/") && (await hashFile(path)) !== sha256) {
      throw new StartError(`${path} is not the file of this build; remove ${folder} and start again`);
    }
  }
  await verifyModels(pathsIn(folder).models, textModels());
}

function pathsIn(folder: string): RuntimePaths {
  return runtimePaths((name) => join(folder, name));
}

function checkoutPaths(): RuntimePaths {
  return runtimePaths((name) => resolve(import.meta.dir, "../..", ASSETS[name] ?? name));
}

function runtimePaths(path: (name: string) => string): RuntimePaths {
  const addons = {
    lancedb: path("lancedb.node"),
    tantivy: path("tantivy.node"),
    onnxruntime: path("onnxruntime.node"),
    onnxruntimeLibrary: path("libonnxruntime.so.1"),
  };
  return { addons, models: path("models") };
}

/** The folder of a complete copy, marked as in use. */
async function unpackedFolder(runtimeDir: string, assets: AssetsBuild): Promise<string> {
  const folder = join(runtimeDir, assets.id);
  if (holdDirectory(folder) && (await isWhole(folder, assets))) return folder;
  await unpack(runtimeDir, folder);
  if (!holdDirectory(folder) || !(await isWhole(folder, assets)))
    throw new StartError(`the runtime files in ${folder} are not as large as they should be`);
  return folder;
}

async function isWhole(folder: string, { files }: AssetsBuild): Promise<boolean> {
  for (const [name, { bytes }] of Object.entries(files)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.size !== bytes) return false;
  }
  return true;
}

async function unpack(runtimeDir: string, folder: string): Promise<void> {
  const temporary = join(runtimeDir, `${TEMPORARY_PREFIX}${crypto.randomUUID()}`);
  try {
    await fill(temporary);
    await replaceFolder(temporary, folder);
    await sync(runtimeDir);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Makes a folder and fills it in a child process: the pages of the executable that are read would stay in this process's memory. */
async function fill(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_DIRECTORY });
  const child = Bun.spawn([process.execPath, UNPACK_ARGUMENT, folder], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const [code, complaint] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) throw new StartError(`cannot unpack the runtime files into ${dirname(folder)}: ${complaint.trim() || `exit status ${code}`}`);
}

/** Gives `temporary` the name `folder`. An existing folder was unpacked by another start, or is damaged: it is renamed first, then removed. */
async function replaceFolder(temporary: string, folder: string): Promise<void> {
  await rename(folder, `${temporary}-replaced`).catch(ignore("ENOENT"));
  await rename(temporary, folder).catch(ignore("ENOTEMPTY", "EEXIST"));
  await rm(`${temporary}-replaced`, { recursive: true, force: true });
}

/** Removes copies of other builds that no process uses, and temporary folders of starts that died. */
export async function removeUnused(runtimeDir: string, id: string): Promise<void> {
  for (const name of await readdir(runtimeDir)) {
    if (name === id) continue;
    const path = join(runtimeDir, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0);
    const unused = name.startsWith(TEMPORARY_PREFIX) ? age > UNPACK_STALE_MS : !isHeld(path);
    if (unused) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Code loaded from these files runs with this process's rights, so every folder and file must belong to its user or to
 * root, and be writable by nobody else. Errors: StartError that names the first that is not.
 */
export async function refuseUntrusted(folder: string, files: readonly string[]): Promise<void> {
  const folders = new Set([".", ...files.map((file) => dirname(file)), ...files.map((file) => dirname(dirname(file)))]);
  for (const path of [dirname(folder), ...[...folders, ...files].map((name) => join(folder, name))]) {
    const { uid, mode } = await lstat(path);
    const kind = mode & constants.S_IFMT;
    if (kind !== constants.S_IFREG && kind !== constants.S_IFDIR) throw new StartError(`${path} is a link or no file; nothing is loaded from there`);
    if (uid !== 0 && uid !== process.getuid?.()) throw new StartError(`${path} belongs to another user; nothing is loaded from there`);
    if ((mode & WRITABLE_BY_OTHERS) !== 0) throw new StartError(`${path} can be written by other users; nothing is loaded from there`);
  }
}

function ignore(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? "")) throw error;
  };
}

function reason(error: unknown): string {
  return machineFault(error) ?? (error instanceof Error ? error.message : String(error));
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
    const names = Object.keys(ASSETS);
    for (const name of names) await copySynced(embedded(name), join(folder, name));
    for (const path of new Set(names.map(dirname))) await sync(join(folder, path));
    return 0;
  } catch (error) {
    process.stderr.write(`${reason(error)}\n`);
    return 1;
  }
}

function embedded(name: string): string {
  const path = EMBEDDED[name];
  assert(path !== undefined, `build.ts embeds ${name}`);
  return path;
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
