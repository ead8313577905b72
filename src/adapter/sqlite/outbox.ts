/**
 * What the indexes of one namespace have still to do: rows to write and rows to let go of, what a replay has in hand, and
 * the Units that an index cannot take. Calls that write run in a transaction of the caller, or in one of their own.
 */
import type { Database } from "bun:sqlite";
import type { Plane } from "../../domain/plane.ts";
import type { Unit } from "../../domain/unit.ts";

/** What an outbox row is for: the vector table of a plane, or the full-text index. */
export type IndexTarget = Plane | "fulltext";

/** The Units that a replay has in hand: from uid `first` to `last`, for the `attempts`-th time alone. */
export interface ReplayMark {
  first: number;
  last: number;
  attempts: number;
}

/** A Unit that an index cannot take. */
export interface Quarantined {
  target: IndexTarget;
  uid: number;
  unit_id: string;
  reason: string;
  /** ms. */
  since: number;
}

export class Outbox {
  constructor(
    private readonly db: Database,
    private readonly now: () => number,
  ) {}

  /** The indexes that do not follow yet. */
  targets(): IndexTarget[] {
    return (this.db.query("SELECT DISTINCT target FROM outbox").all() as { target: IndexTarget }[]).map((row) => row.target);
  }

  /** The Units whose changes wait for an index. */
  uids(target: IndexTarget): number[] {
    return (this.db.query("SELECT uid FROM outbox WHERE target = ?").values(target) as [number][]).map(([uid]) => uid);
  }

  /** Rows that `target` holds for sure: those of Units whose changes are neither waiting nor set aside. */
  settledRows(target: IndexTarget): number {
    const rows = target === "fulltext" ? "count(*)" : "coalesce(sum(windows), 0)";
    const ofPlane = target === "fulltext" ? "" : "AND plane = $target";
    const sql = `SELECT ${rows} AS n FROM unit WHERE windows > 0 ${ofPlane}
      AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.target = $target AND outbox.uid = unit.uid)
      AND NOT EXISTS (SELECT 1 FROM quarantine WHERE quarantine.target = $target AND quarantine.uid = unit.uid)`;
    return (this.db.query(sql).get({ target }) as { n: number }).n;
  }

  /** Closes the rows of versions that an index now holds. Runs in a transaction of its own when none is open. */
  close(target: IndexTarget, units: readonly Pick<Unit, "uid" | "version">[]): void {
    const close = this.db.query("DELETE FROM outbox WHERE uid = ? AND target = ? AND version <= ?");
    for (const unit of units) close.run(unit.uid, target, unit.version);
  }

  /** Uids whose rows an index still has to let go of, at most `limit`. */
  removals(target: IndexTarget, limit: number): number[] {
    const sql = "SELECT uid FROM removal WHERE target = ? ORDER BY uid LIMIT ?";
    return (this.db.query(sql).all(target, limit) as { uid: number }[]).map(({ uid }) => uid);
  }

  /** Notes that an index holds nothing of these Units any more. */
  closeRemovals(target: IndexTarget, uids: readonly number[]): void {
    const sql = "DELETE FROM removal WHERE target = ? AND uid IN (SELECT value FROM json_each(?))";
    this.db.query(sql).run(target, JSON.stringify(uids));
  }

  /** Opens the outbox rows of every Unit with text again: an index that is built anew follows from them. What is set aside stays so. */
  reopenAll(target: IndexTarget): void {
    const ofPlane = target === "fulltext" ? "" : "AND plane = $target";
    const sql = `INSERT OR REPLACE INTO outbox (target, uid, version) SELECT $target, uid, version FROM unit WHERE text IS NOT NULL ${ofPlane}
      AND NOT EXISTS (SELECT 1 FROM quarantine WHERE quarantine.target = $target AND quarantine.uid = unit.uid)`;
    this.db.query(sql).run({ target });
  }

  /** Opens the outbox rows of these Units again, also of those that were set aside: repair goes the way of any other change. */
  reopen(target: IndexTarget, units: readonly Pick<Unit, "uid" | "version">[]): void {
    const add = this.db.query("INSERT OR REPLACE INTO outbox (uid, target, version) VALUES (?, ?, ?)");
    const release = this.db.query("DELETE FROM quarantine WHERE target = ? AND uid = ?");
    for (const unit of units) {
      add.run(unit.uid, target, unit.version);
      release.run(target, unit.uid);
    }
  }

  /** Notes what a replay is about to write. */
  mark(target: IndexTarget, { first, last, attempts }: ReplayMark): void {
    this.db
      .query("INSERT OR REPLACE INTO replay_mark (target, first_uid, last_uid, attempts) VALUES (?, ?, ?, ?)")
      .run(target, first, last, attempts);
  }

  unmark(target: IndexTarget): void {
    this.db.query("DELETE FROM replay_mark WHERE target = ?").run(target);
  }

  /** What a replay had in hand that did not come to its end. */
  marked(target: IndexTarget): ReplayMark | null {
    const sql = "SELECT first_uid AS first, last_uid AS last, attempts FROM replay_mark WHERE target = ?";
    return this.db.query(sql).get(target) as ReplayMark | null;
  }

  /** Takes a Unit out of the outbox of an index that cannot take it, until it changes or is repaired. */
  setAside(target: IndexTarget, unit: Pick<Unit, "uid" | "version">, reason: string): void {
    this.close(target, [unit]);
    this.db.query("INSERT OR REPLACE INTO quarantine (target, uid, reason, since) VALUES (?, ?, ?, ?)").run(target, unit.uid, reason, this.now());
  }

  /** The Units that are set aside for an index. */
  quarantined(target: IndexTarget): Quarantined[] {
    const sql = "SELECT target, uid, unit_id, reason, since FROM quarantine JOIN unit USING (uid) WHERE target = ? ORDER BY uid";
    return this.db.query(sql).all(target) as Quarantined[];
  }

  /** Units of these classes that are set aside, by plane; `windows`: those that the plane's table lacks. `classes` is JSON. */
  quarantinedIn(classes: string): { plane: Plane; quarantined: number; windows: number }[] {
    const sql = `SELECT plane, count(DISTINCT uid) AS quarantined, sum(CASE WHEN target = plane THEN windows ELSE 0 END) AS windows
      FROM quarantine JOIN unit USING (uid) WHERE class_id IN (SELECT value FROM json_each(?)) GROUP BY plane`;
    return this.db.query(sql).all(classes) as { plane: Plane; quarantined: number; windows: number }[];
  }
}
