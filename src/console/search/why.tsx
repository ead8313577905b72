/** Why a hit stands where it does. */
import { percent } from "../format.ts";
import { Badge } from "../ui/index.ts";
import type { Hit } from "../types.ts";

const LEGS: Record<string, { title: string; about: string; raw: string }> = {
  vector: { title: "Meaning", about: "How near its meaning is to the query's", raw: "cosine" },
  fulltext: { title: "Words", about: "Which words of the query it has, and how rare they are", raw: "BM25" },
  "labels:visual": { title: "Seen", about: "What the picture shows", raw: "label score" },
  "labels:audio": { title: "Heard", about: "What the recording sounds like", raw: "label score" },
  similar: { title: "Likeness", about: "How like the example it is", raw: "cosine" },
};

export function legTitle(leg: string): string {
  return LEGS[leg]?.title ?? leg;
}

export function Why({ hit }: { hit: Hit }) {
  const { legs, fused, rerank } = hit.scores;
  const best = Math.max(...legs.map(({ leg, rank }) => contributionOf(hit, leg, rank)));
  const terms = hit.explain?.terms ?? [];
  return (
    <div class="why">
      <table class="why-table">
        <caption class="visually-hidden">What the place of this result comes from</caption>
        <thead>
          <tr>
            <th scope="col">Searched by</th>
            <th scope="col">Rank there</th>
            <th scope="col">Its own score</th>
            <th scope="col">Counts</th>
          </tr>
        </thead>
        <tbody>
          {legs.map(({ leg, rank, raw }) => (
            <tr key={leg}>
              <th scope="row" title={LEGS[leg]?.about}>
                {legTitle(leg)}
              </th>
              <td>#{rank}</td>
              <td>
                {raw === null ? (
                  <span title="It depends on how often the words stand in what others own">for admins</span>
                ) : (
                  `${LEGS[leg]?.raw ?? ""} ${raw.toFixed(3)}`
                )}
              </td>
              <td>
                <meter aria-label={`Share of ${legTitle(leg)}`} min={0} max={best} value={contributionOf(hit, leg, rank)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="row small muted">
        <span>
          Score {hit.score.toFixed(4)}
          {rerank === null ? "" : `, of ${fused.toFixed(4)} fused and ${percent(rerank)} relevance as read with the query`}
        </span>
        {terms.length > 0 && <span>Words found:</span>}
        {terms.map((term) => (
          <Badge key={term}>{term}</Badge>
        ))}
      </p>
    </div>
  );
}

/** What a leg adds to the fused score. */
function contributionOf({ explain }: Hit, leg: string, rank: number): number {
  return explain?.fusion.find((one) => one.leg === leg)?.contribution ?? 1 / rank;
}
