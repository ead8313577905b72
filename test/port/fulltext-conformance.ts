/** What every FullTextIndex must do, as a suite over a factory. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { QUERY_MAX_CHARS } from "../../src/base/limits.ts";
import { type Field, type Filter, MATCH_ALL, matches, type Scalar } from "../../src/domain/filter.ts";
import type { Locator } from "../../src/domain/locator.ts";
import { PLANES, type Plane } from "../../src/domain/plane.ts";
import type { FullTextHit, FullTextIndex, FullTextQuery } from "../../src/domain/port/full-text-index.ts";
import type { RankedHits, Restriction } from "../../src/domain/port/index.ts";
import type { Unit } from "../../src/domain/unit.ts";
import { queryTerms } from "../../src/text/terms.ts";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";

/** Opens indexes by directory; `close` ends everything that is open. */
export interface FullTextFactory {
  open(directory: string): Promise<FullTextIndex>;
  close(): Promise<void>;
}

/** Generous: a hostile query must not hang, and the machine may be busy. */
const HOSTILE_MAX_MS = 3_000;

export function fullTextUnit(uid: number, text: string | null, members: Partial<Unit> = {}): Unit {
  return {
    uid,
    version: 1,
    classId: 1,
    unit_id: `u_${uid}`,
    namespace: "demo",
    scope: "lab",
    acl_owner: "ann",
    acl_groups: [],
    doc_id: null,
    path: null,
    source_uri: null,
    locator: null,
    modality: "text",
    plane: "text",
    mime: null,
    metadata: null,
    text,
    content_sha256: null,
    embeddedSha256: null,
    windows: 0,
    created_at: uid,
    updated_at: uid,
    ...members,
  };
}

export function putAll(index: FullTextIndex, units: readonly Unit[]): Promise<void> {
  return index.put(units.map((unit) => ({ unit })));
}

function queryOf(text: string, restriction: Partial<Restriction>, more: Partial<FullTextQuery>): FullTextQuery {
  const within = { classes: null, filter: MATCH_ALL, uids: null, ...restriction };
  return { terms: queryTerms(text), planes: PLANES, limit: 50, restriction: within, ...more };
}

export function ask(
  index: FullTextIndex,
  text: string,
  restriction: Partial<Restriction> = {},
  more: Partial<FullTextQuery> = {},
): Promise<RankedHits<FullTextHit>> {
  return index.search(queryOf(text, restriction, more));
}

/** The uids of what a search finds, which a listing of the matches has too. */
async function found(
  index: FullTextIndex,
  text: string,
  restriction: Partial<Restriction> = {},
  more: Partial<FullTextQuery> = {},
): Promise<number[]> {
  const { hits, exhausted } = await ask(index, text, restriction, more);
  const uids = hits.map((hit) => hit.uid).sort((a, b) => a - b);
  if (exhausted) expect(await index.matching(queryOf(text, restriction, more))).toEqual({ uids, complete: true });
  return uids;
}

export function describeFullText(name: string, makeFactory: () => FullTextFactory): void {
  describe(name, () => {
    let factory: FullTextFactory;
    let root: string;
    let directories = 0;
    const fresh = () => factory.open(join(root, `index-${++directories}`));

    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), "strata-fulltext-"));
      factory = makeFactory();
    });
    afterAll(async () => {
      await factory.close();
      await rm(root, { recursive: true, force: true });
    });

    describe("language", () => languageTests(fresh));
    describe("hostile queries", () => hostileTests(fresh));
    describe("restrictions", () => restrictionTests(fresh));
    describe("scores", () => scoreTests(fresh));
    describe("life of a Unit", () =>
      lifeTests(
        fresh,
        () => factory,
        () => root,
      ));
  });
}

function languageTests(fresh: () => Promise<FullTextIndex>): void {
  const texts = [
    "The runners were running through the old harbour at dawn.",
    "A quick brown fox jumps over the lazy dog.",
    "The fox was quick, and brown leaves fell.",
    "東京大学で機械学習を研究しています。",
    "京都の東にある大きな湖",
    "تعلم الآلة مجال واسع",
    "Ship it 🚀 to the crème brûlée café",
    "cafe\u0301 visits with decomposed letters",
    "To be or not to be, that is the question",
    "ภาษาไทยไม่มีช่องว่าง",
    "हिन्दी में एक वाक्य",
    "ABC東京 beta7",
  ];
  let index: FullTextIndex;
  beforeAll(async () => {
    index = await fresh();
    await putAll(
      index,
      texts.map((text, at) => fullTextUnit(at, text)),
    );
  });

  test.each([
    ["a stem", "run harbours", [0]],
    ["capitals and accents", "CREME Café", [6, 7]],
    ["a phrase in order", '"quick brown fox"', [1]],
    ["a phrase in curly quotes", "“brown fox”", [1]],
    ["a phrase in angle quotes", "«lazy dog»", [1]],
    ["a phrase out of order", '"fox brown quick"', []],
    ["a phrase of one word", 'brown "leaves"', [2]],
    ["an unbalanced quote", '"fox brown quick', [1, 2]],
    ["a phrase and a word elsewhere", '"quick brown" question', [1]],
    ["neighbours in Han", "東京", [3, 11]],
    ["characters that are no neighbours", "京東", []],
    ["a Han phrase", '"機械学習"', [3]],
    ["a single character", "湖", [4]],
    ["Arabic", "مجال", [5]],
    ["Thai", "ไทย", [9]],
    ["Devanagari", "हिन्दी", [10]],
    ["Latin beside Han", "abc", [11]],
    ["letters with digits", "BETA7", [11]],
    ["an emoji, which is no word", "🚀", []],
    ["an emoji beside a word", "🚀 ship", [6]],
    ["stopwords beside a word", "the question of the and", [8]],
    ["stopwords alone", "not or", [8]],
    ["a phrase of stopwords", '"to be or not"', [8]],
    ["punctuation", "?!… --", []],
    ["nothing", "", []],
  ])("%s: %p", async (_, query, expected) => {
    expect(await found(index, query)).toEqual(expected);
  });
}

function hostileTests(fresh: () => Promise<FullTextIndex>): void {
  let index: FullTextIndex;
  beforeAll(async () => {
    index = await fresh();
    await putAll(index, [fullTextUnit(1, "fields and brackets not and or"), fullTextUnit(2, "東東東東")]);
  });

  test.each([
    ["brackets", "(".repeat(8_000), []],
    ["square brackets", `${"[".repeat(4_000)}a TO b`, []],
    ["NOT", "NOT ".repeat(1_000), [1]],
    ["quotes", '"'.repeat(QUERY_MAX_CHARS), []],
    ["mixed quotes", '“"«'.repeat(1_365), []],
    ["quoted words", '"fields" '.repeat(400), [1]],
    ["a phrase without end", `"${"fields and ".repeat(300)}"`, []],
    ["many terms", Array.from({ length: 1_000 }, (_, at) => `t${at.toString(36)}`).join(" "), []],
    ["one long word", "a".repeat(QUERY_MAX_CHARS), []],
    ["a long run without spaces", "東京都".repeat(1_365), []],
    ["marks upon marks", `e${"\u0301".repeat(4_000)}`, []],
    ["syntax", "uid:[0 TO 9] OR *:* AND /.*/ ~ ^ \\ fields^2", [1]],
    ["a field", "classId:1", []],
    ["control characters", "\u0000\u0001\u202e\ufeff fields\u0000", [1]],
    ["a lone surrogate", "\ud800 fields \udc00", [1]],
  ])("%s", async (_, query, expected) => {
    const start = performance.now();
    expect(await found(index, query)).toEqual(expected);
    expect(performance.now() - start).toBeLessThan(HOSTILE_MAX_MS);
  });
}

function locatorFor(random: Random): Locator | null {
  const at = random.integer(0, 19);
  return random.pick<Locator | null>([
    null,
    { kind: "time_range", t_start_ms: at, t_end_ms: at + 5 },
    { kind: "char_span", start: 0, end: 3 },
    { kind: "bbox", x: 0, y: 0, w: 1, h: 1 },
  ]);
}

/** Units that all hold the word `common`, with every field of the filter language. */
function variedUnits(count: number, random: Random): Unit[] {
  return Array.from({ length: count }, (_, uid) =>
    fullTextUnit(uid, `common words ${uid}`, {
      classId: random.integer(0, 5),
      plane: random.pick(PLANES),
      modality: random.pick(["text", "ocr", "asr", "image"] as const),
      scope: random.pick(["lab", "lab/east", "ops"]),
      doc_id: random.pick([null, "", "doc-1", "doc-2", "döc"]),
      path: random.pick([null, ["doc-1"], ["lab", "bob"], ["text/plain", "döc", "lab/east"]]),
      source_uri: random.pick([null, "file:///a", "s3://b/c"]),
      mime: random.pick([null, "text/plain"]),
      acl_owner: random.pick(["ann", "bob"]),
      locator: locatorFor(random),
      created_at: random.pick([-5, 0, 1_000, Number.MAX_SAFE_INTEGER]) - (random.chance(0.5) ? 0 : 1),
      metadata: random.pick([null, {}, { n: 1 }, { n: -0, s: "x" }, { n: "1", l: ["a", "b", ""] }, { s: "", b: true, l: [] }]),
    }),
  );
}

const KEYWORDS = ["modality", "plane", "scope", "doc_id", "path", "source_uri", "mime", "acl_owner", "locator.kind"] as const;
const INTEGERS = ["created_at", "locator.t_start_ms", "locator.t_end_ms"] as const;

function leafFilter(): fc.Arbitrary<Filter> {
  const words = fc.constantFrom(
    "text",
    "ocr",
    "visual",
    "lab",
    "lab/east",
    "doc-1",
    "",
    "döc",
    "file:///a",
    "text/plain",
    "bob",
    "bbox",
    "time_range",
    "\ud800",
  );
  const integer = fc.constantFrom(-6, -5, -1, 0, 1, 4, 10, 1_000, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER);
  const metadata = fc.constantFrom<Field>("metadata.n", "metadata.s", "metadata.l", "metadata.b", "metadata.none");
  const scalar = fc.constantFrom<Scalar>(1, 0, "1", "x", "a", "", true, "true");
  const bounds = fc.record({ gt: integer, gte: integer, lt: integer, lte: integer }, { requiredKeys: [] });
  const keyword = fc.constantFrom(...KEYWORDS);
  const number = fc.constantFrom(...INTEGERS);
  return fc.oneof(
    fc.record({ op: fc.constant("in" as const), field: keyword, values: fc.array(words, { maxLength: 4 }) }),
    fc.record({ op: fc.constant("in" as const), field: number, values: fc.array(integer, { maxLength: 3 }) }),
    fc.record({ op: fc.constant("in" as const), field: metadata, values: fc.array(scalar, { maxLength: 3 }) }),
    fc.record({ op: fc.constant("range" as const), field: number, bounds }),
    fc.record({
      op: fc.constant("prefix" as const),
      field: keyword,
      prefix: fc.constantFrom("", "d", "do", "dö", "lab", "lab/", "t", "b", "f".repeat(5_000)),
    }),
    fc.record({ op: fc.constant("exists" as const), field: fc.oneof(keyword, number, metadata) }),
  );
}

function anyFilter(): fc.Arbitrary<Filter> {
  return fc.letrec<{ tree: Filter }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leafFilter(),
      fc.record({ op: fc.constantFrom("and" as const, "or" as const), of: fc.array(tie("tree"), { maxLength: 3 }) }),
      fc.record({ op: fc.constant("not" as const), of: tie("tree") }),
    ),
  })).tree;
}

function restrictionTests(fresh: () => Promise<FullTextIndex>): void {
  test("terms that no document of some classes has, and terms near one that some have", async () => {
    const index = await fresh();
    const word = (uid: number, text: string, classId = 1) => fullTextUnit(uid, text, { classId });
    await putAll(index, [
      word(1, "lantern lantern barge"),
      word(2, "lantern on a lenter-n"),
      word(3, "lanterm"),
      word(4, "lintern", 2),
      word(5, "zzz", 2),
      fullTextUnit(6, "keel", { path: ["Lantorn"] }),
    ]);
    expect(await index.missing(["lantern", "zzz", "nothing"], [1])).toEqual(["zzz", "nothing"]);
    expect(await index.missing(["lantern", "zzz", "nothing"], null)).toEqual(["nothing"]);
    const near = async (term: string, maxEdits: 1 | 2, classes: number[] | null) =>
      (await index.near([term], maxEdits, classes)).map(({ term: other, edits, documents, uids }) => [other, edits, documents, uids]);
    expect(await near("lantern", 1, [1])).toEqual([
      ["lantern", 0, 2, [1, 2]],
      ["lanterm", 1, 1, [3]],
      ["lantorn", 1, 1, [6]],
    ]);
    expect(await near("lantren", 1, null)).toEqual([["lantern", 1, 2, [1, 2]]]);
    expect(await near("lontren", 2, [1])).toEqual([["lantern", 2, 2, [1, 2]]]);
    expect(await near("lintorn", 1, null)).toEqual([
      ["lantorn", 1, 1, [6]],
      ["lintern", 1, 1, [4]],
    ]);
    expect(await near("lintorn", 1, [1])).toEqual([["lantorn", 1, 1, [6]]]);
    expect(await near("quay", 1, null)).toEqual([]);
    expect([await near("lantern", 1, []), await index.missing(["lantern"], [])]).toEqual([[], ["lantern"]]);
  });

  test("more terms near one than a search looks at, and hidden ones between them", async () => {
    const index = await fresh();
    const letters = "abcdefghijklmnopqrstuvwxyz".split("");
    const words = letters.map((letter) => `lante${letter}n`);
    await putAll(
      index,
      words.flatMap((word, n) => [fullTextUnit(2 * n + 1, word), fullTextUnit(2 * n + 2, `secret ${word}`, { classId: 2 })]),
    );
    const found = await index.near(["lantern"], 1, [1]);
    expect(found.map(({ term, documents }) => `${term} ${documents}`)).toEqual([
      "lantern 1",
      ...words.filter((w) => w !== "lantern").map((w) => `${w} 1`),
    ]);
  });

  test("the matches of a query: the smallest uids, and whether there are more", async () => {
    const index = await fresh();
    await putAll(index, [7, 3, 5].map((uid) => fullTextUnit(uid, "a lantern on the quay")).concat(fullTextUnit(1, "a barge")));
    await index.remove([5]);
    const matching = (text: string, limit: number) => index.matching(queryOf(text, {}, { limit }));
    expect(await matching("lantern", 1)).toEqual({ uids: [3], complete: false });
    expect(await matching("lantern", 2)).toEqual({ uids: [3, 7], complete: true });
    expect(await matching("barge lantern", 10)).toEqual({ uids: [1, 3, 7], complete: true });
    expect(await matching("nothing", 10)).toEqual({ uids: [], complete: true });
    expect(await index.matching(queryOf("lantern", { classes: [] }, {}))).toEqual({ uids: [], complete: true });
  });

  const units = variedUnits(300, new Random(SEED));
  const uidsWhere = (keep: (unit: Unit) => boolean) => units.filter(keep).map((unit) => unit.uid);
  let index: FullTextIndex;
  beforeAll(async () => {
    index = await fresh();
    await putAll(index, units);
  });
  const all = { limit: 1_000 };

  test("filters mean what matches() means", async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter(), async (filter) => {
        expect(await found(index, "common", { filter }, all)).toEqual(uidsWhere((unit) => matches(filter, unit)));
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test("classes, uids and planes restrict", async () => {
    expect(await found(index, "common", { classes: [1, 4] }, all)).toEqual(uidsWhere((unit) => [1, 4].includes(unit.classId)));
    expect(await found(index, "common", { classes: [] }, all)).toEqual([]);
    expect(await found(index, "common", { uids: [3, 5, 7_000] }, all)).toEqual([3, 5]);
    expect(await found(index, "common", { uids: [] }, all)).toEqual([]);
    const planes: Plane[] = ["audio", "visual"];
    expect(await found(index, "common", {}, { ...all, planes })).toEqual(uidsWhere((unit) => planes.includes(unit.plane)));
    expect(await found(index, "common", {}, { ...all, planes: [] })).toEqual([]);
  });

  test("a filter leaves scores as they are", async () => {
    const one = { uids: [42] };
    const plain = await ask(index, "common 42", one);
    const filter: Filter = { op: "not", of: { op: "in", field: "doc_id", values: ["nothing"] } };
    expect(await ask(index, "common 42", { ...one, filter })).toEqual(plain);
  });

  test("exhausted says whether there is more", async () => {
    const part = await ask(index, "common", {}, { limit: 299 });
    expect([part.hits.length, part.exhausted]).toEqual([299, false]);
    const whole = await ask(index, "common", {}, { limit: 300 });
    expect([whole.hits.length, whole.exhausted]).toEqual([300, true]);
  });

  test("a filter over metadata that is not native is our bug", async () => {
    const filter: Filter = { op: "prefix", field: "metadata.s", prefix: "x" };
    await expect(ask(index, "common", { filter })).rejects.toThrow("native");
  });
}

const VOCABULARY = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split(" ");

function randomText(random: Random): string {
  const words = random.integer(5, 44);
  return Array.from({ length: words }, () => random.pick(VOCABULARY.slice(0, random.integer(1, VOCABULARY.length)))).join(" ");
}

function scoreTests(fresh: () => Promise<FullTextIndex>): void {
  const queries = ["alpha", "mu lambda", "kappa beta nothing", '"alpha beta" mu', VOCABULARY.join(" ")];
  const random = new Random(SEED);
  const visible = Array.from({ length: 150 }, (_, uid) => fullTextUnit(uid, randomText(random), { classId: 1 + (uid % 2) }));

  test("hidden, deleted and replaced Units leave no trace", async () => {
    const alone = await fresh();
    await putAll(alone, visible);
    const crowded = await fresh();
    const hidden = Array.from({ length: 3_000 }, (_, at) => fullTextUnit(1_000 + at, randomText(random), { classId: 3 + (at % 5) }));
    await putAll(
      crowded,
      visible.map((unit) => ({ ...unit, version: 0, text: `${unit.text} mu mu` })),
    );
    await putAll(crowded, hidden);
    const gone = Array.from({ length: 50 }, (_, at) => fullTextUnit(9_000 + at, randomText(random)));
    await putAll(crowded, [...visible, ...gone]);
    await crowded.remove([...gone.map((unit) => unit.uid), ...hidden.slice(0, 800).map((unit) => unit.uid)]);
    for (const query of queries) {
      const expected = await ask(alone, query, { classes: [1, 2] }, { limit: 200 });
      expect(expected.hits.length).toBeGreaterThan(0);
      expect(await ask(crowded, query, { classes: [1, 2] }, { limit: 200 })).toEqual(expected);
      expect(await ask(alone, query, {}, { limit: 200 })).toEqual(expected);
      expect(await ask(crowded, query, { classes: [1, 2] }, { limit: 10 })).toEqual({
        hits: expected.hits.slice(0, 10),
        exhausted: false,
      });
    }
  });

  test("the score is BM25", async () => {
    const index = await fresh();
    await putAll(index, [fullTextUnit(1, "alpha alpha beta"), fullTextUnit(2, "alpha gamma delta mu iota"), fullTextUnit(3, "beta")]);
    const score = (count: number, holding: number, length: number) =>
      (Math.log(1 + (3 - holding + 0.5) / (holding + 0.5)) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / 3));
    const { hits } = await ask(index, "alpha beta");
    expect(hits.map((hit) => hit.uid)).toEqual([1, 3, 2]);
    expect(hits[0]?.score).toBeCloseTo(score(2, 2, 3) + score(1, 2, 3), 12);
    expect(hits[1]?.score).toBeCloseTo(score(1, 2, 1), 12);
  });

  test("a path counts with the text, and its terms are no less", async () => {
    const index = await fresh();
    const path = ["Manual", "Alpha", "--beta"];
    await putAll(index, [
      fullTextUnit(1, "gamma", { path }),
      fullTextUnit(2, "manual alpha --beta gamma"),
      fullTextUnit(3, "delta"),
      fullTextUnit(4, null, { path }),
    ]);
    const scores = async (query: string) => new Map((await ask(index, query)).hits.map(({ uid, score }) => [uid, score]));
    for (const query of ["alpha", "alpha gamma", "--beta", "manual alpha delta"]) {
      const found = await scores(query);
      expect([found.has(1), found.has(4)]).toEqual([true, false]);
      expect(found.get(1)).toBeCloseTo(found.get(2) ?? 0, 12);
    }
    expect([...(await scores('"manual alpha"')).keys()].sort()).toEqual([1, 2]);
    // A phrase does not run from the path into the text.
    expect([...(await scores('"beta gamma"')).keys()]).toEqual([2]);
  });

  test("literals are found as they are written", async () => {
    const index = await fresh();
    const texts = [
      "-x shows",
      "-X shows",
      "x shows",
      "a := b",
      "a = b",
      "a ~= b",
      "%n here",
      "n here",
      "ORA-00942: no table",
      "942 ORA table",
      "`:=`: b",
    ];
    await putAll(
      index,
      texts.map((text, at) => fullTextUnit(at + 1, text)),
    );
    const best = async (query: string) => (await ask(index, query)).hits[0]?.uid;
    expect([await best("-x"), await best("what does -X do"), await best("%n"), await best("ora-00942")]).toEqual([1, 2, 7, 9]);
    expect([await found(index, ":="), await found(index, "~="), await found(index, '"-x"')]).toEqual([[4, 11], [6], [1]]);
    expect((await ask(index, ":=")).hits.map(({ score }) => score > 0)).toEqual([true, true]);
  });

  test("a name of several words is found by them, and by itself first", async () => {
    const index = await fresh();
    const texts = [
      "the count of a retry, at most max",
      "set maxRetryCount to 5",
      "how often a call may retry: the max retry count",
      "set maxRetries and max",
      "set max_retry_count to 5",
    ];
    await putAll(
      index,
      texts.map((text, at) => fullTextUnit(at + 1, text)),
    );
    const ranked = async (query: string) => (await ask(index, query)).hits.map(({ uid }) => uid);
    expect((await ranked("maxRetryCount"))[0]).toBe(2);
    expect(await found(index, "maxRetryCount")).toEqual([2, 3, 5]);
    expect((await ranked("max_retry_count"))[0]).toBe(5);
    expect(await found(index, '"retry count"')).toEqual([2, 3, 5]);
    expect(await found(index, "count")).toEqual([1, 2, 3, 5]);
  });

  test("equal scores rank by uid", async () => {
    const index = await fresh();
    await putAll(
      index,
      [9, 4, 7].map((uid) => fullTextUnit(uid, "same words")),
    );
    const { hits } = await ask(index, "same");
    expect(hits.map((hit) => hit.uid)).toEqual([4, 7, 9]);
  });
}

function lifeTests(fresh: () => Promise<FullTextIndex>, factory: () => FullTextFactory, root: () => string): void {
  test("an update replaces, and putting twice is harmless", async () => {
    const index = await fresh();
    await putAll(index, [fullTextUnit(1, "first wording")]);
    const second = fullTextUnit(1, "second wording", { version: 2 });
    await putAll(index, [second]);
    await putAll(index, [second]);
    expect(await found(index, "first")).toEqual([]);
    expect((await ask(index, "second")).hits).toMatchObject([{ uid: 1, version: 2 }]);
    expect(await index.rows()).toEqual([{ uid: 1, version: 2, window: 0 }]);
  });

  test("the last of a batch wins, a Unit without text is taken out, and one without words has its row", async () => {
    const index = await fresh();
    await putAll(index, [fullTextUnit(1, "one"), fullTextUnit(1, "two"), fullTextUnit(2, "two"), fullTextUnit(3, null), fullTextUnit(4, "🚀")]);
    expect([await found(index, "one"), await found(index, "two")]).toEqual([[], [1, 2]]);
    await putAll(index, [fullTextUnit(2, null), fullTextUnit(1, "…")]);
    expect([await found(index, "one"), await found(index, "two")]).toEqual([[], []]);
    // What the catalog counts: every Unit with text.
    expect((await index.rows()).map(({ uid }) => uid)).toEqual([1, 4]);
    expect(await index.state()).toEqual({ rows: 2, state: "ok" });
  });

  test("remove takes out what is there", async () => {
    const index = await fresh();
    await putAll(
      index,
      [1, 2, 3].map((uid) => fullTextUnit(uid, "word")),
    );
    await index.remove([2, 77]);
    await index.remove([]);
    expect(await found(index, "word")).toEqual([1, 3]);
  });

  test("a put of many rows is listed whole, by uid", async () => {
    const index = await fresh();
    for (const part of [0, 1, 2]) {
      await putAll(
        index,
        Array.from({ length: 1_800 }, (_, at) => fullTextUnit(part + 3 * at, "row", { version: part + 1 })),
      );
    }
    const rows = await index.rows();
    expect(rows.map((row) => row.uid)).toEqual(Array.from({ length: 5_400 }, (_, uid) => uid));
    expect(rows.every((row) => row.version === (row.uid % 3) + 1)).toBe(true);
  });

  test("puts and searches at once: every search sees whole batches", async () => {
    const index = await fresh();
    const puts = Array.from({ length: 5 }, (_, batch) =>
      putAll(
        index,
        Array.from({ length: 20 }, (_, at) => fullTextUnit(batch * 20 + at, "together")),
      ),
    );
    const counts: number[] = [];
    for (let round = 0; round < 20; round++) counts.push((await ask(index, "together", {}, { limit: 200 })).hits.length);
    await Promise.all(puts);
    expect(counts.every((count) => count % 20 === 0)).toBe(true);
    expect(await found(index, "together", {}, { limit: 200 })).toHaveLength(100);
  });

  test("after each of many changes a search answers as an index that was filled at once", async () => {
    const index = await fresh();
    const random = new Random(SEED);
    const units = new Map<number, Unit>();
    const words = ["alpha", "beta", "gamma", "delta"];
    for (let round = 1; round <= 40; round++) {
      const batch = Array.from({ length: random.integer(1, 12) }, () => {
        const text = Array.from({ length: random.integer(1, 6) }, () => random.pick(words)).join(" ");
        return fullTextUnit(random.integer(0, 60), `same ${text}`, { version: round });
      });
      const gone = random.integer(0, 60);
      await putAll(index, batch);
      await index.remove([gone]);
      for (const unit of batch) units.set(unit.uid, unit);
      units.delete(gone);
      const { hits } = await ask(index, "same", {}, { limit: 200 });
      const versions = hits.map(({ uid, version }) => [uid, version] as const);
      expect(new Map(versions)).toEqual(new Map(Array.from(units.values(), ({ uid, version }) => [uid, version])));
    }
    const whole = await fresh();
    await putAll(whole, [...units.values()]);
    for (const word of words) expect(await ask(index, word)).toEqual(await ask(whole, word));
  });

  test("what was put is there after closing and opening again", async () => {
    const directory = join(root(), "again");
    const before = await factory().open(directory);
    const late = putAll(before, [fullTextUnit(1, "durable words", { version: 3 })]);
    await before.close();
    await late;
    await expect(ask(before, "durable")).rejects.toMatchObject({ kind: "unavailable" });
    const after = await factory().open(directory);
    expect((await ask(after, "durable")).hits).toMatchObject([{ uid: 1, version: 3 }]);
    await after.close();
  });
}
