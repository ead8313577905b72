import { expect, test } from "bun:test";
import fc from "fast-check";
import wabt from "wabt";
import { DotProducts, ROUGH_ERROR_MAX } from "../../src/base/dot-products.ts";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";

const KERNEL = new URL("../../src/base/dot-products.wat", import.meta.url);

test("dot-products.wasm is dot-products.wat assembled", async () => {
  const { parseWat } = await wabt();
  const source = parseWat("dot-products.wat", await Bun.file(KERNEL).text(), { simd: true });
  source.validate();
  const checkedIn = await Bun.file(new URL("dot-products.wasm", KERNEL)).bytes();
  expect(Buffer.compare(source.toBinary({}).buffer, checkedIn)).toBe(0);
});

/** Of length 1. */
function direction(random: Random, dims: number): Float32Array {
  const vector = Float32Array.from({ length: dims }, () => random.normal());
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

test("rough products are near the exact ones, which a plain sum gives, and the greatest is the greatest of these", () => {
  const shape = fc.record({ seed: fc.integer(), count: fc.integer({ min: 0, max: 40 }), dims: fc.constantFrom(1, 4, 8, 12, 384) });
  fc.assert(
    fc.property(shape, ({ seed, count, dims }) => {
      const random = new Random(seed);
      const rows = Array.from({ length: count }, () => direction(random, dims));
      const products = new DotProducts(Float32Array.from(rows.flatMap((row) => [...row])), dims);
      const vector = direction(random, dims);
      const sums = rows.map((row) => row.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0));
      const rough = products.rough(vector);
      expect(rough).toHaveLength(count);
      for (const [row, sum] of sums.entries()) {
        expect(products.exact(row, vector)).toBe(sum);
        expect(Math.abs((rough[row] ?? 0) - sum)).toBeLessThan(ROUGH_ERROR_MAX);
      }
      expect(products.greatest(rough, vector)).toBe(Math.max(...sums));
    }),
    { seed: SEED },
  );
});
