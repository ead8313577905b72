/**
 * Retrieval quality on SciFact: ingests the abstracts through the HTTP API and searches with the claims.
 *
 *     npm run eval [-- --data ../shared/eval/scifact] [--keep DIR]
 *
 * Prints nDCG@10 and recall@10 for full text, vector and hybrid search, and exits 1 when hybrid is not
 * ahead of both. `--keep` keeps the data directory, so that a second run skips the encoding.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { App } from "../../src/app.ts";
import { silentLog } from "../../src/base/log.ts";
import { createHttp, listen } from "../../src/http/server.ts";
import { temporaryDirectory } from "../support/scratch.ts";

const K = 10;
const BATCH_UNITS = 200;
const BATCHES_IN_FLIGHT = 2;
const TOKEN = "strata_tier_enterprise";
const SCOPE = "eval/scifact";
const MODES = ["fulltext", "vector", "hybrid"] as const;

interface Abstract {
  doc_id: string;
  title: string;
  sentences: string[];
}

interface Claim {
  claim: string;
  cited_doc_ids: string[];
}

const { values: flags } = parseArgs({
  options: { data: { type: "string", default: "../shared/eval/scifact" }, keep: { type: "string" } },
});

function lines<T>(text: string): T[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

async function load(folder: string): Promise<{ corpus: Abstract[]; claims: Claim[] }> {
  const root = resolve(folder);
  if (!existsSync(join(root, "claims.jsonl"))) throw new Error(`no SciFact in ${root}: name its folder with --data`);
  const corpus = new TextDecoder().decode(Bun.gunzipSync(await Bun.file(join(root, "corpus.jsonl.gz")).bytes()));
  return { corpus: lines(corpus), claims: lines(await Bun.file(join(root, "claims.jsonl")).text()) };
}

function print(text: string): void {
  process.stdout.write(text);
}

async function post(base: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", "x-svc-scope": SCOPE };
  const response = await fetch(`${base}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const json = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(json)}`);
  return json;
}

async function ingest(base: string, corpus: readonly Abstract[]): Promise<void> {
  const start = performance.now();
  let next = 0;
  let done = 0;
  const lane = async () => {
    while (next < corpus.length) {
      const batch = corpus.slice(next, next + BATCH_UNITS);
      next += BATCH_UNITS;
      const units = batch.map(({ doc_id, title, sentences }) => ({ modality: "text", doc_id, text: [title, ...sentences].join(" ") }));
      await post(base, "/v1/ingest", { units });
      done += batch.length;
      print(`\r${done} of ${corpus.length} abstracts, ${((performance.now() - start) / 1000).toFixed(0)} s `);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_IN_FLIGHT }, lane));
  print("\n");
}

/** nDCG@10 with binary relevance, and recall@10. */
function score(found: readonly string[], relevant: ReadonlySet<string>): { ndcg: number; recall: number } {
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const dcg = found.reduce((sum, id, rank) => sum + (relevant.has(id) ? gain(rank) : 0), 0);
  const ideal = Array.from({ length: Math.min(K, relevant.size) }, (_, rank) => gain(rank)).reduce((a, b) => a + b, 0);
  return { ndcg: dcg / ideal, recall: found.filter((id) => relevant.has(id)).length / relevant.size };
}

async function evaluate(base: string, claims: readonly Claim[], mode: (typeof MODES)[number]): Promise<{ ndcg: number; recall: number }> {
  let ndcg = 0;
  let recall = 0;
  for (const { claim, cited_doc_ids } of claims) {
    const { hits } = (await post(base, "/v1/search", { q: claim, top_k: K, mode })) as { hits: { doc_id: string }[] };
    const one = score(
      hits.map(({ doc_id }) => doc_id),
      new Set(cited_doc_ids),
    );
    ndcg += one.ndcg / claims.length;
    recall += one.recall / claims.length;
  }
  return { ndcg, recall };
}

const { corpus, claims } = await load(flags.data);
const app = await App.open({ data: flags.keep ?? temporaryDirectory(), log: silentLog });
if (!app.data.directory.hasTokens()) await app.service.seed(null);
const http = createHttp({ ...app.edge, version: "eval", trustSeeded: true, secureCookies: false, log: silentLog });
const listener = listen(http, { hostname: "127.0.0.1", port: 0 });
const base = `http://127.0.0.1:${listener.port}`;
await ingest(base, corpus);
print(`${claims.length} claims over ${corpus.length} abstracts\n\n| mode | nDCG@10 | recall@10 |\n|---|---|---|\n`);
const results = new Map<string, number>();
for (const mode of MODES) {
  const { ndcg, recall } = await evaluate(base, claims, mode);
  results.set(mode, ndcg);
  print(`| ${mode} | ${ndcg.toFixed(4)} | ${recall.toFixed(4)} |\n`);
}
await listener.stop();
await app.close();
const hybrid = results.get("hybrid") ?? 0;
if (hybrid <= (results.get("vector") ?? 1) || hybrid <= (results.get("fulltext") ?? 1)) {
  print("\nhybrid is not ahead of both legs\n");
  process.exitCode = 1;
}
