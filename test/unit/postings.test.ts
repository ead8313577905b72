import { describe, expect, test } from "bun:test";
import { Documents } from "../../src/adapter/tantivy/documents.ts";
import { PostingLists } from "../../src/adapter/tantivy/posting-lists.ts";
import { eachTerm, formatRecord, type StoredRecord, termsOf } from "../../src/adapter/tantivy/record.ts";
import { TermTable } from "../../src/adapter/tantivy/term-table.ts";
import { PLANES, type Plane } from "../../src/domain/plane.ts";
import { fullTextUnit } from "../port/fulltext-conformance.ts";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";

function recordOf(uid: number, classId: number, plane: Plane, length: number, version = 1): StoredRecord {
  return { uid, version, length, classId, plane, text: "" };
}

describe("a table of terms", () => {
  test("numbers each term once, in order, and tells what it does not have", () => {
    const table = new TermTable();
    const terms = Array.from({ length: 5_000 }, (_, n) => `t${n.toString(36)}`).concat("東京", "", "t", "t_");
    const number = (term: string) => table.numberOf(`<${term}>`, 1, term.length + 1);
    expect(terms.map(number)).toEqual(terms.map((_, at) => at));
    expect(terms.map(number)).toEqual(terms.map((_, at) => at));
    expect(terms.map((term) => table.find(term))).toEqual(terms.map((_, at) => at));
    expect([table.find("nothing"), table.find("t-"), table.size]).toEqual([null, null, terms.length]);
  });
});

describe("posting lists", () => {
  const ROWS = 40_000;

  test("give back what was added, of the kinds that are seen", () => {
    const random = new Random(SEED);
    const lists = new PostingLists();
    const kinds = Uint32Array.from({ length: ROWS }, () => random.integer(0, 3));
    const added: [row: number, count: number][][] = Array.from({ length: 40 }, () => []);
    for (let row = 0; row < ROWS; row += 1) {
      added.forEach((list, number) => {
        // The first opens each list; the later ones are rarer.
        if (row !== number && (row < 40 || random.integer(0, number * number) > 0)) return;
        const count = random.chance(0.8) ? 1 : random.pick([2, 127, 128, 300_000]);
        lists.add(number, row, count);
        list.push([row, count]);
      });
    }
    const into = { rows: new Uint32Array(ROWS), counts: new Uint32Array(ROWS) };
    added.forEach((list, number) => {
      const seen = Uint8Array.of(0, 1, 0, 2);
      const found = lists.read(number, kinds, seen, into);
      const pairs = Array.from({ length: found }, (_, at) => [into.rows[at], into.counts[at]]);
      expect(pairs as typeof list).toEqual(list.filter(([row]) => seen[kinds[row] as number] !== 0));
    });
  });

  test("hold rows far apart", () => {
    const lists = new PostingLists();
    const far = [0, 2 ** 20, 2 ** 21 + 1, 2 ** 29 - 1];
    for (const row of far) lists.add(0, row, row + 1);
    const kinds = new Proxy(new Uint32Array(), { get: (_, key) => (typeof key === "string" ? 1 : undefined) });
    const into = { rows: new Uint32Array(4), counts: new Uint32Array(4) };
    expect(lists.read(0, kinds, Uint8Array.of(0, 1), into)).toBe(4);
    expect([[...into.rows], [...into.counts]]).toEqual([far, far.map((row) => row + 1)]);
  });
});

describe("documents", () => {
  test("a query sees the classes it names, and their other planes in its statistics", () => {
    const documents = new Documents();
    expect(documents.add(recordOf(7, 1, "text", 10))).toBe(0);
    documents.add(recordOf(8, 1, "audio", 20));
    documents.add(recordOf(9, 2, "text", 60));
    const sees = (classes: readonly number[] | null, planes: readonly Plane[]) => {
      const { seen, documents: count, averageLength } = documents.corpus(classes, planes);
      return [[0, 1, 2].map((row) => seen[documents.kinds.values[row] as number]), count, averageLength];
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
    const documents = new Documents();
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
  eachTerm(record, (start, end, count) => found.push([text.slice(start, end), count]));
  expect(found).toEqual([
    ["a", 2],
    ["bb", 1],
    ["東", 1],
  ]);
  expect(termsOf({ ...record, text: "3 4 0 12 audio" })).toEqual([]);
});
