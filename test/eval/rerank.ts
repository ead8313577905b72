/** Reranking: hybrid search with and without the cross-encoder, with the questions and with the claims. */
import type { Candidate } from "../../src/core/search/retrieve.ts";
import { type Bench, K } from "./bench.ts";
import { mean, ndcg, reciprocalRank } from "./metrics.ts";
import { bar, figure, type Measured, table } from "./report.ts";
import type { WireResult } from "./stand.ts";
import { lanes } from "./work.ts";

const WEIGHTS = [0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1];
/** What the blend maps to 0-1: src/core/search/retrieve.ts. */
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
  reranked: string[];
  /** All that the cross-encoder read; empty without `--curves`. */
  candidates: Candidate[];
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
      reranked: quality(ranked, ({ reranked }) => reranked),
      curve: bench.curves ? curveOf(ranked) : {},
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
        rerank: reciprocalRank(reranked, relevant, K),
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
    const reranked = await bench.stand.search(scope, { q, top_k: K, rerank: true });
    const candidates = bench.curves ? await bench.stand.candidates(scope, q, K) : [];
    const ids = ({ hits }: WireResult) => hits.map(({ doc_id }) => doc_id);
    return { id, relevant, plain: ids(plain), reranked: ids(reranked), candidates };
  });
}

function quality(ranked: readonly Ranked[], order: (one: Ranked) => string[]): Quality {
  return {
    mrr10: mean(ranked.map((one) => reciprocalRank(order(one), one.relevant, K))),
    ndcg10: mean(ranked.map((one) => ndcg(order(one), one.relevant, K))),
  };
}

function curveOf(ranked: readonly Ranked[]): Record<string, number> {
  return Object.fromEntries(WEIGHTS.map((weight) => [weight, quality(ranked, ({ candidates }) => blended(candidates, weight)).ndcg10]));
}

/** The order that a weight of the cross-encoder gives; equal scores keep the order of the first stage. */
function blended(candidates: readonly Candidate[], weight: number): string[] {
  const firstStage = [...candidates].sort((a, b) => b.fused.score - a.fused.score || b.fused.similarity - a.fused.similarity);
  const first = firstStage[0]?.fused.score ?? 1;
  const scored = firstStage.map(({ unit, fused, logit }) => {
    return { doc_id: unit.doc_id ?? "", score: ((1 - weight) * fused.score) / first + weight * (logit === null ? 0 : scaled(logit)) };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ doc_id }) => doc_id);
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
