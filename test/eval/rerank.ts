/** Reranking: hybrid search with and without the cross-encoder, with the questions and with the claims. */
import { RERANK_CANDIDATES } from "../../src/base/limits.ts";
import { type Bench, K } from "./bench.ts";
import { mean, ndcg, reciprocalRank } from "./metrics.ts";
import { bar, figure, type Measured, table } from "./report.ts";
import type { WireHit } from "./stand.ts";
import { lanes } from "./work.ts";

const WEIGHTS = [0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1];
/** What the blend maps to 0-1: src/core/retrieve.ts. */
const LOGIT_RANGE = 12;

interface Task {
  name: string;
  scope: string;
  queries: { id: string; q: string; relevant: Set<string> }[];
}

interface Ranked {
  id: string;
  relevant: Set<string>;
  plain: string[];
  /** All that was reranked, in the order of the blend. */
  reranked: WireHit[];
}

interface Quality {
  mrr10: number;
  ndcg10: number;
}

export async function rerank(bench: Bench): Promise<Measured> {
  const tasks = await tasksOf(bench);
  const rankings = new Map<string, Ranked[]>();
  for (const task of tasks) rankings.set(task.name, await run(bench, task));
  const figures: Record<string, { n: number; hybrid: Quality; reranked: Quality; curve: Record<string, number> }> = {};
  for (const [name, ranked] of rankings) {
    figures[name] = {
      n: ranked.length,
      hybrid: quality(ranked, ({ plain }) => plain),
      reranked: quality(ranked, ({ reranked }) => reranked.map(({ doc_id }) => doc_id)),
      curve: Object.fromEntries(WEIGHTS.map((weight) => [weight, quality(ranked, (one) => blended(one.reranked, weight)).ndcg10])),
    };
  }
  const rows = Object.entries(figures).flatMap(([name, { n, hybrid, reranked }]) => [
    [`${n} ${name}`, "hybrid", figure(hybrid.mrr10), figure(hybrid.ndcg10)],
    ["", "hybrid + rerank", figure(reranked.mrr10), figure(reranked.ndcg10)],
  ]);
  const curves = bench.curves ? `\n${curveTable(figures)}` : "";
  return {
    title: "Rerank",
    text: `Through \`POST /v1/search\`.\n\n${table(["queries", "search", "MRR@10", "nDCG@10"], rows)}${curves}`,
    figures,
    bars: [...barsOf("questions", figures.questions, false), ...barsOf("claims", figures.claims, true)],
    cases: [...rankings].flatMap(([set, ranked]) =>
      ranked.map(({ id, relevant, plain, reranked }) => ({
        set,
        id,
        hybrid: reciprocalRank(plain, relevant, K),
        rerank: reciprocalRank(
          reranked.map(({ doc_id }) => doc_id),
          relevant,
          K,
        ),
      })),
    ),
  };
}

async function tasksOf(bench: Bench): Promise<Task[]> {
  const xquad = await bench.indexedQuestions();
  const scifact = await bench.indexedClaims();
  return [
    {
      name: "questions",
      scope: xquad.corpus.scope,
      queries: xquad.questions.map(({ id, question, doc_id }) => ({ id, q: question, relevant: new Set([doc_id]) })),
    },
    {
      name: "claims",
      scope: scifact.corpus.scope,
      queries: scifact.claims.filter(({ cited }) => cited.length > 0).map(({ id, claim, cited }) => ({ id, q: claim, relevant: new Set(cited) })),
    },
  ];
}

async function run(bench: Bench, { name, scope, queries }: Task): Promise<Ranked[]> {
  return lanes(`rerank, ${name}`, queries, async ({ id, q, relevant }) => {
    const plain = await bench.stand.search(scope, { q, top_k: K });
    // As deep as it reads: the first ten are those of top_k 10, and the curve needs what it has put below them.
    const reranked = await bench.stand.search(scope, { q, top_k: Math.max(K, RERANK_CANDIDATES), rerank: true });
    return { id, relevant, plain: plain.hits.map(({ doc_id }) => doc_id), reranked: reranked.hits };
  });
}

function quality(ranked: readonly Ranked[], order: (one: Ranked) => string[]): Quality {
  return {
    mrr10: mean(ranked.map((one) => reciprocalRank(order(one), one.relevant, K))),
    ndcg10: mean(ranked.map((one) => ndcg(order(one), one.relevant, K))),
  };
}

/** The order that a weight of the cross-encoder gives, from the scores on the wire. */
function blended(hits: readonly WireHit[], weight: number): string[] {
  const firstStage = [...hits].sort((a, b) => b.scores.fused - a.scores.fused || similarity(b) - similarity(a));
  const first = firstStage[0]?.scores.fused ?? 1;
  const scored = firstStage.map(({ doc_id, scores: { fused, rerank: read } }) => {
    return { doc_id, score: ((1 - weight) * fused) / first + weight * (read === null ? 0 : scaled(Math.log(read / (1 - read)))) };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ doc_id }) => doc_id);
}

/** What the first stage orders equal scores by. */
function similarity({ scores }: WireHit): number {
  return Math.max(-1, ...scores.legs.flatMap(({ leg, raw }) => (leg === "fulltext" || raw === null ? [] : [raw])));
}

function scaled(logit: number): number {
  return Math.min(1, Math.max(0, (logit + LOGIT_RANGE) / (2 * LOGIT_RANGE)));
}

function curveTable(figures: Record<string, { curve: Record<string, number> }>): string {
  const names = Object.keys(figures);
  const rows = WEIGHTS.map((weight) => [String(weight), ...names.map((name) => figure(figures[name]?.curve[weight] ?? 0))]);
  return `nDCG@10 by the weight of the cross-encoder in the blend, one weight for every form of query:\n\n${table(["weight", ...names], rows)}`;
}

function barsOf(name: string, figures: { hybrid: Quality; reranked: Quality } | undefined, orEqual: boolean) {
  const zero = { mrr10: 0, ndcg10: 0 };
  const { hybrid = zero, reranked = zero } = figures ?? {};
  return [
    bar(`${name}, rerank, MRR@10`, reranked.mrr10, hybrid.mrr10, "hybrid", orEqual),
    bar(`${name}, rerank, nDCG@10`, reranked.ndcg10, hybrid.ndcg10, "hybrid", orEqual),
  ];
}
