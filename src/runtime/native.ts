/**
 * Loads the native addons of the executable. `build.ts` rewrites the packages' own loaders to call `addon`;
 * uncompiled, the packages find their files themselves and nothing here runs.
 */
import { dlopen, ptr } from "bun:ffi";
import { closeSync, constants, fstatSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
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
  execve: { args: ["ptr", "ptr", "ptr"], returns: "int" },
  flock: { args: ["int", "int"], returns: "int" },
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

/** The hidden first argument with which the executable becomes another program; see `bound`. */
export const BOUND_ARGUMENT = "__bound";
/** The exit status of a program that could not be run, as shells have it. */
export const EXIT_NOT_RUN = 127;

/** The command by which this program runs itself: compiled, the executable; from the sources, Bun with main.ts. */
export function selfCommand(argument: string): string[] {
  const compiled = import.meta.dir.startsWith("/$bunfs");
  return compiled ? [process.execPath, argument] : [process.execPath, join(import.meta.dir, "../main.ts"), argument];
}

/**
 * The command that runs `program` and has the kernel end it with the thread that starts it, however that ends: what is
 * asked for before a program is executed outlasts it, and only the process itself can ask.
 */
export function bound(program: string, args: readonly string[]): string[] {
  return [...selfCommand(BOUND_ARGUMENT), String(process.pid), program, ...args];
}

/** Becomes the program that `bound` names, with an empty environment. Returns only when that fails: the exit status. */
export function boundMain([parent, ...command]: readonly string[]): number {
  endWithParent();
  // Whoever started this may have ended before it was asked for.
  if (String(process.ppid) !== parent) return EXIT_NOT_RUN;
  const texts = command.map((text) => Buffer.from(`${text}\0`));
  const [program] = texts;
  if (program === undefined) return EXIT_NOT_RUN;
  const argv = new BigUint64Array([...texts.map((text) => BigInt(ptr(text))), 0n]);
  libc.execve(ptr(program), ptr(argv), ptr(new BigUint64Array(1)));
  return EXIT_NOT_RUN;
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

const LOCK_SH = 1;
const LOCK_EX = 2;
const LOCK_NB = 4;

/** The directories that this process uses, by path. Their descriptors stay open: the kernel lets go of the lock with the process. */
const heldDirectories = new Map<string, number>();

/** Marks a directory as in use by this process until it ends. False when there is none, or another process is about to remove it. */
export function holdDirectory(path: string): boolean {
  const known = heldDirectories.get(path);
  if (known !== undefined && isAt(known, path)) return true;
  const directory = openDirectory(path);
  if (directory === null) return false;
  // Between opening and locking it may have been removed, or replaced by a fresh one.
  if (libc.flock(directory, LOCK_SH | LOCK_NB) !== 0 || !isAt(directory, path)) {
    closeSync(directory);
    return false;
  }
  heldDirectories.set(path, directory);
  return true;
}

/** True while a process uses the directory, this one included. */
export function isHeld(path: string): boolean {
  const directory = openDirectory(path);
  if (directory === null) return false;
  try {
    return libc.flock(directory, LOCK_EX | LOCK_NB) !== 0;
  } finally {
    closeSync(directory);
  }
}

/** Null when there is no directory of that name. */
function openDirectory(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

function isAt(directory: number, path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.ino === fstatSync(directory).ino;
}
