/** Retrieval: full text, vector and hybrid search with the claims; what a claim cites is relevant. */
import { type Bench, K } from "./bench.ts";
import { mean, ndcg, recall } from "./metrics.ts";
import { bar, figure, type Measured, table } from "./report.ts";
import { lanes } from "./work.ts";

const MODES = ["fulltext", "vector", "hybrid"] as const;

export async function retrieval(bench: Bench): Promise<Measured> {
  const { corpus, claims } = await bench.indexedClaims();
  const citing = claims.filter(({ cited }) => cited.length > 0);
  const figures: Record<string, { ndcg10: number; recall10: number }> = {};
  for (const mode of MODES) {
    const rankings = await lanes(`retrieval, ${mode}`, citing, async ({ claim, cited }) => {
      const { hits } = await bench.stand.search(corpus.scope, { q: claim, top_k: K, mode });
      return { found: hits.map(({ doc_id }) => doc_id), relevant: new Set(cited) };
    });
    figures[mode] = {
      ndcg10: mean(rankings.map(({ found, relevant }) => ndcg(found, relevant, K))),
      recall10: mean(rankings.map(({ found, relevant }) => recall(found, relevant, K))),
    };
  }
  const of = (mode: (typeof MODES)[number]) => figures[mode]?.ndcg10 ?? 0;
  return {
    title: "Retrieval",
    text: `${citing.length} claims over ${corpus.docs.length} abstracts.\n\n${table(
      ["mode", "nDCG@10", "recall@10"],
      Object.entries(figures).map(([mode, { ndcg10, recall10 }]) => [mode, figure(ndcg10), figure(recall10)]),
    )}`,
    figures: { claims: citing.length, abstracts: corpus.docs.length, ...figures },
    bars: [
      bar("claims, hybrid, nDCG@10", of("hybrid"), of("vector"), "vector"),
      bar("claims, hybrid, nDCG@10", of("hybrid"), of("fulltext"), "full text"),
    ],
  };
}
