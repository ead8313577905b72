/** The list of results, and what is to say about it. */
import { duration, plural } from "../format.ts";
import type { Hit, SearchResult } from "../types.ts";
import { Button, Empty, Icon, Note, Skeleton } from "../ui/index.ts";
import { HitCard } from "./hit-card.tsx";
import { filterCount, type SearchState, withoutFilters } from "./query.ts";

/** What was found, and the phrases in quotes that were looked for: while one types on, the query says others already. */
export type Found = SearchResult & { phrases: readonly string[] };

export interface ResultsProps {
  /** Null until the first are here. */
  result: Found | null;
  state: SearchState;
  onOpen(hit: Hit): void;
  onChange(state: SearchState): void;
}

export function Results({ result, state, onOpen, onChange }: ResultsProps) {
  if (result === null) return <Skeleton lines={9} label="Searching" />;
  const { hits, hidden_by_acl, trace, phrases } = result;
  const worded = hits.some(({ scores }) => scores.legs.some(({ leg }) => leg === "fulltext"));
  return (
    <>
      <p class="result-line muted small" role="status">
        <span>
          {plural(hits.length, "result")} in {duration(trace.total_ms)}
        </span>
        {hidden_by_acl > 0 && (
          <span class="hidden-count">
            <Icon name="lock" size={14} />
            {plural(hidden_by_acl, "more result")} would be among these, but you may not read {hidden_by_acl === 1 ? "it" : "them"}
          </span>
        )}
      </p>
      {trace.warnings.map((warning) => (
        <Note key={warning} tone="warn" icon="info">
          {warning}
        </Note>
      ))}
      {phrases.length > 0 && hits.length > 0 && !worded && (
        <Note icon="info">Nothing here has {phrases.join(" and ")} as it stands; these are near in meaning.</Note>
      )}
      {hits.length === 0 && <NothingFound state={state} onChange={onChange} />}
      <ol class="hits" onKeyDown={moveThroughHits}>
        {hits.map((hit) => (
          <li key={hit.unit_id}>
            <HitCard hit={hit} onOpen={onOpen} />
          </li>
        ))}
      </ol>
    </>
  );
}

function NothingFound({ state, onChange }: Pick<ResultsProps, "state" | "onChange">) {
  return (
    <Empty icon="search" title="Nothing was found">
      {filterCount(state) > 0 ? (
        <>
          <p>Filters leave out a part of what you may read.</p>
          <Button onClick={() => onChange(withoutFilters(state))}>Search without filters</Button>
        </>
      ) : (
        <p>Try other words, or another scope. What you may not read is never found.</p>
      )}
    </Empty>
  );
}

/** Up and down move the focus from one result to the next; up from the first goes back to the field. */
export function moveThroughHits(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !(event.target instanceof HTMLElement) || event.target.matches("input, [tabindex='0']")) return;
  const titles = [...document.querySelectorAll<HTMLElement>("[data-hit]")];
  const current = titles.findIndex((title) => title === event.target || title.closest("article")?.contains(event.target as Node));
  const next = current + step < 0 ? document.querySelector<HTMLElement>("[data-search-field]") : titles[current + step];
  if (next === null || next === undefined) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}
