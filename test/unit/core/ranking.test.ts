/** What a search does at once, once, and not at all. */
import { expect, test } from "bun:test";
import { resolveView } from "../../../src/core/access/view.ts";
import { answerQuestion } from "../../../src/core/answer/question.ts";
import type { LabelIndex } from "../../../src/core/search/features.ts";
import { QueryEncoder } from "../../../src/core/search/models.ts";
import { parseQuery } from "../../../src/core/search/query.ts";
import { search } from "../../../src/core/search/search.ts";
import type { Services } from "../../../src/core/services.ts";
import type { Tenant } from "../../../src/core/tenant.ts";
import type { Features } from "../../../src/domain/media.ts";
import { memoryWorld, NOW, person, wordEncoder } from "../../support/memory-tenant.ts";
import { searchModelsOf } from "../../support/search-models.ts";

const READER = person({ principal_id: "reader", groups: ["crew"] });
const HIDDEN = 6;

/** Units of which a reader sees half. */
async function harbour() {
  const world = memoryWorld();
  const texts = Array.from({ length: 2 * HIDDEN }, (_, index) => ({ text: `turbine ${index}`, acl_groups: index < HIDDEN ? [] : ["crew"] }));
  await world.put(texts);
  return world.tenant;
}

async function ask(tenant: Tenant, models: Services["models"], q = "turbine") {
  const services = { models, answerQuestion, now: () => NOW } as unknown as Services;
  const input = parseQuery({ q, top_k: 10 }, tenant.namespace, NOW);
  return search.run({ view: await resolveView(tenant, READER, "*"), input, services });
}

test("words are searched while the query is encoded, those that are visible first", async () => {
  const tenant = await harbour();
  const asked: (readonly number[] | null)[] = [];
  const both = Promise.withResolvers<void>();
  const { fulltext } = tenant;
  const found = fulltext.search.bind(fulltext);
  fulltext.search = (query) => {
    if (asked.push(query.restriction.classes) === 2) both.resolve();
    return found(query);
  };
  const encode: typeof wordEncoder.encode = async (text, kind) => {
    await both.promise;
    return wordEncoder.encode(text, kind);
  };
  const { hits, hidden_by_acl, trace } = await ask(tenant, searchModelsOf({ encoder: { ...wordEncoder, encode } }));
  expect(hits).toHaveLength(HIDDEN);
  expect(hidden_by_acl).toBeGreaterThanOrEqual(10 - HIDDEN);
  expect(asked).toEqual([[2], null]);
  expect(trace.stages.map(({ name }) => name)).toEqual(["embed", "vector", "labels:visual", "labels:audio", "fulltext", "fuse", "acl", "hydrate"]);
});

test("the ranking that counts what is hidden reads only rows that the other has not", async () => {
  const tenant = await harbour();
  const read: (readonly number[])[] = [];
  const live = (uids: readonly number[]) => {
    read.push(uids);
    return tenant.reader.units.live(uids);
  };
  const units = new Proxy(tenant.reader.units, { get: (target, name) => (name === "live" ? live : Reflect.get(target, name)) });
  const { hits } = await ask({ ...tenant, reader: { ...tenant.reader, units } }, searchModelsOf({ encoder: wordEncoder }));
  expect(hits).toHaveLength(HIDDEN);
  // The last look is at the hits as they leave.
  const ranked = read.slice(0, -1).flat();
  expect(read.at(-1)).toHaveLength(HIDDEN);
  expect(new Set(ranked).size).toBe(2 * HIDDEN);
  // The legs of a ranking may each look at a Unit that both found.
  expect(ranked.length).toBeLessThanOrEqual(4 * HIDDEN);
});

test("what holds the signs that are asked for comes first, the rest behind it", async () => {
  const world = memoryWorld();
  await world.put(["-X file", "-x, --extract", "$a ~= $b", "| A: 1 | B: 2"].map((text) => ({ text, acl_groups: ["crew"] })));
  for (const [q, text] of [
    ["-x", "-x, --extract"],
    ["~=", "$a ~= $b"],
  ] as const) {
    const { hits } = await ask(world.tenant, searchModelsOf({ encoder: wordEncoder }), q);
    expect(hits.length).toBeGreaterThan(1);
    expect(hits[0]?.text).toBe(text);
  }
});

test("a query is compared with the labels of a kind once, and only for who sees some", async () => {
  const tenant = await harbour();
  const compared: string[] = [];
  const query = (kind: string) => {
    compared.push(kind);
    return { weights: [{ label: 7, score: 1 }], similarity: 1, floor: 0, logarithmic: false };
  };
  const models = { ...searchModelsOf({}), queries: new QueryEncoder(wordEncoder, async () => ({ query }) as unknown as LabelIndex) };
  const label = async (uid: number, kind: Features["kind"]) => {
    await tenant.store.transact((tx) => tx.features.put(uid, "eye", { kind, labels: [{ label: 7, score: 1 }], embedding: Float32Array.of(1) }));
  };
  await label(1, "picture");
  expect((await ask(tenant, models)).hidden_by_acl).toBeGreaterThan(0);
  // For the count alone, which is of all.
  expect(compared.splice(0)).toEqual(["picture"]);
  await label(2 * HIDDEN, "sound");
  const { trace } = await ask(tenant, models);
  expect(trace.stages.find(({ name }) => name === "labels:audio")?.out).toBe(1);
  expect(compared.toSorted()).toEqual(["picture", "sound"]);
});
