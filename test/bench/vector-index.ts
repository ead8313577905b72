/**
 * How should a vector leg use LanceDB? Exact scan against the indexes LanceDB offers, on the same rows, in one run.
 *
 *   bun bench/vector-index.ts [--rows 1000,50000,200000] [--quick] [--only flat,hnsw] [--dir DIR] [--keep]
 *                             [--vectors FILE.f32 --queries FILE.f32]
 *
 * Prints, for each row count and variant: recall@10 (against an exact float32 scan made by this script in plain
 * JavaScript) and the p50 for no filter and for filters that keep 10 %, 1 % and 0.1 % of the rows; p95; queries
 * per second with 8 clients; build seconds; megabytes on disk; resident memory of a fresh process after opening
 * and after all queries. Each variant is measured in a process of its own, so memory is attributed to it alone.
 *
 * Vectors: by default synthetic, shaped like sentence embeddings (common direction, decaying spectrum, topics and
 * documents). `--vectors` and `--queries` take raw little-endian float32 rows of 384 unit vectors; when there are
 * fewer than the rows asked, more are made from them: normalise(a + s (b - c)), which keeps their covariance.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as lancedb from "@lancedb/lancedb";
import type * as arrow from "apache-arrow";

/** The CommonJS build, which LanceDB itself loads: tables made with the ES module build are refused by `add`. */
const A = require("apache-arrow") as typeof arrow;

export const DIM = 384;
const K = 10;
const LIMIT = 100;

// ---------------------------------------------------------------- data

export function random(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function gauss(rnd: () => number): number {
  return Math.sqrt(-2 * Math.log(rnd() + 1e-12)) * Math.cos(2 * Math.PI * rnd());
}

function normalise(m: Float32Array, row: number): void {
  const o = row * DIM;
  let n = 0;
  for (let k = 0; k < DIM; k++) n += (m[o + k] as number) ** 2;
  n = 1 / Math.sqrt(n);
  for (let k = 0; k < DIM; k++) m[o + k] = (m[o + k] as number) * n;
}

export interface Vectors {
  rows: Float32Array;
  queries: Float32Array;
}

/** Sentence-like vectors: mean direction + topic + document + own part, each with variance falling as k^-0.6. */
export function syntheticVectors(n: number, nq: number, seed = 7): Vectors {
  const rnd = random(seed);
  const sd = new Float32Array(DIM);
  let total = 0;
  for (let k = 0; k < DIM; k++) {
    sd[k] = (k + 1) ** -0.3;
    total += (sd[k] as number) ** 2;
  }
  for (let k = 0; k < DIM; k++) sd[k] = (sd[k] as number) / Math.sqrt(total);
  const draw = (count: number) => {
    const m = new Float32Array(count * DIM);
    for (let i = 0; i < count; i++) for (let k = 0; k < DIM; k++) m[i * DIM + k] = gauss(rnd) * (sd[k] as number);
    return m;
  };
  const topics = draw(2000);
  const docs = draw(Math.ceil(n / 10));
  const own = draw(65_536);
  const mean = draw(1);
  normalise(mean, 0);
  const make = (count: number, doc: (i: number) => number) => {
    const out = new Float32Array(count * DIM);
    for (let i = 0; i < count; i++) {
      const d = doc(i);
      const t = (d * 7919) % 2000;
      const a = Math.floor(rnd() * 65_536);
      const b = Math.floor(rnd() * 65_536);
      for (let k = 0; k < DIM; k++)
        out[i * DIM + k] =
          1.1 * (mean[k] as number) +
          0.45 * (topics[t * DIM + k] as number) +
          0.45 * (docs[d * DIM + k] as number) +
          0.5 * ((own[a * DIM + k] as number) - (own[b * DIM + k] as number));
      normalise(out, i);
    }
    return out;
  };
  return { rows: make(n, (i) => Math.floor(i / 10)), queries: make(nq, () => Math.floor(rnd() * Math.ceil(n / 10))) };
}

export function realVectors(n: number, nq: number, rowsFile: string, queriesFile: string, seed = 11): Vectors {
  const load = (f: string) => {
    const b = readFileSync(f);
    return new Float32Array(b.buffer, b.byteOffset, b.byteLength / 4);
  };
  const base = load(rowsFile);
  const have = base.length / DIM;
  const rows = new Float32Array(n * DIM);
  rows.set(base.subarray(0, Math.min(n, have) * DIM));
  const rnd = random(seed);
  for (let i = have; i < n; i++) {
    const a = i % have;
    const b = Math.floor(rnd() * have);
    const c = Math.floor(rnd() * have);
    const s = 0.4 + 0.5 * rnd();
    for (let k = 0; k < DIM; k++)
      rows[i * DIM + k] = (base[a * DIM + k] as number) + s * ((base[b * DIM + k] as number) - (base[c * DIM + k] as number));
    normalise(rows, i);
  }
  return { rows, queries: load(queriesFile).slice(0, nq * DIM) };
}

// ---------------------------------------------------------------- table

export interface Columns {
  uid: number[];
  cls: number[];
  created_at: number[];
  doc_id: string[];
  tags: string[][];
}

const T0 = 1_700_000_000_000;

/** cls is independent of the vectors; doc_id and created_at follow ingest order; tags follow the vectors' topics. */
export function attributes(v: Vectors, n: number): Columns {
  const rnd = random(5);
  const c: Columns = { uid: [], cls: [], created_at: [], doc_id: [], tags: [] };
  const perDoc = Math.max(1, Math.round(n / 1000));
  const project = (pivot: number) => {
    const p = new Float32Array(n);
    for (let i = 0; i < n; i++) {
      let s = 0;
      for (let k = 0; k < DIM; k++) s += (v.rows[i * DIM + k] as number) * (v.rows[pivot * DIM + k] as number);
      p[i] = s;
    }
    const sorted = p.slice().sort();
    return { p, at: (share: number) => sorted[Math.max(0, Math.ceil(n * (1 - share)) - 1)] as number };
  };
  const site = project(Math.floor(n * 0.37));
  const x = project(Math.floor(n * 0.61));
  const y = project(Math.floor(n * 0.83));
  const [ts, tx, ty] = [site.at(0.1), x.at(0.005), y.at(0.005)];
  for (let i = 0; i < n; i++) {
    c.uid.push(i + 1);
    const r = rnd();
    c.cls.push(r < 0.01 ? 190 + Math.floor(r * 1000) : Math.floor(rnd() * 190));
    c.created_at.push(T0 + i * 1000);
    c.doc_id.push(`doc-${Math.floor(i / perDoc)}`);
    const t = [rnd() < 0.5 ? "shift=s:night" : "shift=s:day", `line=n:${Math.floor(rnd() * 40)}`];
    if ((site.p[i] as number) > ts) t.push("site=s:north");
    if ((x.p[i] as number) > tx) t.push("asset=s:x");
    if ((y.p[i] as number) > ty) t.push("asset=s:y");
    c.tags.push(t);
  }
  return c;
}

export interface Filter {
  keep: string;
  sql: string;
  test: (c: Columns, i: number) => boolean;
}

export function filters(n: number): Filter[] {
  const range = (from: number, share: number): [number, number] => [T0 + Math.floor(n * from) * 1000, T0 + Math.floor(n * (from + share)) * 1000];
  const out: Filter[] = [{ keep: "all", sql: "", test: () => true }];
  const cls = (keep: string, list: number[]) => {
    const set = new Set(list);
    out.push({ keep, sql: `cls IN (${list.join(", ")})`, test: (c, i) => set.has(c.cls[i] as number) });
  };
  const created = (keep: string, from: number, share: number) => {
    const [a, b] = range(from, share);
    out.push({
      keep,
      sql: `created_at >= ${a} AND created_at < ${b}`,
      test: (c, i) => (c.created_at[i] as number) >= a && (c.created_at[i] as number) < b,
    });
  };
  const tags = (keep: string, sql: string, any: string[]) => out.push({ keep, sql, test: (c, i) => any.some((t) => c.tags[i]?.includes(t)) });
  cls(
    "10 %",
    Array.from({ length: 19 }, (_, i) => 10 * i + 3),
  );
  created("10 %", 0.3, 0.1);
  tags("10 %", "array_has(tags, 'site=s:north')", ["site=s:north"]);
  cls("1 %", [17, 118]);
  created("1 %", 0.5, 0.01);
  tags("1 %", "array_has_any(tags, ['asset=s:x', 'asset=s:y'])", ["asset=s:x", "asset=s:y"]);
  cls("0.1 %", [193]);
  created("0.1 %", 0.7, 0.001);
  out.push({ keep: "0.1 %", sql: "doc_id = 'doc-421'", test: (c, i) => c.doc_id[i] === "doc-421" });
  return out;
}

export function schema(bits: 16 | 32): arrow.Schema {
  const f = (name: string, type: arrow.DataType) => new A.Field(name, type, false);
  const float = bits === 32 ? new A.Float32() : new A.Float16();
  return new A.Schema([
    f("uid", new A.Int64()),
    f("ver", new A.Int32()),
    f("win", new A.Int32()),
    f("cls", new A.Int32()),
    f("created_at", new A.Int64()),
    f("modality", new A.Utf8()),
    f("doc_id", new A.Utf8()),
    f("source_uri", new A.Utf8()),
    f("mime", new A.Utf8()),
    f("acl_owner", new A.Utf8()),
    f("loc_kind", new A.Utf8()),
    f("t_start", new A.Int64()),
    f("t_end", new A.Int64()),
    f("tags", new A.List(new A.Field("item", new A.Utf8(), true))),
    f("vector", new A.FixedSizeList(DIM, new A.Field("item", float, true))),
  ]);
}

const halfBits = (src: Float32Array): Uint16Array => {
  const h = new (globalThis as unknown as { Float16Array: new (s: Float32Array) => { buffer: ArrayBuffer } }).Float16Array(src);
  return new Uint16Array(h.buffer);
};

/** One record batch, built column by column without going through objects. */
export function batch(v: Float32Array, c: Columns, from: number, to: number, bits: 16 | 32): arrow.Table {
  const n = to - from;
  const s = schema(bits);
  const i64 = (f: (i: number) => number) => {
    const a = new BigInt64Array(n);
    for (let i = 0; i < n; i++) a[i] = BigInt(f(from + i));
    return A.makeData({ type: new A.Int64(), data: a });
  };
  const i32 = (f: (i: number) => number) => {
    const a = new Int32Array(n);
    for (let i = 0; i < n; i++) a[i] = f(from + i);
    return A.makeData({ type: new A.Int32(), data: a });
  };
  const utf8 = (values: string[]) => {
    const offsets = new Int32Array(values.length + 1);
    for (let i = 0; i < values.length; i++) offsets[i + 1] = (offsets[i] as number) + Buffer.byteLength(values[i] as string);
    const data = Buffer.from(values.join(""));
    return A.makeData({ type: new A.Utf8(), length: values.length, nullCount: 0, valueOffsets: offsets, data });
  };
  const str = (f: (i: number) => string) => utf8(Array.from({ length: n }, (_, i) => f(from + i)));
  const lists = c.tags.slice(from, to);
  const listOffsets = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) listOffsets[i + 1] = (listOffsets[i] as number) + (lists[i] as string[]).length;
  const slab = v.subarray(from * DIM, to * DIM);
  const child = bits === 32 ? A.makeData({ type: new A.Float32(), data: slab }) : A.makeData({ type: new A.Float16(), data: halfBits(slab) });
  const mod = ["text", "chunk", "caption", "log_template"];
  const columns = [
    i64((i) => c.uid[i] as number),
    i32(() => 1),
    i32(() => 0),
    i32((i) => c.cls[i] as number),
    i64((i) => c.created_at[i] as number),
    str((i) => mod[i % 4] as string),
    str((i) => c.doc_id[i] as string),
    str((i) => (i % 3 ? `file:///data/${c.doc_id[i]}.txt` : "")),
    str(() => "text/plain"),
    str((i) => `p_${i % 23}`),
    str((i) => (i % 2 ? "char_span" : "")),
    i64(() => -1),
    i64(() => -1),
    A.makeData({ type: s.fields[13]?.type as arrow.List, length: n, nullCount: 0, valueOffsets: listOffsets, child: utf8(lists.flat()) }),
    A.makeData({ type: s.fields[14]?.type as arrow.FixedSizeList, length: n, nullCount: 0, child }),
  ];
  const struct = A.makeData({ type: new A.Struct(s.fields), length: n, nullCount: 0, children: columns as arrow.Data[] });
  return new A.Table(s, [new A.RecordBatch(s, struct)]);
}

export async function connect(dir: string): Promise<lancedb.Connection> {
  return lancedb.connect(dir, { readConsistencyInterval: 0, session: new lancedb.Session(256n << 20n, 64n << 20n) });
}

/** A fresh list each time: an Index object can be used once only. */
export const scalarIndexes = (): [string, lancedb.Index][] => [
  ["uid", lancedb.Index.btree()],
  ["cls", lancedb.Index.bitmap()],
  ["created_at", lancedb.Index.btree()],
  ["doc_id", lancedb.Index.btree()],
  ["tags", lancedb.Index.labelList()],
];

export function du(path: string): number {
  if (!existsSync(path)) return 0;
  const s = statSync(path);
  if (!s.isDirectory()) return s.size;
  return readdirSync(path).reduce((a, f) => a + du(join(path, f)), 0);
}

// ---------------------------------------------------------------- truth

/** Exact top K for each query and filter, float32 dot products of unit vectors, in plain JavaScript. */
export function exactTruth(v: Vectors, n: number, nq: number, c: Columns, fs: Filter[]): number[][][] {
  const masks = fs.map((f) => Uint8Array.from({ length: n }, (_, i) => (f.test(c, i) ? 1 : 0)));
  const score = new Float32Array(n);
  const out: number[][][] = [];
  for (let q = 0; q < nq; q++) {
    for (let i = 0; i < n; i++) {
      let a = 0,
        b = 0,
        d = 0,
        e = 0;
      const o = i * DIM;
      const p = q * DIM;
      for (let k = 0; k < DIM; k += 4) {
        a += (v.rows[o + k] as number) * (v.queries[p + k] as number);
        b += (v.rows[o + k + 1] as number) * (v.queries[p + k + 1] as number);
        d += (v.rows[o + k + 2] as number) * (v.queries[p + k + 2] as number);
        e += (v.rows[o + k + 3] as number) * (v.queries[p + k + 3] as number);
      }
      score[i] = a + b + d + e;
    }
    out.push(
      masks.map((m) => {
        const top: number[] = [];
        for (let i = 0; i < n; i++) {
          if (!m[i]) continue;
          const s = score[i] as number;
          if (top.length === K && s <= (score[top[K - 1] as number] as number)) continue;
          let j = top.length;
          while (j > 0 && (score[top[j - 1] as number] as number) < s) j--;
          top.splice(j, 0, i);
          if (top.length > K) top.pop();
        }
        return top.map((i) => c.uid[i] as number);
      }),
    );
  }
  return out;
}

// ---------------------------------------------------------------- variants

export interface QueryOptions {
  distance?: "cosine" | "dot";
  exact?: boolean;
  /** Exactly this many partitions. */
  probes?: number;
  /** 20 partitions, and as many more as LanceDB wants: 0 lifts the upper bound. */
  all?: boolean;
  ef?: number;
  refine?: number;
  half?: boolean;
}

interface Variant {
  name: string;
  bits: 16 | 32;
  index?: (n: number) => lancedb.Index;
  /** Several ways to query what was built once. */
  queries: { label: string; o: QueryOptions }[];
  /** Not measured below this many rows. */
  from?: number;
  /** Builds for tens of seconds (k-means with many partitions): left out with --quick. */
  slow?: boolean;
}

const parts = (n: number) => Math.max(1, Math.round(Math.sqrt(n)));
const cos = { distanceType: "cosine" } as const;
const refined = (factors: number[], o: QueryOptions) =>
  factors.map((refine) => ({ label: `${o.all ? "all" : o.probes} r${refine}`, o: { ...o, refine } }));

export const VARIANTS: Variant[] = [
  {
    name: "flat f32",
    bits: 32,
    queries: [
      { label: "cosine", o: { exact: true } },
      { label: "dot", o: { exact: true, distance: "dot" } },
    ],
  },
  {
    name: "flat f16",
    bits: 16,
    queries: [
      { label: "cosine", o: { exact: true } },
      { label: "dot", o: { exact: true, distance: "dot" } },
    ],
  },
  {
    name: "ivf_flat/1",
    bits: 16,
    from: 10_000,
    index: () => lancedb.Index.ivfFlat({ ...cos, numPartitions: 1 }),
    queries: [{ label: "all", o: { all: true } }],
  },
  {
    name: "ivf_rq/1",
    bits: 16,
    from: 1_000,
    index: () => lancedb.Index.ivfRq({ ...cos, numPartitions: 1 }),
    queries: refined([1, 2, 5], { all: true }),
  },
  {
    name: "ivf_rq/1 2 bit",
    bits: 16,
    from: 10_000,
    index: () => lancedb.Index.ivfRq({ ...cos, numPartitions: 1, numBits: 2 }),
    queries: refined([1, 2], { all: true }),
  },
  {
    name: "ivf_rq/1 4 bit",
    bits: 16,
    from: 1_000,
    index: () => lancedb.Index.ivfRq({ ...cos, numPartitions: 1, numBits: 4 }),
    queries: refined([1, 2], { all: true }),
  },
  {
    name: "ivf_rq/1 4 bit f32",
    bits: 32,
    from: 10_000,
    index: () => lancedb.Index.ivfRq({ ...cos, numPartitions: 1, numBits: 4 }),
    queries: refined([2], { all: true }),
  },
  {
    name: "ivf_rq/8 4 bit",
    bits: 16,
    from: 10_000,
    index: () => lancedb.Index.ivfRq({ ...cos, numPartitions: 8, numBits: 4 }),
    queries: refined([2], { all: true }),
  },
  {
    name: "hnsw_sq",
    bits: 16,
    from: 1_000,
    index: () => lancedb.Index.hnswSq({ ...cos, numPartitions: 1, m: 20, efConstruction: 150 }),
    queries: [
      { label: "ef150", o: { ef: 150 } },
      { label: "ef200 r1", o: { ef: 200, refine: 1 } },
      { label: "ef300 r1", o: { ef: 300, refine: 1 } },
    ],
  },
  {
    name: "ivf_flat/sqrt",
    bits: 16,
    from: 10_000,
    slow: true,
    index: (n) => lancedb.Index.ivfFlat({ ...cos, numPartitions: parts(n) }),
    queries: [
      { label: "20", o: { probes: 20 } },
      { label: "20+", o: { all: true } },
    ],
  },
  {
    name: "ivf_rq/sqrt",
    bits: 16,
    from: 10_000,
    slow: true,
    index: (n) => lancedb.Index.ivfRq({ ...cos, numPartitions: parts(n) }),
    queries: [...refined([3], { probes: 20 }), ...refined([3], { all: true })],
  },
  {
    name: "ivf_pq/sqrt",
    bits: 16,
    from: 10_000,
    slow: true,
    index: (n) => lancedb.Index.ivfPq({ ...cos, numPartitions: parts(n), numSubVectors: 48 }),
    queries: [...refined([3], { probes: 20 }), ...refined([3], { all: true })],
  },
];

export function vectorQuery(t: lancedb.Table, q: Float32Array, where: string, o: QueryOptions, limit = LIMIT): lancedb.VectorQuery {
  const vector = o.half ? new (globalThis as unknown as { Float16Array: new (s: Float32Array) => Float32Array }).Float16Array(q) : q;
  let b = t
    .query()
    .nearestTo(vector)
    .distanceType(o.distance ?? "cosine")
    .limit(limit)
    .select(["uid", "ver", "win", "_distance"]);
  if (where) b = b.where(where);
  if (o.exact) b = b.bypassVectorIndex();
  if (o.probes !== undefined) b = b.nprobes(o.probes);
  if (o.all) b = b.minimumNprobes(20).maximumNprobes(0);
  if (o.ef !== undefined) b = b.ef(o.ef);
  if (o.refine !== undefined) b = b.refineFactor(o.refine);
  return b;
}

export async function uids(b: lancedb.VectorQuery): Promise<number[]> {
  const out: number[] = [];
  for await (const r of b) {
    const col = r.getChild("uid");
    if (col) for (let i = 0; i < r.numRows; i++) out.push(Number(col.get(i)));
  }
  return out;
}

export const pct = (a: number[], p: number): number => {
  const s = a.slice().sort((x, y) => x - y);
  return s[Math.min(s.length - 1, Math.floor(s.length * p))] ?? Number.NaN;
};

export const rss = (): number => process.memoryUsage.rss() / 1e6;

// ---------------------------------------------------------------- worker: one variant, own process

interface Job {
  dir: string;
  table: string;
  n: number;
  queriesFile: string;
  truthFile: string;
  queries: { label: string; o: QueryOptions }[];
}

interface Line {
  label: string;
  recall: Record<string, number>;
  worst: number;
  p50: Record<string, number>;
  p95: number;
  qps: number;
  rssOpen: number;
  rssAfter: number;
}

async function worker(job: Job): Promise<Line[]> {
  const t = await (await connect(job.dir)).openTable(job.table);
  const q = new Float32Array(await Bun.file(job.queriesFile).arrayBuffer());
  const truth = (await Bun.file(job.truthFile).json()) as number[][][];
  const fs = filters(job.n);
  const rssOpen = rss();
  const lines: Line[] = [];
  for (const { label, o } of job.queries) {
    const ms: Record<string, number[]> = {};
    const hit: Record<string, number[]> = {};
    const perFilter = fs.map(() => [0, 0]);
    for (let i = 0; i < 5; i++) await uids(vectorQuery(t, q.subarray(i * DIM, (i + 1) * DIM), fs[i % fs.length]?.sql ?? "", o));
    for (let i = 0; i < truth.length; i++)
      for (const [j, f] of fs.entries()) {
        const want = truth[i]?.[j] ?? [];
        const start = performance.now();
        const got = await uids(vectorQuery(t, q.subarray(i * DIM, (i + 1) * DIM), f.sql, o));
        ms[f.keep] ??= [];
        ms[f.keep]?.push(performance.now() - start);
        const top = new Set(got.slice(0, K));
        const found = want.filter((u) => top.has(u)).length;
        hit[f.keep] ??= [0, 0];
        const h = hit[f.keep] as number[];
        for (const x of [h, perFilter[j] as number[]]) {
          x[0] = (x[0] as number) + found;
          x[1] = (x[1] as number) + want.length;
        }
      }
    const total = truth.length * 2;
    let next = 0;
    const start = performance.now();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let i = next++; i < total; i = next++) {
          const k = i % truth.length;
          await uids(vectorQuery(t, q.subarray(k * DIM, (k + 1) * DIM), "", o));
        }
      }),
    );
    const share = ([a, b]: number[]) => ((b as number) ? (a as number) / (b as number) : 1);
    lines.push({
      label,
      recall: Object.fromEntries(Object.entries(hit).map(([k, h]) => [k, share(h)])),
      worst: Math.min(...perFilter.map(share)),
      p50: Object.fromEntries(Object.entries(ms).map(([k, a]) => [k, pct(a, 0.5)])),
      p95: pct(ms.all ?? [], 0.95),
      qps: (total * 1000) / (performance.now() - start),
      rssOpen,
      rssAfter: rss(),
    });
  }
  return lines;
}

// ---------------------------------------------------------------- main

async function main(): Promise<void> {
  const flag = (name: string) => {
    const i = process.argv.indexOf(`--${name}`);
    return i < 0 ? undefined : process.argv[i + 1];
  };
  const quick = process.argv.includes("--quick");
  const keep = process.argv.includes("--keep");
  const only = flag("only")?.split(",");
  const root = flag("dir") ?? join(tmpdir(), `vector-index-${process.pid}`);
  const vectors = flag("vectors");
  mkdirSync(root, { recursive: true });
  const header = [
    "rows",
    "variant",
    "query",
    "r@10 all",
    "10 %",
    "1 %",
    "0.1 %",
    "worst",
    "p50 ms all",
    "10 %",
    "1 %",
    "0.1 %",
    "p95 all",
    "q/s x8",
    "build s",
    "MB",
    "RSS open",
    "RSS after",
  ];
  console.log(`| ${header.join(" | ")} |\n|${header.map(() => "---").join("|")}|`);
  for (const n of (flag("rows") ?? "1000,50000,200000").split(",").map(Number)) {
    const nq = quick ? 30 : n > 100_000 ? 60 : 100;
    const v = vectors ? realVectors(n, nq, vectors, flag("queries") ?? vectors) : syntheticVectors(n, nq);
    const c = attributes(v, n);
    const fs = filters(n);
    const queriesFile = join(root, `queries-${n}.f32`);
    const truthFile = join(root, `truth-${n}.json`);
    await Bun.write(queriesFile, v.queries.buffer as ArrayBuffer);
    await Bun.write(truthFile, JSON.stringify(exactTruth(v, n, nq, c, fs)));
    const db = await connect(root);
    const names = new Set(await db.tableNames());
    for (const bits of [32, 16] as const) {
      const name = `t${n}_${bits}`;
      if (names.has(name)) continue;
      const t = await db.createEmptyTable(name, schema(bits));
      for (let i = 0; i < n; i += 10_000) await t.add(batch(v.rows, c, i, Math.min(n, i + 10_000), bits));
      for (const [column, config] of scalarIndexes()) await t.createIndex(column, { config });
      await t.optimize({ cleanupOlderThan: new Date() });
    }
    for (const variant of VARIANTS) {
      if (only && !only.includes(variant.name)) continue;
      if (n < (variant.from ?? 0) || (quick && variant.slow)) continue;
      const name = `t${n}_${variant.bits}`;
      const t = await db.openTable(name);
      const path = join(root, `${name}.lance`);
      let build = 0;
      let bytes = du(join(path, "data"));
      if (variant.index) {
        const before = du(join(path, "_indices"));
        const start = performance.now();
        await t.createIndex("vector", { config: variant.index(n) });
        build = (performance.now() - start) / 1000;
        bytes = du(join(path, "_indices")) - before;
      }
      const job: Job = { dir: root, table: name, n, queriesFile, truthFile, queries: variant.queries };
      const p = Bun.spawn([process.execPath, import.meta.path, "--worker", JSON.stringify(job)], { stdout: "pipe", stderr: "inherit" });
      for (const l of JSON.parse(await new Response(p.stdout).text()) as Line[]) {
        const keys = ["all", "10 %", "1 %", "0.1 %"];
        console.log(
          `| ${[
            n,
            variant.name,
            l.label,
            ...keys.map((k) => l.recall[k]?.toFixed(3)),
            l.worst.toFixed(3),
            ...keys.map((k) => l.p50[k]?.toFixed(1)),
            l.p95.toFixed(1),
            l.qps.toFixed(0),
            build.toFixed(1),
            (bytes / 1e6).toFixed(1),
            l.rssOpen.toFixed(0),
            l.rssAfter.toFixed(0),
          ].join(" | ")} |`,
        );
      }
      if (variant.index) {
        for (const i of await t.listIndices()) if (i.columns.includes("vector")) await t.dropIndex(i.name);
        await t.optimize({ cleanupOlderThan: new Date() });
      }
    }
  }
  if (!keep) rmSync(root, { recursive: true, force: true });
}

if (import.meta.main) {
  const i = process.argv.indexOf("--worker");
  if (i > 0) console.log(JSON.stringify(await worker(JSON.parse(process.argv[i + 1] as string))));
  else await main();
}
