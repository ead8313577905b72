/** No search returns what the caller may not read, nor keeps back what it may; whatever the world looks like. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Perm } from "../../src/domain/principal.ts";
import { type Answer, type Harness, openHarness } from "../support/harness.ts";
import { Random } from "./random.ts";
import { SEED } from "./seed.ts";
import {
  type Draft,
  inScope,
  mayRead,
  type Person,
  planeOf,
  type Query,
  randomDrafts,
  randomPeople,
  randomQuery,
  randomTexts,
  regrouped,
} from "./world.ts";
import { VECTOR_EXACT_MAX_ROWS } from "../../src/adapter/lancedb/wear.ts";

setDefaultTimeout(180_000);

const UNITS = 480;
const FREE_UNITS = 80;
const QUERIES = 120;
/** Beyond the sizes at which an index replaces the exact scan, and a list of ids the filter. */
const MANY_UNITS = VECTOR_EXACT_MAX_ROWS + 1_000;
const BATCH = 160;
/** Vectors are stored in half precision. */
const SIMILARITY_SLACK = 0.003;

interface Hit {
  unit_id: string;
  rank: number;
  score: number;
  doc_id?: string;
  scores: { fused: number; legs: { leg: string; rank: number; raw: number | null }[] };
}

let harness: Harness;
let random: Random;
let people: Person[];
let questions: string[];
const similarity = new Map<string, Promise<Float32Array[]>>();

beforeAll(async () => {
  random = new Random(SEED);
  harness = await openHarness({ seed: false });
  // Without a floor every text is a match of the vector leg, so that it is known which Units must be found.
  harness.app.services.encoder.info.floor = null;
  people = randomPeople(random);
  questions = randomTexts(random, 10, 0);
  const { tables: directory } = harness.app.data;
  directory.putNamespace("world", "enterprise");
  directory.putNamespace("small", "free");
  directory.putNamespace("large", "enterprise");
  for (const person of people) {
    put("world", person, person.admin ? ["read", "write", "admin"] : ["read", "write"]);
    put("small", { ...person, admin: false }, ["read", "write"]);
    put("large", person, person.admin ? ["read", "write", "admin"] : ["read", "write"]);
    put("large", { ...person, principal_id: `${person.principal_id}-unbound`, admin: true }, ["read", "write", "admin"]);
    // Sees the same scopes without the ACL.
    put("world", { ...person, principal_id: `${person.principal_id}-unbound`, admin: true }, ["read", "write", "admin"]);
  }
  put("world", { principal_id: "root", scopes: ["*"], groups: [], admin: true }, ["read", "write", "admin"], true);
});
afterAll(() => harness.close());

function put(namespace: string, person: Person, perms: Perm[], super_admin = false): void {
  const { tables: directory } = harness.app.data;
  const { principal_id, scopes, groups } = person;
  directory.putPrincipal({ namespace, principal_id, perms, scopes, active_scope: scopes[0] ?? "a", groups, read_only: false, super_admin });
  directory.putToken({ name: principal_id, secret: `${namespace}-${principal_id}`, namespace, principal_id, seeded: false });
}

/** Ingests as the super-admin; returns the unit_id of each draft. */
async function ingest(namespace: string, drafts: readonly Draft[]): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < drafts.length; at += BATCH) {
    const { status, body } = await harness.call("POST", "/v1/ingest", {
      token: "world-root",
      headers: { "x-svc-namespace": namespace },
      body: { units: drafts.slice(at, at + BATCH) },
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    ids.push(...body.units.map(({ unit_id }: { unit_id: string }) => unit_id));
  }
  return ids;
}

function ask(token: string, query: Query, headers: Record<string, string> = {}): Promise<Answer> {
  return harness.call("POST", `/v1/search?scope=${encodeURIComponent(query.scope)}`, { token, headers, body: query.body });
}

/** How alike a text's best window and the question are. */
async function alike(question: string, text: string): Promise<number> {
  const vectors = (of: string) => {
    const known = similarity.get(of) ?? harness.app.services.encoder.encode(of, "ingest").then((windows) => windows.map(({ vector }) => vector));
    similarity.set(of, known);
    return known;
  };
  const [asked] = await vectors(question);
  const dot = (vector: Float32Array) => vector.reduce((sum, value, index) => sum + value * (asked?.[index] ?? 0), 0);
  return Math.max(...(await vectors(text)).map(dot));
}

function groupOf(unit_id: string, draft: Draft | undefined): string {
  return draft?.doc_id === undefined ? unit_id : `doc ${draft.doc_id}`;
}

function checkForm(hits: readonly Hit[], context: string): void {
  expect(
    hits.map(({ rank }) => rank),
    context,
  ).toEqual(hits.map((_, index) => index + 1));
  expect(new Set(hits.map(({ unit_id }) => unit_id)).size, context).toBe(hits.length);
  hits.slice(1).forEach(({ score }, index) => {
    expect(score, context).toBeLessThanOrEqual(hits[index]?.score ?? 0);
  });
  for (const leg of new Set(hits.flatMap(({ scores }) => scores.legs.map((one) => one.leg)))) {
    const ranks = hits.flatMap(({ scores }) => scores.legs.filter((one) => one.leg === leg).map((one) => one.rank));
    expect(new Set(ranks).size, context).toBe(ranks.length);
  }
}

/** In one plane by vectors alone, the hits are the most similar of what may be found. */
async function checkNearest(hits: readonly Hit[], allowed: ReadonlyMap<string, Draft>, query: Query, context: string): Promise<void> {
  const asked = query.body.q as string;
  const found = new Set(hits.map(({ unit_id }) => unit_id));
  const least = Math.min(...hits.map(({ scores }) => scores.legs[0]?.raw ?? 1));
  for (const [unit_id, draft] of allowed) {
    const expected = await alike(asked, draft.text ?? "");
    const raw = hits.find((hit) => hit.unit_id === unit_id)?.scores.legs[0]?.raw;
    if (raw !== undefined && raw !== null) expect(Math.abs(raw - expected), context).toBeLessThan(SIMILARITY_SLACK);
    if (!found.has(unit_id)) expect(expected, context).toBeLessThan(least + SIMILARITY_SLACK);
  }
}

/** One question by one person, held against the drafts. Returns how many Units were hidden. */
async function checkOne(person: Person, query: Query, units: ReadonlyMap<string, Draft>, namespace: string): Promise<number> {
  const context = JSON.stringify({ person, scope: query.scope, query: query.body });
  const { status, body } = await ask(`${namespace}-${person.principal_id}`, query);
  expect(status, `${context} ${JSON.stringify(body)}`).toBe(200);
  const hits = body.hits as Hit[];
  const allowed = new Map([...units].filter(([, draft]) => inScope(person, query.scope, draft) && mayRead(person, draft) && query.finds(draft)));
  const outside = hits.filter(({ unit_id }) => !allowed.has(unit_id));
  expect(
    outside.map(({ unit_id }) => units.get(unit_id)),
    context,
  ).toEqual([]);
  const matches = query.grouped ? new Set([...allowed].map(([unit_id, draft]) => groupOf(unit_id, draft))).size : allowed.size;
  expect(hits.length, context).toBe(Math.min(query.topK, matches));
  if (query.grouped) expect(new Set(hits.map(({ unit_id }) => groupOf(unit_id, units.get(unit_id)))).size, context).toBe(hits.length);
  checkForm(hits, context);
  if (query.mode === "vector" && new Set(query.planes).size === 1 && !query.grouped) await checkNearest(hits, allowed, query, context);

  const unbound =
    namespace === "small"
      ? await ask("world-root", query, { "x-svc-namespace": namespace })
      : await ask(`${namespace}-${person.principal_id}-unbound`, query);
  const hidden = (unbound.body.hits as Hit[]).filter(({ unit_id }) => !mayRead(person, units.get(unit_id) as Draft)).length;
  expect(body.hidden_by_acl, context).toBe(hidden);
  expect(unbound.body.hidden_by_acl, context).toBe(0);
  return hidden;
}

async function checkMany(namespace: string, count: number, ids: readonly string[], drafts: readonly Draft[], who: readonly Person[]): Promise<void> {
  const units = new Map(ids.map((unit_id, index) => [unit_id, drafts[index] as Draft]));
  let hidden = 0;
  for (let index = 0; index < count; index += 1) hidden += await checkOne(random.pick(who), randomQuery(random, questions), units, namespace);
  // A world in which nothing is hidden would prove nothing.
  expect(hidden).toBeGreaterThan(count / 4);
}

test("every search returns exactly what its caller may find, before and after ACLs change", async () => {
  const started = performance.now();
  let drafts = randomDrafts(random, UNITS, [...randomTexts(random, 70, 2), ...questions]);
  expect(new Set(drafts.map(planeOf)).size).toBe(4);
  const ids = await ingest("world", drafts);
  expect(new Set(ids).size).toBe(UNITS);
  await checkMany("world", QUERIES, ids, drafts, people);
  for (let round = 0; round < 2; round += 1) {
    const before = drafts;
    drafts = regrouped(random, drafts, 0.25);
    const changed = drafts.filter((draft, index) => draft !== before[index]);
    const changedIds = await ingest("world", changed);
    expect(changedIds).toEqual(ids.filter((_, index) => drafts[index] !== before[index]));
    await checkMany("world", QUERIES / 2, ids, drafts, people);
  }
  process.stderr.write(`search: ${2 * QUERIES} questions over ${UNITS} Units in ${Math.round((performance.now() - started) / 1000)} s\n`);
});

test("the Free tier, without an admin, keeps the same promises in its two planes", async () => {
  const everywhere = people.map((person) => ({ ...person, scopes: ["*"], admin: false }));
  for (const person of everywhere) put("small", person, ["read", "write"]);
  const drafts = randomDrafts(random, FREE_UNITS, [...randomTexts(random, 10, 0), ...questions], true);
  const ids = await ingest("small", drafts);
  await checkMany("small", 20, ids, drafts, everywhere);
});

test("thousands of Units in one plane keep the same promises", async () => {
  const drafts = randomDrafts(random, MANY_UNITS, [...randomTexts(random, 70, 0), ...questions]).map((draft): Draft => ({ ...draft, plane: "text" }));
  const ids = await ingest("large", drafts);
  const { vectors } = await harness.app.tenant({ namespace: "large", tier: "enterprise" });
  while (!(await indexIsBuilt()) || (await vectors.text.state()).state === "building") await Bun.sleep(50);
  await checkMany("large", 60, ids, drafts, people);
});

async function indexIsBuilt(): Promise<boolean> {
  const glob = new Bun.Glob("vectors/text/*.lance/_indices/**/*");
  for await (const _ of glob.scan(harness.app.data.namespacePaths("large").root)) return true;
  return false;
}

test("listing shows each readable Unit once and counts the hidden ones", async () => {
  for (const person of people) {
    for (const scope of ["*", "a", "d/e"]) {
      const seen: Draft[] = [];
      let hidden = -1;
      for (let cursor: number | null = 0; cursor !== null; ) {
        const { body } = await harness.call("GET", `/v1/units?scope=${encodeURIComponent(scope)}&limit=37&cursor=${cursor}`, {
          token: `world-${person.principal_id}`,
        });
        seen.push(...body.units);
        hidden = body.hidden_by_acl;
        cursor = body.next_cursor;
      }
      const { body: all } = await harness.call("GET", `/v1/catalog/stats?scope=${encodeURIComponent(scope)}`, {
        token: `world-${person.principal_id}-unbound`,
      });
      expect(new Set(seen.map(({ source_uri }) => source_uri)).size).toBe(seen.length);
      expect(seen.filter((unit) => !inScope(person, scope, unit) || !mayRead(person, unit))).toEqual([]);
      expect(seen.length + hidden).toBe(all.storage.catalog_rows);
    }
  }
});
