/** File descriptors of this process: how many are open, and how many may be. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { Fault, StartError } from "./fault.ts";
import { DESCRIPTORS_MIN } from "./limits.ts";

const DIRECTORY = "/proc/self/fd";

/** Infinite when none is left to open the directory with. */
export function descriptorsOpen(): number {
  try {
    // Since Linux 6.2 the size of this directory is the number of its entries; before, it was 0.
    return statSync(DIRECTORY).size || readdirSync(DIRECTORY).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The most that this process may open. Bun raises the soft limit to the hard one before it runs this program. */
export function descriptorLimit(): number {
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}

/** How many may still be opened; 0 when the limit cannot be read for lack of a descriptor. */
export function descriptorsLeft(): number {
  try {
    return descriptorLimit() - descriptorsOpen();
  } catch {
    return 0;
  }
}

/** Errors: Fault `unavailable` when fewer than `count` may still be opened. */
export function requireDescriptors(count: number): void {
  if (descriptorsLeft() >= count) return;
  throw new Fault("unavailable", "the service has as many files open as the system lets it; try again in a moment");
}

/** Called at start, before anything is opened. Errors: StartError when the limit is below DESCRIPTORS_MIN. */
export function requireDescriptorLimit(): void {
  const limit = descriptorLimit();
  if (limit >= DESCRIPTORS_MIN) return;
  throw new StartError(
    `the system allows this process ${limit} open files; allow at least ${DESCRIPTORS_MIN} (ulimit -n, or LimitNOFILE of the unit)`,
  );
}
