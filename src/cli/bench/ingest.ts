import { BATCH_MAX_UNITS } from "../../base/limits.ts";
import { freshTexts, random } from "./corpus.ts";
import { atLeast, type Figure, StallMeter, timed } from "./measure.ts";
import type { Stand } from "./stand.ts";

/** About 128 tokens of the demo's English. */
const WORDS = 92;
const BATCH_UNITS = 200;
const CLIENTS = 2;
/** With two, both wait for the same commit of the indexes, and nothing is made ready meanwhile. */
const GIVEN_CLIENTS = 4;
const RATE_MIN = 0.9;
const GIVEN_RATE_MIN = 3_000;
/** Texts that no other part of this benchmark stores. */
const GIVEN_SEED = 5;

/** Ingest through HTTP against the bare encoder on texts of the same kind; halves of both in turn, so that a drift of the machine cancels. */
export async function benchIngest(stand: Stand, units: number): Promise<Figure[]> {
  const half = Math.ceil(units / 2);
  const texts = await Promise.all([0, 1, 2, 3, 4].map((seed) => freshTexts(half, WORDS, seed)));
  await bare(stand, (texts[4] ?? []).slice(0, BATCH_UNITS));
  const times = { bare: 0, ingest: 0 };
  times.bare += await bare(stand, texts[0] ?? []);
  const stalls = new StallMeter();
  stalls.apart("commit", stand.tenant.store as unknown as { commit(): Promise<void> }, "commit");
  stalls.apart("body", JSON, "parse");
  stalls.start();
  times.ingest += await ingest(stand, texts[1] ?? []);
  times.ingest += await ingest(stand, texts[2] ?? []);
  const longestStall = stalls.stop();
  times.bare += await bare(stand, texts[3] ?? []);
  const rate = (ms: number) => (2 * half * 1000) / ms;
  const share = times.bare / times.ingest;
  return [
    {
      name: `ingest of ${2 * half} Units of ${WORDS} words`,
      value: rate(times.ingest),
      unit: "Units/s",
      baseline: { name: "bare encoder", value: rate(times.bare) },
      bar: { text: `at least ${RATE_MIN} of the bare encoder`, met: share >= RATE_MIN },
    },
    { name: "longest stall of the main thread while ingesting, beside bodies and commits", value: longestStall, unit: "ms" },
    { name: `parsing a body of ${BATCH_UNITS} Units, the longest`, value: stalls.longestOf("body"), unit: "ms" },
    { name: "a commit, the longest", value: stalls.longestOf("commit"), unit: "ms" },
  ];
}

/** A migration: Units that bring their vectors, over HTTP, searchable when it ends. */
export async function benchGivenVectors(stand: Stand, units: number): Promise<Figure[]> {
  const { dims } = stand.app.services.encoder.info;
  const texts = await freshTexts(units, WORDS, GIVEN_SEED);
  const next = random(units);
  const batches = Array.from({ length: Math.ceil(units / BATCH_MAX_UNITS) }, (_, at) =>
    texts.slice(at * BATCH_MAX_UNITS, (at + 1) * BATCH_MAX_UNITS).map((text) => ({ modality: "text", text, vector: unitVector(dims, next) })),
  );
  const { total } = await timed(batches, GIVEN_CLIENTS, (sent) => stand.post("admin", "/v1/ingest", { units: sent }));
  const value = (units * 1000) / total;
  return [atLeast(GIVEN_RATE_MIN, { name: `ingest of ${units} Units with given vectors`, value, unit: "Units/s" })];
}

/** A direction at random, as base64. */
function unitVector(dims: number, next: () => number): string {
  const vector = Float32Array.from({ length: dims }, () => next() - 0.5);
  const norm = Math.hypot(...vector);
  return Buffer.from(vector.map((value) => value / norm).buffer).toString("base64");
}

async function bare({ app }: Stand, texts: readonly string[]): Promise<number> {
  const start = performance.now();
  await Promise.all(texts.map((text) => app.services.encoder.encode(text, "ingest")));
  return performance.now() - start;
}

async function ingest(stand: Stand, texts: readonly string[]): Promise<number> {
  const batches = Array.from({ length: Math.ceil(texts.length / BATCH_UNITS) }, (_, at) => texts.slice(at * BATCH_UNITS, (at + 1) * BATCH_UNITS));
  const { total } = await timed(batches, CLIENTS, (batch) =>
    stand.post("admin", "/v1/ingest", { units: batch.map((text) => ({ modality: "text", text })) }),
  );
  return total;
}
