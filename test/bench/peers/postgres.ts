import { chmodSync, chownSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { CLIENTS, DEPTH, DIMS, family, LIMIT, type Mode, type OpenPeer, type Peer, type Query, type Rows, RRF_K } from "./peer.ts";

/** Nobody, as which the server runs where we are root: it refuses root. */
const NOBODY = 65_534;
const START_MAX_MS = 60_000;
const POLL_MS = 100;
const SETTINGS = { shared_buffers: "2GB", maintenance_work_mem: "2GB", max_parallel_maintenance_workers: "2", work_mem: "64MB", jit: "off" };

/** A PostgreSQL with pgvector in `install` (bin/, lib/, share/), as a cluster of its own below the folder. */
export function postgresPeer(install: string): OpenPeer {
  return async (folder) => {
    const data = join(folder, "cluster");
    const fresh = !existsSync(data);
    if (fresh) await makeCluster(install, folder, data);
    const port = freePort();
    const options = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const server = start([`${install}/bin/postgres`, "-D", data, "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1", ...options]);
    const sql = connect(port);
    await answers(sql, server);
    return new Postgres(folder, server, port, sql);
  };
}

function connect(port: number): SQL {
  return new SQL({ hostname: "127.0.0.1", port, username: "bench", database: "postgres", max: CLIENTS });
}

function start(command: string[]): Bun.Subprocess {
  const asNobody = process.getuid?.() === 0 ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];
  return Bun.spawn([...asNobody, ...command], { stdout: "ignore", stderr: "ignore" });
}

async function makeCluster(install: string, folder: string, data: string): Promise<void> {
  mkdirSync(data, { mode: 0o700 });
  if (process.getuid?.() === 0) for (const path of [folder, data]) chownSync(path, NOBODY, NOBODY);
  const code = await start([`${install}/bin/initdb`, "-D", data, "-U", "bench", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"])
    .exited;
  if (code !== 0) throw new Error(`initdb ended with ${code}`);
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

async function answers(sql: SQL, server: Bun.Subprocess): Promise<void> {
  for (const deadline = performance.now() + START_MAX_MS; ; await Bun.sleep(POLL_MS)) {
    try {
      await sql`SELECT 1`;
      return;
    } catch (error) {
      if (server.exitCode !== null || performance.now() > deadline) throw error;
    }
  }
}

const BY_VECTOR = "SELECT id FROM rows ORDER BY embedding <=> $1::vector LIMIT";
const BY_TEXT = "SELECT id FROM rows, websearch_to_tsquery('english', $1) query WHERE words @@ query ORDER BY ts_rank_cd(words, query) DESC LIMIT";
/** As in pgvector's example of hybrid search. */
const BY_BOTH = `WITH near AS (SELECT id, row_number() OVER () AS place FROM (${BY_VECTOR} ${DEPTH}) hits),
  worded AS (SELECT id, row_number() OVER () AS place FROM (${BY_TEXT.replace("$1", "$2")} ${DEPTH}) hits)
  SELECT coalesce(near.id, worded.id) AS id FROM near FULL OUTER JOIN worded ON near.id = worded.id
  ORDER BY coalesce(1.0 / (${RRF_K} + near.place), 0) + coalesce(1.0 / (${RRF_K} + worded.place), 0) DESC LIMIT ${LIMIT}`;

class Postgres implements Peer {
  readonly settings: string;
  readonly depths = [40, 100, 200, 400];

  constructor(
    private readonly folder: string,
    private readonly server: Bun.Subprocess,
    private readonly port: number,
    private sql: SQL,
  ) {
    const settings = Object.entries(SETTINGS).map(([name, value]) => `${name} ${value}`);
    this.settings = `HNSW m 16, ef_construction 64, cosine; GIN over tsvector, any word, ts_rank_cd; ${settings.join(", ")}`;
  }

  async setDepth(ef: number): Promise<void> {
    await this.sql.unsafe(`ALTER DATABASE postgres SET hnsw.ef_search = ${ef}`);
    // It holds for new connections.
    await this.sql.close();
    this.sql = connect(this.port);
  }

  async load({ texts, vectors }: Rows): Promise<void> {
    const { sql } = this;
    const file = join(this.folder, "rows.tsv");
    await Bun.write(file, texts.map((text, row) => `${row}\t${escaped(text)}\t${literal(vectors[row] as Float32Array)}\n`).join(""));
    chmodSync(file, 0o644);
    await sql.unsafe("CREATE EXTENSION IF NOT EXISTS vector");
    await sql.unsafe(
      `CREATE TABLE rows (id int PRIMARY KEY, text text, embedding vector(${DIMS}), words tsvector GENERATED ALWAYS AS (to_tsvector('english', text)) STORED)`,
    );
    await sql.unsafe(`COPY rows (id, text, embedding) FROM '${file}'`);
    await sql.unsafe("CREATE INDEX ON rows USING hnsw (embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64)");
    await sql.unsafe("CREATE INDEX ON rows USING gin (words)");
    await sql.unsafe("VACUUM ANALYZE rows");
  }

  async search(mode: Mode, { text, vector }: Query): Promise<number[]> {
    const words = text
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
      .replaceAll(" ", " or ");
    const rows: { id: number }[] = await (mode === "vector"
      ? this.sql.unsafe(`${BY_VECTOR} ${LIMIT}`, [literal(vector)])
      : mode === "text"
        ? this.sql.unsafe(`${BY_TEXT} ${LIMIT}`, [words])
        : this.sql.unsafe(BY_BOTH, [literal(vector), words]));
    return rows.map(({ id }) => id);
  }

  processes(): number[] {
    return family(this.server.pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sql.close();
    this.server.kill("SIGINT");
    await this.server.exited;
  }
}

function literal(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

/** For COPY's text format. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
}
