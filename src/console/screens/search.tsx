/** Search: one list over all planes, as one types; by words, by an example, or by a result. */
import { useState } from "preact/hooks";
import { api, similarTo } from "../api.ts";
import { useLoad } from "../hooks.ts";
import { close, linkTo, open, type ScreenProps } from "../router.ts";
import { Examples } from "../search/examples.tsx";
import { Filters } from "../search/filters.tsx";
import { bodyOf, filterCount, parametersOf, phrasesOf, restrictionsOf, type SearchState, stateOf } from "../search/query.ts";
import { SearchField } from "../search/search-field.tsx";
import { type Found, Results } from "../search/results.tsx";
import { SourcePanel } from "../source/panel.tsx";
import { useTyping } from "../search/typing.ts";
import { nameOf, placeIn } from "../source/place.ts";
import type { Hit } from "../types.ts";
import { Button, ErrorNote, Icon } from "../ui/index.ts";

export function SearchScreen({ place }: ScreenProps) {
  const state = stateOf(place.parameters);
  const [example, setExample] = useState<File | null>(null);
  const { typed, type, submit, put, keep } = useTyping(state, () => setExample(null));
  const opened = place.parameters.get("open");
  const [filtering, setFiltering] = useState(false);
  const asked = example !== null || state.like !== null || state.q.trim() !== "";
  const key = JSON.stringify([state, example?.name, example?.size, example?.lastModified]);
  const { data, error, loading, reload } = useLoad((signal) => (asked ? find(state, example, signal) : Promise.resolve(null)), [key]);
  const chooseExample = (file: File | null) => {
    setExample(file);
    type("");
    put({ ...state, q: "", like: null });
  };
  const show = ({ unit_id }: Hit) => {
    keep();
    open(linkTo(["search"], { ...parametersOf(state), open: unit_id }));
  };
  const hit = data?.hits.find(({ unit_id }) => unit_id === opened) ?? null;
  return (
    <div class="search">
      <h1 class="visually-hidden">Search</h1>
      <SearchField value={typed} busy={loading && asked} onInput={type} onSubmit={submit} onExample={chooseExample} />
      {(example !== null || state.like !== null) && <Likeness example={example} like={state.like} onClear={() => chooseExample(null)} />}
      {asked ? (
        <div class="search-columns">
          <span class="only-narrow">
            <Button size="small" icon="filter" aria-expanded={filtering} onClick={() => setFiltering(!filtering)}>
              {`Filters${filterCount(state) > 0 ? ` (${filterCount(state)})` : ""}`}
            </Button>
          </span>
          <aside class={filtering ? "search-filters open" : "search-filters"} aria-label="Filters">
            <Filters state={state} byExample={example !== null || state.like !== null} facets={data?.facets} hits={data?.hits ?? []} onChange={put} />
          </aside>
          <section class="search-results" aria-label="Results" aria-busy={loading}>
            {error !== null && <ErrorNote error={error} onRetry={reload} />}
            {error === null && <Results result={data} state={state} onOpen={show} onChange={put} />}
          </section>
        </div>
      ) : (
        <Examples onChoose={type} />
      )}
      {opened !== null && (
        <SourcePanel id={opened} known={hit} marks={hit?.highlights ?? []} onClose={() => close(linkTo(["search"], parametersOf(state)))} />
      )}
    </div>
  );
}

async function find(state: SearchState, example: File | null, signal: AbortSignal): Promise<Found> {
  if (example !== null) {
    const { filters, planes, modalities, top_k, doc_id } = restrictionsOf(state);
    const lists = { planes: planes?.join(","), modalities: modalities?.join(",") };
    return { ...(await similarTo(example, { top_k, doc_id, ...lists, filters: filters && JSON.stringify(filters) }, signal)), phrases: [] };
  }
  if (state.like !== null) return { ...(await api.similar({ unit_id: state.like, ...restrictionsOf(state) }, signal)), phrases: [] };
  return { ...(await api.search(bodyOf(state), signal)), phrases: phrasesOf(state.q) };
}

function Likeness({ example, like, onClear }: { example: File | null; like: string | null; onClear(): void }) {
  const { data } = useLoad((signal) => (like === null ? Promise.resolve(null) : api.unit(like, signal)), [like]);
  const name = example === null ? (data === null ? "…" : nameOf(data)) : example.name;
  const place = example === null && data !== null ? placeIn(data) : null;
  return (
    <p class="likeness">
      <Icon name="similar" />
      <span class="break">
        {example === null ? "What is like" : "What looks or sounds like"} <bdi>{name}</bdi>
        {place !== null && `, ${place}`}
      </span>
      <Button size="small" variant="quiet" icon="close" onClick={onClear}>
        Clear
      </Button>
    </p>
  );
}
