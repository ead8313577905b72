/** One temporary directory for a test process, which goes away with it, however it ends: bun test runs no exit handlers. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A shell that waits for the pipe to this process to break, and then removes the directory. */
const REAPER = 'trap "" INT TERM HUP; cat >/dev/null; rm -rf "$1"';

export const SCRATCH = (() => {
  const path = mkdtempSync(join(tmpdir(), "strata-test-"));
  Bun.spawn(["/bin/sh", "-c", REAPER, "sh", path], { stdin: "pipe", stdout: "ignore", stderr: "ignore" }).unref();
  return path;
})();

export function temporaryDirectory(): string {
  return mkdtempSync(join(SCRATCH, "data-"));
}
