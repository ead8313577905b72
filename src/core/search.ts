/** One search: embed, rank what the caller may read, count what the ACL hides, and dress the hits. */
import { stopwatch } from "../base/clock.ts";
import { sha256Hex } from "../base/hash.ts";
import { QUERY_VECTOR_CACHE_MAX, RRF_K } from "../base/limits.ts";
import { LruMap } from "../base/lru.ts";
import { bypassesAcl, type ScopeClamp, splitClasses } from "../domain/access.ts";
import type { Hit, Span, Trace, TraceStage } from "../domain/hit.ts";
import type { Encoder } from "../domain/ports.ts";
import type { Caller } from "../domain/principal.ts";
import type { SearchQuery } from "../domain/query.ts";
import type { Unit } from "../domain/unit.ts";
import { contribution, type Fused } from "./fuse.ts";
import { passage } from "./passage.ts";
import { rank } from "./rank.ts";
import type { Tenant } from "./tenant.ts";

export interface SearchResult {
  hits: Hit[];
  hidden_by_acl: number;
  trace: Trace;
}

/** Turns query text into a vector, remembering recent ones by the hash of their text. */
export class QueryEncoder {
  private readonly vectors = new LruMap<string, Promise<Float32Array>>(QUERY_VECTOR_CACHE_MAX);

  constructor(private readonly encoder: Encoder) {}

  /** L2-normalised, `encoder.info.dims` long. A query is read up to the encoder's window. */
  async vector(text: string): Promise<Float32Array> {
    const key = sha256Hex(text);
    const known = this.vectors.get(key);
    if (known) return known;
    const fresh = this.encoder.encode(text, "query").then(([window]) => {
      if (window === undefined) throw new Error("the encoder gave no window");
      return window.vector;
    });
    this.vectors.set(key, fresh);
    // A failure is not remembered: the next caller tries again.
    fresh.catch(() => this.vectors.delete(key));
    return fresh;
  }
}

/** Runs a search inside the caller's effective scopes. Errors: `unavailable` when an engine is. */
export async function search(
  tenant: Tenant,
  queries: QueryEncoder,
  caller: Caller,
  clamp: ScopeClamp,
  query: SearchQuery,
  warnings: readonly string[],
): Promise<SearchResult> {
  const total = stopwatch();
  const embedding = stopwatch();
  const vector = query.mode === "fulltext" ? null : await queries.vector(query.q);
  const embedStage: TraceStage = { name: "embed", ms: embedding(), in: vector ? 1 : 0, out: vector ? 1 : 0 };
  const { visible, hidden } = splitClasses(caller, clamp.effective, tenant.catalog.classes());
  const [ranking, hiddenCount] = await Promise.all([
    rank(tenant, query, vector, { classes: visible }),
    countHidden(tenant, query, vector, visible, hidden),
  ]);
  const hydrating = stopwatch();
  const hits = await hydrate(tenant, query, ranking.top, bypassesAcl(caller));
  const hydrateStage: TraceStage = { name: "hydrate", ms: hydrating(), in: ranking.top.length, out: hits.length };
  return {
    hits,
    hidden_by_acl: hiddenCount,
    trace: {
      total_ms: total(),
      stages: [embedStage, ...ranking.stages, hydrateStage],
      fusion: { method: "rrf", k: RRF_K },
      planes: query.planes,
      warnings: [...warnings],
    },
  };
}

/** How many Units of the `top_k` that the same query returns without the ACL are hidden from this caller. */
async function countHidden(
  tenant: Tenant,
  query: SearchQuery,
  vector: Float32Array | null,
  visible: readonly number[],
  hidden: readonly number[],
): Promise<number> {
  if (hidden.length === 0) return 0;
  const { top } = await rank(tenant, query, vector, { classes: [...visible, ...hidden] });
  const live = tenant.catalog.live(top.map(({ uid }) => uid));
  const hiddenClasses = new Set(hidden);
  return top.filter(({ uid }) => hiddenClasses.has(live.get(uid)?.classId ?? -1)).length;
}

async function hydrate(tenant: Tenant, query: SearchQuery, top: readonly Fused[], showRawBm25: boolean): Promise<Hit[]> {
  const units = tenant.catalog.byUids(top.map(({ uid }) => uid));
  const found = top.flatMap((fused) => {
    const unit = units.get(fused.uid);
    return unit ? [{ fused, unit, window: windowOf(tenant, unit, fused.window) }] : [];
  });
  const words = await highlightWords(tenant, query.q, found);
  return found.map(({ fused, unit, window }, index) => {
    const shown = unit.text === null ? null : passage(unit.text, window, words[index] ?? []);
    const legs = fused.legs.map((leg) => (leg.leg === "fulltext" && !showRawBm25 ? { ...leg, raw: null } : leg));
    const hit: Hit = {
      unit,
      rank: index + 1,
      score: fused.score,
      scores: { fused: fused.score, rerank: null, legs },
      snippet: shown?.snippet ?? null,
      highlights: shown?.highlights ?? [],
    };
    if (!query.explain) return hit;
    const matched = [...new Set((words[index] ?? []).map(({ start, end }) => unit.text?.slice(start, end).toLowerCase() ?? ""))];
    const fusion = legs.map(({ leg, rank }) => ({ leg, rank, contribution: contribution(rank) }));
    return { ...hit, explain: { fusion, window, terms: matched } };
  });
}

/** The part of the text to show: its best window, or all of it when only full text found it. */
function windowOf(tenant: Tenant, unit: Unit, window: number | null): Span {
  const all = { start: 0, end: unit.text?.length ?? 0 };
  return window === null || unit.content_sha256 === null ? all : (tenant.catalog.spansOf(unit.content_sha256)[window] ?? all);
}

/** Beyond this a text is highlighted in its best window only. */
const LONG_TEXT_CHARS = 16_384;

async function highlightWords(tenant: Tenant, q: string, found: readonly { unit: Unit; window: Span }[]): Promise<Span[][]> {
  const parts = found.map(({ unit, window }) => {
    const text = unit.text ?? "";
    return text.length <= LONG_TEXT_CHARS ? { text, offset: 0 } : { text: text.slice(window.start, window.end), offset: window.start };
  });
  const spans = await tenant.fulltext.highlight(
    q,
    parts.map(({ text }) => text),
  );
  return spans.map((list, index) => {
    const offset = parts[index]?.offset ?? 0;
    return list.map(({ start, end }) => ({ start: start + offset, end: end + offset }));
  });
}
