/**
 * Loads the native addons of the executable. `build.ts` rewrites the packages' own loaders to call `addon`;
 * uncompiled, the packages find their files themselves and nothing here runs.
 */
import { dlopen } from "bun:ffi";
import { readdirSync } from "node:fs";
import { assert, StartError } from "../base/fault.ts";
import { MEMORY_IDLE_MS } from "../base/limits.ts";

export type AddonName = "onnxruntime" | "lancedb";

/** Where the native files lie. The onnxruntime addon links to `onnxruntimeLibrary`; Tantivy's has no package around it. */
export type AddonPaths = Record<AddonName | "onnxruntimeLibrary" | "tantivy", string>;

const { symbols: libc } = dlopen("libc.so.6", {
  setenv: { args: ["cstring", "cstring", "int"], returns: "int" },
  mallopt: { args: ["int", "int"], returns: "int" },
  malloc_trim: { args: ["u64"], returns: "int" },
  setpriority: { args: ["int", "u32", "int"], returns: "int" },
  prctl: { args: ["int", "u64", "u64", "u64", "u64"], returns: "int" },
});

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
 * Sets a variable in the environment that native code reads; `process.env` does not reach it.
 * Errors: StartError when the C library refuses.
 */
export function setNativeEnvironment(name: string, value: string): void {
  const text = (part: string) => Buffer.from(`${part}\0`);
  if (libc.setenv(text(name), text(value), 1) !== 0) throw new StartError(`cannot set ${name} for native code`);
}

/** On Linux a thread has a niceness of its own: `who` 0 is the one that calls. */
const PRIO_PROCESS = 0;

/** Lets the other threads of this process go before the one that calls, by `nice` steps of the scheduler (1 to 19). There is no way back. */
export function yieldToOtherThreads(nice: number): void {
  libc.setpriority(PRIO_PROCESS, 0, nice);
}

/** Lets other processes go before all threads of this one, and those that it starts from here on. */
export function yieldToOtherProcesses(nice: number): void {
  for (const thread of readdirSync("/proc/self/task")) libc.setpriority(PRIO_PROCESS, Number(thread), nice);
}

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/** Has the kernel end this process with the thread that started it, however that ends. */
export function endWithParent(): void {
  libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/** glibc's number for the greatest count of arenas. */
const M_ARENA_MAX = -8;

/**
 * Has all native threads share `arenas` heaps of the C library. By default it makes eight a core, and each keeps what its
 * threads let go of: LanceDB's, which come and go, would leave several times what they hold. Call it before they start.
 */
export function limitHeaps(arenas: number): void {
  libc.mallopt(M_ARENA_MAX, arenas);
}

/** Gives freed memory back to the system: glibc keeps what LanceDB's threads let go of, ten times what they hold. */
function returnMemory(): void {
  libc.malloc_trim(0);
}

let idle: ReturnType<typeof setTimeout> | null = null;

/** Calls `returnMemory` once nobody has called this for a while: trimming stops the thread for up to 0.2 s. */
export function returnMemoryWhenIdle(): void {
  if (idle !== null) clearTimeout(idle);
  idle = setTimeout(returnMemory, MEMORY_IDLE_MS);
  idle.unref();
}
