/**
 * What the indexes of one namespace have still to do: rows to write and rows to let go of, what a replay has in hand, and
 * the Units that an index cannot take. Methods are those of the port; what writes runs in a transaction of the caller.
 */
import type { Database } from "bun:sqlite";
import type { Plane } from "../../domain/plane.ts";
import type { IndexName } from "../../domain/port/index.ts";
import type { InHand, Quarantined } from "../../domain/port/outbox.ts";
import type { Unit } from "../../domain/unit.ts";

export class OutboxTable {
  constructor(
    private readonly db: Database,
    private readonly now: () => number,
  ) {}

  waiting(): IndexName[] {
    const sql = "SELECT target FROM outbox UNION SELECT target FROM removal";
    return (this.db.query(sql).values() as [IndexName][]).map(([target]) => target);
  }

  pendingUids(target: IndexName): number[] {
    return (this.db.query("SELECT uid FROM outbox WHERE target = ?").values(target) as [number][]).map(([uid]) => uid);
  }

  settledRows(target: IndexName): number {
    // Full text has a row of every Unit with a text, also of those that are not embedded.
    const [all, held] = target === "fulltext" ? ["texts", "text IS NOT NULL"] : ["windows", "windows"];
    const ofPlane = target === "fulltext" ? "" : "WHERE plane = $target";
    const sql = `SELECT (SELECT coalesce(sum(${all}), 0) FROM unit_count ${ofPlane}) - (SELECT coalesce(sum(${held}), 0) FROM unit
      WHERE uid IN (SELECT uid FROM outbox WHERE target = $target UNION SELECT uid FROM quarantine WHERE target = $target)) AS n`;
    return (this.db.query(sql).get({ target }) as { n: number }).n;
  }

  done(target: IndexName, units: readonly Pick<Unit, "uid" | "version">[]): void {
    const close = this.db.query("DELETE FROM outbox WHERE uid = ? AND target = ? AND version <= ?");
    for (const unit of units) close.run(unit.uid, target, unit.version);
    this.putBack(target);
  }

  removals(target: IndexName, limit: number): number[] {
    const sql = "SELECT uid FROM removal WHERE target = ? ORDER BY uid LIMIT ?";
    return (this.db.query(sql).all(target, limit) as { uid: number }[]).map(({ uid }) => uid);
  }

  removed(target: IndexName, uids: readonly number[]): void {
    const sql = "DELETE FROM removal WHERE target = ? AND uid IN (SELECT value FROM json_each(?))";
    this.db.query(sql).run(target, JSON.stringify(uids));
  }

  /** Repair goes the way of any other change, and an index that is built anew follows from rows of all Units. */
  again(target: IndexName, uids: readonly number[] | "all"): void {
    const among = uids === "all" ? "uid NOT IN (SELECT uid FROM quarantine WHERE target = $target)" : "uid IN (SELECT value FROM json_each($uids))";
    const params = uids === "all" ? { target } : { target, uids: JSON.stringify(uids) };
    const ofPlane = target === "fulltext" ? "" : "AND plane = $target";
    const sql = `INSERT OR REPLACE INTO outbox (target, uid, version) SELECT $target, uid, version FROM unit WHERE text IS NOT NULL ${ofPlane} AND ${among}`;
    this.db.query(sql).run(params);
    if (uids !== "all") this.db.query(`DELETE FROM quarantine WHERE target = $target AND ${among}`).run(params);
  }

  take(target: IndexName, { first, last, attempts }: InHand): void {
    this.db
      .query("INSERT OR REPLACE INTO replay_mark (target, first_uid, last_uid, attempts) VALUES (?, ?, ?, ?)")
      .run(target, first, last, attempts);
  }

  putBack(target: IndexName): void {
    this.db.query("DELETE FROM replay_mark WHERE target = ?").run(target);
  }

  taken(target: IndexName): InHand | null {
    const sql = "SELECT first_uid AS first, last_uid AS last, attempts FROM replay_mark WHERE target = ?";
    return this.db.query(sql).get(target) as InHand | null;
  }

  setAside(target: IndexName, unit: Pick<Unit, "uid" | "version">, reason: string): void {
    this.done(target, [unit]);
    this.db.query("INSERT OR REPLACE INTO quarantine (target, uid, reason, since) VALUES (?, ?, ?, ?)").run(target, unit.uid, reason, this.now());
  }

  quarantined(target: IndexName): Quarantined[] {
    const sql = "SELECT uid, unit_id, reason, since FROM quarantine JOIN unit USING (uid) WHERE target = ? ORDER BY uid";
    return this.db.query(sql).all(target) as Quarantined[];
  }

  /** Units of these classes that are set aside, by plane; `windows`: those that the plane's table lacks. `classes` is JSON. */
  quarantinedIn(classes: string): { plane: Plane; quarantined: number; windows: number }[] {
    const sql = `SELECT plane, count(DISTINCT uid) AS quarantined, sum(CASE WHEN target = plane THEN windows ELSE 0 END) AS windows
      FROM quarantine JOIN unit USING (uid) WHERE class_id IN (SELECT value FROM json_each(?)) GROUP BY plane`;
    return this.db.query(sql).all(classes) as { plane: Plane; quarantined: number; windows: number }[];
  }
}
