/** Stores drafts with their vectors. */
import { UNIT_OVERHEAD_BYTES } from "../../base/limits.ts";
import type { TextWindow } from "../../domain/port/encoder.ts";
import type { IndexName } from "../../domain/port/index.ts";
import type { NamespaceTransactor } from "../../domain/port/store.ts";
import type { Upserted } from "../../domain/port/units.ts";
import { TIER_LIMITS, type Tier } from "../../domain/tier.ts";
import type { UnitDraft } from "../../domain/unit.ts";

/** Bytes that a batch holds while it waits to be written: texts, vectors, and UNIT_OVERHEAD_BYTES a Unit. */
export function weightOf(drafts: readonly UnitDraft[], windows: ReadonlyMap<string, readonly TextWindow[]>): number {
  const texts = drafts.reduce((sum, { text }) => sum + UNIT_OVERHEAD_BYTES + (text === null ? 0 : Buffer.byteLength(text)), 0);
  const vectors = [...windows.values()].flat().reduce((sum, { vector }) => sum + vector.byteLength, 0);
  return texts + vectors;
}

/** Upserts drafts with their vectors and scopes. */
export async function storeDrafts(
  tx: NamespaceTransactor,
  tier: Tier,
  drafts: readonly UnitDraft[],
  windows: ReadonlyMap<string, readonly TextWindow[]>,
): Promise<Upserted[]> {
  for (const scope of new Set(drafts.map((draft) => draft.scope))) await tx.access.register(scope, TIER_LIMITS[tier].planes);
  return tx.units.upsert(drafts, windows);
}

/** The indexes that hold something of these Units; null: there are none, which concerns every index. */
export function indexesOf(drafts: readonly Pick<UnitDraft, "plane">[]): IndexName[] | null {
  return drafts.length === 0 ? null : [...new Set<IndexName>(["fulltext", ...drafts.map(({ plane }) => plane)])];
}
