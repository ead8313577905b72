import { describe, expect, test } from "bun:test";
import wabt from "wabt";
import type { Searcher } from "../../src/adapter/tantivy/binding.ts";
import { idf, lengthWeight, scoringOrder, termScore } from "../../src/adapter/tantivy/bm25.ts";
import { Documents } from "../../src/adapter/tantivy/documents.ts";
import { PageScorer } from "../../src/adapter/tantivy/page-scorer.ts";
import { PAGE_BYTES, PAGE_ROWS, Pages } from "../../src/adapter/tantivy/pages.ts";
import { PostingLists } from "../../src/adapter/tantivy/posting-lists.ts";
import { Postings } from "../../src/adapter/tantivy/postings.ts";
import { eachTerm, formatRecord, RecordCache, type StoredRecord, termsOf } from "../../src/adapter/tantivy/record.ts";
import { MATCH_ALL } from "../../src/domain/filter.ts";
import { PLANES, type Plane } from "../../src/domain/plane.ts";
import type { FullTextHit, FullTextQuery } from "../../src/domain/port/full-text-index.ts";
import { fullTextUnit } from "../port/fulltext-conformance.ts";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";

function recordOf(uid: number, classId: number, plane: Plane, length: number, version = 1): StoredRecord {
  return { uid, version, length, classId, plane, text: "" };
}

test("postings.wasm is postings.wat assembled", async () => {
  const { parseWat } = await wabt();
  const kernel = new URL("../../src/adapter/tantivy/postings.wat", import.meta.url);
  const source = parseWat("postings.wat", await Bun.file(kernel).text(), { simd: true });
  source.validate();
  const checkedIn = await Bun.file(new URL("postings.wasm", kernel)).bytes();
  expect(Buffer.compare(source.toBinary({}).buffer, checkedIn)).toBe(0);
});

test("records that were read last are read again once they are cleared", () => {
  let reads = 0;
  const text = "7 1 2 0 text\nword\t2";
  const doc = () => {
    reads += 1;
    return { getFirst: () => text };
  };
  const searcher = { doc } as unknown as Searcher;
  const records = new RecordCache();
  const numbers = [...records.numbered(["segment"], new Map()).values()];
  const read = () => records.read(searcher, numbers, { segmentOrd: 0, doc: 3 });
  expect([read().uid, read().uid, reads]).toEqual([7, 7, 1]);
  records.clear();
  expect([read().uid, read().uid, reads]).toEqual([7, 7, 2]);
});

describe("pages", () => {
  test("are zeros when they are taken again, and all are new when none is left", () => {
    const pages = new Pages();
    const [first, second] = [pages.take(), pages.take()];
    pages.bytes.fill(1, second, second + PAGE_BYTES);
    pages.give([second]);
    const scratch = pages.scratch(3 * PAGE_BYTES);
    expect(scratch).toBeGreaterThan(second);
    expect(pages.take()).toBe(second);
    expect(pages.bytes.subarray(second, second + PAGE_BYTES).some((byte) => byte !== 0)).toBe(false);
    const { memory } = pages.kernel;
    pages.give([first]);
    expect(pages.kernel.memory).toBe(memory);
    pages.give([second]);
    expect(pages.kernel.memory).not.toBe(memory);
  });
});

describe("posting lists", () => {
  test("hold rows far apart, and any count", () => {
    const pages = new Pages();
    const lists = new PostingLists(pages);
    const rows = pages.take();
    const far = [0, 2 ** 20, 2 ** 26 + 1, 2 ** 29 - 1];
    for (const row of far) lists.add(0, row, row + 1);
    // All their pages are this one, whose rows are of kind 0.
    const scorer = new PageScorer(pages, new Array(2 ** 29 / PAGE_ROWS).fill(rows), Uint8Array.of(2), 1);
    expect(scorer.count(lists.firstOf(0))).toBe(4);
    scorer.addTerm(lists.firstOf(0), 1, true);
    const found = Array.from({ length: 2 ** 29 / PAGE_ROWS }, (_, page) =>
      [...scorer.score(rows, page, 0, Number.MIN_VALUE)].map((place) => [page * PAGE_ROWS + place, scorer.scoreAt(place)]),
    );
    expect(found.flat()).toEqual(far.map((row) => [row, termScore(1, row + 1, 0, 0)]));
  });
});

describe("postings", () => {
  const WORDS = ["every", "most", "some", "few", "rare"];
  const SHARES = [1, 0.6, 0.1, 0.01, 0.0003];
  const ROWS = 2.5 * PAGE_ROWS;

  interface Known {
    record: StoredRecord;
    counts: Map<string, number>;
  }

  function known(uid: number, random: Random): Known {
    const counts = new Map(
      WORDS.filter((_, at) => random.chance(SHARES[at] as number)).map((word) => [word, random.chance(0.8) ? 1 : random.pick([2, 6, 7, 70_000])]),
    );
    if (random.chance(0.5)) counts.set(`own${uid}`, 1);
    const text = `-${Array.from(counts, ([word, count]) => `\n${word}\t${count}`).join("")}`;
    return { counts, record: { ...recordOf(uid, random.integer(1, 3), random.pick(PLANES), random.integer(1, 50)), text } };
  }

  /** What the query finds, by the definition of BM25. */
  function expected(all: readonly Known[], { terms, planes, restriction: { classes, uids } }: FullTextQuery): FullTextHit[] {
    const seen = all.filter(({ record }) => classes === null || classes.includes(record.classId));
    const lengths = seen.reduce((sum, { record }) => sum + record.length, 0);
    const weights = scoringOrder(terms).map((term) => [term, idf(seen.length, seen.filter(({ counts }) => counts.has(term)).length)] as const);
    const found = seen.filter(({ record, counts }) => {
      const asked = planes.includes(record.plane) && (uids === null || uids.includes(record.uid));
      return asked && terms.alternatives.some(([term = ""]) => counts.has(term));
    });
    const hits = found.map(({ record: { uid, version, length }, counts }) => {
      const scores = weights
        .filter(([term]) => counts.has(term))
        .map(([term, weight]) => termScore(weight, counts.get(term) ?? 0, length, lengthWeight(lengths / seen.length)));
      return { uid, version, score: scores.reduce((sum, score) => sum + score, 0) };
    });
    return hits.sort((a, b) => b.score - a.score || a.uid - b.uid);
  }

  test("rank as BM25 is defined over what the caller sees, whatever came and went, over several pages", () => {
    const random = new Random(SEED);
    const postings = new Postings(new Pages());
    const all = new Map<number, Known>();
    for (let row = 0; row < ROWS; row += 1) {
      const uid = random.integer(0, ROWS);
      const one = known(uid, random);
      all.set(uid, one);
      postings.put(one.record);
      const gone = random.integer(0, 10 * ROWS);
      postings.remove(gone);
      all.delete(gone);
    }
    const [some = 0] = all.keys();
    const terms = (scored: string[], found = scored) => ({ scored, alternatives: found.map((term) => [term]), phrases: [] });
    const uids = [...all.keys()].filter(() => random.chance(0.2));
    for (const asked of [
      ["every"],
      ["rare"],
      ["none"],
      ["most", "few", `own${some}`],
      ["rare", "some", "few", "every", "none", ...[...all.keys()].slice(0, 50).map((uid) => `own${uid}`)],
    ]) {
      for (const limit of [1, 20, 5_000]) {
        const query: FullTextQuery = { terms: terms(asked), planes: PLANES, limit, restriction: { classes: null, filter: MATCH_ALL, uids: null } };
        for (const one of [
          query,
          { ...query, terms: terms(asked, asked.slice(0, 1)), planes: ["audio" as const] },
          { ...query, restriction: { ...query.restriction, classes: [2, 3, 7], uids } },
        ]) {
          const hits = expected([...all.values()], one);
          expect(postings.search(one)).toEqual({ hits: hits.slice(0, limit), exhausted: hits.length <= limit });
          const found = hits.map(({ uid }) => uid).sort((a, b) => a - b);
          expect(postings.matching(one)).toEqual({ uids: found.slice(0, limit), complete: found.length <= limit });
        }
      }
      const holding = [...all.values()].filter(({ record, counts }) => record.classId === 2 && counts.has(asked[0] as string));
      expect(postings.frequency(asked[0] as string, [2])).toBe(holding.length);
    }
  });
});

describe("documents", () => {
  test("a query sees the classes it names, and their other planes in its statistics", () => {
    const documents = new Documents(new Pages());
    expect(documents.add(recordOf(7, 1, "text", 10))).toBe(0);
    documents.add(recordOf(8, 1, "audio", 20));
    documents.add(recordOf(9, 2, "text", 60));
    const sees = (classes: readonly number[] | null, planes: readonly Plane[]) => {
      const { seen, documents: count, averageLength } = documents.corpus(classes, planes);
      return [[0, 1, 2].map((row) => seen[documents.kindOf(row)]), count, averageLength];
    };
    expect(sees(null, PLANES)).toEqual([[2, 2, 2], 3, 30]);
    expect(sees([1, 5], ["text"])).toEqual([[2, 1, 0], 2, 15]);
    expect(sees([], PLANES)).toEqual([[0, 0, 0], 0, 0]);
    documents.add(recordOf(8, 2, "text", 30, 2));
    documents.remove(7);
    documents.remove(7);
    expect(sees([1], PLANES)).toEqual([[0, 0, 0], 0, 0]);
    expect([documents.live, documents.rows, documents.rowOf(7), documents.rowOf(8), documents.rowOf(10)]).toEqual([2, 4, null, 3, null]);
  });

  test("rows are found by uid among many that come and go", () => {
    const documents = new Documents(new Pages());
    const random = new Random(SEED);
    const rows = new Map<number, number>();
    for (let step = 0; step < 5_000; step += 1) {
      const uid = random.integer(0, 1_500) * 1_024;
      if (random.chance(0.3)) {
        documents.remove(uid);
        rows.delete(uid);
      } else rows.set(uid, documents.add(recordOf(uid, 1, "text", 1)));
    }
    for (let n = 0; n <= 1_500; n += 1) expect(documents.rowOf(n * 1_024)).toBe(rows.get(n * 1_024) ?? null);
    expect(documents.live).toBe(rows.size);
  });
});

test("the record of a document tells its terms with their counts", () => {
  const text = formatRecord(fullTextUnit(3, "", { classId: 12, plane: "audio", version: 4 }), ["a", "bb", "a", "東"]);
  expect(text).toBe("3 4 4 12 audio\na\t2\nbb\t1\n東\t1");
  const record = { ...recordOf(3, 12, "audio", 4, 4), text };
  const found: [string, number][] = [];
  eachTerm(record, (bytes, start, end, count) => found.push([Buffer.from(bytes).toString("utf8", start, end), count]));
  expect(termsOf(record)).toEqual(found.map(([term]) => term));
  expect(found).toEqual([
    ["a", 2],
    ["bb", 1],
    ["東", 1],
  ]);
  const empty = { ...record, text: "3 4 0 12 audio" };
  eachTerm(empty, () => found.push(["none", 0]));
  expect([termsOf(empty), found.length]).toEqual([[], 3]);
});
