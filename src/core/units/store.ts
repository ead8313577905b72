/** Stores drafts with their vectors. */
import { sha256Hex } from "../../base/hash.ts";
import { UNIT_OVERHEAD_BYTES } from "../../base/limits.ts";
import type { TextWindow } from "../../domain/port/encoder.ts";
import { TIER_LIMITS } from "../../domain/tier.ts";
import type { UnitDraft } from "../../domain/unit.ts";
import type { UnitStatus } from "../../domain/port/units.ts";
import type { Tenant } from "../tenant.ts";
import type { WriteResult } from "./writer.ts";

/** Bytes that a batch holds while it waits to be written: texts, vectors, and UNIT_OVERHEAD_BYTES a Unit. */
export function weightOf(drafts: readonly UnitDraft[], windows: ReadonlyMap<string, readonly TextWindow[]>): number {
  const texts = drafts.reduce((sum, { text }) => sum + UNIT_OVERHEAD_BYTES + (text === null ? 0 : Buffer.byteLength(text)), 0);
  const vectors = [...windows.values()].flat().reduce((sum, { vector }) => sum + vector.byteLength, 0);
  return texts + vectors;
}

/** Upserts drafts with their vectors and scopes. Runs inside a transaction. */
export function storeDrafts(
  tenant: Tenant,
  drafts: readonly UnitDraft[],
  windows: ReadonlyMap<string, TextWindow[]>,
  model: string,
): { written: { unit_id: string; status: UnitStatus }[]; changed: WriteResult<unknown>["changed"] } {
  const { planes } = TIER_LIMITS[tenant.namespace.tier];
  const changed: WriteResult<unknown>["changed"] = [];
  const written = drafts.map((draft) => {
    const hash = draft.text === null ? null : sha256Hex(draft.text);
    const own = (hash !== null && windows.get(hash)) || [];
    tenant.catalog.registerScope(draft.scope, planes);
    const { unit, status } = tenant.catalog.upsert(draft, own.length);
    if (hash !== null && status === "created") tenant.catalog.storeWindows(hash, model, own);
    if (status !== "unchanged") changed.push({ unit, windows: own });
    return { unit_id: draft.unit_id, status };
  });
  return { written, changed };
}
