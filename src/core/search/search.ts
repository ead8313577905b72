/** One search: embed, retrieve what the caller may read, answer if asked, count what the ACL hides, and dress the hits. */
import { stopIfGone } from "../../base/abort.ts";
import { roundMs, stopwatch } from "../../base/clock.ts";
import { bypassesAcl, type ScopeClamp, splitClasses } from "../../domain/access.ts";
import type { Answer } from "../../domain/answer.ts";
import type { Hit, Trace, TraceStage } from "../../domain/hit.ts";
import type { Caller } from "../../domain/principal.ts";
import type { SearchQuery } from "../../domain/query.ts";
import { answerQuestion } from "../answer/answer.ts";
import { contribution, RRF_K } from "./fusion.ts";
import { hiddenByAcl } from "./hidden-count.ts";
import { snippetOf } from "./snippet.ts";
import { RequestModels, type SearchModels } from "./models.ts";
import { probability } from "./rerank.ts";
import { type Candidate, type Retrieval, retrieve, stillReadable } from "./retrieve.ts";
import type { Tenant } from "../tenant.ts";

export interface SearchResult {
  hits: Hit[];
  answer: Answer | null;
  hidden_by_acl: number;
  trace: Trace;
}

/** Runs a search inside the caller's effective scopes. Errors: `unavailable` when an engine is, or the caller hangs up. */
export async function search(
  tenant: Tenant,
  searchModels: SearchModels,
  caller: Caller,
  clamp: ScopeClamp,
  query: SearchQuery,
  warnings: readonly string[],
): Promise<SearchResult> {
  const models = new RequestModels(searchModels, caller);
  const searching = models.stopwatch();
  const embedding = models.stopwatch();
  const encoded = query.mode === "fulltext" ? null : await models.encode(query.q);
  const embedStage: TraceStage = { name: "embed", ms: embedding(), in: encoded ? 1 : 0, out: encoded ? 1 : 0 };
  const { visible, hidden } = splitClasses(caller, clamp.effective, tenant.catalog.classes());
  const retrieveFor = (classes: readonly number[]) => retrieve(tenant, models, query, encoded, classes);
  stopIfGone(caller.signal);
  const retrieval = await retrieveFor(visible);
  stopIfGone(caller.signal);
  const answered = query.answer ? await answerQuestion({ tenant, models, caller, clamp, query }, retrieval.candidates) : null;
  const searched = searching();
  // Last, so that nothing hidden takes from the time that what is readable has, and outside the times of the trace.
  const { hidden_by_acl, warnings: untold } = await hiddenByAcl(caller, hidden, async () =>
    countHidden(await retrieveFor([...visible, ...hidden]), query, hidden),
  );
  const hydrating = stopwatch();
  const candidates = best(retrieval, query);
  // An answer takes its time: what was closed to the caller meanwhile is no hit either.
  const readable = stillReadable(
    tenant,
    caller,
    clamp,
    candidates.map(({ unit }) => unit),
  );
  const top = candidates.filter(({ unit }) => readable.has(unit.uid));
  const hits = top.map((candidate, index) => hitOf(candidate, index, query, bypassesAcl(caller), answered?.evidence.get(candidate.unit.uid)));
  const hydrateStage: TraceStage = { name: "hydrate", ms: hydrating(), in: top.length, out: hits.length };
  const stages = [embedStage, ...retrieval.stages, ...(answered?.stages ?? []), hydrateStage];
  const trace: Trace = {
    total_ms: roundMs(searched + hydrateStage.ms),
    stages,
    fusion: { method: "rrf", k: RRF_K },
    planes: query.planes,
    warnings: [...warnings, ...retrieval.warnings, ...(answered?.warnings ?? []), ...untold],
  };
  return { hits, answer: answered?.answer ?? null, hidden_by_acl, trace: answered ? { ...trace, rounds: answered.rounds } : trace };
}

/** The candidates that become hits. */
function best({ candidates }: Retrieval, { top_k, min_score }: SearchQuery): Candidate[] {
  const top = candidates.slice(0, top_k);
  return min_score === null ? top : top.filter(({ score }) => score >= min_score);
}

/** How many of the hits that the same query has without the ACL are hidden from this caller. */
function countHidden(unrestricted: Retrieval, query: SearchQuery, hidden: readonly number[]): number {
  return best(unrestricted, query).filter(({ unit }) => hidden.includes(unit.classId)).length;
}

function hitOf(candidate: Candidate, index: number, query: SearchQuery, showRawBm25: boolean, evidence: Hit["evidence"]): Hit {
  const { unit, fused, window, words, logit, score } = candidate;
  const shown = unit.text === null ? null : snippetOf(unit.text, window, words);
  const legs = fused.legs.map((leg) => (leg.leg === "fulltext" && !showRawBm25 ? { ...leg, raw: null } : leg));
  const hit: Hit = {
    unit,
    rank: index + 1,
    score,
    scores: { fused: fused.score, rerank: logit === null ? null : probability(logit), legs },
    snippet: shown?.snippet ?? null,
    highlights: shown?.highlights ?? [],
    ...(evidence === undefined ? {} : { evidence }),
  };
  if (!query.explain) return hit;
  const terms = [...new Set(words.map(({ start, end }) => unit.text?.slice(start, end).toLowerCase() ?? ""))];
  const fusion = legs.map(({ leg, rank }) => ({ leg, rank, contribution: contribution(leg, rank) }));
  return { ...hit, explain: { fusion, window, terms } };
}
