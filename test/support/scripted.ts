/** Units put straight into a catalog, and indexes that answer by a script: ranking without engines. */
import type { Tenant } from "../../src/core/tenant.ts";
import { matches } from "../../src/domain/filter.ts";
import type { FullTextQuery } from "../../src/domain/port/full-text-index.ts";
import type { RankedHits, Restriction } from "../../src/domain/port/index.ts";
import type { SearchQuery } from "../../src/domain/query.ts";
import { MATCH_ALL } from "../../src/domain/filter.ts";
import { type Unit, type UnitDraft, unitId } from "../../src/domain/unit.ts";

const PIECE_UNITS = 1_000;

/** Stores `count` Units of `namespace` in one class, as `of` varies them; their uids in order. */
export function fillCatalog({ catalog, ledger }: Tenant, count: number, of: (index: number) => Partial<UnitDraft> = () => ({})): number[] {
  const uids: number[] = [];
  for (let at = 0; at < count; at += PIECE_UNITS) {
    ledger.transact(() => {
      catalog.registerScope("here", ["text", "visual", "audio"]);
      for (let index = at; index < Math.min(count, at + PIECE_UNITS); index += 1)
        uids.push(catalog.upsert(draft(catalog.namespace, index, of(index)), 1).unit.uid);
    });
  }
  return uids;
}

function draft(namespace: string, index: number, more: Partial<UnitDraft>): UnitDraft {
  const where = { namespace, scope: "here", acl_owner: "owner", doc_id: null, source_uri: `unit/${index}`, locator: null } as const;
  const identity = { ...where, modality: "text", plane: "text", text: `unit ${index}`, ...more } as const;
  return { acl_groups: [], mime: null, metadata: null, ...more, ...identity, unit_id: unitId(identity) };
}

/** Answers with the Units of `ranking`, best first, inside the restriction; notes how many it was asked for each time. */
export function scriptedSearch({ catalog }: Tenant, ranking: readonly number[]) {
  const asked: number[] = [];
  const units = catalog.byUids(ranking);
  const allowed = (unit: Unit, { classes, uids, filter }: Restriction) =>
    (classes === null || classes.includes(unit.classId)) && (uids === null || uids.includes(unit.uid)) && matches(filter, unit);
  const answer = (
    limit: number,
    restriction: Restriction,
  ): RankedHits<{ uid: number; version: number; score: number; similarity: number; window: number }> => {
    asked.push(limit);
    const found = ranking.filter((uid) => allowed(units.get(uid) as Unit, restriction));
    const hits = found.slice(0, limit).map((uid, index) => {
      const score = 1 - index / ranking.length;
      return { uid, version: units.get(uid)?.version ?? 0, score, similarity: score, window: 0 };
    });
    return { hits, exhausted: found.length <= limit };
  };
  return {
    asked,
    vector: { search: async (_vector: Float32Array, limit: number, restriction: Restriction) => answer(limit, restriction) },
    fulltext: {
      search: async ({ limit, restriction }: FullTextQuery) => answer(limit, restriction),
    },
  };
}

export function queryOf(more: Partial<SearchQuery> = {}): SearchQuery {
  return {
    q: "anything",
    top_k: 10,
    mode: "fulltext",
    planes: ["text"],
    filter: MATCH_ALL,
    group_by: null,
    min_score: null,
    explain: false,
    rerank: false,
    answer: false,
    ...more,
  };
}
