/** What is searched for, as it stands in the address and as the service is asked. */
import type { Schemas } from "../../client/client.ts";
import type { Parameters } from "../address.ts";
import { MODALITIES, type Modality, PLANES, type Plane } from "../types.ts";

export interface SearchState {
  q: string;
  /** The Unit whose like is looked for; then `q` is not. */
  like: string | null;
  planes: Plane[];
  modalities: Modality[];
  /** Document. */
  doc: string | null;
  /** A part of the path. */
  path: string | null;
  /** Days, `2026-05-16`, both included. */
  from: string | null;
  to: string | null;
  /** Best hit of each document alone. */
  grouped: boolean;
  rerank: boolean;
  count: number;
}

export const COUNTS = [10, 25, 50];
/** What the service counts beside the hits. */
export const FACETS = ["plane", "modality", "doc_id"] as const;

export function stateOf(parameters: URLSearchParams): SearchState {
  const text = (name: string) => parameters.get(name) || null;
  const list = <Value extends string>(name: string, all: readonly Value[]) => {
    const given = (parameters.get(name) ?? "").split(",");
    return all.filter((value) => given.includes(value));
  };
  return {
    q: parameters.get("q") ?? "",
    like: text("like"),
    planes: list("planes", PLANES),
    modalities: list("kinds", MODALITIES),
    doc: text("doc"),
    path: text("path"),
    from: text("from"),
    to: text("to"),
    grouped: parameters.has("grouped"),
    rerank: parameters.has("rerank"),
    count: COUNTS.find((one) => String(one) === parameters.get("count")) ?? 10,
  };
}

/** The parameters that `stateOf` reads the same state from. */
export function parametersOf(state: SearchState): Parameters {
  const { q, like, planes, modalities, doc, path, from, to, grouped, rerank, count } = state;
  return {
    q,
    like: like ?? undefined,
    planes: planes.join(","),
    kinds: modalities.join(","),
    doc: doc ?? undefined,
    path: path ?? undefined,
    from: from ?? undefined,
    to: to ?? undefined,
    grouped: grouped ? "1" : undefined,
    rerank: rerank ? "1" : undefined,
    count: count === 10 ? undefined : String(count),
  };
}

/** What stands in quotes, with them. */
export function phrasesOf(q: string): string[] {
  return q.match(/"[^"]*[^"\s][^"]*"/g) ?? [];
}

/** How many filters narrow the search. */
export function filterCount({ planes, modalities, doc, path, from, to }: SearchState): number {
  return [planes.length > 0, modalities.length > 0, doc !== null, path !== null, from !== null || to !== null].filter(Boolean).length;
}

export function withoutFilters(state: SearchState): SearchState {
  return { ...state, planes: [], modalities: [], doc: null, path: null, from: null, to: null };
}

const DAY_MS = 86_400_000;

/** What narrows a search, by words or by example. */
export function restrictionsOf({ planes, modalities, doc, path, from, to, count }: SearchState): Omit<Schemas["SearchQuery"], "q"> {
  const created: Record<string, number> = {};
  if (from !== null) created.$gte = Date.parse(`${from}T00:00:00`);
  if (to !== null) created.$lt = Date.parse(`${to}T00:00:00`) + DAY_MS;
  const filters = { ...(path === null ? {} : { path }), ...(Object.keys(created).length === 0 ? {} : { created_at: created }) };
  return {
    top_k: count,
    ...(planes.length === 0 ? {} : { planes }),
    ...(modalities.length === 0 ? {} : { modalities }),
    ...(doc === null ? {} : { doc_id: doc }),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
  };
}

export function bodyOf(state: SearchState): Schemas["SearchQuery"] {
  return {
    q: state.q.trim(),
    explain: true,
    facets: [...FACETS],
    ...restrictionsOf(state),
    ...(state.grouped ? { group_by: "doc_id" } : {}),
    ...(state.rerank ? { rerank: true } : {}),
  };
}
