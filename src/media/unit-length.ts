/** A copy of `vector` with Euclidean length 1; a vector of zeros stays as it is. */
export function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}
