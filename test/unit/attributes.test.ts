import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { silentLog } from "../../src/base/log.ts";
import { MemoryShare } from "../../src/base/memory-share.ts";
import { type Filter, matches, parseFilter } from "../../src/domain/filter.ts";
import type { VectorTable } from "../../src/domain/port/vector-index.ts";
import type { Unit } from "../../src/domain/unit.ts";
import { MemoryVectorIndex } from "../../src/adapter/memory/vector-index.ts";
import { Attributes, attributeRows } from "../../src/adapter/resident/attributes.ts";
import { Dictionary } from "../../src/base/dictionary.ts";
import { ResidentVectorIndex } from "../../src/adapter/resident/vector-index.ts";
import { VectorCodes } from "../../src/adapter/resident/vector-codes.ts";
import { randomFilter, randomUnit, unitOf } from "../property/filters.ts";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";

const utf8 = (text: string): Uint8Array => Buffer.from(text);

function add(dictionary: Dictionary, text: string): number {
  // From the middle of other bytes, as a column gives it.
  const bytes = utf8(`<${text}>`);
  return dictionary.add(bytes, 1, bytes.length - 1);
}

describe("a dictionary", () => {
  const texts = fc.array(fc.oneof(fc.string(), fc.constantFrom("", "a", "ab", "aab", "\n", "\na\n", "é")), { maxLength: 60 });

  test("gives equal texts one code, and decides about each text alone", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.string({ minLength: 1 })), fc.constantFrom("a", "ab", "\na", "\n\n", "é", "b"), (added, others, piece) => {
        const dictionary = new Dictionary();
        const codes = new Map(added.map((text) => [text, add(dictionary, text)]));
        for (const text of others) if (!codes.has(text)) expect(dictionary.codeOf(utf8(text), 0, utf8(text).length)).toBeNull();
        expect(new Set(codes.values()).size).toBe(codes.size);
        for (const [text, code] of codes) {
          expect(add(dictionary, text)).toBe(code);
          expect(code === 0).toBe(text === "");
          expect(dictionary.codeOf(utf8(`<${text}>`), 1, utf8(text).length + 1)).toBe(code || null);
          expect(dictionary.present()[code]).toBe(Number(text !== ""));
          expect(dictionary.among([piece, ...others].map(utf8))[code]).toBe(Number(text === piece || others.includes(text)));
          expect(dictionary.beginningWith(utf8(piece))[code]).toBe(Number(text.startsWith(piece)));
          expect(dictionary.containing([piece, "aab"].map(utf8))[code]).toBe(Number(text.includes(piece) || text.includes("aab")));
        }
      }),
      { seed: SEED },
    );
  });

  test("finds lists by what they hold", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 9 }))),
        fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 10, maxLength: 10 }),
        (lists, wanted) => {
          const dictionary = new Dictionary();
          const codes = lists.map((list) => dictionary.add(new Uint8Array(Int32Array.from(list).buffer), 0, 4 * list.length));
          const verdict = dictionary.holding(Uint8Array.from(wanted));
          expect(codes.map((code) => verdict[code])).toEqual(lists.map((list) => Number(list.some((item) => wanted[item] === 1))));
        },
      ),
      { seed: SEED },
    );
  });
});

describe("attributes", () => {
  const passing = (attributes: Attributes, filter: Filter, rows: number) => [...attributes.mask(filter, rows)].map(Boolean);

  test("pass exactly the rows that match, also of rows that are used again", () => {
    const random = new Random(SEED);
    const attributes = new Attributes("text");
    const units: Unit[] = [];
    let passed = 0;
    for (let round = 0; round < 400; round += 1) {
      const rows = [...new Set(Array.from({ length: random.integer(0, 5) }, () => random.integer(0, units.length)))].sort((a, b) => a - b);
      for (const row of rows) units[row] = randomUnit(random, random.integer(1, 1_000_000));
      const sources = rows.map((_, i) => rows.length - 1 - i);
      attributes.set(rows, sources, attributeRows(rows.map((row) => units[row] as Unit).reverse()));
      for (let asked = 0; asked < 4; asked += 1) {
        const filter = randomFilter(random, 3);
        const expected = units.map((unit) => matches(filter, unit));
        expect({ filter, rows: passing(attributes, filter, units.length) }).toEqual({ filter, rows: expected });
        passed += expected.filter(Boolean).length;
      }
    }
    expect(passed).toBeGreaterThan(10_000);
  });

  test("tell apart more values than fit in 8 and in 16 bits", () => {
    const attributes = new Attributes("text");
    const COUNT = 70_000;
    const rows = Array.from({ length: COUNT }, (_, row) => row);
    const units = rows.map((row) => unitOf(row, { doc_id: `doc ${row}`, metadata: { row } }));
    for (let from = 0; from < COUNT; from += 7_000) {
      const some = rows.slice(from, from + 7_000);
      attributes.set(
        some,
        some.map((_, i) => i),
        attributeRows(some.map((row) => units[row] as Unit)),
      );
    }
    for (const row of [0, 254, 255, 256, 65_534, 65_535, 65_536, COUNT - 1]) {
      for (const json of [{ doc_id: `doc ${row}` }, { "metadata.row": row }, { created_at: 1_000 + row }]) {
        const mask = attributes.mask(parseFilter(json), COUNT);
        expect({ json, first: mask.indexOf(1), passed: mask.reduce((sum, bit) => sum + bit, 0) }).toEqual({ json, first: row, passed: 1 });
      }
    }
  });
});

/** A table in memory, which a gate holds up while its attributes are read. */
class Table extends MemoryVectorIndex implements VectorTable {
  gate = Promise.resolve();
  /** How often its attributes were read. */
  read = 0;
  asked = 0;

  override search(...search: Parameters<MemoryVectorIndex["search"]>) {
    this.asked += 1;
    return super.search(...search);
  }

  async *vectors() {
    for (const { unit, windows } of [...this.entries.values()]) {
      const { uid, version, classId } = unit;
      for (const [window, { vector }] of windows.entries()) yield { uid, version, classId, window, vector };
    }
  }

  async *attributes() {
    this.read += 1;
    const rows = attributeRows([...this.entries.values()].map(({ unit }) => unit));
    await this.gate;
    yield rows;
  }
}

describe("filters over vectors in memory", () => {
  const DIMS = 8;
  const vector = new Float32Array(DIMS).fill(1);
  const entry = (unit: Unit, windows = 1) => ({ unit, windows: Array.from({ length: windows }, () => ({ start: 0, end: 1, vector })) });
  const document = (uid: number, doc_id: string, windows = 1) => entry(unitOf(uid, { doc_id }), windows);
  const open = (bytes = 2 ** 30, awaitedMaxRows = 20_000) => {
    const table = new Table("text");
    const memory = new MemoryShare(bytes);
    return { table, index: new ResidentVectorIndex(table, { dims: DIMS, memory, log: silentLog, awaitedMaxRows }) };
  };
  const found = async (index: ResidentVectorIndex, json: unknown, restriction: { classes?: number[]; uids?: number[] } = {}) => {
    const { hits } = await index.search(vector, 50, { classes: null, uids: null, ...restriction, filter: parseFilter(json) });
    return hits.map(({ uid }) => uid).sort((a, b) => a - b);
  };

  test("are answered without the table, as the Units are now", async () => {
    const { table, index } = open();
    await index.put([document(1, "a"), document(2, "b", 3), document(3, "a")]);
    expect(await found(index, { doc_id: "a" })).toEqual([1, 3]);
    expect(await found(index, { doc_id: { $ne: "a" } })).toEqual([2]);
    await index.put([document(4, "a", 2), entry(unitOf(1, { version: 2, doc_id: "b" }))]);
    await index.remove([3]);
    expect(await found(index, { doc_id: "a" })).toEqual([4]);
    expect(await found(index, { doc_id: "b" })).toEqual([1, 2]);
    // The row of a removed Unit is used again.
    await index.put([document(5, "c")]);
    expect(await found(index, { doc_id: { $nin: ["b"] } })).toEqual([4, 5]);
    expect({ read: table.read, asked: table.asked }).toEqual({ read: 1, asked: 0 });
  });

  test("hold together with classes and ids", async () => {
    const { index } = open();
    await index.put(Array.from({ length: 12 }, (_, uid) => entry(unitOf(uid, { classId: uid % 3, doc_id: uid % 2 === 0 ? "even" : null }))));
    expect(await found(index, { doc_id: "even" }, { classes: [0, 2] })).toEqual([0, 2, 6, 8]);
    expect(await found(index, { doc_id: "even" }, { uids: [1, 2, 3, 4, 99] })).toEqual([2, 4]);
    expect(await found(index, { doc_id: { $exists: false } }, { classes: [0], uids: [1, 2, 3, 9] })).toEqual([3, 9]);
    expect(await found(index, { doc_id: "odd" })).toEqual([]);
  });

  test("are answered by a large table while it is read, and lose no change meanwhile", async () => {
    const { table, index } = open(2 ** 30, 2);
    await table.put([document(1, "a"), document(2, "a"), document(3, "b")]);
    await index.loaded();
    const gate = Promise.withResolvers<void>();
    table.gate = gate.promise;
    expect(await found(index, { doc_id: "a" })).toEqual([1, 2]);
    await index.put([entry(unitOf(1, { version: 2, doc_id: "b" })), document(4, "a")]);
    await index.remove([2]);
    expect(await found(index, { doc_id: "a" })).toEqual([4]);
    expect(table.asked).toBe(2);
    gate.resolve();
    await Bun.sleep(5);
    expect(await found(index, { doc_id: "a" })).toEqual([4]);
    expect(await found(index, { doc_id: "b" })).toEqual([1, 3]);
    expect(table.asked).toBe(2);
  });

  test("a row that another Unit takes during the scan is no hit of the filter", async () => {
    const ROWS = 40_000;
    const { table, index } = open(2 ** 30, ROWS);
    await table.put(Array.from({ length: ROWS }, (_, uid) => document(uid, uid % 2 === 0 ? "even" : "odd")));
    await found(index, { doc_id: "even" });
    const searching = index.search(vector, 50, { classes: null, uids: null, filter: parseFilter({ doc_id: "odd" }) });
    // The scan has begun, and goes on in the next turn of the event loop.
    await Promise.resolve();
    await index.remove(Array.from({ length: ROWS / 2 }, (_, i) => i));
    await index.put(Array.from({ length: ROWS / 2 }, (_, i) => document(ROWS + i, "even")));
    expect((await searching).hits.filter(({ uid }) => uid >= ROWS)).toEqual([]);
    expect(table.asked).toBe(0);
  });

  test("without memory for them the table answers, and the vectors stay", async () => {
    const vectors = 2 * VectorCodes.rowBytes(DIMS) * 4_096;
    const { table, index } = open(vectors);
    await index.put([document(1, "a"), ...Array.from({ length: 40 }, (_, i) => document(i + 2, `${i} ${"long".repeat(2_000)}`))]);
    expect(await found(index, { doc_id: "a" })).toEqual([1]);
    expect(table.asked).toBe(1);
    expect((await found(index, {})).length).toBe(41);
    expect(table.asked).toBe(1);
    await index.put([document(99, "a")]);
    expect(await found(index, { doc_id: "a" })).toEqual([1, 99]);
    expect({ read: table.read, asked: table.asked }).toEqual({ read: 1, asked: 2 });
  });

  test("values that no Unit has any more are forgotten", async () => {
    const { table, index } = open();
    const put = (round: number) => index.put(Array.from({ length: 2_000 }, (_, uid) => document(uid, `${round} ${uid}`)));
    for (let round = 0; round < 8; round += 1) {
      await put(round);
      expect(await found(index, { doc_id: `${round} 7` })).toEqual([7]);
      expect(await found(index, { doc_id: `${round - 1} 7` })).toEqual([]);
    }
    expect({ read: table.read, asked: table.asked }).toEqual({ read: 2, asked: 0 });
  });

  test("closing gives the memory back", async () => {
    const memory = new MemoryShare(VectorCodes.rowBytes(DIMS) * 4_096 + 2 ** 17);
    for (let round = 0; round < 6; round += 1) {
      const table = new Table("text");
      const index = new ResidentVectorIndex(table, { dims: DIMS, memory, log: silentLog });
      await index.put([document(1, "a".repeat(20_000))]);
      expect(await found(index, { doc_id: { $prefix: "a" } })).toEqual([1]);
      expect(table.asked).toBe(0);
      await index.close();
    }
  });
});
