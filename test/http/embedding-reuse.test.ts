/** A text is encoded again unless its writer may read a Unit that has it: how long storing takes tells nothing of hidden Units. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { FILES, objectsIn, openWorld, put, tenantOf, type World } from "../support/files.ts";
import { hire } from "../support/people.ts";
import { START_MS } from "../support/seeded.ts";
import { rowsOf } from "../support/rows.ts";

setDefaultTimeout(60_000);

let world: World;
/** Texts that were encoded to be stored, since the last look. */
let encoded: string[] = [];

beforeAll(async () => {
  world = await openWorld();
  const { encoder } = world.h.app.services;
  const encode = encoder.encode.bind(encoder);
  Object.assign(encoder, {
    encode: (...[text, priority]: Parameters<typeof encode>) => {
      if (priority === "ingest") encoded.push(text);
      return encode(text, priority);
    },
  });
}, START_MS);
afterAll(() => world.h.close());

function seen(): string[] {
  const texts = encoded;
  encoded = [];
  return texts;
}

async function ingest(token: string, text: string, more: object = {}): Promise<string[]> {
  const { status, text: said } = await world.h.call("POST", "/v1/ingest", { token, body: { units: [{ modality: "text", text, ...more }] } });
  expect(status, said).toBe(200);
  return seen();
}

test("what another has hidden is encoded again; what one owns or may read is not", async () => {
  const { ann, bob, eve, admin } = world;
  expect(await ingest(eve, "the price is nine")).toEqual(["the price is nine"]);
  expect(await ingest(ann, "the price is nine")).toEqual(["the price is nine"]);
  expect(await ingest(ann, "the price is nine")).toEqual([]);
  expect(await ingest(ann, "the price is nine", { metadata: { again: true } })).toEqual([]);
  expect(await ingest(ann, "the crew meets at noon", { acl_groups: ["crew"] })).toEqual(["the crew meets at noon"]);
  expect(await ingest(bob, "the crew meets at noon")).toEqual([]);
  expect(await ingest(eve, "the crew meets at noon")).toEqual(["the crew meets at noon"]);
  expect(await ingest(admin, "the price is nine", { scope: "town" })).toEqual([]);
});

test("what is encoded is the text with its path", async () => {
  const { ann } = world;
  expect(await ingest(ann, "the default is ten", { path: ["Server", "Retries"] })).toEqual(["Server > Retries\nthe default is ten"]);
  expect(await ingest(ann, "the default is ten", { path: ["Server", "Retries"], doc_id: "other" })).toEqual([]);
  expect(await ingest(ann, "the default is ten", { path: ["Server", "Threads"] })).toEqual(["Server > Threads\nthe default is ten"]);
  expect(await ingest(ann, "the default is ten")).toEqual(["the default is ten"]);
});

test("a scope that the caller may not use hides its texts, though the group is shared", async () => {
  const far = hire(world.h, "far", { namespace: FILES, scopes: ["hills"], active_scope: "hills", groups: ["crew"] });
  await ingest(world.ann, "the boat leaves at six", { acl_groups: ["crew"] });
  expect(await ingest(far, "the boat leaves at six")).toEqual(["the boat leaves at six"]);
});

test("who may write and not read knows what it wrote itself, and nothing else", async () => {
  const feed = hire(world.h, "feed", { namespace: FILES, perms: ["write"], scopes: ["town"], active_scope: "town", groups: ["crew"] });
  await ingest(world.ann, "the pump hums", { acl_groups: ["crew"] });
  expect(await ingest(feed, "the pump hums")).toEqual(["the pump hums"]);
  expect(await ingest(feed, "the pump hums")).toEqual([]);
});

test("another namespace's texts are not known", async () => {
  const { tables: directory } = world.h.app.data;
  directory.putNamespace("elsewhere", "enterprise");
  const stranger = hire(world.h, "ann", { namespace: "elsewhere", scopes: ["town"], active_scope: "town" });
  expect(await ingest(stranger, "the price is nine")).toEqual(["the price is nine"]);
});

test("the job of a file knows what the owner of the file has", async () => {
  const { h, ann, eve } = world;
  const page = "The ferry to the island goes twice a day, and in winter once.\n";
  const upload = async (token: string, query: Record<string, string>) => {
    expect((await put(h, page, { token, name: "ferry.txt", query })).status).toBe(200);
    return seen().length;
  };
  expect(await upload(eve, {})).toBeGreaterThan(0);
  expect(await upload(ann, {})).toBeGreaterThan(0);
  expect(await upload(ann, { scope: "town/pier" })).toBe(0);
  expect(await upload(ann, {})).toBe(0);
  expect(objectsIn(h.data)).toHaveLength(1);
});

test("a text that many hold is looked up in the index of texts alone", async () => {
  const { catalog } = rowsOf(await tenantOf(world.h));
  const plan = (catalog as unknown as { db: { query(sql: string): { all(...values: string[]): { detail: string }[] } } }).db
    .query("EXPLAIN QUERY PLAN SELECT 1 FROM unit WHERE embedded_sha256 = ? AND +class_id IN (SELECT value FROM json_each(?))")
    .all("", "[]");
  expect(plan.map(({ detail }) => detail).join("\n")).toContain("COVERING INDEX unit_by_embedded");
});
