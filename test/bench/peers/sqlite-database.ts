/** FTS5 and sqlite-vec in one database, queried as the documentation of both shows. */
import { Database, type Statement } from "bun:sqlite";
import { DEPTH, DIMS, LIMIT, type Mode, type Query, type Rows, RRF_K } from "./peer.ts";

export interface Opening {
  path: string;
  extension: string;
}

const MAP_BYTES = 4 * 1024 ** 3;
export const SETTINGS = `vec0 float[${DIMS}], cosine, all compared; FTS5 porter unicode61, bm25, any word but Lucene's 33 stop words; mmap 4 GiB, a Worker for each core`;

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

export function loadRows(opening: Opening, { texts, vectors }: Rows): void {
  const db = open(opening);
  db.run("CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'porter unicode61')");
  db.run(`CREATE VIRTUAL TABLE vectors USING vec0(id INTEGER PRIMARY KEY, embedding float[${DIMS}] distance_metric=cosine)`);
  const word = db.query("INSERT INTO words (rowid, text) VALUES (?, ?)");
  const vector = db.query("INSERT INTO vectors (id, embedding) VALUES (?, ?)");
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

const VECTOR_SQL = "SELECT id, distance FROM vectors WHERE embedding MATCH $vector AND k = $k ORDER BY distance";
const TEXT_SQL = "SELECT rowid AS id, rank AS score FROM words WHERE words MATCH $words ORDER BY rank LIMIT $k";

export class Reader {
  private readonly statements: Record<Mode, Statement<{ id: number }, [Record<string, string | number | Uint8Array>]>>;

  constructor(opening: Opening) {
    const db = open(opening);
    this.statements = { vector: db.query(VECTOR_SQL), text: db.query(TEXT_SQL), hybrid: db.query(HYBRID_SQL) };
  }

  search(mode: Mode, { text, vector }: Query): number[] {
    const $k = mode === "hybrid" ? DEPTH : LIMIT;
    const given = { vector: { $vector: bytesOf(vector), $k }, text: { $words: anyWord(text), $k } };
    const parameters = mode === "hybrid" ? { ...given.vector, ...given.text } : given[mode];
    return this.statements[mode].all(parameters).map(({ id }) => id - 1);
  }
}

/** As in sqlite-vec's guide to hybrid search. */
const HYBRID_SQL = `WITH near AS (SELECT id, row_number() OVER (ORDER BY distance) AS place FROM (${VECTOR_SQL})),
  worded AS (SELECT id, row_number() OVER (ORDER BY score) AS place FROM (${TEXT_SQL}))
  SELECT coalesce(near.id, worded.id) AS id FROM near FULL OUTER JOIN worded ON near.id = worded.id
  ORDER BY coalesce(1.0 / (${RRF_K} + near.place), 0) + coalesce(1.0 / (${RRF_K} + worded.place), 0) DESC LIMIT ${LIMIT}`;

/** FTS5's query for rows with any of the words. */
function anyWord(text: string): string {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
  return words.map((word) => `"${word}"`).join(" OR ");
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
