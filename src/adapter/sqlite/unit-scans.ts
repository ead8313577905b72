/** Reads over the Units of a namespace that may be long: they go page by page, and give way to everything else in between. */
import type { Database } from "bun:sqlite";
import { inTurns, pages, takeRoom } from "../../base/turns.ts";
import { addTo, emptyTally, type FacetField, type Tally } from "../../domain/facet.ts";
import { type Filter, isMetadata, metadataKey, type Scalar } from "../../domain/filter.ts";
import { PLANES, type Plane } from "../../domain/plane.ts";
import { column, filterSql } from "./filter-sql.ts";
import type { Matches, PlaneCount, UnitCursor, UnitOrder } from "../../domain/port/units.ts";
import type { OutboxTable } from "./outbox.ts";

export class UnitScans {
  constructor(
    protected readonly db: Database,
    protected readonly outbox: OutboxTable,
  ) {}

  async matching(filter: Filter, classes: readonly number[], limit: number, scanLimit: number): Promise<Matches> {
    const { text, params } = filterSql(filter);
    const page = this.db.prepare(`SELECT uid, ${text} AS passes FROM unit INDEXED BY unit_in_class
      WHERE class_id = ? AND uid > ? ORDER BY uid LIMIT ?`);
    const uids: number[] = [];
    let scanned = 0;
    for (const class_id of classes) {
      const read = (after: TestedRow | undefined, room: number) => page.all(...params, class_id, after?.uid ?? 0, room) as TestedRow[];
      for await (const rows of pages(read)) {
        for (const { uid, passes } of rows) if (passes) uids.push(uid);
        scanned += rows.length;
        if (uids.length > limit || scanned > scanLimit) return { uids: uids.slice(0, limit), complete: false };
      }
    }
    return { uids, complete: true };
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
    const wanted = new Set(classes);
    const { first: start, after, direction } = ORDERS[order];
    const page = this.db.query(`SELECT uid, class_id, created_at, unit_id FROM unit INDEXED BY unit_by_time
      WHERE (created_at, unit_id) ${after} (?, ?) ORDER BY created_at ${direction}, unit_id ${direction} LIMIT ?`);
    const uids: number[] = [];
    let left = typeof from === "number" ? from : 0;
    const first = typeof from === "number" ? start : from;
    const read = ({ created_at, unit_id }: UnitCursor = first, room: number) => page.all(created_at, unit_id, room) as TimedRow[];
    for await (const rows of pages<TimedRow>(read)) {
      const readable = rows.filter(({ class_id }) => wanted.has(class_id));
      uids.push(...readable.slice(left).map(({ uid }) => uid));
      left = Math.max(0, left - readable.length);
      if (uids.length >= limit) break;
    }
    return uids.slice(0, limit);
  }

  async count(classes: readonly number[] | null): Promise<number> {
    if (classes === null) return (this.db.query("SELECT count(*) AS n FROM unit").get() as { n: number }).n;
    const page = this.db.query(`SELECT count(*) AS units, max(uid) AS last FROM (
      SELECT uid FROM unit INDEXED BY unit_in_class WHERE class_id = ? AND uid > ? ORDER BY uid LIMIT ?)`);
    let counted = 0;
    for (const class_id of classes) {
      for (let after: number | null = 0; after !== null; ) {
        const room = await takeRoom();
        const { units, last } = page.get(class_id, after, room) as { units: number; last: number | null };
        counted += units;
        after = units < room ? null : last;
      }
    }
    return counted;
  }

  async counts(classes: readonly number[]): Promise<PlaneCount[]> {
    // In the order of the index, which holds all that is read of a Unit: its row may carry a long text.
    const page = this.db.query(`SELECT plane, windows, uid,
        EXISTS (SELECT 1 FROM outbox WHERE outbox.uid = unit.uid AND outbox.target = unit.plane) AS waits
      FROM unit INDEXED BY unit_by_class WHERE class_id = ? AND (plane, windows, uid) > (?, ?, ?)
      ORDER BY plane, windows, uid LIMIT ?`);
    const counts = new Map(PLANES.map((plane): [Plane, PlaneCount] => [plane, { plane, units: 0, vectors: 0, pending: 0, quarantined: 0 }]));
    for (const class_id of classes) {
      const read = (after: PlaneRow | undefined, room: number) =>
        page.all(class_id, after?.plane ?? "", after?.windows ?? 0, after?.uid ?? 0, room) as PlaneRow[];
      for await (const rows of pages(read)) for (const row of rows) add(counts.get(row.plane), row);
    }
    for (const { plane, quarantined, windows } of this.outbox.quarantinedIn(JSON.stringify(classes))) {
      const count = counts.get(plane);
      if (count !== undefined) Object.assign(count, { quarantined, pending: count.pending + windows });
    }
    return [...counts.values()];
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

const ORDERS = {
  oldest: { first: { created_at: Number.MIN_SAFE_INTEGER, unit_id: "" }, after: ">", direction: "ASC" },
  newest: { first: { created_at: Number.MAX_SAFE_INTEGER, unit_id: "" }, after: "<", direction: "DESC" },
} as const satisfies Record<UnitOrder, { first: UnitCursor; after: string; direction: string }>;

interface TestedRow {
  uid: number;
  passes: number;
}

interface TimedRow {
  uid: number;
  class_id: number;
  created_at: number;
  unit_id: string;
}

interface PlaneRow {
  plane: Plane;
  windows: number;
  uid: number;
  waits: number;
}

function add(count: PlaneCount | undefined, { windows, waits }: PlaneRow): void {
  if (count === undefined) return;
  count.units += 1;
  count.vectors += windows;
  if (waits) count.pending += windows;
}
