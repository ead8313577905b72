/** The memory that this process may use. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const CGROUPS = "/sys/fs/cgroup";

/** Reads a file of /proc or /sys; null when there is none. */
export type ReadFile = (path: string) => string | null;

function readSystem(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}

/** The limits of a control group and of its ancestors. Inside a container the path may exist on the host only; the container's own limit is then at the root. */
function limitsOf(read: ReadFile, root: string, path: string, name: string): number[] {
  const limit = Number(read(join(root, path, name))?.trim());
  const own = Number.isSafeInteger(limit) && limit > 0 ? [limit] : [];
  return path === "/" ? own : [...own, ...limitsOf(read, root, dirname(path), name)];
}

/** Bytes of memory that this process may use: the machine's, or less where its control group (version 2 or 1) has a limit. */
export function memoryOfMachine(read: ReadFile = readSystem): number {
  const total = Number(/^MemTotal:\s+(\d+) kB$/m.exec(read("/proc/meminfo") ?? "")?.[1] ?? Number.NaN) * 1024;
  const groups = (read("/proc/self/cgroup") ?? "").split("\n").map((line) => line.split(":"));
  const limits = groups.flatMap(([number, controllers = "", path = "/"]) => {
    if (number === "0" && controllers === "") return limitsOf(read, CGROUPS, path, "memory.max");
    return controllers.split(",").includes("memory") ? limitsOf(read, join(CGROUPS, "memory"), path, "memory.limit_in_bytes") : [];
  });
  return Math.min(...[total, ...limits].filter((bytes) => bytes > 0));
}

/** Half of it: the service itself and the system's cache of files take the other half. */
export function defaultMemoryBytes(read: ReadFile = readSystem): number {
  return Math.floor(memoryOfMachine(read) / 2);
}

export const PAGE_BYTES = 4_096;

/** Bytes of physical memory that the process `pid` holds; null once it has ended. */
export function residentBytes(pid: number): number | null {
  const pages = readSystem(`/proc/${pid}/statm`)?.split(" ")[1];
  return pages === undefined ? null : Number(pages) * PAGE_BYTES;
}
