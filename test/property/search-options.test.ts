/** What a search says beside its hits tells nothing of hidden Units: a world with them answers like one without, but for the count. */
import { expect, test } from "bun:test";
import type { UnitDraft } from "../../src/domain/unit.ts";
import { type MemoryWorld, memoryWorld, person } from "../support/memory-tenant.ts";
import { Random } from "./random.ts";
import { SEED } from "./seed.ts";

const WORLDS = 12;
const QUESTIONS = 25;
const WORDS = "anchor barges cranes derrick estuary ferries gantry harbour island jetties lantern mooring oysters pilots sextant".split(" ");
const FACETS = ["modality", "plane", "scope", "doc_id", "path", "mime", "acl_owner", "metadata.kind", "metadata.tags"];

/** A word with one or two typos. */
function misspelt(random: Random, word: string): string {
  const at = random.integer(1, word.length - 2);
  const typos = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + random.pick([..."aeiourst"]) + word.slice(at),
    word.slice(0, at) + word.slice(at + 1, at + 2) + word.slice(at, at + 1) + word.slice(at + 2),
  ];
  return random.pick(typos);
}

function randomUnit(random: Random, index: number): Partial<UnitDraft> {
  const words = Array.from({ length: random.integer(1, 4) }, () => random.pick(WORDS));
  // Words that only one of the worlds may have: near others, so that they would be told as corrections.
  if (random.chance(0.5)) words.push(misspelt(random, random.pick(WORDS)));
  const tags = random.some(["red", "blue", "green"], 0.4);
  return {
    text: words.join(" "),
    source_uri: `unit/${index}`,
    scope: random.pick(["a", "a/b", "c"]),
    doc_id: random.chance(0.7) ? `d${random.integer(0, 5)}` : null,
    path: random.chance(0.4) ? [random.pick(WORDS), "Part"] : null,
    mime: random.chance(0.5) ? "text/plain" : null,
    metadata: random.chance(0.6) ? { kind: random.integer(1, 3), tags } : null,
    ...random.pick([{ modality: "text", plane: "text" } as const, { modality: "ocr", plane: "doc_visual" } as const]),
  };
}

function randomQuery(random: Random): Record<string, unknown> {
  const words = Array.from({ length: random.integer(1, 3) }, () => {
    const word = random.pick(WORDS);
    return random.chance(0.6) ? misspelt(random, word) : word;
  });
  return {
    q: words.join(" "),
    top_k: random.integer(1, 12),
    mode: random.pick(["hybrid", "fulltext", "vector"]),
    facets: random.some(FACETS, 0.4),
    ...(random.chance(0.3) ? { filters: { doc_id: { $ne: "d1" } } } : {}),
  };
}

/** An answer without what a clock says of it, and without the count. */
async function told(world: MemoryWorld, body: Record<string, unknown>) {
  const { hidden_by_acl, trace, ...answer } = await world.search(body, person());
  const { total_ms: _, stages, ...rest } = trace;
  return { hidden_by_acl, told: { ...answer, trace: { ...rest, stages: stages.map(({ ms: _ms, ...stage }) => stage) } } };
}

test("facets and corrections are those of a world without hidden Units", async () => {
  const random = new Random(SEED);
  const seen = { hidden: 0, corrected: 0, inexact: 0 };
  for (let round = 0; round < WORLDS; round += 1) {
    const [full, bare] = [memoryWorld(), memoryWorld()];
    const units = Array.from({ length: 60 }, (_, index) => ({ unit: randomUnit(random, index), hidden: random.chance(0.4) }));
    await full.put(units.map(({ unit, hidden }) => ({ ...unit, acl_owner: hidden ? "elder" : "owner" })));
    await bare.put(units.filter(({ hidden }) => !hidden).map(({ unit }) => ({ ...unit, acl_owner: "owner" })));
    for (let asked = 0; asked < QUESTIONS; asked += 1) {
      const body = randomQuery(random);
      const [one, other] = [await told(full, body), await told(bare, body)];
      expect(one.told, JSON.stringify(body)).toEqual(other.told);
      expect(other.hidden_by_acl).toBe(0);
      seen.hidden += one.hidden_by_acl;
      seen.corrected += one.told.trace.warnings.filter((warning) => warning.startsWith("nothing here")).length;
      seen.inexact += Object.values(one.told.facets ?? {}).filter(({ exact }) => !exact).length;
    }
  }
  // Worlds in which nothing is hidden, corrected or cut would prove nothing.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(WORLDS);
});
