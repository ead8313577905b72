/** What was looked at on the way to an answer, and how long each step took. */
import { count, duration, percent } from "../format.ts";
import { Breadcrumb } from "../source/breadcrumb.tsx";
import { MarkedText } from "../source/marked-text.tsx";
import { KIND_ICONS, kindOf, nameOf, placeIn } from "../source/place.ts";
import type { Hit, Trace } from "../types.ts";
import { Badge, Icon, Note } from "../ui/index.ts";

export interface LookedAtProps {
  hits: readonly Hit[];
  trace: Trace;
  onOpen(hit: Hit): void;
}

export function LookedAt({ hits, trace, onOpen }: LookedAtProps) {
  return (
    <div class="stack">
      {(trace.rounds ?? []).map(({ round, queries, candidates, scored, best, outcome, ms }) => (
        <p key={round} class="small">
          <Badge>Round {round}</Badge> Searched for {queries.map((query) => `“${query}”`).join(", ")}: {count(candidates)} candidates, {count(scored)}{" "}
          read closely
          {best === null ? "" : `, the best supports an answer by ${percent(best)}`}; {outcome} ({duration(ms)}).
        </p>
      ))}
      {trace.warnings.map((warning) => (
        <Note key={warning} tone="warn">
          {warning}
        </Note>
      ))}
      <ol class="looked-at">
        {hits.map((hit) => (
          <li key={hit.unit_id}>
            <button type="button" class="hit-title" onClick={() => onOpen(hit)}>
              <Icon name={KIND_ICONS[kindOf(hit)]} size={15} />
              <span dir="auto">{nameOf(hit)}</span>
            </button>
            <span class="muted small">{placeIn(hit) ?? hit.scope}</span>
            <Breadcrumb path={hit.path} />
            <Evidence hit={hit} />
          </li>
        ))}
      </ol>
      <details class="more">
        <summary>Time: {duration(trace.total_ms)}</summary>
        <ul class="stages">
          {trace.stages.map(({ name, ms, in: from, out }) => (
            <li key={name}>
              <span>{name}</span>
              <meter aria-label={`Share of ${name}`} min={0} max={trace.total_ms} value={ms} />
              <span class="muted">
                {duration(ms)}, {count(from)} to {count(out)}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

/** The sentence of a hit that bears on the question most. */
function Evidence({ hit: { text, evidence, snippet } }: { hit: Hit }) {
  const best = evidence?.[0];
  if (text === undefined) return null;
  return (
    <p class="small snippet" dir="auto">
      {best === undefined ? snippet : <MarkedText text={text} marks={[]} shown={best} />}
    </p>
  );
}
