/** A vector that comes with its Unit stands for that Unit alone: whoever has the same text has it encoded, and a rebuild keeps it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { MATCH_ALL } from "../../src/domain/filter.ts";
import type { Answer } from "../support/harness.ts";
import { auditRows } from "../support/people.ts";
import { FILES, openWorld, tenantOf, type World } from "../support/files.ts";
import { START_MS } from "../support/seeded.ts";

setDefaultTimeout(60_000);

const DIMS = 384;
/** Two that are orthogonal. */
const [FIRST, SECOND] = [0, 1].map((place) => Array.from({ length: DIMS }, (_, at) => (at === place ? 1 : 0))) as [number[], number[]];

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, START_MS);
afterAll(() => world.h.close());

const send = (token: string, ...units: object[]): Promise<Answer> =>
  world.h.call("POST", "/v1/ingest", { token, body: { units: units.map((unit) => ({ modality: "text", ...unit })) } });
const statuses = ({ body }: Answer) => body.units.map(({ status }: { status: string }) => status);
const base64 = (vector: readonly number[]) => Buffer.from(Float32Array.from(vector).buffer).toString("base64");

async function vectorOf(answer: Answer, index = 0): Promise<number[]> {
  const { reader } = await tenantOf(world.h);
  const { unit_id } = answer.body.units[index];
  const key = (await reader.units.byIds([unit_id])).get(unit_id)?.embeddedSha256 ?? "";
  return [...((await reader.embeddings.windows([key])).get(key)?.[0]?.vector ?? [])];
}

describe("a vector of its own", () => {
  test("is kept as numbers or as base64 gave it, normalised, and never serves another Unit with the text", async () => {
    const { admin } = world;
    const sent = await send(
      admin,
      { text: "a shared text", vector: FIRST },
      { text: "a shared text", doc_id: "two", vector: base64(SECOND.map((value) => value * 1.005)) },
      { text: "a shared text", doc_id: "three" },
    );
    expect(sent.status, sent.text).toBe(200);
    expect(await vectorOf(sent, 0)).toEqual(FIRST);
    expect(await vectorOf(sent, 1)).toEqual(SECOND);
    const encoded = await vectorOf(sent, 2);
    expect(encoded.filter((value) => value !== 0).length).toBeGreaterThan(300);
    expect(await vectorOf(await send(admin, { text: "a shared text", doc_id: "four" }))).toEqual(encoded);
    expect((await auditRows(world.h, FILES)).find(({ detail }) => detail.given_vectors === 2)).toBeDefined();
  });

  test("is replaced by another, and by the encoder's when the Unit comes without one", async () => {
    const { admin } = world;
    const text = "its vector changes";
    expect(statuses(await send(admin, { text, vector: FIRST }))).toEqual(["created"]);
    expect(statuses(await send(admin, { text, vector: base64(FIRST) }))).toEqual(["unchanged"]);
    expect(statuses(await send(admin, { text, vector: SECOND }))).toEqual(["updated"]);
    const without = await send(admin, { text });
    expect(statuses(without)).toEqual(["updated"]);
    expect(await vectorOf(without)).not.toEqual(SECOND);
    expect(statuses(await send(admin, { text }))).toEqual(["unchanged"]);
  });

  test("is what searches find the Unit by, also after its index is built again", async () => {
    const { admin } = world;
    const { body } = await send(admin, { text: "north by northwest", doc_id: "direction" });
    const { reader, store, indexer, vectors } = await tenantOf(world.h);
    const compass = await vectorOf({ body } as Answer);
    const given = await send(admin, { text: "entirely unrelated words", doc_id: "borrowed", vector: compass });
    const unit = (await reader.units.byIds([given.body.units[0].unit_id])).values().next().value;
    const nearest = async () => (await vectors.text.search(Float32Array.from(compass), 2, { classes: null, filter: MATCH_ALL, uids: null })).hits;
    const before = await nearest();
    expect(before.map(({ uid }) => uid)).toContain(unit?.uid ?? 0);
    await store.outbox.again("text", "all");
    await indexer.replay();
    expect(await nearest()).toEqual(before);
  });

  test("needs the permission admin, before its form is looked at", async () => {
    const { ann } = world;
    const refused = await send(ann, { text: "mine" }, { text: "mine", vector: [1] });
    expect([refused.status, refused.body.error, refused.body.detail]).toEqual([403, "forbidden", expect.stringContaining("/units/1/vector")]);
  });

  test.each([
    ["another length", { text: "t", vector: [1] }, "has 1 numbers; those of"],
    ["a norm that is not 1", { text: "t", vector: FIRST.map((value) => value * 3) }, "has a norm of 3.00"],
    ["no norm at all", { text: "t", vector: FIRST.map(() => 0) }, "has a norm of 0.00"],
    ["what is no number", { text: "t", vector: base64(FIRST.map(() => Number.NaN)) }, "has a norm of NaN"],
    ["no base64", { text: "t", vector: "!!" }, "is no base64"],
    ["bytes that are no floats", { text: "t", vector: "AAA=" }, "is no base64"],
    ["another type", { text: "t", vector: { 0: 1 } }, "must be an array"],
    ["a Unit without a text", { source_uri: "s", vector: FIRST }, "needs a text"],
  ])("is refused with %s, and nothing is stored", async (_, unit, detail) => {
    const { admin } = world;
    const { reader } = await tenantOf(world.h);
    const before = await reader.units.count(null);
    const refused = await send(admin, { text: "beside it" }, unit);
    expect([refused.status, refused.body.error]).toEqual([400, "bad_request"]);
    expect(refused.body.detail).toContain("/units/1/vector");
    expect(refused.body.detail).toContain(detail);
    expect(await reader.units.count(null)).toBe(before);
  });
});
