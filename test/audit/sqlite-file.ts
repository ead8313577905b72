/** Finds the bytes of rows in a SQLite file: a reader of index b-trees that shares nothing with the product. */

export interface RowBytes {
  seq: number;
  /** Offsets in the file of the record's length, and of the record itself with its pointers to overflow pages. */
  length: number[];
  record: number[];
  header: number[];
  spills: boolean;
  interior: boolean;
}

const INTERIOR = 0x02;
const LEAF = 0x0a;

function varint(file: Buffer, at: number): { value: number; size: number } {
  let value = 0;
  for (let size = 1; size <= 8; size += 1) {
    const byte = file[at + size - 1] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, size };
  }
  throw new Error("a nine byte varint is not expected here");
}

function range(from: number, length: number): number[] {
  return Array.from({ length }, (_, index) => from + index);
}

/** Every row of a WITHOUT ROWID table whose key is one small integer, in file order. */
export function rowsOf(file: Buffer, rootPage: number): RowBytes[] {
  const pageSize = file.readUInt16BE(16);
  const usable = pageSize - (file[20] ?? 0);
  const most = Math.floor(((usable - 12) * 64) / 255) - 23;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;

  const overflowBytes = (pointer: number, missing: number): number[] => {
    const page = (file.readUInt32BE(pointer) - 1) * pageSize;
    const here = Math.min(missing, usable - 4);
    const own = [...range(pointer, 4), ...range(page + 4, here)];
    return missing > here ? [...own, ...overflowBytes(page, missing - here)] : own;
  };

  const rowAt = (at: number, interior: boolean): RowBytes => {
    const start = interior ? at + 4 : at;
    const { value: payload, size } = varint(file, start);
    const surplus = least + ((payload - least) % (usable - 4));
    const local = payload <= most ? payload : surplus <= most ? surplus : least;
    const body = start + size;
    const spills = local < payload;
    const header = varint(file, body);
    const type = varint(file, body + header.size).value;
    const seq = type === 9 ? 1 : type === 8 ? 0 : file.readIntBE(body + header.value, type);
    const record = [...range(body, local), ...(spills ? overflowBytes(body + local, payload - local) : [])];
    return { seq, length: range(start, size), record, header: range(body, header.value), spills, interior };
  };

  const walk = (page: number): RowBytes[] => {
    const base = (page - 1) * pageSize;
    const kind = file[base];
    if (kind !== LEAF && kind !== INTERIOR) throw new Error(`page ${page} is no index page`);
    const pointers = base + (kind === LEAF ? 8 : 12);
    const cells = range(0, file.readUInt16BE(base + 3)).map((index) => base + file.readUInt16BE(pointers + 2 * index));
    if (kind === LEAF) return cells.map((cell) => rowAt(cell, false));
    const children = [...cells.map((cell) => file.readUInt32BE(cell)), file.readUInt32BE(base + 8)];
    return [...cells.map((cell) => rowAt(cell, true)), ...children.flatMap(walk)];
  };
  return walk(rootPage);
}
