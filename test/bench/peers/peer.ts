/** What all engines of the comparison do, and how each is measured. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { percentile, rate, timed } from "../../../src/cli/bench/measure.ts";
import { steady } from "../../../src/cli/bench/served.ts";

export const DIMS = 384;
/** Hits that are asked for. */
export const LIMIT = 10;
/** Hits of each of the two lists that a hybrid search joins, as Strata has them. */
export const DEPTH = 20;
/** Reciprocal rank fusion's k. */
export const RRF_K = 60;
export const CLIENTS = 8;
export const RECALL_MIN = 0.99;

export const MODES = ["vector", "text", "hybrid"] as const;
export type Mode = (typeof MODES)[number];

export interface Query {
  text: string;
  vector: Float32Array;
}

/** Rows by their number, from 0. Vectors are L2-normalised. */
export interface Rows {
  texts: readonly string[];
  vectors: readonly Float32Array[];
}

/** An engine on a folder of its own. Row numbers go in and come out. */
export interface Peer extends AsyncDisposable {
  /** What was chosen for it, for people. */
  readonly settings: string;
  /** The values of what trades recall for speed, the fastest first; absent: there is no such thing. */
  readonly depths?: readonly number[];
  setDepth?(value: number): Promise<void>;
  /** Stores and indexes; absent: the rows are there. */
  load?(rows: Rows): Promise<void>;
  /** The LIMIT best rows, best first. */
  search(mode: Mode, query: Query): Promise<number[]>;
  /** The processes whose memory is the engine's. */
  processes(): number[];
}

export type OpenPeer = (folder: string) => Promise<Peer>;

/** What main has written for all: rows, queries, and the rows nearest to each query by comparing all. */
export class Data {
  constructor(readonly folder: string) {}

  rows(): Rows {
    return { texts: this.json<string[]>("texts.json"), vectors: this.vectors("vectors.f32") };
  }

  queries(): Query[] {
    const vectors = this.vectors("queries.f32");
    return this.json<string[]>("queries.json").map((text, at) => ({ text, vector: vectors[at] as Float32Array }));
  }

  /** Of the first queries. */
  nearest(): number[][] {
    return this.json("nearest.json");
  }

  async write(rows: Rows, queries: readonly Query[], nearest: readonly ReadonlySet<number>[]): Promise<void> {
    await Bun.write(join(this.folder, "texts.json"), JSON.stringify(rows.texts));
    await Bun.write(join(this.folder, "vectors.f32"), packed(rows.vectors));
    await Bun.write(join(this.folder, "queries.json"), JSON.stringify(queries.map(({ text }) => text)));
    await Bun.write(join(this.folder, "queries.f32"), packed(queries.map(({ vector }) => vector)));
    await Bun.write(join(this.folder, "nearest.json"), JSON.stringify(nearest.map((set) => [...set])));
  }

  private json<T>(name: string): T {
    return JSON.parse(readFileSync(join(this.folder, name), "utf8")) as T;
  }

  private vectors(name: string): Float32Array[] {
    const bytes = readFileSync(join(this.folder, name));
    const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / Float32Array.BYTES_PER_ELEMENT);
    return Array.from({ length: all.length / DIMS }, (_, row) => all.subarray(row * DIMS, (row + 1) * DIMS));
  }
}

function packed(vectors: readonly Float32Array[]): Uint8Array {
  const all = new Float32Array(vectors.length * DIMS);
  for (const [row, vector] of vectors.entries()) all.set(vector, row * DIMS);
  return new Uint8Array(all.buffer);
}

export interface Measured {
  settings: string;
  /** Null: it has none. */
  depth: number | null;
  recall: number;
  modes: { mode: Mode; p50: number; p95: number; perSecond: number }[];
  /** Proportional set size after all searches. */
  megabytes: number;
}

/** One client asks no longer than this; eight ask as long. */
const MODE_MS = 5_000;
const MB = 1_000_000;
const KIB = 1_024;

export async function measurePeer(peer: Peer, data: Data): Promise<Measured> {
  const queries = data.queries();
  const nearest = data.nearest();
  const { depth, recall } = await deepEnough(peer, queries, nearest);
  // What a first search reads in the background is there then.
  await steady(peer.processes()[0] ?? process.pid);
  const modes: Measured["modes"] = [];
  for (const mode of MODES) modes.push({ mode, ...(await measureMode(peer, mode, queries)) });
  return { settings: peer.settings, depth, recall, modes, megabytes: memoryOf(peer.processes()) };
}

/** Searches as fast as recall allows. */
async function deepEnough(peer: Peer, queries: readonly Query[], nearest: readonly number[][]): Promise<{ depth: number | null; recall: number }> {
  let [depth, recall]: [number | null, number] = [null, Number.NaN];
  for (depth of peer.depths ?? [null]) {
    if (depth !== null) await peer.setDepth?.(depth);
    recall = await recallOf(peer, queries, nearest);
    if (recall >= RECALL_MIN) break;
  }
  return { depth, recall };
}

async function recallOf(peer: Peer, queries: readonly Query[], nearest: readonly number[][]): Promise<number> {
  let found = 0;
  for (const [at, exact] of nearest.entries()) {
    const hits = await peer.search("vector", queries[at] as Query);
    found += hits.filter((hit) => exact.includes(hit)).length;
  }
  return found / nearest.flat().length;
}

async function measureMode(peer: Peer, mode: Mode, queries: readonly Query[]): Promise<{ p50: number; p95: number; perSecond: number }> {
  // Whoever keeps something of a question has it then.
  await timed(queries, 2, (query) => peer.search(mode, query));
  const one = await during(MODE_MS, queries, 1, (query) => peer.search(mode, query));
  const many = await during(MODE_MS, queries, CLIENTS, (query) => peer.search(mode, query));
  return { p50: percentile(one.each, 0.5), p95: percentile(one.each, 0.95), perSecond: rate(many) };
}

/** Asks the queries again and again, one client all of them once at most. */
async function during(ms: number, queries: readonly Query[], clients: number, ask: (query: Query) => Promise<unknown>) {
  const times = { each: [] as number[], total: 0 };
  const start = performance.now();
  let next = 0;
  const more = () => performance.now() - start < ms && (clients > 1 || next < queries.length);
  const client = async () => {
    while (more()) {
      const query = queries[next++ % queries.length] as Query;
      const asked = performance.now();
      await ask(query);
      times.each.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  times.total = performance.now() - start;
  return times;
}

/** Pages that processes share count once. */
function memoryOf(processes: readonly number[]): number {
  const kib = processes.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]));
  return (kib.reduce((sum, each) => sum + each, 0) * KIB) / MB;
}

/** A process and all that it started. */
export function family(pid: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const children = pids.map(Number).filter((child) => parentOf(child) === pid);
  return [pid, ...children.flatMap(family)];
}

function parentOf(pid: number): number {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
  } catch {
    return Number.NaN;
  }
}
