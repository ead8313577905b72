/** Units inside a view, and as the API shows them. */
import type { Hit } from "../../domain/hit.ts";
import type { Unit } from "../../domain/unit.ts";
import type { View } from "../access/view.ts";

export const NO_UNIT = "no such Unit";

/** The Unit; null when it does not exist, or the view may not see it. */
export async function readableUnit({ tenant, classes }: View, unit_id: string): Promise<Unit | null> {
  const unit = (await tenant.reader.units.byIds([unit_id])).get(unit_id);
  return unit !== undefined && classes.visible.includes(unit.classId) ? unit : null;
}

/** A Unit as it is shown: members without a value are left out. */
export function shownUnit(unit: Unit): Record<string, unknown> {
  const { uid: _uid, version: _version, classId: _classId, ...shown } = unit;
  const kept = Object.entries(shown).filter(([name, value]) => value !== null || name === "content_sha256");
  return Object.fromEntries(kept);
}

export function shownHit({ unit, ...hit }: Hit): Record<string, unknown> {
  return { ...shownUnit(unit), ...hit };
}
