/** What models saw and heard in the Units of one namespace: labels as an inverted index, and embeddings. */
import type { Database } from "bun:sqlite";
import type { Content, LabelScore } from "../domain/media.ts";

/** A Unit with a score. */
export interface ContentHit {
  uid: number;
  version: number;
  score: number;
}

interface EmbeddingRow {
  uid: number;
  version: number;
  embedding: Uint8Array;
}

/** What a content search is restricted to. `uids` null: no restriction by id. */
export interface ContentView {
  classes: readonly number[];
  uids: readonly number[] | null;
}

const IN_LIST = "IN (SELECT value FROM json_each(?))";

export class Contents {
  constructor(private readonly db: Database) {}

  /** Stores the content of a Unit in place of what it had. Runs inside a transaction of the caller. */
  put(uid: number, model: string, { kind, labels, embedding }: Content): void {
    this.db
      .query("INSERT OR REPLACE INTO content (uid, kind, model, embedding) VALUES (?, ?, ?, ?)")
      .run(uid, kind, model, new Uint8Array(new Float16Array(embedding).buffer));
    this.db.query("DELETE FROM content_label WHERE uid = ?").run(uid);
    const add = this.db.query("INSERT INTO content_label (kind, label, uid, score) VALUES (?, ?, ?, ?)");
    for (const { label, score } of labels) add.run(kind, label, uid, score);
  }

  remove(uid: number): void {
    this.db.query("DELETE FROM content_label WHERE uid = ?").run(uid);
    this.db.query("DELETE FROM content WHERE uid = ?").run(uid);
  }

  /** The embedding of a Unit, L2-normalised; null when it has none. */
  embedding(uid: number): { kind: Content["kind"]; model: string; embedding: Float32Array } | null {
    const row = this.db.query("SELECT kind, model, embedding FROM content WHERE uid = ?").get(uid) as {
      kind: Content["kind"];
      model: string;
      embedding: Uint8Array;
    } | null;
    return row && { ...row, embedding: unpack(row.embedding) };
  }

  /** Units of these classes with content of a kind, counted. */
  count(kind: Content["kind"], classes: readonly number[]): number {
    const sql = `SELECT count(*) AS n FROM content JOIN unit USING (uid) WHERE kind = ? AND class_id ${IN_LIST}`;
    return (this.db.query(sql).get(kind, JSON.stringify(classes)) as { n: number }).n;
  }

  /**
   * Units by the sum of weight × score over their labels, from `floor` on, best first, at most `limit`. `logarithmic`: a
   * score s counts as log(s / 0.001 + 1), so that a faint label still counts.
   */
  byLabels(
    kind: Content["kind"],
    weights: readonly LabelScore[],
    { classes, uids }: ContentView,
    { floor, logarithmic, limit }: { floor: number; logarithmic: boolean; limit: number },
  ): ContentHit[] {
    const value = logarithmic ? "ln(content_label.score / 0.001 + 1)" : "content_label.score";
    const ofUids = uids === null ? "" : `AND unit.uid ${IN_LIST}`;
    const sql = `SELECT unit.uid AS uid, unit.version AS version, sum(${value} * json_extract(weight.value, '$.score')) AS total
      FROM json_each(?) AS weight
      JOIN content_label ON content_label.kind = ? AND content_label.label = json_extract(weight.value, '$.label')
      JOIN unit ON unit.uid = content_label.uid
      WHERE unit.class_id ${IN_LIST} ${ofUids}
      GROUP BY unit.uid HAVING total >= ? ORDER BY total DESC, unit.unit_id LIMIT ?`;
    const ids = uids === null ? [] : [JSON.stringify(uids)];
    const rows = this.db.query(sql).all(JSON.stringify(weights), kind, JSON.stringify(classes), ...ids, floor, limit);
    return (rows as { uid: number; version: number; total: number }[]).map(({ total, ...unit }) => ({ ...unit, score: total }));
  }

  /** Units by the cosine of their embedding with `vector` (L2-normalised), best first, at most `limit`: an exact scan. */
  nearest(kind: Content["kind"], model: string, vector: Float32Array, { classes, uids }: ContentView, limit: number): ContentHit[] {
    const ofUids = uids === null ? "" : `AND unit.uid ${IN_LIST}`;
    const sql = `SELECT unit.uid AS uid, unit.version AS version, embedding FROM content JOIN unit USING (uid)
      WHERE kind = ? AND model = ? AND unit.class_id ${IN_LIST} ${ofUids}`;
    const params = [kind, model, JSON.stringify(classes), ...(uids === null ? [] : [JSON.stringify(uids)])];
    const hits: ContentHit[] = [];
    for (const { uid, version, embedding } of this.db.query(sql).iterate(...params) as IterableIterator<EmbeddingRow>) {
      hits.push({ uid, version, score: cosine(vector, unpack(embedding)) });
    }
    return hits.sort((a, b) => b.score - a.score || a.uid - b.uid).slice(0, limit);
  }
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
