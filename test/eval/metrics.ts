/** What the measurements are counted with: pure functions of rankings, scores and labels. */

/** The gain of a place in a ranking, counted from 0. */
function discount(place: number): number {
  return 1 / Math.log2(place + 2);
}

/** nDCG@k with binary relevance, 0-1; 0 when nothing is relevant. `found`: best first, each once. */
export function ndcg(found: readonly string[], relevant: ReadonlySet<string>, k: number): number {
  const gained = found.slice(0, k).reduce((sum, id, place) => sum + (relevant.has(id) ? discount(place) : 0), 0);
  const ideal = Array.from({ length: Math.min(k, relevant.size) }, (_, place) => discount(place)).reduce((a, b) => a + b, 0);
  return ideal === 0 ? 0 : gained / ideal;
}

/** The share of what is relevant that stands among the first k, 0-1. */
export function recall(found: readonly string[], relevant: ReadonlySet<string>, k: number): number {
  return relevant.size === 0 ? 0 : found.slice(0, k).filter((id) => relevant.has(id)).length / relevant.size;
}

/** One by the place of the first relevant id among the first k, 0 without one. */
export function reciprocalRank(found: readonly string[], relevant: ReadonlySet<string>, k: number): number {
  const place = found.slice(0, k).findIndex((id) => relevant.has(id));
  return place < 0 ? 0 : 1 / (place + 1);
}

/** 0 for an empty list. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The share of `items` that `holds`, 0-1; 0 for an empty list. */
export function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return mean(items.map((item) => (holds(item) ? 1 : 0)));
}

/** The nearest-rank percentile, `p` in 0-100; 0 for an empty list. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? 0;
}

/** The probability that a positive scores above a negative, ties counting half; 0.5 when either is missing. */
export function auc(scores: readonly number[], positive: readonly boolean[]): number {
  const order = scores.map((score, index) => ({ score, positive: positive[index] === true })).sort((a, b) => a.score - b.score);
  const positives = order.filter((one) => one.positive).length;
  const negatives = order.length - positives;
  if (positives === 0 || negatives === 0) return 0.5;
  let wins = 0;
  let below = 0;
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && order[to]?.score === order[from]?.score) to += 1;
    const tied = order.slice(from, to);
    const tiedPositives = tied.filter((one) => one.positive).length;
    const tiedNegatives = tied.length - tiedPositives;
    wins += tiedPositives * (below + tiedNegatives / 2);
    below += tiedNegatives;
    from = to;
  }
  return wins / (positives * negatives);
}

/** Two classes told apart by one threshold: `above` from it on, `below` under it. */
export interface Split<L> {
  threshold: number;
  above: L;
  below: L;
  accuracy: number;
}

/** The threshold, and the two labels beside it, that get most rows right: what a score alone can do at best. */
export function bestSplit<L>(scores: readonly number[], labels: readonly L[]): Split<L> | null {
  const kinds = [...new Set(labels)];
  const order = scores.map((score, index) => ({ score, label: labels[index] as L })).sort((a, b) => b.score - a.score);
  const taken = new Map<L, number>(kinds.map((kind) => [kind, 0]));
  const total = new Map<L, number>(kinds.map((kind) => [kind, labels.filter((label) => label === kind).length]));
  let best: Split<L> | null = null;
  order.forEach(({ score, label }, index) => {
    taken.set(label, (taken.get(label) ?? 0) + 1);
    if (order[index + 1]?.score === score) return;
    for (const above of kinds) {
      for (const below of kinds) {
        const right = (taken.get(above) ?? 0) + (total.get(below) ?? 0) - (taken.get(below) ?? 0);
        const accuracy = right / order.length;
        if (best === null || accuracy > best.accuracy) best = { threshold: score, above, below, accuracy };
      }
    }
  });
  return best;
}

/** The mean of the shares that are right among the positives and among the negatives. */
export function balancedAccuracy(rightPositives: number, rightNegatives: number): number {
  return (rightPositives + rightNegatives) / 2;
}

/** The probability that k of `all` drawn at random hold at least one of the `good`. */
export function randomHit(all: number, good: number, k: number): number {
  if (all <= 0) return 0;
  let miss = 1;
  for (let drawn = 0; drawn < Math.min(k, all); drawn += 1) miss *= Math.max(0, all - good - drawn) / (all - drawn);
  return 1 - miss;
}

/** How often each pair of a true and a predicted label occurs. */
export function confusion<T extends string, P extends string>(rows: readonly { truth: T; predicted: P }[]): Map<T, Map<P, number>> {
  const table = new Map<T, Map<P, number>>();
  for (const { truth, predicted } of rows) {
    const line = table.get(truth) ?? new Map<P, number>();
    line.set(predicted, (line.get(predicted) ?? 0) + 1);
    table.set(truth, line);
  }
  return table;
}
