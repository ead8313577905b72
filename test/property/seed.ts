/** The seed of this run: SEED of the environment, or a fresh one. Whole, from 0 to 2^31 - 1. */
export const SEED = (() => {
  const given = process.env.SEED;
  const seed = given === undefined ? crypto.getRandomValues(new Uint32Array(1)).reduce((_, value) => value >>> 1, 0) : Number(given);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 31) throw new Error(`SEED must be a whole number from 0 to 2^31 - 1, not ${given}`);
  process.stderr.write(`seed ${seed} (SEED=${seed} repeats this run)\n`);
  return seed;
})();
