/** A random world of Units, principals and queries, and what must come of them, worked out without the product. */
import type { Random } from "./random.ts";

export const SCOPES = ["a", "a/b", "a/b/c", "a/x", "d", "d/e", "f"];
const GROUPS = ["g0", "g1", "g2", "g3", "g4", "g5"];
const OWNERS = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"];
/** Words that no stemmer brings together. */
const WORDS =
  "anchor barge crane derrick estuary ferry gantry harbour island jetty keel lantern mooring north oyster pilot quay rope sextant tide".split(" ");
const PLANE_OF = {
  text: "text",
  caption: "text",
  ocr: "doc_visual",
  doc_page: "doc_visual",
  asr: "audio",
  image: "visual",
  detection: "visual",
} as const;
const MODALITIES = Object.keys(PLANE_OF) as (keyof typeof PLANE_OF)[];
const PLANES = ["text", "visual", "audio", "doc_visual"];
const FREE_MODALITIES = ["text", "caption", "ocr", "doc_page"] as (keyof typeof PLANE_OF)[];

export interface Draft {
  text?: string;
  modality: keyof typeof PLANE_OF;
  plane?: string;
  scope: string;
  source_uri: string;
  doc_id?: string;
  mime?: string;
  acl_owner: string;
  acl_groups: string[];
  locator?: { kind: "time_range"; t_start_ms: number; t_end_ms: number };
  metadata?: Record<string, string | number | boolean | string[]>;
}

export interface Person {
  principal_id: string;
  scopes: string[];
  groups: string[];
  admin: boolean;
}

export function planeOf(draft: Pick<Draft, "plane" | "modality">): string {
  return draft.plane ?? PLANE_OF[draft.modality];
}

// --- Units -------------------------------------------------------------------------------------

export function randomTexts(random: Random, short: number, long: number): string[] {
  const sentence = (words: number) => Array.from({ length: words }, () => random.pick(WORDS)).join(" ");
  return [...Array.from({ length: short }, () => sentence(random.integer(2, 5))), ...Array.from({ length: long }, () => sentence(900))];
}

function randomMetadata(random: Random): Draft["metadata"] {
  return {
    year: random.integer(1990, 2025),
    price: random.integer(-12, 12) / 8,
    code: `${random.pick(["AB", "AC", "B"])}-${random.integer(1, 30)}`,
    ...(random.chance(0.5) ? { labels: random.some(["red", "red-ish", "green", "blue 'q'"], 0.4) } : {}),
    ...(random.chance(0.5) ? { checked: random.chance(0.5) } : {}),
    // The same value as a number, a string and a boolean must not be confused.
    ...(random.chance(0.3) ? { odd: random.pick([1, "1", true, "true"]) } : {}),
  };
}

export function randomDrafts(random: Random, count: number, texts: readonly string[], free = false): Draft[] {
  return Array.from({ length: count }, (_, index): Draft => {
    const start = random.integer(0, 5_000);
    return {
      ...(random.chance(0.95) ? { text: random.pick(texts) } : {}),
      modality: random.pick(free ? FREE_MODALITIES : MODALITIES),
      ...(!free && random.chance(0.15) ? { plane: random.pick(PLANES) } : {}),
      scope: random.pick(SCOPES),
      source_uri: `prop://${index}`,
      ...(random.chance(0.7) ? { doc_id: `doc-${random.integer(0, Math.floor(count / 6))}` } : {}),
      ...(random.chance(0.4) ? { mime: random.pick(["text/plain", "image/png", "audio/ogg"]) } : {}),
      acl_owner: random.pick(OWNERS),
      acl_groups: random.some(GROUPS, 0.2),
      ...(random.chance(0.4) ? { locator: { kind: "time_range", t_start_ms: start, t_end_ms: start + random.integer(0, 900) } } : {}),
      ...(random.chance(0.8) ? { metadata: randomMetadata(random) ?? {} } : {}),
    };
  });
}

/** Other groups for a part of the Units: the same identities, so that ingest updates them. */
export function regrouped(random: Random, drafts: readonly Draft[], share: number): Draft[] {
  return drafts.map((draft) => (random.chance(share) ? { ...draft, acl_groups: random.some(GROUPS, 0.25) } : draft));
}

export function randomPeople(random: Random): Person[] {
  return OWNERS.map((principal_id, index) => ({
    principal_id,
    scopes: index < 2 ? ["*"] : random.some(SCOPES, 0.35).concat(index === 7 ? ["nowhere"] : []),
    groups: random.some(GROUPS, index === 3 ? 0 : 0.3),
    admin: index === 1,
  }));
}

// --- who sees what -----------------------------------------------------------------------------

function covers(grant: string, scope: string): boolean {
  return grant === "*" || `${scope}/`.startsWith(`${grant}/`);
}

export function inScope(person: Person, asked: string, draft: Draft): boolean {
  return covers(asked, draft.scope) && person.scopes.some((grant) => covers(grant, draft.scope));
}

export function mayRead(person: Person, draft: Draft): boolean {
  return person.admin || draft.acl_owner === person.principal_id || draft.acl_groups.some((group) => person.groups.includes(group));
}

// --- queries -----------------------------------------------------------------------------------

export interface Query {
  body: Record<string, unknown>;
  scope: string;
  /** True when the Unit passes planes, modalities, doc_id and filters. */
  admits(draft: Draft): boolean;
  /** True when it is admitted and can be found in the query's mode; for texts of plain words, which full text takes as they are. */
  finds(draft: Draft): boolean;
  topK: number;
  grouped: boolean;
  mode: "hybrid" | "vector" | "fulltext";
  /** The planes it runs in, in a tier that has them all. */
  planes: string[];
}

interface Condition {
  json: Record<string, unknown>;
  holds(draft: Draft): boolean;
}

function valuesOf(draft: Draft, key: string): unknown[] {
  const value = draft.metadata?.[key];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

function leaf(random: Random): Condition {
  const { pick } = { pick: <T>(items: readonly T[]) => random.pick(items) };
  const year = random.integer(1990, 2025);
  const price = random.integer(-12, 12) / 8;
  const prefix = pick(["A", "AB-1", "B-", "AC"]);
  const odd = pick([1, "1", true, "true"]);
  const doc = `doc-${random.integer(0, 40)}`;
  const time = random.integer(0, 5_000);
  const label = pick(["red", "red-ish", "green", "blue 'q'"]);
  const owners = random.some(OWNERS, 0.4);
  return pick<Condition>([
    { json: { "metadata.year": { $gte: year } }, holds: (u) => valuesOf(u, "year").some((v) => (v as number) >= year) },
    {
      json: { "metadata.year": { $lt: year, $gt: year - 12 } },
      holds: (u) => valuesOf(u, "year").some((v) => (v as number) < year && (v as number) > year - 12),
    },
    { json: { "metadata.price": { $lte: price } }, holds: (u) => valuesOf(u, "price").some((v) => (v as number) <= price) },
    { json: { "metadata.code": { $prefix: prefix } }, holds: (u) => valuesOf(u, "code").some((v) => (v as string).startsWith(prefix)) },
    { json: { "metadata.labels": { $prefix: "red" } }, holds: (u) => valuesOf(u, "labels").some((v) => (v as string).startsWith("red")) },
    { json: { "metadata.labels": label }, holds: (u) => valuesOf(u, "labels").includes(label) },
    { json: { "metadata.labels": { $exists: false } }, holds: (u) => u.metadata?.labels === undefined },
    { json: { "metadata.odd": odd }, holds: (u) => valuesOf(u, "odd").includes(odd) },
    { json: { "metadata.odd": { $ne: odd } }, holds: (u) => !valuesOf(u, "odd").includes(odd) },
    { json: { "metadata.checked": { $in: [true, "no"] } }, holds: (u) => u.metadata?.checked === true },
    { json: { doc_id: { $nin: [doc, "doc-1"] } }, holds: (u) => u.doc_id !== doc && u.doc_id !== "doc-1" },
    { json: { doc_id: { $prefix: "doc-1" } }, holds: (u) => u.doc_id?.startsWith("doc-1") ?? false },
    { json: { doc_id: { $exists: true } }, holds: (u) => u.doc_id !== undefined },
    { json: { acl_owner: owners }, holds: (u) => owners.includes(u.acl_owner) },
    { json: { scope: { $prefix: "a/" } }, holds: (u) => u.scope.startsWith("a/") },
    { json: { mime: ["text/plain", "image/png"] }, holds: (u) => u.mime === "text/plain" || u.mime === "image/png" },
    { json: { plane: { $ne: "text" } }, holds: (u) => planeOf(u) !== "text" },
    { json: { "locator.kind": "time_range" }, holds: (u) => u.locator !== undefined },
    { json: { "locator.t_end_ms": { $gte: time } }, holds: (u) => (u.locator?.t_end_ms ?? -1) >= time },
    { json: { "locator.t_start_ms": { $lt: time } }, holds: (u) => u.locator !== undefined && u.locator.t_start_ms < time },
    { json: { created_at: { $gt: 0 } }, holds: () => true },
  ]);
}

function condition(random: Random, depth: number): Condition {
  if (depth === 0 || random.chance(0.5)) return leaf(random);
  const parts = [condition(random, depth - 1), condition(random, depth - 1)];
  const json = parts.map((part) => part.json);
  const holds = parts.map((part) => part.holds);
  return random.pick<() => Condition>([
    () => ({ json: { $and: json }, holds: (u) => holds.every((part) => part(u)) }),
    () => ({ json: { $or: json }, holds: (u) => holds.some((part) => part(u)) }),
    () => ({ json: { $not: json[0] }, holds: (u) => holds[0]?.(u) === false }),
  ])();
}

export function randomQuery(random: Random, questions: readonly string[]): Query {
  const q = random.pick(questions);
  const mode = random.pick(["hybrid", "vector", "fulltext"] as const);
  const planes = random.chance(0.4) ? [random.pick(PLANES), random.pick(PLANES)] : null;
  const modalities = random.chance(0.2) ? random.some(MODALITIES, 0.6).concat("text") : null;
  const filter = random.chance(0.6) ? condition(random, 3) : null;
  const doc = random.chance(0.05) ? `doc-${random.integer(0, 40)}` : null;
  const topK = random.pick([1, 3, 10, 20, 50]);
  const grouped = random.chance(0.2);
  const words = new Set(q.split(" "));
  const admits = (draft: Draft) =>
    draft.text !== undefined &&
    (planes === null || planes.includes(planeOf(draft))) &&
    (modalities === null || modalities.includes(draft.modality)) &&
    (filter === null || filter.holds(draft)) &&
    (doc === null || draft.doc_id === doc);
  return {
    body: {
      q,
      mode,
      top_k: topK,
      ...(planes ? { planes } : {}),
      ...(modalities ? { modalities } : {}),
      ...(filter ? { filters: filter.json } : {}),
      ...(doc ? { doc_id: doc } : {}),
      ...(grouped ? { group_by: "doc_id" } : {}),
      ...(random.chance(0.2) ? { explain: true } : {}),
    },
    scope: random.chance(0.5) ? "*" : random.pick([...SCOPES, "zzz", "a/b/c/none"]),
    topK,
    grouped,
    mode,
    planes: planes ?? PLANES,
    admits,
    finds: (draft) => admits(draft) && (mode !== "fulltext" || (draft.text ?? "").split(" ").some((word) => words.has(word))),
  };
}
