/** Vector search at the port, as other engines are measured: no HTTP, no encoding, one plane. LanceDB searches the same rows. */
import { join } from "node:path";
import { TopK } from "../../base/top-k.ts";
import { type Filter, MATCH_ALL, matches } from "../../domain/filter.ts";
import type { IndexEntry } from "../../domain/port/index.ts";
import type { VectorIndex } from "../../domain/port/vector-index.ts";
import { count } from "../format.ts";
import { questions } from "./corpus.ts";
import { atLeast, atMost, type Figure, percentile, rate, timed, type Times } from "./measure.ts";
import { steady } from "./served.ts";
import type { Stand } from "./stand.ts";

const PLANE = "text";
const LIMIT = 10;
const CLIENTS = 8;
const ROUNDS_OF_EIGHT = 10;
/** The exact order of more queries takes long. */
const RECALL_QUERIES = 100;
const RECALL_MIN_PERCENT = 99;
const RATE_MIN = 1_500;
const FILTERED_P50_MAX_MS = 3;
const READ_UNITS = 1_000;
const NONE = new Float32Array();

/** `stand`: all its Units have vectors in the plane `text`, as storeUnits makes them. */
export async function benchVectors(stand: Stand, queries: number): Promise<Figure[]> {
  const { app, tenant } = stand;
  const { encoder } = app.services;
  const entries = await storedEntries(stand);
  const texts = await questions(queries, queries + 5);
  const vectors = await Promise.all(texts.map(async (text) => (await encoder.encode(text, "query"))[0]?.vector ?? NONE));
  const directory = app.data.namespacePaths(tenant.namespace.namespace).vectors;
  const lance = await (await app.engines.vectors()).open(join(directory, PLANE), PLANE, encoder.info);
  try {
    const engines = { own: tenant.vectors[PLANE], lance };
    const name = `vectors at the port, ${count(entries.length)} × ${encoder.info.dims}`;
    const figures = await unfiltered(name, engines, entries, vectors);
    for (const { keeps, filter } of filtersFor(entries.length)) {
      figures.push(...(await filtered(`${name}, filter that keeps ${keeps}`, engines, entries, vectors, filter)));
    }
    return figures;
  } finally {
    await lance.close();
  }
}

interface Engines {
  own: VectorIndex;
  lance: VectorIndex;
}

/** By the fields that storeUnits gives. */
function filtersFor(units: number): { keeps: string; filter: Filter }[] {
  const parts = (count: number): Filter => ({ op: "in", field: "metadata.part", values: Array.from({ length: count }, (_, part) => part) });
  const documents = Array.from({ length: Math.ceil(units / 10_000) }, (_, index) => `doc-${7 * index}`);
  return [
    { keeps: "10 %", filter: parts(10) },
    { keeps: "1 %", filter: parts(1) },
    { keeps: "0.1 %", filter: { op: "in", field: "doc_id", values: documents } },
  ];
}

/** With eight clients and with one. */
async function unfiltered(
  name: string,
  { own, lance }: Engines,
  entries: readonly IndexEntry[],
  vectors: readonly Float32Array[],
): Promise<Figure[]> {
  const many = Array.from({ length: ROUNDS_OF_EIGHT }, () => vectors).flat();
  await searched(own, vectors, CLIENTS, MATCH_ALL);
  await steady(process.pid);
  const [ours, theirs] = [await searched(own, many, CLIENTS, MATCH_ALL), await searched(lance, many, CLIENTS, MATCH_ALL)];
  const baseline = { name: "LanceDB on the same rows", value: rate(theirs) };
  return [
    atLeast(RATE_MIN, { name: `${name}, ${CLIENTS} clients`, value: rate(ours), unit: "queries/s", baseline }),
    ...(await beside(name, { own, lance }, entries, vectors, MATCH_ALL)),
  ];
}

async function filtered(
  name: string,
  engines: Engines,
  entries: readonly IndexEntry[],
  vectors: readonly Float32Array[],
  filter: Filter,
): Promise<Figure[]> {
  const [p50, ...rest] = await beside(name, engines, entries, vectors, filter);
  return p50 === undefined ? rest : [atMost(FILTERED_P50_MAX_MS, p50), ...rest];
}

/** The median of one client, and the recall, beside LanceDB's. */
async function beside(
  name: string,
  { own, lance }: Engines,
  entries: readonly IndexEntry[],
  vectors: readonly Float32Array[],
  filter: Filter,
): Promise<Figure[]> {
  const [ours, theirs] = [await searched(own, vectors, 1, filter), await searched(lance, vectors, 1, filter)];
  const some = vectors.slice(0, RECALL_QUERIES);
  const allowed = entries
    .filter(({ unit }) => matches(filter, unit))
    .map(({ unit, windows }) => ({ id: unit.uid, vector: windows[0]?.vector ?? NONE }));
  const exact = nearest(allowed, some, LIMIT);
  const [recall, theirRecall] = [await recallOf(own, some, filter, exact), await recallOf(lance, some, filter, exact)];
  const p50 = ({ each }: Times) => percentile(each, 0.5);
  return [
    { name: `${name}, 1 client, p50`, value: p50(ours), unit: "ms", baseline: { name: "LanceDB on the same rows", value: p50(theirs) } },
    atLeast(RECALL_MIN_PERCENT, { name: `${name}, recall@${LIMIT}`, value: recall, unit: "%", baseline: { name: "LanceDB", value: theirRecall } }),
  ];
}

function searched(index: VectorIndex, vectors: readonly Float32Array[], clients: number, filter: Filter): Promise<Times> {
  return timed(vectors, clients, (vector) => index.search(vector, LIMIT, { classes: null, filter, uids: null }));
}

/** Percent of what is nearest that the index finds. */
async function recallOf(
  index: VectorIndex,
  vectors: readonly Float32Array[],
  filter: Filter,
  exact: readonly ReadonlySet<number>[],
): Promise<number> {
  let found = 0;
  for (const [at, vector] of vectors.entries()) {
    const { hits } = await index.search(vector, LIMIT, { classes: null, filter, uids: null });
    found += hits.filter(({ uid }) => exact[at]?.has(uid)).length;
  }
  return (100 * found) / exact.reduce((sum, { size }) => sum + size, 0);
}

/** The ids of the `limit` rows most similar to each vector, by comparing all. */
export function nearest(rows: readonly { id: number; vector: Float32Array }[], vectors: readonly Float32Array[], limit: number): Set<number>[] {
  return vectors.map((vector) => {
    const best = new TopK<{ id: number; similarity: number }>(limit, (a, b) => b.similarity - a.similarity);
    let least = Number.NEGATIVE_INFINITY;
    for (const row of rows) {
      const similarity = dot(vector, row.vector);
      if (similarity <= least) continue;
      best.add({ id: row.id, similarity });
      least = best.sorted()[limit - 1]?.similarity ?? least;
    }
    return new Set(best.sorted().map(({ id }) => id));
  });
}

/** Of unit vectors of the same length. */
function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** All Units of a stand with their vectors, as the catalog has them. */
export async function storedEntries({ tenant }: Pick<Stand, "tenant">): Promise<IndexEntry[]> {
  const all: IndexEntry[] = [];
  for (;;) {
    const entries = await tenant.reader.units.entriesAfter(all.at(-1)?.unit.uid ?? 0, READ_UNITS);
    if (entries.length === 0) return all;
    all.push(...entries);
  }
}
