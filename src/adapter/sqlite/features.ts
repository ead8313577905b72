/** What models saw and heard in the Units of one namespace: labels as an inverted index, and embeddings. */
import type { Database } from "bun:sqlite";
import { TopK } from "../../base/top-k.ts";
import { inTurns, pages } from "../../base/turns.ts";
import { classesAsSet } from "../../domain/access.ts";
import type { Features, LabelScore } from "../../domain/media.ts";
import type { AlikeUnit, FeatureRestriction } from "../../domain/port/feature-index.ts";
import type { ClassSet } from "../../domain/port/index.ts";
import type { FeatureHit, FeatureView, StoredEmbedding } from "../../domain/port/units.ts";
import { filterSql } from "./filter-sql.ts";

const IN_LIST = "IN (SELECT value FROM json_each(?))";

export class FeatureTable {
  /** `touched` gets the Units whose features change. */
  constructor(
    private readonly db: Database,
    private readonly touched: Set<number>,
  ) {}

  put(uid: number, model: string, { kind, labels, embedding }: Features): void {
    // Not OR REPLACE, which deletes without firing the trigger that counts.
    this.remove(uid);
    this.db
      .query("INSERT INTO content (uid, kind, model, embedding) VALUES (?, ?, ?, ?)")
      .run(uid, kind, model, new Uint8Array(new Float16Array(embedding).buffer));
    const add = this.db.query("INSERT INTO content_label (kind, label, uid, score) VALUES (?, ?, ?, ?)");
    for (const { label, score } of labels) add.run(kind, label, uid, score);
    this.touched.add(uid);
  }

  remove(uid: number): void {
    this.db.query("DELETE FROM content_label WHERE uid = ?").run(uid);
    this.db.query("DELETE FROM content WHERE uid = ?").run(uid);
  }

  embeddings(uids: readonly number[]): Map<number, StoredEmbedding> {
    const rows = this.db.query(`SELECT uid, kind, model, embedding FROM content WHERE uid ${IN_LIST}`).all(JSON.stringify(uids));
    return new Map(
      (rows as ContentRow[]).map(({ uid, kind, model, embedding }): [number, StoredEmbedding] => [
        uid,
        { kind, model, embedding: unpack(embedding) },
      ]),
    );
  }

  uidsAfter(kind: Features["kind"], model: string, uid: number, limit: number): number[] {
    const sql = "SELECT uid FROM content WHERE kind = ? AND model = ? AND uid > ? ORDER BY uid LIMIT ?";
    return (this.db.query(sql).values(kind, model, uid, limit) as [number][]).map(([each]) => each);
  }

  has(kind: Features["kind"], classes: ClassSet): boolean {
    const among = classes === null ? "" : `AND class_id ${IN_LIST}`;
    const sql = `SELECT 1 FROM content_count WHERE kind = ? AND units > 0 ${among} LIMIT 1`;
    return this.db.query(sql).get(kind, ...(classes === null ? [] : [JSON.stringify(classes)])) !== null;
  }

  async count(kind: Features["kind"], model: string, classes: ClassSet): Promise<number> {
    const total = "SELECT coalesce(sum(units), 0) AS n FROM content_count WHERE kind = ? AND model = ?";
    if (classes === null) return (this.db.query(total).get(kind, model) as { n: number }).n;
    const sql = this.db.query(`${total} AND class_id ${IN_LIST}`);
    let counted = 0;
    for await (const piece of inTurns(classes)) counted += (sql.get(kind, model, JSON.stringify(piece)) as { n: number }).n;
    return counted;
  }

  async byLabels(
    kind: Features["kind"],
    weights: readonly LabelScore[],
    { classes, uids }: FeatureView,
    { floor, logarithmic, limit }: { floor: number; logarithmic: boolean; limit: number },
  ): Promise<FeatureHit[]> {
    const within = { classes: classesAsSet(classes), uids: uids && new Set(uids) };
    const found = new Map<number, LabelledUnit>();
    for (const { label, score: weight } of weights) {
      for await (const rows of this.postings(kind, label)) {
        for (const { score, ...row } of rows) {
          if (!within.classes.has(row.class_id) || within.uids?.has(row.uid) === false) continue;
          const unit = found.get(row.uid) ?? { ...row, score: 0 };
          unit.score += weight * (logarithmic ? Math.log(score / 0.001 + 1) : score);
          found.set(row.uid, unit);
        }
      }
    }
    const best = new TopK<LabelledUnit>(limit, (a, b) => b.score - a.score || (a.unit_id < b.unit_id ? -1 : 1));
    for await (const units of inTurns([...found.values()])) {
      for (const unit of units) if (unit.score >= floor) best.add(unit);
    }
    return best.sorted().map(({ uid, doc_id, score }) => ({ uid, doc_id, score }));
  }

  async nearest(
    kind: Features["kind"],
    model: string,
    vector: Float32Array,
    { classes, filter, uids }: FeatureRestriction & { uids?: readonly number[] },
    { limit, least }: { limit: number; least: number },
  ): Promise<AlikeUnit[]> {
    type Row = { uid: number; embedding: Uint8Array | null };
    const { text, params } = filterSql(filter);
    const best = new TopK<AlikeUnit>(limit, (a, b) => b.score - a.score || a.uid - b.uid);
    const among = uids === undefined ? { text: "", params: [] } : { text: `AND uid ${IN_LIST}`, params: [JSON.stringify(uids)] };
    // The restriction is evaluated outside of the page, so that a page has an end.
    const page = this.db.prepare(`SELECT uid, CASE WHEN class_id ${IN_LIST} AND ${text} THEN embedding END AS embedding FROM (
        SELECT uid, embedding FROM content INDEXED BY content_by_kind WHERE kind = ? AND model = ? AND uid > ? ${among.text} ORDER BY uid LIMIT ?)
      JOIN unit USING (uid) ORDER BY uid`);
    const read = (after: Row | undefined, room: number) =>
      page.all(JSON.stringify(classes), ...params, kind, model, after?.uid ?? 0, ...among.params, room) as Row[];
    for await (const rows of pages<Row>(read)) {
      for (const { uid, embedding } of rows) {
        const score = embedding === null ? Number.NEGATIVE_INFINITY : cosine(vector, unpack(embedding));
        if (embedding !== null && score >= least) best.add({ uid, score });
      }
    }
    return best.sorted();
  }

  /** What has a label, page by page. */
  private postings(kind: Features["kind"], label: number): AsyncGenerator<LabelledUnit[]> {
    const page = this.db.query(`SELECT uid, unit_id, doc_id, class_id, score FROM (
        SELECT uid, score FROM content_label WHERE kind = ? AND label = ? AND uid > ? ORDER BY uid LIMIT ?)
      JOIN unit USING (uid) ORDER BY uid`);
    return pages<LabelledUnit>((after, room) => page.all(kind, label, after?.uid ?? 0, room) as LabelledUnit[]);
  }
}

interface ContentRow {
  uid: number;
  kind: Features["kind"];
  model: string;
  embedding: Uint8Array;
}

interface LabelledUnit extends FeatureHit {
  unit_id: string;
  class_id: number;
}

function unpack(bytes: Uint8Array): Float32Array {
  return Float32Array.from(new Float16Array(bytes.slice().buffer));
}

/** Stored embeddings are rounded, so their length is not quite 1. */
function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let at = 0; at < a.length; at += 1) {
    const [x = 0, y = 0] = [a[at], b[at]];
    product += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return lengthA === 0 || lengthB === 0 ? 0 : product / Math.sqrt(lengthA * lengthB);
}
