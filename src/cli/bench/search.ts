import { legDepth } from "../../core/search/rank.ts";
import { MATCH_ALL } from "../../domain/filter.ts";
import { PLANES } from "../../domain/plane.ts";
import { queryTerms } from "../../text/terms.ts";
import { questions } from "./corpus.ts";
import { BusyMeter, type Figure, percentile, StallMeter, timed } from "./measure.ts";
import type { Stand } from "./stand.ts";

const TOP_K = 10;
const LEG_DEPTH = legDepth(TOP_K);
/** Everything that is neither encoder, LanceDB nor Tantivy. */
const OWN_SHARE_MAX = 0.2;

/** Hybrid search over all planes with one client and with eight, against the bare engines on the same queries. */
export async function benchSearch(stand: Stand, queries: number): Promise<Figure[]> {
  const texts = await questions(queries * 5, queries);
  const part = (index: number) => texts.slice(index * queries, (index + 1) * queries);
  await timed(part(0), 1, (q) => ask(stand, "admin", q));

  const meter = new BusyMeter();
  meter.observe(stand.app.services.encoder, "encode");
  meter.observe(stand.tenant.fulltext, "search");
  for (const plane of PLANES) meter.observe(stand.tenant.vectors[plane], "search");

  const bare = await timed(part(1), 1, (q) => engines(stand, q));
  meter.take();
  const stalls = new StallMeter();
  stalls.start();
  const one = await timed(part(2), 1, (q) => ask(stand, "admin", q));
  const ownShare = 1 - meter.take() / one.each.reduce((sum, ms) => sum + ms, 0);
  const reader = await timed(part(3), 1, (q) => ask(stand, "reader", q));
  const eight = await timed(part(4), 8, (q) => ask(stand, "admin", q));
  const longestStall = stalls.stop();
  const bareP50 = { name: "bare engines p50", value: percentile(bare.each, 0.5) };
  return [
    { name: "hybrid, 1 client, p50", value: percentile(one.each, 0.5), unit: "ms", baseline: bareP50 },
    {
      name: "hybrid, 1 client, p95",
      value: percentile(one.each, 0.95),
      unit: "ms",
      baseline: { name: "bare engines p95", value: percentile(bare.each, 0.95) },
    },
    {
      name: "share of the request outside the engines",
      value: ownShare * 100,
      unit: "%",
      bar: { text: "at most 20 %", met: ownShare <= OWN_SHARE_MAX },
    },
    { name: "hybrid, 1 client", value: (queries / one.total) * 1000, unit: "queries/s" },
    { name: "hybrid, 1 client, caller who may read 70 %, p50", value: percentile(reader.each, 0.5), unit: "ms", baseline: bareP50 },
    { name: "hybrid, 8 clients, p50", value: percentile(eight.each, 0.5), unit: "ms" },
    { name: "hybrid, 8 clients, p95", value: percentile(eight.each, 0.95), unit: "ms" },
    { name: "hybrid, 8 clients", value: (queries / eight.total) * 1000, unit: "queries/s" },
    { name: "longest stall of the main thread while searching", value: longestStall, unit: "ms" },
  ];
}

async function ask(stand: Stand, as: "admin" | "reader", q: string): Promise<void> {
  await stand.post(as, "/v1/search", { q, top_k: TOP_K });
}

/** The same work by the engines alone: encode, then every leg at once. */
async function engines({ app, tenant }: Stand, q: string): Promise<void> {
  const [window] = await app.services.encoder.encode(q, "query");
  const restriction = { classes: null, filter: MATCH_ALL, uids: null };
  await Promise.all([
    ...PLANES.map((plane) => tenant.vectors[plane].search(window?.vector ?? new Float32Array(), LEG_DEPTH, restriction)),
    tenant.fulltext.search({ terms: queryTerms(q), planes: PLANES, limit: LEG_DEPTH, restriction }),
  ]);
}
