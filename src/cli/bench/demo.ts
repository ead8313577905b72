import { questions } from "./corpus.ts";
import { atMost, type Figure, percentile } from "./measure.ts";
import { bareEngines, search } from "./search.ts";
import type { Stand } from "./stand.ts";

const P50_MAX_MS = 6;

/** Hybrid searches over the demo by one client, against the bare engines. Every query is new. */
export async function benchDemo(stand: Stand, queries: number): Promise<Figure[]> {
  const texts = await questions(queries * 3, queries + 4);
  const part = (index: number) => texts.slice(index * queries, (index + 1) * queries);
  await search(stand, part(0), 1);
  const bare = await bareEngines(stand, part(1));
  const { each } = await search(stand, part(2), 1);
  const units = await stand.tenant.reader.units.count(null);
  const baseline = { name: "bare engines p50", value: percentile(bare.each, 0.5) };
  return [
    atMost(P50_MAX_MS, { name: `hybrid over the demo's ${units} Units, 1 client, p50`, value: percentile(each, 0.5), unit: "ms", baseline }),
    { name: `hybrid over the demo's ${units} Units, 1 client, p95`, value: percentile(each, 0.95), unit: "ms" },
  ];
}
