/** Numbers of 32 bits without a sign, in a column that grows. */
export class Column {
  values = new Uint32Array(COLUMN_MIN);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) this.values = grown(this.values, this.length + 1);
    this.values[this.length++] = value;
  }

  get bytes(): number {
    return this.values.byteLength;
  }
}

const COLUMN_MIN = 256;
/** How much longer an array becomes, so that growing it one by one is cheap. */
const GROWTH = 1.5;

/** A copy with room for `length` numbers and more, zeros behind those that there are. */
export function grown<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array>(values: T, length: number): T {
  const larger = new (values.constructor as new (length: number) => T)(Math.max(length, Math.ceil(values.length * GROWTH)));
  larger.set(values);
  return larger;
}
