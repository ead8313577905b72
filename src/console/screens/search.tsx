/** Search: one list over all planes, as one types; by words, by an example, or by a result. */
import { useEffect, useRef, useState } from "preact/hooks";
import { api, similarTo } from "../api.ts";
import { useDebounced, useLoad } from "../hooks.ts";
import { go, linkTo, type ScreenProps } from "../router.ts";
import { Examples } from "../search/examples.tsx";
import { Filters } from "../search/filters.tsx";
import { bodyOf, filterCount, parametersOf, restrictionsOf, type SearchState, stateOf } from "../search/query.ts";
import { SearchField } from "../search/search-field.tsx";
import { Results } from "../search/results.tsx";
import { SourcePanel } from "../source/panel.tsx";
import type { Hit, SearchResult } from "../types.ts";
import { Button, ErrorNote, Icon } from "../ui/index.ts";

/** Pause after the last key before the service is asked. */
const TYPING_MS = 90;

export function SearchScreen({ place }: ScreenProps) {
  const state = stateOf(place.parameters);
  const [typed, setTyped] = useState(state.q);
  const [example, setExample] = useState<File | null>(null);
  const [opened, setOpened] = useState<Hit | null>(null);
  const [filtering, setFiltering] = useState(false);
  const settled = useDebounced(typed, TYPING_MS);
  const own = useRef(state.q);
  const put = (next: SearchState) => go(linkTo(["search"], parametersOf(next)), true);

  useEffect(() => {
    if (settled === state.q) return;
    own.current = settled;
    if (settled !== "") setExample(null);
    put({ ...state, q: settled, like: settled === "" ? state.like : null });
  }, [settled]);
  // The address was changed by a link or the back button.
  useEffect(() => {
    if (state.q === own.current) return;
    own.current = state.q;
    setTyped(state.q);
  }, [state.q]);

  const asked = example !== null || state.like !== null || state.q.trim() !== "";
  const key = JSON.stringify([state, example?.name, example?.size, example?.lastModified]);
  const { data, error, loading, reload } = useLoad((signal) => (asked ? find(state, example, signal) : Promise.resolve(null)), [key]);
  const chooseExample = (file: File | null) => {
    setExample(file);
    setTyped("");
    put({ ...state, q: "", like: null });
  };
  return (
    <div class="search">
      <h1 class="visually-hidden">Search</h1>
      <SearchField value={typed} busy={loading && asked} onInput={setTyped} onExample={chooseExample} />
      {(example !== null || state.like !== null) && <Likeness example={example} like={state.like} onClear={() => chooseExample(null)} />}
      {asked ? (
        <div class="search-columns">
          <span class="only-narrow">
            <Button size="small" icon="filter" aria-expanded={filtering} onClick={() => setFiltering(!filtering)}>
              {`Filters${filterCount(state) > 0 ? ` (${filterCount(state)})` : ""}`}
            </Button>
          </span>
          <aside class={filtering ? "search-filters open" : "search-filters"} aria-label="Filters">
            <Filters state={state} byExample={example !== null || state.like !== null} facets={data?.facets} onChange={put} />
          </aside>
          <section class="search-results" aria-label="Results" aria-busy={loading}>
            {error !== null && <ErrorNote error={error} onRetry={reload} />}
            {error === null && <Results result={data} state={state} onOpen={setOpened} onChange={put} />}
          </section>
        </div>
      ) : (
        <Examples onChoose={setTyped} />
      )}
      {opened !== null && <SourcePanel sourced={opened} marks={opened.highlights} onClose={() => setOpened(null)} />}
    </div>
  );
}

function find(state: SearchState, example: File | null, signal: AbortSignal): Promise<SearchResult> {
  if (example !== null) {
    const { filters, planes, modalities, top_k, doc_id } = restrictionsOf(state);
    const lists = { planes: planes?.join(","), modalities: modalities?.join(",") };
    return similarTo(example, { top_k, doc_id, ...lists, filters: filters && JSON.stringify(filters) }, signal);
  }
  if (state.like !== null) return api.similar({ unit_id: state.like, ...restrictionsOf(state) }, signal);
  return api.search(bodyOf(state), signal);
}

function Likeness({ example, like, onClear }: { example: File | null; like: string | null; onClear(): void }) {
  return (
    <p class="likeness">
      <Icon name="similar" />
      <span class="break">{example === null ? `What is like ${like}` : `What looks or sounds like ${example.name}`}</span>
      <Button size="small" variant="quiet" icon="close" onClick={onClear}>
        Clear
      </Button>
    </p>
  );
}
