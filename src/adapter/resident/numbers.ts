/** Arithmetic on vectors. */

/** The components of a vector as integers, the greatest of which is `max`. Returns the sum of their squares. */
export function toIntegers(vector: Float32Array, max: number, integers: Int32Array | Int16Array): number {
  let most = 0;
  for (let i = 0; i < vector.length; i += 1) most = Math.max(most, Math.abs(vector[i] as number));
  const factor = most === 0 ? 0 : max / most;
  let squares = 0;
  for (let i = 0; i < vector.length; i += 1) {
    const value = Math.floor((vector[i] as number) * factor + 0.5);
    integers[i] = value;
    squares += value * value;
  }
  return squares;
}

/** What a vector is multiplied with to have the length 1; 0 for one of zeros. */
export function inverseRoot(squares: number): number {
  return squares === 0 ? 0 : 1 / Math.sqrt(squares);
}

export function squaresOf(vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i += 1) sum += (vector[i] as number) * (vector[i] as number);
  return sum;
}

export function sumOf(vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i += 1) sum += Math.abs(vector[i] as number);
  return sum;
}

export function same(a: Float32Array, b: Float32Array): boolean {
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}
