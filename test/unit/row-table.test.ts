import { expect, test } from "bun:test";
import fc from "fast-check";
import { RowTable } from "../../src/base/row-table.ts";
import { SEED } from "../property/seed.ts";

/** Few numbers, some of which follow each other and some of which fall into one slot of a small table. */
const number = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: 0, max: 2_000 }).map((n) => n * 65_536),
);
const step = fc.record({ number, remove: fc.boolean() });

test("numbers are found in the rows that they were set to last, until they are removed", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2_000, size: "max" }), (steps) => {
      const rows: number[] = [];
      const table = new RowTable((row) => rows[row] as number);
      const known = new Map<number, number>();
      for (const { number, remove } of steps) {
        if (remove) {
          table.delete(number);
          known.delete(number);
        } else {
          rows.push(number);
          table.set(number, rows.length - 1);
          known.set(number, rows.length - 1);
        }
        expect(table.rowOf(number)).toBe(known.get(number) ?? null);
      }
      expect(table.size).toBe(known.size);
      for (const { number } of steps) expect(table.rowOf(number)).toBe(known.get(number) ?? null);
    }),
    { seed: SEED },
  );
});

test("a million numbers, of which every other one is removed", () => {
  const table = new RowTable((row) => 3 * row);
  for (let row = 0; row < 1_000_000; row += 1) table.set(3 * row, row);
  for (let row = 0; row < 1_000_000; row += 2) table.delete(3 * row);
  expect(table.size).toBe(500_000);
  for (let row = 0; row < 1_000_000; row += 1) if (table.rowOf(3 * row) !== (row % 2 === 0 ? null : row)) expect(row).toBe(-1);
  expect(table.rowOf(1)).toBe(null);
  expect(table.bytes).toBeLessThan(13 * 1_000_000);
});
