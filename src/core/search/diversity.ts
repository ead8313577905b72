/** Orders candidates so that each tells something that those before it do not: maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998). */
import type { SearchQuery } from "../../domain/query.ts";
import type { Tenant } from "../tenant.ts";
import type { Unit } from "../../domain/unit.ts";

interface Scored {
  unit: Pick<Unit, "embeddedSha256">;
  /** `window`: the one that matched best, if any did. */
  fused: { window: number | null };
  score: number;
}

/**
 * The candidates, the first `top_k` of them chosen one by one: by `1 - diversity` of the score, as a share of the best, less
 * `diversity` of the greatest cosine with one that was chosen before. One without a vector is like none.
 */
export async function diversified<C extends Scored>(
  { reader }: Tenant,
  candidates: readonly C[],
  { diversity, top_k }: Pick<SearchQuery, "diversity" | "top_k">,
): Promise<C[]> {
  const windows = await reader.embeddings.windows(candidates.flatMap(({ unit }) => unit.embeddedSha256 ?? []));
  const best = Math.max(...candidates.map(({ score }) => score), Number.EPSILON);
  const left = candidates.map((candidate) => {
    const { unit, fused, score } = candidate;
    const vector = windows.get(unit.embeddedSha256 ?? "")?.[fused.window ?? 0]?.vector ?? null;
    return { candidate, vector, relevance: score / best, nearest: 0 };
  });
  const chosen: C[] = [];
  while (left.length > 0 && chosen.length < top_k) {
    const values = left.map(({ relevance, nearest }) => (1 - diversity) * relevance - diversity * nearest);
    const [next] = left.splice(values.indexOf(Math.max(...values)), 1);
    if (next === undefined) break;
    chosen.push(next.candidate);
    for (const other of left) other.nearest = Math.max(other.nearest, cosine(next.vector, other.vector));
  }
  return [...chosen, ...left.map(({ candidate }) => candidate)];
}

/** Of normalised vectors; 0 without one of them. */
function cosine(a: Float32Array | null, b: Float32Array | null): number {
  return a === null || b === null ? 0 : a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
