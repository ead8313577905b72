/** How much a namespace tells of what its access lists hide: searches, similar Units and the listing. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { HiddenCount } from "../../src/domain/principal.ts";
import { type Harness, openHarness } from "../support/harness.ts";
import { hire } from "../support/people.ts";

const HIDDEN = 12;
let h: Harness;
let reader: string;
let sample: string;

beforeAll(async () => {
  h = await openHarness({ seed: false });
  h.app.data.tables.putNamespace("vault", "enterprise");
  const owner = hire(h, "owner", { namespace: "vault", scopes: ["*"], active_scope: "v", perms: ["read", "write", "admin"] });
  reader = hire(h, "reader", { namespace: "vault", scopes: ["v"], active_scope: "v", perms: ["read"], groups: ["all"] });
  const hidden = Array.from({ length: HIDDEN }, (_, index) => ({ modality: "text", text: `The amber ledger, page ${index}.` }));
  const shown = { modality: "text", text: "The amber ledger has an open page.", acl_groups: ["all"] };
  const { status, body } = await h.call("POST", "/v1/ingest", { token: owner, body: { units: [shown, ...hidden] } });
  expect(status).toBe(200);
  sample = body.units[0].unit_id;
}, 60_000);

afterEach(() => tell("exact"));
afterAll(async () => {
  await h.close();
});

function tell(how: HiddenCount): void {
  h.app.data.tables.putNamespace("vault", "enterprise", how);
}

async function counts(top_k: number) {
  const search = await h.call("POST", "/v1/search", { token: reader, body: { q: '"amber ledger"', top_k, mode: "fulltext" } });
  const similar = await h.call("POST", "/v1/similar", { token: reader, body: { unit_id: sample, top_k } });
  const listing = await h.call("GET", "/v1/units", { token: reader });
  return {
    all: [search, similar, listing].map(({ body }) => body.hidden_by_acl),
    warnings: [search, similar].map(({ body }) => body.trace.warnings),
  };
}

test("exact is the default", async () => {
  const { all } = await counts(50);
  expect(all).toEqual([HIDDEN, HIDDEN, HIDDEN]);
});

test("coarse tells none, a few and many apart, and nothing else", async () => {
  tell("coarse");
  expect((await counts(50)).all).toEqual([10, 10, 10]);
  expect((await counts(5)).all).toEqual([1, 1, 10]);
  const nothing = await h.call("POST", "/v1/search", { token: reader, body: { q: '"no such phrase"', mode: "fulltext" } });
  expect(nothing.body.hidden_by_acl).toBe(0);
});

test("none is 0 whatever is hidden, and says so the same way", async () => {
  tell("none");
  const { all, warnings } = await counts(50);
  expect(all).toEqual([0, 0, 0]);
  const nothing = await h.call("POST", "/v1/search", { token: reader, body: { q: '"no such phrase"', mode: "fulltext" } });
  for (const given of [...warnings, nothing.body.trace.warnings]) expect(given).toEqual([expect.stringContaining("hidden_by_acl is always 0")]);
});

test("another tier leaves the choice as it is", () => {
  tell("none");
  h.app.data.tables.putNamespace("vault", "pro");
  expect(h.app.data.tables.namespace("vault")).toMatchObject({ tier: "pro", hidden_count: "none" });
});
