/**
 * Seeded harnesses at the price of a copy: the demo is embedded once in a test process, and every
 * harness starts from its own copy of that data directory.
 */
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HttpOptions } from "../../src/http/server.ts";
import { type Harness, openHarness } from "./harness.ts";
import { SCRATCH, temporaryDirectory } from "./scratch.ts";

/** Time for `beforeAll`: whoever comes first embeds the demo. */
export const START_MS = 180_000;

/** All files of one run share it: bun runs them in one process. */
const TEMPLATE = join(SCRATCH, "seeded");

async function template(): Promise<string> {
  if (existsSync(TEMPLATE)) return TEMPLATE;
  const draft = `${TEMPLATE}.draft`;
  const made = await openHarness({ data: draft });
  await made.close();
  cpSync(draft, TEMPLATE, { recursive: true });
  rmSync(draft, { recursive: true, force: true });
  return TEMPLATE;
}

/** A fresh copy of the seeded demo's data directory. */
export async function seededData(): Promise<string> {
  const data = temporaryDirectory();
  cpSync(await template(), data, { recursive: true });
  return data;
}

/** A harness over a fresh copy of the seeded demo. */
export async function openSeeded(options: { now?: () => number } & Partial<HttpOptions> = {}): Promise<Harness> {
  const data = await seededData();
  const harness = await openHarness({ ...options, data, seed: false });
  return {
    ...harness,
    async close() {
      await harness.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
