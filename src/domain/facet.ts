/** Facets of a search: which values the Units that it matches have under a field, counted. */
import { badField } from "../base/fault.ts";
import {
  type Field,
  fieldValues,
  isKeyword,
  isMetadata,
  type KeywordField,
  METADATA_KEY,
  type MetadataField,
  metadataKey,
  type Scalar,
} from "./filter.ts";
import type { Unit } from "./unit.ts";

/** The fields of a filter that hold words, and metadata. */
export type FacetField = KeywordField | MetadataField;

/** `values`: most frequent first. `exact`: every match was counted; else the counts are lower bounds. */
export interface Facet {
  values: { value: Scalar; count: number }[];
  exact: boolean;
}

/** How often each value occurs under each of some fields, in their order. `units`: how many Units were counted. */
export interface Tally {
  units: number;
  counts: Map<Scalar, number>[];
}

/** Errors: `bad_request` for a field that has no facets. */
export function facetField(name: string, pointer: string): FacetField {
  if (isKeyword(name) || (isMetadata(name) && METADATA_KEY.test(metadataKey(name)))) return name;
  throw badField(pointer, "has no facets; fields with facets are those of filters that hold strings, and metadata.<key>");
}

/** The different values that a Unit counts under: of a path its first part alone, of a list each item. */
export function facetValues(unit: Unit, field: FacetField): Scalar[] {
  const values = fieldValues(unit, field satisfies Field);
  return field === "path" ? values.slice(0, 1) : [...new Set(values)];
}

export function emptyTally(fields: readonly FacetField[]): Tally {
  return { units: 0, counts: fields.map(() => new Map()) };
}

/** Counts one Unit. `valuesOf`: its values under the field at a place. */
export function addTo(tally: Tally, valuesOf: (index: number) => readonly Scalar[]): void {
  tally.units += 1;
  for (const [index, counts] of tally.counts.entries()) for (const value of valuesOf(index)) counts.set(value, (counts.get(value) ?? 0) + 1);
}

/** The `limit` most frequent values; of equal ones the first by its JSON. */
export function mostFrequent(counts: ReadonlyMap<Scalar, number>, limit: number): Facet["values"] {
  const values = Array.from(counts, ([value, count]) => ({ value, count, name: JSON.stringify(value) }));
  values.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return values.slice(0, limit).map(({ value, count }) => ({ value, count }));
}
