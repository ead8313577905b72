/** Search against a corpus of its own, compared with brute force over the API's own listing. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Fault } from "../../src/base/fault.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { callWith, unhurried } from "../support/engines.ts";
import type { Answer, CallOptions, Harness } from "../support/harness.ts";
import { ADMIN, auditRows, brokenChains, FREE, hire, PRO, READER, SUPER } from "../support/people.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";

type Sent = Record<string, unknown>;
/** What tests look at of a Unit or a hit. */
interface Shown {
  unit_id: string;
  text?: string;
  modality: string;
  plane: string;
  scope: string;
  doc_id?: string;
  source_uri?: string;
  mime?: string;
  acl_owner: string;
  created_at: number;
  locator?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
}
interface Hit extends Shown {
  rank: number;
  score: number;
  scores: { fused: number; rerank: null; legs: { leg: string; rank: number; raw: number | null }[] };
  snippet: string | null;
  highlights: { start: number; end: number }[];
  explain?: { fusion: { leg: string; rank: number; contribution: number }[]; window: { start: number; end: number } | null; terms: string[] };
}

const MODES = ["hybrid", "vector", "fulltext"] as const;
const PLANES = ["text", "visual", "audio", "doc_visual"];
const MODALITIES = [
  "text",
  "chunk",
  "caption",
  "ocr",
  "asr",
  "image",
  "image_region",
  "doc_page",
  "video_shot",
  "audio_utterance",
  "log_template",
  "detection",
];

let h: Harness;
let clock = Date.now();

const query = (body: Sent, options: CallOptions = {}) => h.call("POST", "/v1/search", { ...options, body });
const inLab = (body: Sent, token = ADMIN) => query(body, { token, headers: { "x-svc-scope": "lab" } });
const ids = (answer: Answer): string[] => answer.body.hits.map((hit: Hit) => hit.unit_id);
const ingest = async (units: Sent[], token = ADMIN, namespace?: string): Promise<string[]> => {
  const answer = await h.call("POST", "/v1/ingest", {
    token,
    body: { units },
    headers: namespace === undefined ? {} : { "x-svc-namespace": namespace },
  });
  expect(answer.status).toBe(200);
  return answer.body.units.map((unit: { unit_id: string }) => unit.unit_id);
};

/** 36 Units that all hold the word zebrafish, three of each modality, with every kind of member present and absent. */
const LAB: Sent[] = MODALITIES.flatMap((modality, m) =>
  [0, 1, 2].map((n): Sent => {
    const i = m * 3 + n;
    const locators: (Sent | undefined)[] = [
      undefined,
      { kind: "time_range", t_start_ms: i * 100, t_end_ms: i * 100 + 50 },
      { kind: "time_range", t_start_ms: 0, t_end_ms: 0 },
      { kind: "bbox", x: 0, y: 0, w: 0.5, h: 0.5 },
      { kind: "char_span", start: 0, end: 5 },
      { kind: "line_range", start: 1, end: 2 },
    ];
    const metadata: (Sent | undefined)[] = [
      undefined,
      { n: i, label: "it's", tags: ["red", "blue"] },
      { n: 1, label: "", tags: [] },
      { n: "1", label: "100%", ok: true, "a.b": "x" },
      { n: true, label: "a_b", ok: false, ratio: 0.5, tags: ["red"] },
      { n: -0.25, label: "Ünï😀", ratio: 1e21, tags: ["RED", "green"] },
      { label: "back\\slash", n: 1.5 },
    ];
    return {
      text: `Tank ${i}: the zebrafish ${["swims", "sleeps", "feeds", "hides", "spawns"][i % 5]} near ${["gravel", "kelp", "the glass"][n]}.`,
      modality,
      scope: ["lab", "lab/a", "lab/a/b"][n] as string,
      locator: locators[i % locators.length],
      metadata: metadata[i % metadata.length],
      doc_id: i % 4 === 0 ? undefined : `doc-${i % 5}`,
      source_uri: i % 3 === 0 ? undefined : `s3://lab/${["", "it's/", "%_/", "\\"][i % 4]}${i % 6}`,
      mime: i % 2 === 0 ? undefined : ["image/png", "text/plain", "IMAGE/PNG"][i % 3],
      acl_owner: i % 7 === 0 ? "keeper" : undefined,
    };
  }),
);

let listed: Shown[] = [];

beforeAll(async () => {
  h = await openSeeded({ now: () => clock });
  // In six batches a second apart, so that created_at tells them apart.
  for (let at = 0; at < LAB.length; at += 6) {
    clock += 1_000;
    await ingest(LAB.slice(at, at + 6));
  }
  clock += 1_000;
  listed = (await h.call("GET", "/v1/units?scope=lab")).body.units;
}, START_MS);

afterAll(async () => {
  await h.close();
});

describe("the corpus", () => {
  test("is listed whole, and found whole in every mode", async () => {
    expect(listed.length).toBe(LAB.length);
    for (const mode of MODES)
      expect(ids(await inLab({ q: "zebrafish", mode, top_k: 50 })).sort()).toEqual(listed.map(({ unit_id }) => unit_id).sort());
  });
});

describe("the shape of an answer", () => {
  test("body, hit, trace", async () => {
    const { body } = await inLab({ q: "zebrafish near kelp", top_k: 5 });
    expect(Object.keys(body).sort()).toEqual(["answer", "context", "hidden_by_acl", "hits", "trace"]);
    expect(body.answer).toBeNull();
    expect(body.context).toEqual((await h.call("GET", "/v1/context?scope=lab")).body);
    expect(body.trace.fusion).toEqual({ method: "rrf", k: 60 });
    const byId = new Map(listed.map((unit) => [unit.unit_id, unit]));
    for (const [index, { rank, score, scores, snippet, highlights, ...unit }] of (body.hits as Hit[]).entries()) {
      expect<Shown | undefined>(unit).toEqual(byId.get(unit.unit_id));
      expect([rank, score, scores.rerank]).toEqual([index + 1, scores.fused, null]);
      expect(scores.fused).toBeCloseTo(
        scores.legs.reduce((sum, leg) => sum + 1 / (60 + leg.rank), 0),
        12,
      );
      expect(unit.text).toContain(snippet ?? "-");
      expect(highlights.map(({ start, end }) => unit.text?.slice(start, end).toLowerCase())).toContain("zebrafish");
    }
    const fused = body.hits.map((hit: Hit) => hit.score);
    expect(fused).toEqual([...fused].sort((a: number, b: number) => b - a));
  });

  const LABELS = ["labels:visual", "labels:audio"];
  const STAGES: [string, Sent, string[], string[]][] = [
    ["hybrid", {}, PLANES, ["embed", "vector", ...LABELS, "fulltext", "fuse", "acl", "hydrate"]],
    ["vector", { mode: "vector" }, PLANES, ["embed", "vector", ...LABELS, "fuse", "acl", "hydrate"]],
    ["fulltext", { mode: "fulltext" }, PLANES, ["embed", "fulltext", "fuse", "acl", "hydrate"]],
    ["two planes", { planes: ["audio", "visual"] }, ["visual", "audio"], ["embed", "vector", ...LABELS, "fulltext", "fuse", "acl", "hydrate"]],
    ["a plane named twice", { planes: ["audio", "audio"], mode: "vector" }, ["audio"], ["embed", "vector", "labels:audio", "fuse", "acl", "hydrate"]],
  ];
  test.each(STAGES)("stages: %s", async (_name, body, planes, names) => {
    const { trace } = (await inLab({ q: "zebrafish", top_k: 3, ...body })).body;
    expect(Object.keys(trace).sort()).toEqual(["fusion", "planes", "stages", "total_ms", "warnings"]);
    expect([trace.planes, trace.stages.map((stage: { name: string }) => stage.name), trace.warnings]).toEqual([planes, names, []]);
    for (const stage of trace.stages) {
      expect(Object.keys(stage).sort()).toEqual(["in", "ms", "name", "out"]);
      expect(stage.ms).toBeGreaterThanOrEqual(0);
      expect(stage.ms).toBeLessThanOrEqual(trace.total_ms + 1);
    }
    const hydrate = trace.stages.at(-1);
    expect([hydrate.in, hydrate.out]).toEqual([3, 3]);
  });

  test("the same question has the same answer", async () => {
    const [a, b] = [await inLab({ q: "zebrafish sleeps" }), await inLab({ q: "zebrafish sleeps" })];
    expect(plain(b)).toEqual(plain(a));
  });
});

describe("query fields", () => {
  test.each([1, 2, 10, 36, 50])("top_k %d", async (top_k) => {
    const answer = await inLab({ q: "zebrafish", top_k });
    expect(answer.body.hits.length).toBe(Math.min(top_k, 36));
    // Legs are equally deep up to 10, and beyond 18 they hold all that there is.
    const more = ids(await inLab({ q: "zebrafish", top_k: top_k <= 10 ? 10 : 50 }));
    expect(ids(answer)).toEqual(more.slice(0, top_k));
  });

  test("top_k is 10 unless said otherwise, and mode is hybrid", async () => {
    const bare = await inLab({ q: "zebrafish" });
    expect(bare.body.hits.length).toBe(10);
    expect(ids(await inLab({ q: "zebrafish", mode: "hybrid", top_k: 10, planes: PLANES }))).toEqual(ids(bare));
  });

  test.each(PLANES)("planes [%s], in every mode", async (plane) => {
    const expected = listed.filter((unit) => unit.plane === plane).map(({ unit_id }) => unit_id);
    for (const mode of MODES) expect(ids(await inLab({ q: "zebrafish", planes: [plane], mode, top_k: 50 })).sort()).toEqual(expected.sort());
  });

  test.each(MODALITIES)("modalities [%s], in every mode", async (modality) => {
    const expected = listed.filter((unit) => unit.modality === modality).map(({ unit_id }) => unit_id);
    expect(expected.length).toBe(3);
    for (const mode of MODES)
      expect(ids(await inLab({ q: "zebrafish", modalities: [modality, modality], mode, top_k: 50 })).sort()).toEqual(expected.sort());
  });

  test("doc_id, with filters and modalities: all must hold", async () => {
    const expected = listed.filter((unit) => unit.doc_id === "doc-1");
    expect(ids(await inLab({ q: "zebrafish", doc_id: "doc-1", top_k: 50 })).sort()).toEqual(expected.map(({ unit_id }) => unit_id).sort());
    const fewer = expected.filter((unit) => unit.scope === "lab/a" && ["asr", "ocr", "text"].includes(unit.modality));
    const answer = await inLab({ q: "zebrafish", doc_id: "doc-1", modalities: ["asr", "ocr", "text"], filters: { scope: "lab/a" }, top_k: 50 });
    expect(ids(answer).sort()).toEqual(fewer.map(({ unit_id }) => unit_id).sort());
    expect(ids(await inLab({ q: "zebrafish", doc_id: "no such doc" }))).toEqual([]);
  });

  test.each(MODES)("group_by doc_id keeps the best of each document and every Unit without one (%s)", async (mode) => {
    const all = (await inLab({ q: "zebrafish feeds", mode, top_k: 50 })).body.hits as Hit[];
    const seen = new Set<string>();
    const expected = all.filter((hit) => hit.doc_id === undefined || (!seen.has(hit.doc_id) && seen.add(hit.doc_id)));
    expect(ids(await inLab({ q: "zebrafish feeds", mode, group_by: "doc_id", top_k: 50 }))).toEqual(expected.map(({ unit_id }) => unit_id));
    expect(ids(await inLab({ q: "zebrafish feeds", mode, group_by: "doc_id", top_k: 4 }))).toEqual(
      expected.slice(0, 4).map(({ unit_id }) => unit_id),
    );
  });

  test("min_score cuts the tail and nothing else", async () => {
    const all = (await inLab({ q: "zebrafish hides", top_k: 50 })).body.hits as Hit[];
    const least = all[7]?.score ?? 0;
    const expected = all.filter(({ score }) => score >= least).map(({ unit_id }) => unit_id);
    expect(ids(await inLab({ q: "zebrafish hides", top_k: 50, min_score: least }))).toEqual(expected);
    expect(ids(await inLab({ q: "zebrafish hides", top_k: 50, min_score: 1 }))).toEqual([]);
    expect(ids(await inLab({ q: "zebrafish hides", top_k: 50, min_score: -1 }))).toEqual(all.map(({ unit_id }) => unit_id));
  });

  test("explain adds up, and is absent unless asked for", async () => {
    const silent = (await inLab({ q: "zebrafish gravel", top_k: 5 })).body.hits as Hit[];
    const told = (await inLab({ q: "zebrafish gravel", top_k: 5, explain: true })).body.hits as Hit[];
    expect(silent.every((hit) => !("explain" in hit))).toBe(true);
    expect(told.map(({ explain: _explain, ...hit }) => hit)).toEqual(silent);
    for (const { explain, score, scores, text } of told) {
      expect(explain?.fusion.map(({ leg, rank }) => ({ leg, rank }))).toEqual(scores.legs.map(({ leg, rank }) => ({ leg, rank })));
      expect(explain?.fusion.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(score, 12);
      expect(explain?.terms.every((term) => text?.toLowerCase().includes(term))).toBe(true);
      expect(explain?.window).toEqual({ start: 0, end: text?.length ?? 0 });
    }
    expect(told[0]?.explain?.terms).toContain("zebrafish");
  });

  const WARNED: [string, string, Sent, RegExp[], string[]][] = [
    ["Free, all planes", FREE, {}, [], ["text", "doc_visual"]],
    ["Free, a plane it lacks", FREE, { planes: ["text", "audio"] }, [/free.*audio/], ["text"]],
    ["Free, only planes it lacks", FREE, { planes: ["audio", "visual"] }, [/visual/, /audio/], []],
    ["Free, rerank and answer", FREE, { rerank: true, answer: true }, [/rerank/, /answer/], ["text", "doc_visual"]],
    ["Free, neither wanted", FREE, { rerank: false, answer: false }, [], ["text", "doc_visual"]],
    ["Pro, all planes named", PRO, { planes: PLANES }, [], PLANES],
    ["Enterprise, answer on search", ADMIN, { answer: true }, [], PLANES],
  ];
  test.each(WARNED)("%s", async (_name, token, body, warnings, planes) => {
    // What a busy machine has no time for is said, too: here the models take what time they need.
    const call = callWith(h, unhurried(h));
    for (const mode of MODES) {
      const answer = await call("POST", "/v1/search", { token, body: { q: "turbine bearing", mode, ...body } });
      expect(answer.status).toBe(200);
      expect(answer.body.trace.planes).toEqual(planes);
      expect(answer.body.trace.warnings.length).toBe(warnings.length);
      warnings.forEach((pattern, index) => {
        expect(answer.body.trace.warnings[index]).toMatch(pattern);
      });
      expect(answer.body.hits.length).toBe(planes.length === 0 ? 0 : 10);
      for (const hit of answer.body.hits as Hit[]) expect(planes).toContain(hit.plane);
    }
  });

  test("a phrase in quotes must be there, other words need not", async () => {
    const texts = (await inLab({ q: '"zebrafish sleeps"', mode: "fulltext", top_k: 50 })).body.hits.map((hit: Hit) => hit.text);
    const expected = listed.filter(({ text }) => text?.includes("zebrafish sleeps")).map(({ text }) => text);
    expect(texts.sort()).toEqual(expected.sort());
    expect((await inLab({ q: '"sleeps zebrafish"', mode: "fulltext" })).body.hits).toEqual([]);
    expect((await inLab({ q: "zebrafish unobtainium", mode: "fulltext", top_k: 50 })).body.hits.length).toBe(36);
  });

  test("words match whatever their form, case and accents", async () => {
    await ingest([{ text: "Crème brûlée for the DIVERS’ families", modality: "text", scope: "lab2" }]);
    for (const q of ["creme brulee", "CRÈME", "diver", "family", "cre\u0300me"]) {
      const { body } = await query({ q, mode: "fulltext" }, { headers: { "x-svc-scope": "lab2" } });
      expect(`${q} ${body.hits.length}`).toBe(`${q} 1`);
      for (const { start, end } of body.hits[0].highlights)
        expect(["Crème", "brûlée", "DIVERS", "families"]).toContain(body.hits[0].text.slice(start, end));
      expect(body.hits[0].highlights.length).toBeGreaterThan(0);
    }
  });

  test("highlights are offsets of UTF-16 into the text", async () => {
    const text = "😀😀 <b>kingfisher</b> — 漁師 kingfishers & \u202eKINGFISHER";
    await ingest([{ text, modality: "text", scope: "lab3" }]);
    const { body } = await query({ q: "kingfisher", mode: "fulltext" }, { headers: { "x-svc-scope": "lab3" } });
    const [hit] = body.hits as Hit[];
    expect(hit?.highlights.map(({ start, end }) => text.slice(start, end))).toEqual(["kingfisher", "kingfishers", "KINGFISHER"]);
    expect(hit?.snippet).toBe(text);
  });
});

// --- filters ------------------------------------------------------------------------------------

/** What a Unit holds under a field, read from its JSON. */
function values(unit: Shown, field: string): unknown[] {
  if (field.startsWith("metadata.")) {
    const value = unit.metadata?.[field.slice(9)];
    return value === undefined ? [] : Array.isArray(value) ? value : [value];
  }
  const value = field.startsWith("locator.") ? unit.locator?.[field.slice(8)] : unit[field as keyof Shown];
  return value === undefined ? [] : [value];
}

function exists(unit: Shown, field: string): boolean {
  return field.startsWith("metadata.") ? unit.metadata?.[field.slice(9)] !== undefined : values(unit, field).length > 0;
}

/** The meaning of a filter, from the contract alone. */
function passes(unit: Shown, filter: Sent): boolean {
  return Object.entries(filter).every(([key, value]) => {
    if (key === "$and") return (value as Sent[]).every((part) => passes(unit, part));
    if (key === "$or") return (value as Sent[]).some((part) => passes(unit, part));
    if (key === "$not") return !passes(unit, value as Sent);
    return fieldPasses(unit, key, value);
  });
}

function fieldPasses(unit: Shown, field: string, value: unknown): boolean {
  const own = values(unit, field);
  if (Array.isArray(value)) return own.some((one) => value.includes(one));
  if (typeof value !== "object" || value === null) return own.includes(value);
  const numbers = own.filter((one): one is number => typeof one === "number");
  // The bounds of one object belong together: one value has to be within all of them.
  const bounds = Object.entries(value).filter(([name]) => ["$gt", "$gte", "$lt", "$lte"].includes(name)) as [string, number][];
  const within = (one: number) =>
    bounds.every(([name, b]) => (name === "$gt" ? one > b : name === "$gte" ? one >= b : name === "$lt" ? one < b : one <= b));
  if (bounds.length > 0 && !numbers.some(within)) return false;
  return Object.entries(value).every(([name, operand]) => {
    switch (name) {
      case "$eq":
        return own.includes(operand);
      case "$ne":
        return !own.includes(operand);
      case "$in":
        return own.some((one) => (operand as unknown[]).includes(one));
      case "$nin":
        return !own.some((one) => (operand as unknown[]).includes(one));
      case "$exists":
        return exists(unit, field) === operand;
      case "$prefix":
        return own.some((one) => typeof one === "string" && one.startsWith(operand as string));
      case "$not":
        return !fieldPasses(unit, field, operand);
      default:
        return true;
    }
  });
}

/** Values worth asking for, by field. */
const OPERANDS: Record<string, unknown[]> = {
  modality: ["text", "ocr", "Text", "", "nonsense"],
  plane: ["text", "audio", "doc_visual", "tex", ""],
  scope: ["lab", "lab/a", "lab/a/b", "harbour", "lab/"],
  doc_id: ["doc-1", "doc-2", "DOC-1", "", "' OR 1=1 --"],
  source_uri: ["s3://lab/1", "s3://lab/it's/1", "s3://lab/%_/2", "s3://lab/\\3", ""],
  mime: ["image/png", "IMAGE/PNG", "text/plain", ""],
  acl_owner: ["keeper", "demo-admin", "demo-reader", ""],
  "locator.kind": ["time_range", "bbox", "line_range", ""],
  "locator.t_start_ms": [0, 100, 700, 1300, -1, 1e15],
  "locator.t_end_ms": [0, 150, 750, 1350, -1, 1e15],
  "metadata.n": [1, "1", true, false, 1.5, -0.25, 7, ""],
  "metadata.label": ["it's", "", "100%", "a_b", "Ünï😀", "back\\slash", "A_B"],
  "metadata.tags": ["red", "RED", "blue", "green", ""],
  "metadata.ok": [true, false, "true", 1],
  "metadata.ratio": [0.5, 1e21, "0.5"],
  "metadata.a.b": ["x", "X"],
  "metadata.none": ["x", 0],
};
const RANGED = ["created_at", "locator.t_start_ms", "locator.t_end_ms", "metadata.n", "metadata.ratio", "metadata.label"];
const PREFIXES: Record<string, string[]> = {
  modality: ["a", "image", "te"],
  plane: ["doc", "t"],
  scope: ["lab/", "lab/a", "l"],
  doc_id: ["doc", "d", "D", "%"],
  source_uri: ["s3://", "s3://lab/it's", "s3://lab/%", "s3://lab/_", "s3://lab/\\"],
  mime: ["image/", "I"],
  acl_owner: ["k", "demo-"],
  "locator.kind": ["t", "line_"],
  "metadata.label": ["i", "1", "Ü", "a_", "%", "back\\"],
  "metadata.tags": ["r", "R"],
  "metadata.n": ["1"],
};

async function expectFilter(filter: Sent, modes: readonly string[] = MODES): Promise<number> {
  const expected = listed
    .filter((unit) => passes(unit, filter))
    .map(({ unit_id }) => unit_id)
    .sort();
  const answers = await Promise.all(modes.map((mode) => inLab({ q: "zebrafish", mode, top_k: 50, filters: filter })));
  answers.forEach((answer, index) => {
    const got = answer.status === 200 ? ids(answer).sort() : answer.body.detail;
    expect({ filter, mode: modes[index], got }).toEqual({ filter, mode: modes[index], got: expected });
  });
  return expected.length;
}

describe("filters say what brute force says", () => {
  for (const [field, operands] of Object.entries(OPERANDS)) {
    test(`${field}: equality, lists, complements, existence`, async () => {
      const cases: unknown[] = [
        ...operands.flatMap((value) => [value, { $eq: value }, { $ne: value }]),
        operands,
        operands.slice(0, 2),
        [],
        { $in: operands.slice(1, 3) },
        { $nin: operands.slice(0, 2) },
        { $nin: [] },
        { $exists: true },
        { $exists: false },
        { $not: { $exists: true } },
        { $not: { $eq: operands[0] } },
        { $ne: operands[0], $exists: true },
      ];
      const sizes: number[] = [];
      for (const value of cases) sizes.push(await expectFilter({ [field]: value }, ["hybrid"]));
      expect(new Set(sizes).size).toBeGreaterThan(1);
    });
  }

  for (const field of RANGED) {
    test(`${field}: ranges`, async () => {
      const present = listed.flatMap((unit) => values(unit, field)).filter((value): value is number => typeof value === "number");
      const some = [...new Set(present)].sort((a, b) => a - b);
      const picks = [some[0] ?? 0, some[Math.floor(some.length / 2)] ?? 0, some.at(-1) ?? 0];
      for (const pick of picks) {
        for (const sign of ["$gt", "$gte", "$lt", "$lte"]) await expectFilter({ [field]: { [sign]: pick } });
        await expectFilter({ [field]: { $gte: picks[0], $lt: pick } });
        await expectFilter({ [field]: { $not: { $gt: pick } } });
      }
      await expectFilter({ [field]: { $gt: picks[2], $lt: picks[0] } });
      await expectFilter({ [field]: { $gte: -5, $lte: Number.MAX_SAFE_INTEGER } });
    });
  }

  for (const [field, prefixes] of Object.entries(PREFIXES)) {
    test(`${field}: prefixes`, async () => {
      for (const prefix of prefixes) {
        await expectFilter({ [field]: { $prefix: prefix } });
        await expectFilter({ $not: { [field]: { $prefix: prefix } } }, ["hybrid"]);
      }
    });
  }

  test("created_at: equality with each of its values", async () => {
    for (const at of new Set(listed.map((unit) => unit.created_at))) expect(await expectFilter({ created_at: at })).toBe(6);
    await expectFilter({ created_at: { $in: [...new Set(listed.map((unit) => unit.created_at))].slice(0, 2) } });
  });

  const random = new Random(SEED);
  const pick = <T>(list: readonly T[]): T => random.pick(list);
  function leaf(): Sent {
    const field = pick(Object.keys(OPERANDS));
    const of = OPERANDS[field] ?? [];
    const prefix = PREFIXES[field];
    const shapes: unknown[] = [
      pick(of),
      [pick(of), pick(of)],
      { $ne: pick(of) },
      { $nin: [pick(of), pick(of)] },
      { $exists: pick([true, false]) },
      { $not: { $in: [pick(of)] } },
    ];
    if (prefix) shapes.push({ $prefix: pick(prefix) });
    if (field === "metadata.n" || field.startsWith("locator.t")) shapes.push({ $gte: 0, $lt: pick([1, 2, 500, 1_000]) });
    return { [field]: pick(shapes) };
  }
  function tree(depth: number): Sent {
    if (depth === 0 || random.chance(0.25)) return leaf();
    const kind = pick(["$and", "$or", "$not", "both"]);
    if (kind === "$not") return { $not: tree(depth - 1) };
    if (kind === "both") return { ...leaf(), ...leaf(), $or: [tree(depth - 1), leaf()] };
    return { [kind]: [tree(depth - 1), tree(depth - 1)] };
  }
  const TREES = Array.from({ length: 60 }, () => tree(3));
  test("60 random trees, in every mode", async () => {
    const sizes: number[] = [];
    for (const filter of TREES) sizes.push(await expectFilter(filter));
    expect(sizes.filter((size) => size > 0 && size < 36).length).toBeGreaterThan(20);
  });
});

// --- who sees what ------------------------------------------------------------------------------

/** A body without what may differ: durations and the count of what is hidden. */
function plain({ body }: Answer): unknown {
  const copy = structuredClone(body);
  delete copy.hidden_by_acl;
  delete copy.trace?.total_ms;
  for (const stage of copy.trace?.stages ?? []) delete stage.ms;
  return copy;
}

describe("scores", () => {
  test("raw BM25 is for admins of the namespace; cosine is for everybody", async () => {
    const inOps = { "x-svc-scope": "harbour/ops" };
    const readers: [string, boolean, Record<string, string>][] = [
      [ADMIN, true, inOps],
      [SUPER, true, inOps],
      [READER, false, inOps],
      [hire(h, "plain-writer", { groups: ["ops"] }), false, inOps],
      [PRO, false, inOps],
      [FREE, false, inOps],
    ];
    for (const [token, shown, headers] of readers) {
      const { body } = await query({ q: "turbine bearing vibration", top_k: 20 }, { token, headers });
      const legs = (body.hits as Hit[]).flatMap((hit) => hit.scores.legs);
      const full = legs.filter(({ leg }) => leg === "fulltext");
      expect(full.length).toBeGreaterThan(3);
      for (const { raw } of full) expect(typeof raw).toBe(shown ? "number" : "object");
      for (const { leg, raw } of legs) if (leg !== "fulltext") expect(Math.abs(raw ?? 9)).toBeLessThanOrEqual(1.000_001);
      expect(JSON.stringify(body)).not.toContain('"raw":undefined');
    }
  });
});

describe("scopes", () => {
  const EMPTY: [string, string, string][] = [
    ["unknown", READER, "nowhere"],
    ["known, not allowed", READER, "town"],
    ["a neighbour", READER, "harbour/office/finance"],
    ["no path at all", READER, "'; --"],
    ["unknown to the admin", ADMIN, "nowhere"],
    ["with a slash at its end", ADMIN, "harbour/"],
    ["half a segment", ADMIN, "harb"],
    ["empty", ADMIN, ""],
  ];
  test.each(EMPTY)("%s: 200 and nothing", async (_name, token, scope) => {
    const reference = await query({ q: "turbine" }, { token, headers: { "x-svc-scope": "surely/unknown" } });
    for (const [path, headers] of [
      ["/v1/search", { "x-svc-scope": scope }],
      [`/v1/search?scope=${encodeURIComponent(scope)}`, {}],
    ] as const) {
      const answer = await h.call("POST", path, { token, body: { q: "turbine" }, headers });
      expect([answer.status, answer.body.hits, answer.body.hidden_by_acl, answer.body.context.effective_scopes]).toEqual([200, [], 0, []]);
      const same = plain(answer) as { context: { requested_scope: string } };
      expect(same.context.requested_scope).toBe(scope);
      same.context.requested_scope = "surely/unknown";
      expect(same).toEqual(plain(reference) as typeof same);
    }
  });

  test("a path above one's own runs against what of it is one's own", async () => {
    const { body } = await query({ q: "turbine" }, { token: READER, headers: { "x-svc-scope": "harbour" } });
    expect(body.context.effective_scopes).toEqual(["harbour/ops", "harbour/ops/control", "harbour/ops/quay", "harbour/ops/turbine"]);
    expect(body.context.requested_scope).toBe("harbour");
    expect(body.hits.length).toBe(10);
  });

  test("a scope in the body is ignored; header beats query; * is what is allowed", async () => {
    const ask = (path: string, body: Sent, headers: Record<string, string> = {}) =>
      h.call("POST", path, { token: READER, body: { q: "turbine", ...body }, headers });
    const own = plain(await ask("/v1/search", {}));
    expect(plain(await ask("/v1/search", { scope: "town" }))).toEqual(own);
    expect((await ask("/v1/search?scope=town", {}, { "x-svc-scope": "harbour/ops/quay" })).body.context.effective_scopes).toEqual([
      "harbour/ops/quay",
    ]);
    const star = await ask("/v1/search?scope=*", {});
    expect(star.body.context.effective_scopes).toEqual(star.body.context.allowed_scopes);
    expect(ids(star)).toEqual((own as { hits: Hit[] }).hits.map(({ unit_id }) => unit_id));
    expect(star.body.hits.length).toBeGreaterThan(0);
    for (const hit of star.body.hits as Hit[]) expect(hit.scope).toStartWith("harbour/ops");
  });
});

const QUESTIONS = [
  "why did turbine 7 stop?",
  "how hot did the bearing get, 94 or 112 degrees?",
  "what did the repair cost?",
  "which grease did Norrby deliver",
  "insurance claim for the lift",
  '"turbine 7"',
];

describe("hidden_by_acl", () => {
  test.each(QUESTIONS)("%s: the reader is told how many of the admin's hits it may not see", async (q) => {
    const readable = new Set<string>();
    for (let cursor: number | null = 0; cursor !== null; ) {
      const { body }: Answer = await h.call("GET", `/v1/units?cursor=${cursor}`, { token: READER });
      for (const { unit_id } of body.units) readable.add(unit_id);
      cursor = body.next_cursor;
    }
    for (const more of [
      {},
      { top_k: 3 },
      { mode: "fulltext" },
      { mode: "vector", planes: ["audio"] },
      { group_by: "doc_id" },
      { filters: { modality: { $ne: "text" } } },
      { min_score: 0.03 },
    ]) {
      const admin = await query({ q, ...more }, { headers: { "x-svc-scope": "harbour/ops" } });
      const reader = await query({ q, ...more }, { token: READER });
      expect({ more, hidden: reader.body.hidden_by_acl }).toEqual({ more, hidden: ids(admin).filter((id) => !readable.has(id)).length });
      expect(admin.body.hidden_by_acl).toBe(0);
      expect(ids(reader).every((id) => readable.has(id))).toBe(true);
    }
  });
});

describe("what a caller may not read changes nothing that it sees", () => {
  /** Visible first: many with the same words and few texts, so that ties and candidate limits are under strain. */
  const visible = Array.from(
    { length: 330 },
    (_, i): Sent => ({
      text: `Otter log ${i % 11}: the sluice otter ${"paddles and ".repeat(i % 5)}dives under pontoon ${i % 3}.`,
      modality: ["text", "image", "asr", "ocr"][i % 4],
      scope: "harbour/ops/quay",
      doc_id: `otter-${i % 40}`,
      source_uri: `otters/${i}`,
      acl_groups: ["ops"],
      metadata: { i, kind: "otter" },
    }),
  );
  const hidden = Array.from(
    { length: 200 },
    (_, i): Sent => ({
      ...visible[(i * 7) % visible.length],
      text: [
        (visible[(i * 7) % visible.length]?.text ?? "") as string,
        `Otter log ${i % 4}: the sluice otter, the sluice otter, the sluice otter dives under pontoon ${i % 3}. Invoice ${i % 4}.`,
        "why did turbine 7 stop? Turbine 7 stopped because of the otter.",
        `${"The bearing of the otter under the pontoon was 112 degrees hot. ".repeat(60)}`,
      ][i % 4],
      source_uri: `otters/secret/${i}`,
      acl_groups: [["finance"], ["engineering", "hr"], []][i % 3],
      metadata: { i, kind: "otter", secret: true },
    }),
  );

  const MORE: Sent[] = [
    {},
    { top_k: 50 },
    { mode: "vector", top_k: 50 },
    { mode: "fulltext", top_k: 50 },
    { planes: ["text"], top_k: 25, explain: true },
    { group_by: "doc_id", top_k: 50 },
    { filters: { "metadata.kind": "otter" }, top_k: 50, explain: true },
    { filters: { "metadata.i": { $lt: 300 }, doc_id: { $prefix: "otter-1" } }, top_k: 50 },
    { modalities: ["image", "asr"], mode: "fulltext", top_k: 50 },
    { doc_id: "otter-7" },
    { min_score: 0.02, top_k: 50 },
  ];
  const OTTERS = [
    "sluice otter dives under pontoon 2",
    "otter",
    '"sluice otter" paddles',
    "why did turbine 7 stop?",
    "how hot did the bearing get?",
    "Invoice",
  ];
  const GETS = [
    "/v1/units?limit=100",
    "/v1/units?limit=50&cursor=150&scope=harbour/ops/quay",
    "/v1/catalog/stats",
    "/v1/catalog/stats?scope=*",
    "/v1/scopes",
    "/v1/context",
  ];

  async function everything(): Promise<{ asked: string; seen: unknown }[]> {
    const all: { asked: string; seen: unknown }[] = [];
    // Stats count the searches of the namespace: they come first.
    for (const path of GETS) all.push({ asked: path, seen: plain(await h.call("GET", path, { token: READER })) });
    for (const q of OTTERS)
      for (const more of MORE) all.push({ asked: `${q} ${JSON.stringify(more)}`, seen: plain(await query({ q, ...more }, { token: READER })) });
    return all;
  }

  test("not scores, ranks, ties, highlights, stages or counts, in any mode", async () => {
    await ingest(visible);
    // The index tidies itself up when writing pauses: both states must look the same, so there is nothing to wait for.
    const before = await everything();
    const asked = before.find((one) => one.asked === `otter ${JSON.stringify({ mode: "fulltext", top_k: 50 })}`)?.seen as { hits: Hit[] };
    expect(asked.hits.length).toBe(50);
    const hiddenBefore = (await query({ q: "sluice otter dives" }, { token: READER })).body.hidden_by_acl;
    await ingest(hidden);
    const after = await everything();
    const statsBefore = before.filter(({ asked: path }) => path.startsWith("/v1/catalog/stats"));
    after.forEach(({ asked: name, seen }, index) => {
      if (name.startsWith("/v1/catalog/stats")) return;
      expect({ name, seen }).toEqual({ name, seen: before[index]?.seen });
    });
    // Searches are the namespace's, and so is the state of an index that tidies itself up; the other figures are the caller's.
    const statsAfter = after.filter(({ asked: path }) => path.startsWith("/v1/catalog/stats"));
    statsAfter.forEach(({ asked: name, seen }, index) => {
      const [is, was] = [seen, statsBefore[index]?.seen].map((one) => {
        const stats = one as { planes: Sent[] };
        return { ...stats, queries_per_day: 0, planes: stats.planes.map((plane) => ({ ...plane, health: "" })) };
      });
      expect({ name, is }).toEqual({ name, is: was });
    });
    expect(hiddenBefore).toBeLessThan((await query({ q: "sluice otter dives" }, { token: READER })).body.hidden_by_acl);
    const admin = await query({ q: "Invoice", mode: "fulltext", top_k: 50 });
    expect(admin.body.hits.length).toBeGreaterThan(20);
    expect((await query({ q: "Invoice", mode: "fulltext", top_k: 50, filters: { "metadata.kind": "otter" } }, { token: READER })).body.hits).toEqual(
      [],
    );
  }, 120_000);

  test("a caller with enough visible matches always gets top_k", async () => {
    for (const mode of MODES) expect((await query({ q: "sluice otter", mode, top_k: 50 }, { token: READER })).body.hits.length).toBe(50);
  });
});

test("a search has its row when it is begun, also one that fails", async () => {
  const { encoder } = h.app.services;
  const encode = async () => {
    await Bun.sleep(50);
    throw new Fault("unavailable", "the model failed");
  };
  const before = (await auditRows(h, "demo", 1))[0]?.seq ?? 0;
  const q = "who greases the yaw ring";
  const answer = await callWith(h, { encoder: { ...encoder, encode } })("POST", "/v1/search", { token: READER, body: { q } });
  expect(answer.status).toBe(503);
  const rows = await auditRows(h, "demo", 1);
  expect(rows).toMatchObject([{ seq: before + 1, action: "search", outcome: "ok", detail: { q_sha256: sha256Hex(q) } }]);
});

test("every chain is whole", async () => {
  expect(await brokenChains(h)).toEqual([]);
});
