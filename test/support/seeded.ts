/**
 * Seeded harnesses at the price of a copy: the demo is embedded once in a test process, and every
 * harness starts from its own copy of that data directory.
 */
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HttpOptions } from "../../src/http/server.ts";
import { type Harness, openHarness, TEST_TMP, temporaryDirectory } from "./harness.ts";

/** Time for `beforeAll`: whoever comes first embeds the demo. */
export const START_MS = 180_000;

const PREFIX = "strata-test-seeded-";
/** All files of one run share it: bun runs them in one process. */
const TEMPLATE = join(TEST_TMP, `${PREFIX}${process.pid}`);

/** bun tells no test when the run ends, so a run removes what ended runs have left. */
function sweep(): void {
  for (const name of readdirSync(TEST_TMP)) {
    if (name.startsWith(PREFIX) && !alive(Number.parseInt(name.slice(PREFIX.length), 10)))
      rmSync(join(TEST_TMP, name), { recursive: true, force: true });
  }
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function template(): Promise<string> {
  if (existsSync(TEMPLATE)) return TEMPLATE;
  sweep();
  const draft = `${TEMPLATE}.draft`;
  const made = await openHarness({ data: draft });
  await made.close();
  cpSync(draft, TEMPLATE, { recursive: true });
  rmSync(draft, { recursive: true, force: true });
  return TEMPLATE;
}

/** A harness over a fresh copy of the seeded demo. */
export async function openSeeded(options: { now?: () => number } & Partial<HttpOptions> = {}): Promise<Harness> {
  const data = temporaryDirectory();
  cpSync(await template(), data, { recursive: true });
  const harness = await openHarness({ ...options, data, seed: false });
  return {
    ...harness,
    async close() {
      await harness.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
