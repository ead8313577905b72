/** What narrows a search, with how many results each choice has. */
import type { ComponentChildren } from "preact";
import { count } from "../format.ts";
import { type Facet, type Hit, MODALITIES, PLANES, type SearchResult } from "../types.ts";
import { Button, Checkbox, Field, Select, TextInput } from "../ui/index.ts";
import { MODALITY_WORDS, PLANE_WORDS } from "../words.ts";
import { useDocumentNames } from "./documents.ts";
import { COUNTS, filterCount, type SearchState, withoutFilters } from "./query.ts";

export interface FiltersProps {
  state: SearchState;
  /** A search by example counts nothing, groups nothing and reads nothing again. */
  byExample: boolean;
  facets: SearchResult["facets"];
  hits: readonly Hit[];
  onChange(state: SearchState): void;
}

export function Filters({ state, byExample, facets, hits, onChange }: FiltersProps) {
  const set = (change: Partial<SearchState>) => onChange({ ...state, ...change });
  return (
    <div class="filters">
      <Choices title="Where" all={PLANES} words={PLANE_WORDS} chosen={state.planes} facet={facets?.plane} onChange={(planes) => set({ planes })} />
      <Choices
        title="What"
        all={MODALITIES}
        words={MODALITY_WORDS}
        chosen={state.modalities}
        facet={facets?.modality}
        onChange={(modalities) => set({ modalities })}
      />
      <Documents state={state} facet={facets?.doc_id} hits={hits} onChange={(doc) => set({ doc })} />
      <Field label="Heading" hint="A part of the path, as it is written">
        {(control) => (
          <TextInput {...control} value={state.path ?? ""} onChange={(event) => set({ path: event.currentTarget.value.trim() || null })} />
        )}
      </Field>
      <fieldset class="dates">
        <legend>Stored</legend>
        <Field label="from">
          {(control) => (
            <TextInput {...control} type="date" value={state.from ?? ""} onChange={(event) => set({ from: event.currentTarget.value || null })} />
          )}
        </Field>
        <Field label="to">
          {(control) => (
            <TextInput {...control} type="date" value={state.to ?? ""} onChange={(event) => set({ to: event.currentTarget.value || null })} />
          )}
        </Field>
      </fieldset>
      {!byExample && (
        <div class="stack tight">
          <Checkbox label="Best of each document" checked={state.grouped} onChange={(event) => set({ grouped: event.currentTarget.checked })} />
          <Checkbox label="Read the best again" checked={state.rerank} onChange={(event) => set({ rerank: event.currentTarget.checked })} />
        </div>
      )}
      <Field label="Results">
        {(control) => (
          <Select
            {...control}
            value={String(state.count)}
            options={COUNTS.map((one) => [String(one), String(one)] as const)}
            onChange={(event) => set({ count: Number(event.currentTarget.value) })}
          />
        )}
      </Field>
      {filterCount(state) > 0 && (
        <Button size="small" icon="close" onClick={() => onChange(withoutFilters(state))}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

interface ChoicesProps<Value extends string> {
  title: string;
  all: readonly Value[];
  words: Record<Value, string>;
  chosen: readonly Value[];
  facet: Facet | undefined;
  onChange(chosen: Value[]): void;
}

/** Values of which any number may be chosen. While none is, those that have results, with how many; then all of them. */
function Choices<Value extends string>({ title, all, words, chosen, facet, onChange }: ChoicesProps<Value>) {
  // What is chosen narrows what is counted: the others would all have none.
  const counted = chosen.length === 0 ? facet : undefined;
  const shown = counted === undefined ? all : all.filter((value) => countOf(counted, value) > 0);
  if (shown.length === 0) return null;
  const turn = (value: Value, on: boolean) => onChange(on ? [...chosen, value] : chosen.filter((one) => one !== value));
  return (
    <fieldset class="choices">
      <legend>{title}</legend>
      {shown.map((value) => (
        <Checkbox
          key={value}
          checked={chosen.includes(value)}
          onChange={(event) => turn(value, event.currentTarget.checked)}
          label={
            <WithCount facet={counted} value={value}>
              {words[value]}
            </WithCount>
          }
        />
      ))}
    </fieldset>
  );
}

function WithCount({ facet, value, children }: { facet: Facet | undefined; value: string; children: ComponentChildren }) {
  return (
    <span class="with-count">
      <span>{children}</span>
      {facet !== undefined && <Count number={countOf(facet, value)} exact={facet.exact} />}
    </span>
  );
}

/** `6`, or `6+`, which is read as "at least 6". */
function Count({ number, exact }: { number: number; exact: boolean }) {
  if (exact) return <span class="muted small">{count(number)}</span>;
  const meaning = `at least ${count(number)}`;
  return (
    <span class="muted small" title={meaning}>
      <span aria-hidden="true">{count(number)}+</span>
      <span class="visually-hidden">{meaning}</span>
    </span>
  );
}

function countOf(facet: Facet, value: string): number {
  return facet.values.find((one) => one.value === value)?.count ?? 0;
}

const DOCUMENTS_SHOWN = 8;

interface DocumentsProps {
  state: SearchState;
  facet: Facet | undefined;
  hits: readonly Hit[];
  onChange(doc: string | null): void;
}

function Documents({ state, facet, hits, onChange }: DocumentsProps) {
  const known = (facet?.values ?? []).map(({ value }) => String(value)).slice(0, DOCUMENTS_SHOWN);
  const shown = state.doc === null || known.includes(state.doc) ? known : [state.doc, ...known];
  const names = useDocumentNames(shown, hits);
  if (shown.length === 0) return null;
  return (
    <fieldset class="choices">
      <legend>Document</legend>
      {shown.map((doc) => (
        <Checkbox
          key={doc}
          checked={state.doc === doc}
          onChange={(event) => onChange(event.currentTarget.checked ? doc : null)}
          label={
            <WithCount facet={facet} value={doc}>
              <span title={names.get(doc) ?? doc} dir="auto">
                {names.get(doc) ?? doc}
              </span>
            </WithCount>
          }
        />
      ))}
    </fieldset>
  );
}
