import * as lancedb from "@lancedb/lancedb";
import { DEPTH, LIMIT, type Mode, type OpenPeer, type Peer, type Query, type Rows, RRF_K } from "./peer.ts";

const BATCH_ROWS = 10_000;
/** Of the hits asked for: as many are read and compared again. */
const REFINE_FACTOR = 5;

/** LanceDB in this process, with its own full text and its own fusion. */
export const openLance: OpenPeer = async (folder) => {
  const connection = await lancedb.connect(folder);
  const table = (await connection.tableNames()).includes("rows") ? await connection.openTable("rows") : null;
  return new Lance(connection, table, await lancedb.rerankers.RRFReranker.create(RRF_K));
};

class Lance implements Peer {
  readonly settings =
    `IVF_HNSW_SQ, 1 partition, m 20, ef_construction 300, cosine, the best ${REFINE_FACTOR} × k compared again as float32; FTS with stems and stop words; RRFReranker`;
  readonly depths = [50, 100, 200, 400];
  private ef = 0;

  constructor(
    private readonly connection: lancedb.Connection,
    private table: lancedb.Table | null,
    private readonly reranker: lancedb.rerankers.RRFReranker,
  ) {}

  async setDepth(ef: number): Promise<void> {
    this.ef = ef;
  }

  async load({ texts, vectors }: Rows): Promise<void> {
    for (let from = 0; from < texts.length; from += BATCH_ROWS) {
      const batch = texts
        .slice(from, from + BATCH_ROWS)
        .map((text, at) => ({ id: from + at, text, vector: Array.from(vectors[from + at] as Float32Array) }));
      if (this.table === null) this.table = await this.connection.createTable("rows", batch);
      else await this.table.add(batch);
    }
    const vector = lancedb.Index.hnswSq({ distanceType: "cosine", numPartitions: 1, m: 20, efConstruction: 300 });
    await this.rows.createIndex("vector", { config: vector });
    await this.rows.createIndex("text", { config: lancedb.Index.fts({ withPosition: false, stem: true, removeStopWords: true }) });
    await this.rows.optimize();
  }

  async search(mode: Mode, { text, vector }: Query): Promise<number[]> {
    const rows = mode === "text" ? this.byText(text) : mode === "vector" ? this.byVector(vector, LIMIT) : this.byBoth(text, vector);
    return (await rows.toArray()).slice(0, LIMIT).map(({ id }) => Number(id));
  }

  processes(): number[] {
    return [process.pid];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.connection.close();
  }

  private get rows(): lancedb.Table {
    if (this.table === null) throw new Error("LanceDB has no rows yet");
    return this.table;
  }

  private byText(text: string) {
    return this.rows
      .query()
      .fullTextSearch(text, { columns: ["text"] })
      .select(["id", "_score"])
      .limit(LIMIT);
  }

  private byVector(vector: Float32Array, limit: number): lancedb.VectorQuery {
    return this.rows
      .query()
      .nearestTo(vector)
      .distanceType("cosine")
      .ef(Math.max(this.ef, limit * REFINE_FACTOR))
      .refineFactor(REFINE_FACTOR)
      .select(["id", "_distance"])
      .limit(limit);
  }

  private byBoth(text: string, vector: Float32Array): lancedb.VectorQuery {
    return this.byVector(vector, DEPTH)
      .select(["id"])
      .fullTextSearch(text, { columns: ["text"] })
      .rerank(this.reranker);
  }
}
