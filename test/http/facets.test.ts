/** Facets over the real engines, compared with brute force over the API's own listing. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Harness } from "../support/harness.ts";
import { ADMIN, hire, READER } from "../support/people.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";

interface Shown {
  unit_id: string;
  text?: string;
  modality: string;
  plane: string;
  scope: string;
  path?: string[];
  doc_id?: string;
  metadata?: Record<string, unknown>;
}
type Counts = Record<string, { values: { value: string; count: number }[]; exact: boolean }>;

let h: Harness;
beforeAll(async () => {
  h = await openSeeded();
}, START_MS);
afterAll(() => h.close());

const search = async (body: Record<string, unknown>, token = ADMIN, scope = "*") => {
  const answer = await h.call("POST", "/v1/search", { token, body, headers: { "x-svc-scope": scope } });
  return { ...answer.body, status: answer.status };
};

async function listed(token: string, scope = "*"): Promise<Shown[]> {
  const units: Shown[] = [];
  for (let cursor: number | null = 0; cursor !== null; ) {
    const { body } = await h.call("GET", `/v1/units?scope=${scope}&cursor=${cursor}`, { token });
    units.push(...body.units);
    cursor = body.next_cursor;
  }
  return units;
}

function countedBy(units: readonly Shown[], read: (unit: Shown) => string | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const unit of units) {
    const value = read(unit);
    if (value !== undefined) counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

const asObject = (counts: Counts, field: string) => Object.fromEntries((counts[field]?.values ?? []).map(({ value, count }) => [value, count]));
const FIELDS = { modality: (u: Shown) => u.modality, plane: (u: Shown) => u.plane, scope: (u: Shown) => u.scope, path: (u: Shown) => u.path?.[0] };

test("full text counts what holds the word, under the ACL of whoever asks", async () => {
  for (const token of [ADMIN, READER]) {
    const { hits, facets } = await search({ q: "harbour", mode: "fulltext", top_k: 1, facets: Object.keys(FIELDS) }, token);
    expect(hits).toHaveLength(1);
    // The stem of harbour is harbour's alone in the demo's texts, whatever its ending.
    const holding = (await listed(token)).filter(({ text, path }) => text !== undefined && /\bharbours?\b/i.test(`${text} ${path?.join(" ") ?? ""}`));
    expect(holding.length).toBeGreaterThan(5);
    for (const [field, read] of Object.entries(FIELDS)) {
      expect({ field, ...asObject(facets, field) }).toEqual({ field, ...countedBy(holding, read) });
      expect(facets[field].exact).toBe(true);
    }
  }
});

test("a caller who may read nothing is told nothing", async () => {
  const stranger = hire(h, "facet-stranger", { scopes: ["*"], active_scope: "*" });
  const { facets } = await search({ q: "harbour", facets: ["doc_id", "scope"] }, stranger);
  expect(facets).toEqual({ doc_id: { values: [], exact: true }, scope: { values: [], exact: true } });
});

test("Units that are gone, and those that were closed to the caller, count no more", async () => {
  const units = [1, 2, 3].map((n) => ({ modality: "text", text: `zyzzyva ${n}`, scope: "harbour/ops", acl_groups: ["ops"], source_uri: `z/${n}` }));
  const ingest = (batch: object[]) => h.call("POST", "/v1/ingest", { body: { units: batch } });
  const stored = (await ingest(units)).body.units;
  const count = async () => (await search({ q: "zyzzyva", mode: "fulltext", facets: ["modality"] }, READER)).facets.modality;
  expect(await count()).toEqual({ values: [{ value: "text", count: 3 }], exact: true });
  await ingest([{ ...units[0], acl_groups: ["finance"] }]);
  await h.call("DELETE", `/v1/units/${stored[1].unit_id}`);
  expect(await count()).toEqual({ values: [{ value: "text", count: 1 }], exact: true });
});

test("come with an answer, too, and only where they are asked for", async () => {
  const body = { q: "Where is the crane?", answer: true, facets: ["modality"] };
  const { body: answered } = await h.call("POST", "/v1/answer", { body });
  expect(answered.facets.modality.values.length).toBeGreaterThan(0);
  expect(Object.keys(await search({ q: "crane" }))).not.toContain("facets");
});
