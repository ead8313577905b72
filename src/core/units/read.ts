/** Units inside a view. */
import type { Unit } from "../../domain/unit.ts";
import type { View } from "../access/view.ts";

export const NO_UNIT = "no such Unit";

/** The Unit; null when it does not exist, or the view may not see it. */
export async function readableUnit({ tenant, classes }: View, unit_id: string): Promise<Unit | null> {
  const unit = (await tenant.reader.units.byIds([unit_id])).get(unit_id);
  return unit !== undefined && classes.visible.includes(unit.classId) ? unit : null;
}
