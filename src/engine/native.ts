/**
 * Loads the native addons of the executable. `build.ts` rewrites the packages' own loaders to call `addon`;
 * uncompiled, the packages find their files themselves and nothing here runs.
 */
import { dlopen } from "bun:ffi";
import { assert, StartError } from "../base/fault.ts";

export type AddonName = "onnxruntime" | "lancedb";

/** Where the native files lie. The onnxruntime addon links to `onnxruntimeLibrary`; Tantivy's has no package around it. */
export type AddonPaths = Record<AddonName | "onnxruntimeLibrary" | "tantivy", string>;

let provided: AddonPaths | null = null;
const loaded = new Map<AddonName, unknown>();

/** Tells this thread where the addons lie; call it before anything that uses one, in each Worker too. */
export function provideAddons(paths: AddonPaths): void {
  provided = paths;
}

/** The exports of a native addon, loaded once per thread. Errors: StartError when the system refuses to load it. */
export function addon(name: AddonName): unknown {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  assert(provided !== null, `provideAddons runs before ${name} is used`);
  const target = { exports: {} as unknown };
  try {
    // The addon asks for the library by its SONAME, which the loader answers with the one that is already there.
    if (name === "onnxruntime") dlopen(provided.onnxruntimeLibrary, { OrtGetApiBase: { args: [], returns: "ptr" } });
    process.dlopen(target, provided[name]);
  } catch (cause) {
    throw new StartError(`cannot load ${provided[name]} (is the data directory on a file system mounted noexec?)`, { cause });
  }
  loaded.set(name, target.exports);
  return target.exports;
}

/**
 * Sets `TMPDIR` for native code too: the libraries ask the C library, which does not see what JavaScript
 * assigns to `process.env`.
 */
export function setTemporaryDirectory(path: string): void {
  process.env.TMPDIR = path;
  const { symbols } = dlopen("libc.so.6", { setenv: { args: ["cstring", "cstring", "int"], returns: "int" } });
  symbols.setenv(Buffer.from("TMPDIR\0"), Buffer.from(`${path}\0`), 1);
}

/**
 * Sets a variable in the environment that native code reads; `process.env` does not reach it.
 * Errors: StartError when the C library refuses.
 */
export function setNativeEnvironment(name: string, value: string): void {
  const { symbols } = dlopen("libc.so.6", { setenv: { args: ["cstring", "cstring", "int"], returns: "int" } });
  const text = (part: string) => Buffer.from(`${part}\0`);
  if (symbols.setenv(text(name), text(value), 1) !== 0) throw new StartError(`cannot set ${name} for native code`);
}

const { symbols: libc } = dlopen("libc.so.6", { malloc_trim: { args: ["u64"], returns: "int" } });

/** Gives freed memory back to the system: glibc keeps what LanceDB's threads let go of, ten times what they hold. */
export function returnMemory(): void {
  libc.malloc_trim(0);
}
