/**
 * Rough distances, told by the signs of rows alone. Seen from the centre, a query's product with the signs of a row (1 or -1) is about
 * that with the row itself, once multiplied with the row's factor: its squared length over the sum of its absolute components. With
 * the row's term, its product with the centre, it is their cosine less what is the same for all rows (Gao and Long, RaBitQ: Quantizing
 * High-Dimensional Vectors with a Theoretical Error Bound, SIGMOD 2024).
 */
import { sumOf } from "./numbers.ts";

/** Distances of rows whose cosines differ by 1 differ by so many; the largest distance: two cosines differ by 2 at most, either way. */
export const COSINE_STEPS = 1_024;
export const FARTHEST = 4 * COSINE_STEPS;

/** What half a byte of signs adds to the steps away from a query, at most: eight of them stay within a byte. */
const STEPS = 31;
const INT16_MAX = 2 ** 15 - 1;
/** 1 in Q15. */
const Q15 = 2 ** 15;

/** The kernel's parameters for a query. */
export interface RoughQuery {
  /** Steps away from the query of a row that is at a right angle to it. */
  even: number;
  /** Steps are shifted to the left by so much before they are multiplied with a row's factor, so that nothing of the product is lost. */
  shift: number;
  /** What the product is multiplied with to be a distance: `unit` in Q15, shifted to the left by `scale`. */
  unit: number;
  scale: number;
}

/** A row's factor in Q15 and its term, from the sums of squares and of absolute components from the centre, and its product with the centre. */
export function rowTerms(dims: number, squares: number, sum: number, product: number): { factor: number; term: number } {
  const factor = sum === 0 ? 0 : squares / sum / factorMax(dims);
  return { factor: Math.min(INT16_MAX, Math.floor(factor * Q15 + 0.5)), term: Math.floor(product * COSINE_STEPS + 0.5) };
}

/** `query`: seen from the centre. Fills `tables`: 16 bytes for every four components, by how many steps their signs lead away from it. */
export function roughQuery(dims: number, query: Float32Array, tables: Uint8Array): RoughQuery {
  const step = fillTables(query, tables);
  const even = step === 0 ? 0 : Math.round(sumOf(query) / step);
  const shift = Math.floor(Math.log2(INT16_MAX / ((tables.length / 16) * STEPS)));
  const perStep = (step * factorMax(dims) * COSINE_STEPS) / 2 ** shift;
  const scale = perStep < 1 ? 0 : Math.floor(Math.log2(perStep)) + 1;
  return { even, shift, unit: Math.floor((perStep / 2 ** scale) * Q15), scale };
}

/** The most that a factor is kept as. As a rule it is 1.25 times the row's length from the centre, over this root. */
function factorMax(dims: number): number {
  return 4 / Math.sqrt(dims);
}

/** Returns the length of a step. */
function fillTables(query: Float32Array, tables: Uint8Array): number {
  const parts = tables.length / 16;
  let longest = 0;
  for (let part = 0; part < parts; part += 1) {
    let length = 0;
    for (let i = 4 * part; i < 4 * part + 4; i += 1) length += 2 * Math.abs(query[i] as number);
    longest = Math.max(longest, length);
  }
  const factor = longest === 0 ? 0 : STEPS / longest;
  const away = new Float32Array(16);
  for (let part = 0; part < parts; part += 1) {
    away[0] = 0;
    for (let i = 0; i < 4; i += 1) {
      const value = 2 * factor * (query[4 * part + i] as number);
      const above = 1 << i;
      // A row above the centre goes away from a query below it, and the other way round.
      for (let signs = 0; signs < above; signs += 1) {
        const before = away[signs] as number;
        away[signs] = before + Math.max(value, 0);
        away[signs + above] = before - Math.min(value, 0);
      }
    }
    for (let signs = 0; signs < 16; signs += 1) tables[16 * part + signs] = (away[signs] as number) + 0.5;
  }
  return longest / STEPS;
}
