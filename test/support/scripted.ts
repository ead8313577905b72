/** Units put straight into a store, and indexes that answer by a script: ranking without engines. */
import { sha256Hex } from "../../src/base/hash.ts";
import type { Tenant } from "../../src/core/tenant.ts";
import { matches } from "../../src/domain/filter.ts";
import type { FullTextQuery } from "../../src/domain/port/full-text-index.ts";
import type { RankedHits, Restriction } from "../../src/domain/port/index.ts";
import type { SearchQuery } from "../../src/domain/query.ts";
import { MATCH_ALL } from "../../src/domain/filter.ts";
import { type Unit, type UnitDraft, unitId } from "../../src/domain/unit.ts";

/** Stores `count` Units in one class, as `of` varies them; their uids in order. */
export async function fillStore({ store }: Tenant, count: number, of: (index: number) => Partial<UnitDraft> = () => ({})): Promise<number[]> {
  const drafts = Array.from({ length: count }, (_, index) => draft(store.namespace, index, of(index)));
  const window = { start: 0, end: 1, vector: Float32Array.of(1, 0, 0, 0) };
  const windows = new Map(drafts.map(({ text }) => [sha256Hex(text ?? ""), [window]]));
  const { value } = await store.transact(async (tx) => {
    await tx.access.register("here", ["text", "visual", "audio"]);
    return tx.units.upsert(drafts, windows);
  });
  return value.map(({ uid }) => uid);
}

function draft(namespace: string, index: number, more: Partial<UnitDraft>): UnitDraft {
  const where = { namespace, scope: "here", acl_owner: "owner", doc_id: null, path: null, source_uri: `unit/${index}`, locator: null } as const;
  const identity = { ...where, modality: "text", plane: "text", text: `unit ${index}`, ...more } as const;
  return { acl_groups: [], mime: null, metadata: null, ...more, ...identity, unit_id: unitId(identity) };
}

/** Answers with the Units of `ranking`, best first, inside the restriction; notes how many it was asked for each time. */
export async function scriptedSearch({ reader }: Tenant, ranking: readonly number[]) {
  const asked: number[] = [];
  const units = await reader.units.byUids(ranking);
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
      missing: async () => [],
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
    facets: [],
    min_score: null,
    explain: false,
    rerank: false,
    answer: false,
    ...more,
  };
}
