/**
 * What filters compare, column by column beside the rows of vectors: a text by its code in a dictionary, so that a filter is
 * decided once for each distinct value. A column is as long as the last row that has a value.
 */
import { grown } from "../../base/columns.ts";
import { assert } from "../../base/fault.ts";
import {
  type Filter,
  fieldValues,
  foldFilter,
  INTEGERS,
  type IntegerField,
  isInteger,
  isMetadata,
  metadataKey,
  metadataToken,
  metadataTokens,
  pathPart,
  pathPartBeginning,
  pathText,
  type RangeBounds,
  type Scalar,
} from "../../domain/filter.ts";
import type { Plane } from "../../domain/plane.ts";
import { type AttributeRows, TEXT_FIELDS, type TextColumn, type TextField } from "../../domain/port/vector-index.ts";
import type { Unit } from "../../domain/unit.ts";
import { Dictionary } from "../../base/dictionary.ts";

const WORD = Uint32Array.BYTES_PER_ELEMENT;
/** A 1 in each byte of a word. */
const ONES = 0x01010101;

/** By row, 1 where it passes; of whole words, so that what lies behind the rows means nothing. */
type RowMask = Uint8Array;

export class Attributes {
  private readonly texts = byField(TEXT_FIELDS, () => new CodedColumn());
  private readonly integers = byField(INTEGERS, () => new IntegerColumn());
  private readonly tokens = new Dictionary();
  /** Lists of tokens. */
  private readonly metadata = new CodedColumn();
  private list = new Int32Array(1);

  /** `plane`: of all rows; null: of each its own, and no filter compares it. */
  constructor(private readonly plane: Plane | null) {}

  /** Bytes that it holds. */
  get bytes(): number {
    const columns = [...Object.values(this.texts), ...Object.values(this.integers), this.metadata];
    return columns.reduce((sum, { bytes }) => sum + bytes, this.tokens.bytes);
  }

  /** Gives row `rows[i]` the attributes of the Unit `sources[i]` in `from`. */
  set(rows: readonly number[], sources: readonly number[], from: AttributeRows): void {
    for (const field of TEXT_FIELDS) this.texts[field].set(rows, sources, from.texts[field]);
    for (const field of INTEGERS) this.integers[field].set(rows, sources, from.integers[field]);
    for (let i = 0; i < rows.length; i += 1) this.setTokens(rows[i] as number, sources[i] as number, from.tokens);
  }

  private setTokens(row: number, source: number, { bytes, offsets, lists }: AttributeRows["tokens"]): void {
    const [from, to] = [lists[source] as number, lists[source + 1] as number];
    if (to - from > this.list.length) this.list = grown(this.list, to - from);
    for (let at = from; at < to; at += 1) this.list[at - from] = this.tokens.add(bytes, offsets[at] as number, offsets[at + 1] as number);
    this.metadata.add(row, new Uint8Array(this.list.buffer), 0, (to - from) * Int32Array.BYTES_PER_ELEMENT);
  }

  /** By row, 1 for those of the first `rows` that pass a native filter, as `matches` says. */
  mask(filter: Filter, rows: number): Uint8Array {
    const empty = () => new Uint8Array(Math.ceil(rows / WORD) * WORD);
    const constant = (passes: boolean) => empty().fill(Number(passes));
    const mask = foldFilter<RowMask>(filter, {
      all: (parts) => parts.reduce((a, b) => combined(a, b, (x, y) => x & y), constant(true)),
      any: (parts) => parts.reduce((a, b) => combined(a, b, (x, y) => x | y), constant(false)),
      not: (part) => combined(part, part, (x) => x ^ ONES),
      in: (field, values) => {
        if (field === "plane") return constant(values.includes(this.onlyPlane));
        if (isInteger(field)) return this.integers[field].among(values, empty());
        if (isMetadata(field)) return this.metadata.mask(this.holding(values.map((value) => metadataToken(metadataKey(field), value))), empty());
        const { dictionary } = this.texts[field];
        const texts = values.map(String);
        const verdict = field === "path" ? dictionary.containing(texts.map(pathPart).map(utf8)) : dictionary.among(texts.map(utf8));
        return this.texts[field].mask(verdict, empty());
      },
      range: (field, bounds) => {
        assert(isInteger(field), `a range of ${field} is not native`);
        return this.integers[field].within(bounds, empty());
      },
      prefix: (field, prefix) => {
        if (field === "plane") return constant(this.onlyPlane.startsWith(prefix));
        assert(!isMetadata(field), `a beginning of ${field} is not native`);
        const { dictionary } = this.texts[field];
        const verdict = field === "path" ? dictionary.containing([utf8(pathPartBeginning(prefix))]) : dictionary.beginningWith(utf8(prefix));
        return this.texts[field].mask(verdict, empty());
      },
      exists: (field) => {
        if (field === "plane") return constant(true);
        if (isInteger(field)) return this.integers[field].within({}, empty());
        if (isMetadata(field)) return this.metadata.mask(this.holding([metadataKey(field)]), empty());
        return this.texts[field].mask(this.texts[field].dictionary.present(), empty());
      },
    });
    return mask.subarray(0, rows);
  }

  private get onlyPlane(): Plane {
    assert(this.plane !== null, "a filter over rows of several planes compares none");
    return this.plane;
  }

  /** By code of a list, 1 where it holds one of these tokens. */
  private holding(tokens: readonly string[]): Uint8Array {
    return this.metadata.dictionary.holding(this.tokens.among(tokens.map(utf8)));
  }
}

/** The code of its value by row; 0 is absent. */
class CodedColumn {
  readonly dictionary = new Dictionary();
  /** As narrow as the codes allow. */
  private codes: Uint8Array | Uint16Array | Int32Array = new Uint8Array(0);

  get bytes(): number {
    return this.codes.byteLength + this.dictionary.bytes;
  }

  set(rows: readonly number[], sources: readonly number[], { bytes, offsets }: TextColumn): void {
    for (let i = 0; i < rows.length; i += 1) {
      const source = sources[i] as number;
      this.add(rows[i] as number, bytes, offsets[source] as number, offsets[source + 1] as number);
    }
  }

  /** Gives a row the value from `start` to before `end`. */
  add(row: number, bytes: Uint8Array, start: number, end: number): void {
    const code = this.dictionary.add(bytes, start, end);
    if (row >= this.codes.length) {
      if (code === 0) return;
      this.codes = grown(this.codes, row + 1);
    }
    if (code > 0xffff && !(this.codes instanceof Int32Array)) this.codes = Int32Array.from(this.codes);
    else if (code > 0xff && this.codes instanceof Uint8Array) this.codes = Uint16Array.from(this.codes);
    this.codes[row] = code;
  }

  /** The rows whose value has a 1 in `verdict`. */
  mask(verdict: Uint8Array, mask: RowMask): RowMask {
    const { codes } = this;
    const rows = Math.min(codes.length, mask.length);
    for (let row = 0; row < rows; row += 1) mask[row] = verdict[codes[row] as number] as number;
    return mask.fill(verdict[0] as number, rows);
  }
}

/** Integers that are not negative by row, each one more than it is: 0 is absent. */
class IntegerColumn {
  private values = new Float64Array(0);

  get bytes(): number {
    return this.values.byteLength;
  }

  /** Absent: -1. */
  set(rows: readonly number[], sources: readonly number[], from: Float64Array): void {
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] as number;
      const value = (from[sources[i] as number] as number) + 1;
      if (row >= this.values.length) {
        if (value === 0) continue;
        this.values = grown(this.values, row + 1);
      }
      this.values[row] = value;
    }
  }

  among(integers: readonly Scalar[], mask: RowMask): RowMask {
    const wanted = new Set(integers.map((integer) => Number(integer) + 1).filter((value) => value > 0));
    const { values } = this;
    const rows = Math.min(values.length, mask.length);
    for (let row = 0; row < rows; row += 1) mask[row] = wanted.has(values[row] as number) ? 1 : 0;
    return mask;
  }

  within({ gt = -1, gte = 0, lt = Number.POSITIVE_INFINITY, lte = Number.POSITIVE_INFINITY }: RangeBounds, mask: RowMask): RowMask {
    const least = Math.max(0, gte, Math.floor(gt) + 1) + 1;
    const most = Math.min(lte, Math.ceil(lt) - 1) + 1;
    const { values } = this;
    const rows = Math.min(values.length, mask.length);
    for (let row = 0; row < rows; row += 1) mask[row] = Number((values[row] as number) >= least && (values[row] as number) <= most);
    return mask;
  }
}

/** The attributes of Units as a table gives them. */
export function attributeRows(units: readonly Unit[]): AttributeRows {
  const textOf = (unit: Unit, field: TextField) => {
    const values = fieldValues(unit, field).map(String);
    return field === "path" ? pathText(values) : (values[0] ?? "");
  };
  const tokens = units.map(({ metadata }) => metadataTokens(metadata));
  return {
    uids: Int32Array.from(units, ({ uid }) => uid),
    texts: byField(TEXT_FIELDS, (field) => textColumn(units.map((unit) => textOf(unit, field)))),
    integers: byField(INTEGERS, (field) => Float64Array.from(units, (unit) => Number(fieldValues(unit, field)[0] ?? -1))),
    tokens: { ...textColumn(tokens.flat()), lists: sums(tokens.map(({ length }) => length)) },
  };
}

function textColumn(values: readonly string[]): TextColumn {
  return { bytes: utf8(values.join("")), offsets: sums(values.map((value) => Buffer.byteLength(value))) };
}

/** The sum of all before each, and of all. */
function sums(lengths: readonly number[]): Int32Array {
  const offsets = new Int32Array(lengths.length + 1);
  for (const [i, length] of lengths.entries()) offsets[i + 1] = (offsets[i] as number) + length;
  return offsets;
}

function byField<F extends TextField | IntegerField, T>(fields: readonly F[], of: (field: F) => T): Record<F, T> {
  return Object.fromEntries(fields.map((field) => [field, of(field)])) as Record<F, T>;
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text);
}

/** Word by word, into `a`. */
function combined(a: RowMask, b: RowMask, of: (x: number, y: number) => number): RowMask {
  const [to, from] = [new Uint32Array(a.buffer), new Uint32Array(b.buffer)];
  for (let i = 0; i < to.length; i += 1) to[i] = of(to[i] as number, from[i] as number);
  return a;
}
