/** Reads over the Units of a namespace that may be long: they go page by page, and give way to everything else in between. */
import type { Database } from "bun:sqlite";
import { sha256Hex } from "../../base/hash.ts";
import { LIST_BOOKMARKS_MAX } from "../../base/limits.ts";
import { LruMap } from "../../base/lru.ts";
import { inTurns, pages } from "../../base/turns.ts";
import { classesAsSet } from "../../domain/access.ts";
import { addTo, emptyTally, type FacetField, type Tally } from "../../domain/facet.ts";
import { type Filter, isMetadata, type MetadataField, metadataKey, type RangeBounds, type Scalar } from "../../domain/filter.ts";
import { PLANES, type Plane } from "../../domain/plane.ts";
import { column, filterSql, rangeCondition } from "./filter-sql.ts";
import type { Matches, PlaneCount, UnitCursor, UnitOrder } from "../../domain/port/units.ts";
import type { OutboxTable } from "./outbox.ts";

/** Rows that a listing reads of all its classes together, before it goes through all Units by time instead. */
const MERGED_MAX_ROWS = 10_000;

export class UnitScans {
  /** The last Unit before an offset in a listing, by `bookmarkKey`: a page at a far offset is read without those before it. */
  private readonly bookmarks = new LruMap<string, UnitCursor>(LIST_BOOKMARKS_MAX);

  constructor(
    protected readonly db: Database,
    protected readonly outbox: OutboxTable,
  ) {}

  async matching(filter: Filter, classes: readonly number[], limit: number, scanLimit: number): Promise<Matches> {
    const rowsOf = this.tested(filter);
    const uids: number[] = [];
    let scanned = 0;
    for (const class_id of classes) {
      for await (const rows of rowsOf(class_id)) {
        for (const { uid, passes } of rows) if (passes) uids.push(uid);
        scanned += rows.length;
        if (uids.length > limit || scanned > scanLimit) return { uids: uids.slice(0, limit), complete: false };
      }
    }
    return { uids, complete: true };
  }

  /**
   * The Units of a class with whether they pass: all of them, or where every match has a number in some range, those that
   * have one there.
   */
  private tested(filter: Filter): (class_id: number) => AsyncGenerator<TestedRow[]> {
    const { text, params } = filterSql(filter);
    const range = numericRange(filter);
    if (range === null) {
      const page = this.db.prepare(`SELECT uid, 0 AS value, ${text} AS passes FROM unit INDEXED BY unit_in_class
        WHERE class_id = ? AND uid > ? ORDER BY uid LIMIT ?`);
      return (class_id) => pages((after, room) => page.all(...params, class_id, after?.uid ?? 0, room) as TestedRow[]);
    }
    const within = rangeCondition("number.value", range.bounds);
    const page = this.db.prepare(`SELECT uid, value, (SELECT ${text} FROM unit WHERE unit.uid = number.uid) AS passes FROM metadata_number AS number
      WHERE key = ? AND class_id = ? AND ${within.text} AND (value, uid) > (?, ?) ORDER BY value, uid LIMIT ?`);
    const key = metadataKey(range.field);
    return (class_id) =>
      pages((after, room) => {
        const { value, uid } = after ?? { value: -Number.MAX_VALUE, uid: -1 };
        return page.all(...params, key, class_id, ...within.params, value, uid, room) as TestedRow[];
      });
  }

  async passing(filter: Filter, uids: readonly number[]): Promise<Set<number>> {
    const { text, params } = filterSql(filter);
    const sql = this.db.prepare(`SELECT uid FROM unit WHERE uid IN (SELECT value FROM json_each(?)) AND ${text}`);
    const passed = new Set<number>();
    for await (const piece of inTurns(uids)) {
      for (const { uid } of sql.all(JSON.stringify(piece), ...params) as { uid: number }[]) passed.add(uid);
    }
    return passed;
  }

  async tally(
    uids: readonly number[],
    fields: readonly FacetField[],
    { classes, filter }: { classes: readonly number[]; filter: Filter },
  ): Promise<Tally> {
    const { text, params } = filterSql(filter);
    const values = fields.map(facetSql);
    const sql = this.db.prepare(`SELECT ${["uid", ...values].join(", ")} FROM unit
      WHERE uid IN (SELECT value FROM json_each(?)) AND class_id IN (SELECT value FROM json_each(?)) AND ${text}`);
    const tally = emptyTally(fields);
    for await (const piece of inTurns(uids)) {
      const rows = sql.values(JSON.stringify(piece), JSON.stringify(classes), ...params) as (string | null)[][];
      for (const row of rows) addTo(tally, (index) => storedValues(fields[index] as FacetField, row[index + 1] ?? null));
    }
    return tally;
  }

  /** Uids of a list, in its order. */
  protected async uidsByTime(classes: readonly number[], limit: number, from: UnitCursor | number, order: UnitOrder): Promise<number[]> {
    const listing = `${order} ${classes.join()}`;
    const cursor = typeof from === "number" ? (this.bookmarks.get(bookmarkKey(listing, from)) ?? null) : from;
    const left = typeof from === "number" && cursor === null ? from : 0;
    const after = cursor ?? ORDERS[order].first;
    const few = classes.length * (left + limit) <= MERGED_MAX_ROWS;
    const rows = await (few ? this.merged(classes, left + limit, after, order) : this.readable(classes, left + limit, after, order));
    const page = rows.slice(left);
    // Both the page itself and the one behind it may be asked for next.
    for (const length of typeof from === "number" ? [limit - 1, limit] : []) {
      const last = page[length - 1];
      if (last === undefined) continue;
      const { created_at, unit_id } = last;
      this.bookmarks.set(bookmarkKey(listing, (from as number) + length), { created_at, unit_id });
    }
    return page.map(({ uid }) => uid);
  }

  /** The first rows of each class, put in order. */
  private async merged(classes: readonly number[], wanted: number, start: UnitCursor, order: UnitOrder): Promise<TimedRow[]> {
    const { after, direction, sign } = ORDERS[order];
    const page = this.db.query(`SELECT uid, class_id, created_at, unit_id FROM unit INDEXED BY unit_of_class_by_time
      WHERE class_id = ? AND (created_at, unit_id) ${after} (?, ?) ORDER BY created_at ${direction}, unit_id ${direction} LIMIT ?`);
    const found: TimedRow[] = [];
    for (const class_id of classes) {
      const read = ({ created_at, unit_id }: UnitCursor = start, room: number) => page.all(class_id, created_at, unit_id, room) as TimedRow[];
      for await (const rows of pages<TimedRow>(read, wanted)) found.push(...rows);
    }
    return found.sort((a, b) => sign * (a.created_at - b.created_at || (a.unit_id < b.unit_id ? -1 : 1))).slice(0, wanted);
  }

  /** The first rows of all that are of these classes. */
  private async readable(classes: readonly number[], wanted: number, start: UnitCursor, order: UnitOrder): Promise<TimedRow[]> {
    const among = classesAsSet(classes);
    const { after, direction } = ORDERS[order];
    const page = this.db.query(`SELECT uid, class_id, created_at, unit_id FROM unit INDEXED BY unit_by_time
      WHERE (created_at, unit_id) ${after} (?, ?) ORDER BY created_at ${direction}, unit_id ${direction} LIMIT ?`);
    const found: TimedRow[] = [];
    const read = ({ created_at, unit_id }: UnitCursor = start, room: number) => page.all(created_at, unit_id, room) as TimedRow[];
    for await (const rows of pages<TimedRow>(read)) {
      for (const row of rows) if (among.has(row.class_id)) found.push(row);
      if (found.length >= wanted) break;
    }
    return found.slice(0, wanted);
  }

  async count(classes: readonly number[] | null): Promise<number> {
    if (classes === null) return (this.db.query("SELECT coalesce(sum(units), 0) AS n FROM unit_count").get() as { n: number }).n;
    const sql = this.db.query("SELECT coalesce(sum(units), 0) AS n FROM unit_count WHERE class_id IN (SELECT value FROM json_each(?))");
    let counted = 0;
    for await (const piece of inTurns(classes)) counted += (sql.get(JSON.stringify(piece)) as { n: number }).n;
    return counted;
  }

  async counts(classes: readonly number[]): Promise<PlaneCount[]> {
    const counts = new Map(PLANES.map((plane): [Plane, PlaneCount] => [plane, { plane, units: 0, vectors: 0, pending: 0, quarantined: 0 }]));
    const sql = this.db.query(`SELECT plane, sum(units) AS units, sum(windows) AS windows FROM unit_count
      WHERE class_id IN (SELECT value FROM json_each(?)) GROUP BY plane`);
    for await (const piece of inTurns(classes)) {
      for (const { plane, units, windows } of sql.all(JSON.stringify(piece)) as { plane: Plane; units: number; windows: number }[]) {
        const count = counts.get(plane);
        if (count !== undefined) Object.assign(count, { units: count.units + units, vectors: count.vectors + windows });
      }
    }
    const among = classesAsSet(classes);
    for (const count of counts.values()) count.pending = await this.waitingWindows(count.plane, among);
    for (const { plane, quarantined, windows } of this.outbox.quarantinedIn(JSON.stringify(classes))) {
      const count = counts.get(plane);
      if (count !== undefined) Object.assign(count, { quarantined, pending: count.pending + windows });
    }
    return [...counts.values()];
  }

  /** Windows of Units of these classes that wait in the outbox for the table of a plane. */
  private async waitingWindows(plane: Plane, classes: ReadonlySet<number>): Promise<number> {
    const page = this.db.query(`SELECT uid, class_id, windows FROM (
        SELECT uid FROM outbox WHERE target = ? AND uid > ? ORDER BY uid LIMIT ?) JOIN unit USING (uid) ORDER BY uid`);
    let windows = 0;
    for await (const rows of pages<WaitingRow>((after, room) => page.all(plane, after?.uid ?? 0, room) as WaitingRow[])) {
      for (const row of rows) if (classes.has(row.class_id)) windows += row.windows;
    }
    return windows;
  }
}

/** What is read of a Unit for a facet: the string itself, or the JSON of a metadata value. A key of metadata has no quotes. */
function facetSql(field: FacetField): string {
  if (isMetadata(field)) return `metadata -> '$."${metadataKey(field)}"'`;
  return field === "path" ? "path ->> '$[0]'" : column(field);
}

function storedValues(field: FacetField, stored: string | null): Scalar[] {
  if (stored === null || !isMetadata(field)) return stored === null ? [] : [stored];
  const value = JSON.parse(stored) as Scalar | Scalar[];
  return Array.isArray(value) ? [...new Set(value)] : [value];
}

/** A range of a metadata value in which all that passes has a number; null when there is none. */
function numericRange(filter: Filter): { field: MetadataField; bounds: RangeBounds } | null {
  if (filter.op === "range") return isMetadata(filter.field) ? { field: filter.field, bounds: filter.bounds } : null;
  if (filter.op !== "and") return null;
  for (const part of filter.of) {
    const found = numericRange(part);
    if (found !== null) return found;
  }
  return null;
}

const ORDERS = {
  oldest: { first: { created_at: Number.MIN_SAFE_INTEGER, unit_id: "" }, after: ">", direction: "ASC", sign: 1 },
  newest: { first: { created_at: Number.MAX_SAFE_INTEGER, unit_id: "" }, after: "<", direction: "DESC", sign: -1 },
} as const satisfies Record<UnitOrder, { first: UnitCursor; after: string; direction: string; sign: number }>;

interface TestedRow {
  uid: number;
  /** The number that it was found by; 0 without one. */
  value: number;
  passes: number;
}

interface TimedRow {
  uid: number;
  class_id: number;
  created_at: number;
  unit_id: string;
}

interface WaitingRow {
  uid: number;
  class_id: number;
  windows: number;
}

/** `listing`: order and classes. Of one length, however many classes there are. */
function bookmarkKey(listing: string, offset: number): string {
  return `${sha256Hex(listing)} ${offset}`;
}
