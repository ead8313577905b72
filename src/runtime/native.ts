/**
 * Loads the native addons of the executable. `build.ts` rewrites the packages' own loaders to call `addon`;
 * uncompiled, the packages find their files themselves and nothing here runs.
 */
import { dlopen, ptr } from "bun:ffi";
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { assert, StartError } from "../base/fault.ts";
import { MEMORY_IDLE_MS } from "../base/limits.ts";
import { PAGE_BYTES } from "./memory.ts";

export type AddonName = "onnxruntime" | "lancedb";

/** Where the native files lie. The onnxruntime addon links to `onnxruntimeLibrary`; Tantivy's has no package around it. */
export type AddonPaths = Record<AddonName | "onnxruntimeLibrary" | "tantivy", string>;

const { symbols: libc } = dlopen("libc.so.6", {
  setenv: { args: ["cstring", "cstring", "int"], returns: "int" },
  mallopt: { args: ["int", "int"], returns: "int" },
  malloc_trim: { args: ["u64"], returns: "int" },
  madvise: { args: ["u64", "u64", "int"], returns: "int" },
  setpriority: { args: ["int", "u32", "int"], returns: "int" },
  execve: { args: ["ptr", "ptr", "ptr"], returns: "int" },
  flock: { args: ["int", "int"], returns: "int" },
  prctl: { args: ["int", "u64", "u64", "u64", "u64"], returns: "int" },
});

let provided: AddonPaths | null = null;
const loaded = new Map<AddonName, unknown>();

/** Sets the paths of the addons for this thread; call it before anything that uses one, in each Worker too. */
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
    // The addon links to the library by its SONAME; the loader then takes the one that is already loaded.
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

/** On Linux each thread has its own niceness; `who` 0 is the calling thread. */
const PRIO_PROCESS = 0;

/** Raises the niceness of the calling thread by `nice` (1 to 19). An unprivileged process cannot lower it again. */
export function yieldToOtherThreads(nice: number): void {
  libc.setpriority(PRIO_PROCESS, 0, nice);
}

/** Raises the niceness of all threads of this process, and of those that they start from here on. */
export function yieldToOtherProcesses(nice: number): void {
  for (const thread of readdirSync("/proc/self/task")) libc.setpriority(PRIO_PROCESS, Number(thread), nice);
}

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/** Asks the kernel to kill this process when the thread that started it ends. */
export function endWithParent(): void {
  libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/** glibc's numbers for its settings. */
const M_TRIM_THRESHOLD = -1;
const M_MMAP_THRESHOLD = -3;
const M_ARENA_MAX = -8;
/** Larger parts are mappings of their own, which go back to the system when they are freed. The weights that a text is encoded with are smaller. */
const MAPPED_MIN_BYTES = 1024 * 1024;
/** Free memory that a heap keeps at its end until it is trimmed: as much as glibc would allow itself once it has freed the largest parts. */
const KEPT_AT_END_BYTES = 64 * 1024 * 1024;

/**
 * Limits the C library to `arenas` heaps for all native threads. By default it makes eight a core, and each heap keeps the
 * memory that its threads free: LanceDB's short-lived threads would leave several times the memory that is in use. Large
 * parts stay out of the heaps for good, and not only until the first of their size is freed: what lies between them
 * would keep what they leave. Call it before such threads start.
 */
export function limitHeaps(arenas: number): void {
  libc.mallopt(M_ARENA_MAX, arenas);
  libc.mallopt(M_MMAP_THRESHOLD, MAPPED_MIN_BYTES);
  libc.mallopt(M_TRIM_THRESHOLD, KEPT_AT_END_BYTES);
}

const HUGE_PAGE_BYTES = 2 * 1024 * 1024;
/** Linux 6.1 and later: earlier ones refuse it, and the pages stay as they are. */
const MADV_COLLAPSE = 25;

/**
 * Moves the memory that the process has grown by during `load` into huge pages, as far as the system has any. For models: each
 * text reads all of the weights, and with pages of 4 KiB a sixth of the time goes into looking up where they are.
 */
export async function inHugePages<T>(load: () => Promise<T>): Promise<T> {
  const before = writableMemory();
  const loaded = await load();
  for (const [start, end] of writableMemory()) adviseHugePages(before.get(start) ?? start, end, MADV_COLLAPSE);
  return loaded;
}

const MADV_HUGEPAGE = 14;

/** Asks for huge pages for the part of `memory` that is not in use yet, as far as the system gives any. */
export function preferHugePages(memory: ArrayBuffer): void {
  const start = ptr(memory);
  adviseHugePages(start, start + memory.byteLength, MADV_HUGEPAGE);
}

const MADV_DONTNEED = 4;

/** Makes zeros of `memory`, which nothing but this process has, and gives its pages back to the system. */
export function returnPages(memory: Uint8Array): void {
  const start = ptr(memory);
  const [before, behind] = [-start & (PAGE_BYTES - 1), (start + memory.byteLength) & (PAGE_BYTES - 1)];
  const bytes = memory.byteLength - before - behind;
  const returned = bytes > 0 && libc.madvise(start + before, bytes, MADV_DONTNEED) === 0;
  if (!returned) memory.fill(0);
  memory.fill(0, 0, before).fill(0, memory.byteLength - behind);
}

/** Of the huge pages that lie between these addresses. */
function adviseHugePages(start: number, end: number, advice: number): void {
  const from = Math.ceil(start / HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES;
  const bytes = Math.floor((end - from) / HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES;
  if (bytes > 0) libc.madvise(from, bytes, advice);
}

interface Mapping {
  start: number;
  end: number;
  /** `rw-p`: private memory that may be written. */
  access: string;
  /** Empty: no file lies behind it. */
  file: string;
}

/** Start and end in hex, access, offset, device, inode, and the file or a name in brackets. */
const MAPPING = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ (\d+) *(.*)$/gm;

/** The memory that this process has mapped. Nothing without /proc. */
function mappings(): Mapping[] {
  try {
    const lines = readFileSync("/proc/self/maps", "utf8").matchAll(MAPPING);
    return Array.from(lines, ([, start = "", end = "", access = "", inode = "", file = ""]) => {
      return { start: Number.parseInt(start, 16), end: Number.parseInt(end, 16), access, file: inode === "0" ? "" : file };
    });
  } catch {
    return [];
  }
}

/** The writable memory of this process behind which no file lies: where each part ends, by where it starts. */
function writableMemory(): Map<number, number> {
  const writable = mappings().filter(({ access, file }) => access === "rw-p" && file === "");
  return new Map(writable.map(({ start, end }) => [start, end]));
}

/** The hidden first argument with which this program executes another one; see `bound`. */
export const BOUND_ARGUMENT = "__bound";
/** The exit status of shells for a program that could not be run. */
export const EXIT_NOT_RUN = 127;

/** The command by which this program runs itself: compiled, the executable; from the sources, Bun with main.ts. */
export function selfCommand(argument: string): string[] {
  const compiled = import.meta.dir.startsWith("/$bunfs");
  return compiled ? [process.execPath, argument] : [process.execPath, join(import.meta.dir, "../main.ts"), argument];
}

/**
 * The command that runs `program` so that the kernel kills it when the thread that starts it ends. Only a process itself
 * can ask the kernel for that, and the setting survives `execve`: so this program runs first, asks, and executes the other.
 */
export function bound(program: string, args: readonly string[]): string[] {
  return [...selfCommand(BOUND_ARGUMENT), String(process.pid), program, ...args];
}

/** Executes the program that `bound` names, with an empty environment. Returns only when that fails: the exit status. */
export function boundMain([parent, ...command]: readonly string[]): number {
  endWithParent();
  // The parent may have ended before the kernel was asked.
  if (String(process.ppid) !== parent) return EXIT_NOT_RUN;
  const texts = command.map((text) => Buffer.from(`${text}\0`));
  const [program] = texts;
  if (program === undefined) return EXIT_NOT_RUN;
  const argv = new BigUint64Array([...texts.map((text) => BigInt(ptr(text))), 0n]);
  libc.execve(ptr(program), ptr(argv), ptr(new BigUint64Array(1)));
  return EXIT_NOT_RUN;
}

let idle: ReturnType<typeof setTimeout> | null = null;
let garbage = false;
/** Buffers whose objects are collected are freed in later turns of the event loop. */
const FREED_MS = 100;

/**
 * Gives freed memory back to the system MEMORY_IDLE_MS after the last call: glibc keeps what LanceDB's threads free, up to
 * ten times what is in use, and trimming blocks the thread for up to 0.2 s. LanceDB's code goes with it.
 */
export function returnMemoryWhenIdle(): void {
  if (idle !== null) clearTimeout(idle);
  idle = setTimeout(() => {
    if (garbage) Bun.gc(true);
    garbage = false;
    if (provided !== null) forgetCode(provided.lancedb);
    idle = setTimeout(() => libc.malloc_trim(0), FREED_MS);
    idle.unref();
  }, MEMORY_IDLE_MS);
  idle.unref();
}

/**
 * As `returnMemoryWhenIdle`, after this thread has collected its garbage: some 20 ms. For those who have read much from native code: its
 * buffers are freed with the small objects that stand for them, which the collector is in no hurry to look for.
 */
export function collectWhenIdle(): void {
  garbage = true;
  returnMemoryWhenIdle();
}

/**
 * Gives back the pages of a library's code, some 100 MB of LanceDB's. They stay in the system's cache of files, from where they are mapped
 * again when it is used. Code is never written, and a library that was loaded is never unmapped, so nothing is lost.
 */
export function forgetCode(library: string): void {
  for (const { start, end, access, file } of mappings()) if (access === "r-xp" && file === library) libc.madvise(start, end - start, MADV_DONTNEED);
}

/** Since Linux 5.4. MADV_DONTNEED would wipe memory that another thread maps in place of a file that it has just closed. */
const MADV_PAGEOUT = 21;

/**
 * Gives back the memory of the files below `directory` that native code has mapped: what is used of them again is read from
 * disk. Best effort: without /proc, or on an older kernel, they stay.
 */
export function pageOutFiles(directory: string): void {
  try {
    const below = realpathSync(directory) + sep;
    for (const { start, end, file } of mappings()) if (file.startsWith(below)) libc.madvise(start, end - start, MADV_PAGEOUT);
  } catch {
    // The directory is gone: nothing of it will be used again.
  }
}

const LOCK_SH = 1;
const LOCK_EX = 2;
const LOCK_NB = 4;

/** The locked descriptor of each directory that this process uses, by path. They stay open: the kernel releases the locks when the process ends. */
const heldDirectories = new Map<string, number>();

/** Locks a directory (shared) until this process ends. False when there is none, or another process is removing it. */
export function holdDirectory(path: string): boolean {
  const known = heldDirectories.get(path);
  if (known !== undefined && isAt(known, path)) return true;
  const directory = openDirectory(path);
  if (directory === null) return false;
  // Between opening and locking it may have been removed or replaced.
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
