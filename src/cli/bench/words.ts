/** Full text at the port, as other engines are measured: no HTTP, no vectors. */
import { MATCH_ALL } from "../../domain/filter.ts";
import { PLANES } from "../../domain/plane.ts";
import type { ClassSet } from "../../domain/port/index.ts";
import { queryTerms } from "../../text/terms.ts";
import { count } from "../format.ts";
import { questions } from "./corpus.ts";
import { atLeast, atMost, type Figure, percentile, rate, timed } from "./measure.ts";
import { steady } from "./served.ts";
import type { Stand } from "./stand.ts";

const LIMIT = 10;
const CLIENTS = 8;
const ROUNDS_OF_EIGHT = 5;
/** The access classes of `storeUnits` are of a size. */
const SEEN_SHARE = 0.7;
const P50_MAX_MS = 2.5;
const RATE_MIN = 650;

/** Every query is new. */
export async function benchWords({ tenant }: Stand, queries: number): Promise<Figure[]> {
  const texts = await questions(queries * (2 + ROUNDS_OF_EIGHT), queries + 7);
  const searchIn = (classes: ClassSet) => (q: string) =>
    tenant.fulltext.search({ terms: queryTerms(q), planes: PLANES, limit: LIMIT, restriction: { classes, filter: MATCH_ALL, uids: null } });
  const search = searchIn(null);
  // The first searches have the postings read into memory.
  await timed(texts.slice(0, queries), 1, search);
  await steady(process.pid);
  const one = await timed(texts.slice(queries, 2 * queries), 1, search);
  const all = await tenant.reader.access.classes();
  const some = all.slice(0, Math.ceil(all.length * SEEN_SHARE)).map(({ classId }) => classId);
  const restricted = await timed(texts.slice(queries, 2 * queries), 1, searchIn(some.sort((a, b) => a - b)));
  const eight = await timed(texts.slice(2 * queries), CLIENTS, search);
  const name = `full text at the port, ${count(await tenant.reader.units.count(null))} Units`;
  return [
    atMost(P50_MAX_MS, { name: `${name}, 1 client, p50`, value: percentile(one.each, 0.5), unit: "ms" }),
    { name: `${name}, 1 client, p95`, value: percentile(one.each, 0.95), unit: "ms" },
    {
      name: `${name}, 1 client who may read 70 %, p50`,
      value: percentile(restricted.each, 0.5),
      unit: "ms",
      baseline: { name: "one who may read all", value: percentile(one.each, 0.5) },
    },
    atLeast(RATE_MIN, { name: `${name}, ${CLIENTS} clients`, value: rate(eight), unit: "queries/s" }),
  ];
}
