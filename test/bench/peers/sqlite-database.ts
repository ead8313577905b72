/** FTS5 and sqlite-vec in one database, queried as the documentation of both shows. */
import { Database, type Statement } from "bun:sqlite";
import { DEPTH, DIMS, LIMIT, type Mode, type Query, type Rows, RRF_K } from "./peer.ts";

/** `exact`: float32, all compared. `bits`: one bit a dimension, all compared, and the best compared again as float32. */
export type VectorForm = "exact" | "bits";
export interface Opening {
  path: string;
  extension: string;
  form: VectorForm;
}

const MAP_BYTES = 4 * 1024 ** 3;
const COMMON = "FTS5 porter unicode61, bm25, any word but Lucene's 33 stop words; mmap 4 GiB, a Worker for each core";
export const SETTINGS = {
  exact: `vec0 float[${DIMS}], cosine, exact; ${COMMON}`,
  bits: `vec0 bit[${DIMS}], the best as float32 again; ${COMMON}`,
};

/** How many rows for each hit `bits` compares again. vec0 gives 4,096 rows at most. */
export const DEPTHS = { exact: [], bits: [8, 32, 64, 128, 200] } as const;

const STOP_WORDS = new Set(
  "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with".split(" "),
);

function open({ path, extension }: Opening): Database {
  const db = new Database(path, { create: true });
  db.loadExtension(extension);
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = NORMAL");
  db.run(`PRAGMA mmap_size = ${MAP_BYTES}`);
  return db;
}

export function loadRows(path: string, extension: string, form: VectorForm, { texts, vectors }: Rows): void {
  const db = open({ path, extension, form });
  db.run("CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'porter unicode61')");
  const coarse = form === "bits" ? `, coarse bit[${DIMS}]` : "";
  db.run(`CREATE VIRTUAL TABLE vectors USING vec0(id INTEGER PRIMARY KEY, embedding float[${DIMS}] distance_metric=cosine${coarse})`);
  const word = db.query("INSERT INTO words (rowid, text) VALUES (?, ?)");
  const vector = db.query(
    form === "bits"
      ? "INSERT INTO vectors (id, embedding, coarse) VALUES (?1, ?2, vec_quantize_binary(?2))"
      : "INSERT INTO vectors (id, embedding) VALUES (?1, ?2)",
  );
  db.transaction(() => {
    for (const [row, text] of texts.entries()) {
      word.run(row + 1, text);
      vector.run(row + 1, bytesOf(vectors[row] as Float32Array));
    }
  })();
  db.run("INSERT INTO words (words) VALUES ('optimize')");
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

export class Reader {
  private readonly statements: Record<Mode, Statement<{ id: number }, [Record<string, string | number | Uint8Array>]>>;

  constructor(opening: Opening) {
    const db = open(opening);
    const byVector = VECTOR_SQL[opening.form];
    this.statements = { vector: db.query(byVector), text: db.query(TEXT_SQL), hybrid: db.query(hybridSql(byVector)) };
  }

  /** `rescored`: how many of each hit the form `bits` compares again. */
  search(mode: Mode, { text, vector }: Query, rescored: number): number[] {
    const k = mode === "hybrid" ? DEPTH : LIMIT;
    const given = {
      vector: { $vector: bytesOf(vector), $k: k, $rescored: k * rescored },
      text: { $words: anyWord(text), $k: k },
    };
    const parameters = mode === "hybrid" ? { ...given.vector, ...given.text } : given[mode];
    return this.statements[mode].all(parameters).map(({ id }) => id - 1);
  }
}

const VECTOR_SQL: Record<VectorForm, string> = {
  exact: "SELECT id, distance FROM vectors WHERE embedding MATCH $vector AND k = $k AND ($rescored > 0) ORDER BY distance",
  bits: `SELECT id, vec_distance_cosine(embedding, $vector) AS distance
    FROM (SELECT id, embedding FROM vectors WHERE coarse MATCH vec_quantize_binary($vector) AND k = $rescored ORDER BY distance)
    ORDER BY 2 LIMIT $k`,
};
const TEXT_SQL = "SELECT rowid AS id, rank AS score FROM words WHERE words MATCH $words ORDER BY rank LIMIT $k";

/** As in sqlite-vec's guide to hybrid search. */
function hybridSql(byVector: string): string {
  return `WITH near AS (SELECT id, row_number() OVER (ORDER BY distance) AS place FROM (${byVector})),
    worded AS (SELECT id, row_number() OVER (ORDER BY score) AS place FROM (${TEXT_SQL}))
    SELECT coalesce(near.id, worded.id) AS id FROM near FULL OUTER JOIN worded ON near.id = worded.id
    ORDER BY coalesce(1.0 / (${RRF_K} + near.place), 0) + coalesce(1.0 / (${RRF_K} + worded.place), 0) DESC LIMIT ${LIMIT}`;
}

/** FTS5's query for rows with any of the words. */
function anyWord(text: string): string {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
  return words.map((word) => `"${word}"`).join(" OR ");
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
