import { counted } from "../format.ts";
import { questions } from "./corpus.ts";
import { atMost, type Figure, percentile, slowdown, timed } from "./measure.ts";
import type { Stand } from "./stand.ts";
import { RERANK_CANDIDATES } from "../../core/search/retrieve.ts";

const TOP_K = 10;
const CLIENTS = 8;
const ANSWERING_CLIENTS = 2;
const RERANK_P95_MAX_MS = 100;
const BARE_SHARE_MIN = 0.9;
const ANSWER_P50_MAX_MS = 250;
/** The slowest of eight equal clients against the fastest. */
const FAIR_MAX = 1.5;

interface Body {
  answer: { status: string } | null;
  trace: { stages: { name: string; ms: number; out: number }[] };
}

/** Reranking, whole answers, fairness among clients that ask, and searches beside them. Every query is new. */
export async function benchAnswer(stand: Stand, queries: number): Promise<Figure[]> {
  const asked = (await questions(queries * 5, queries + 1)).map((words) => `What is known about ${words}?`);
  const part = (index: number) => asked.slice(index * queries, (index + 1) * queries);
  // Both pair models open on first use, in each worker.
  await timed(part(0).slice(0, 2 * CLIENTS), CLIENTS, (q) => answer(stand, q));
  return [
    ...(await rerank(stand, part(1))),
    ...(await answers(stand, part(2))),
    ...(await fairness(stand, part(3))),
    ...(await besideAnswers(stand, queries, part(4))),
  ];
}

async function answer(stand: Stand, q: string): Promise<Body> {
  return (await stand.post("admin", "/v1/answer", { q, answer: true, top_k: TOP_K })) as unknown as Body;
}

/** The rerank stage, against the same pairs given to the bare cross-encoder all at once. */
async function rerank(stand: Stand, texts: readonly string[]): Promise<Figure[]> {
  const { reranker } = stand.app.engines.inference;
  const pairs: { query: string; passages: readonly string[] }[] = [];
  const score = reranker.score.bind(reranker);
  const stages: number[] = [];
  reranker.score = (query, passages, withinMs) => {
    pairs.push({ query, passages });
    return score(query, passages, withinMs);
  };
  for (const q of texts) {
    const { trace } = (await stand.post("admin", "/v1/search", { q, top_k: TOP_K, rerank: true })) as unknown as Body;
    stages.push(trace.stages.find(({ name }) => name === "rerank")?.ms ?? Number.NaN);
  }
  reranker.score = score;
  const count = pairs.reduce((sum, { passages }) => sum + passages.length, 0);
  const start = performance.now();
  await Promise.all(pairs.map(({ query, passages }) => score(query, passages)));
  const bare = (count * 1000) / (performance.now() - start);
  const rate = (count * 1000) / stages.reduce((sum, ms) => sum + ms, 0);
  return [
    { name: `rerank of ${RERANK_CANDIDATES} windows, 1 client, p50`, value: percentile(stages, 0.5), unit: "ms" },
    atMost(RERANK_P95_MAX_MS, { name: `rerank of ${RERANK_CANDIDATES} windows, 1 client, p95`, value: percentile(stages, 0.95), unit: "ms" }),
    {
      name: "rerank",
      value: rate,
      unit: "windows/s",
      baseline: { name: "bare cross-encoder", value: bare },
      bar: { text: `at least ${BARE_SHARE_MIN} of the bare model`, met: rate >= BARE_SHARE_MIN * bare },
    },
  ];
}

async function answers(stand: Stand, texts: readonly string[]): Promise<Figure[]> {
  const each: number[] = [];
  let answered = 0;
  for (const q of texts) {
    const start = performance.now();
    const body = await answer(stand, q);
    each.push(performance.now() - start);
    if (body.answer?.status !== "abstained") answered += 1;
  }
  const units = await stand.tenant.reader.units.count(null);
  return [
    atMost(ANSWER_P50_MAX_MS, { name: `answer over ${counted(units, "chunk")}, 1 client, p50`, value: percentile(each, 0.5), unit: "ms" }),
    { name: "answer, 1 client, p95", value: percentile(each, 0.95), unit: "ms" },
    { name: "questions answered, not abstained", value: (100 * answered) / texts.length, unit: "%" },
  ];
}

/** Eight clients with as many questions each, all beginning at once: how much longer the slowest takes. */
async function fairness(stand: Stand, texts: readonly string[]): Promise<Figure[]> {
  const share = Math.floor(texts.length / CLIENTS);
  const totals = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const { total } = await timed(texts.slice(client * share, (client + 1) * share), 1, (q) => answer(stand, q));
      return total;
    }),
  );
  const [fastest, slowest] = [Math.min(...totals), Math.max(...totals)];
  return [
    {
      name: `${CLIENTS} clients ask at once: slowest`,
      value: slowest / share,
      unit: "ms an answer",
      baseline: { name: "fastest", value: fastest / share },
      bar: { text: `at most ${FAIR_MAX} times the fastest`, met: slowest <= FAIR_MAX * fastest },
    },
  ];
}

/** Searches without rerank, alone and while clients ask for answers all the time. */
async function besideAnswers(stand: Stand, queries: number, texts: readonly string[]): Promise<Figure[]> {
  const plain = await questions(2 * queries, queries + 2);
  const find = (q: string) => stand.post("admin", "/v1/search", { q, top_k: TOP_K });
  const alone = await timed(plain.slice(0, queries), 1, find);
  let searching = true;
  let next = 0;
  const asking = Array.from({ length: ANSWERING_CLIENTS }, async () => {
    while (searching) await answer(stand, `${texts[next++ % texts.length]} ${next}`);
  });
  const beside = await timed(plain.slice(queries), 1, find);
  searching = false;
  await Promise.all(asking);
  return [slowdown(`hybrid while ${ANSWERING_CLIENTS} clients get answers, p50`, alone.each, beside.each)];
}
