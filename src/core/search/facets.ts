/** Facets of a query: the values that its matches have under some fields, counted. */
import { stopwatch } from "../../base/clock.ts";
import { FACET_UNITS_MAX, FACET_VALUES_MAX } from "../../base/limits.ts";
import { type Facet, type FacetField, mostFrequent } from "../../domain/facet.ts";
import type { TraceStage } from "../../domain/hit.ts";
import type { Matches } from "../../domain/port/units.ts";
import { languageOf } from "../../domain/principal.ts";
import type { SearchQuery } from "../../domain/query.ts";
import { queryTerms } from "../../text/terms.ts";
import type { Tenant } from "../tenant.ts";
import { restrictionOf } from "./legs.ts";

export interface Facets {
  facets: Record<string, Facet>;
  stage: TraceStage;
}

/**
 * Matches are what full text finds, at most FACET_UNITS_MAX, and what the other legs brought to the fusion (`ranked`). Nothing
 * outside `classes` is looked at. Errors: Fault `unavailable`.
 */
export async function facetsOf(tenant: Tenant, query: SearchQuery, ranked: Matches, classes: readonly number[]): Promise<Facets> {
  const counting = stopwatch();
  const worded = await wordMatches(tenant, query, classes);
  const uids = [...new Set([...ranked.uids, ...worded.uids])];
  const tally = await tenant.reader.units.tally(uids, query.facets, { classes, filter: query.filter });
  const exact = ranked.complete && worded.complete;
  const facets = query.facets.map((field: FacetField, index) => {
    return [field, { values: mostFrequent(tally.counts[index] ?? new Map(), FACET_VALUES_MAX), exact }] as const;
  });
  return { facets: Object.fromEntries(facets), stage: { name: "facets", ms: counting(), in: uids.length, out: tally.units } };
}

async function wordMatches(tenant: Tenant, query: SearchQuery, classes: readonly number[]): Promise<Matches> {
  const restriction = query.mode === "vector" || query.weights?.fulltext === 0 ? null : await restrictionOf(tenant, query.filter, { classes });
  if (restriction === null) return { uids: [], complete: true };
  const terms = queryTerms(query.q, languageOf(tenant.namespace));
  return tenant.fulltext.matching({ terms, planes: query.planes, limit: FACET_UNITS_MAX, restriction });
}
