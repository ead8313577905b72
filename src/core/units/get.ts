import { Fault } from "../../base/fault.ts";
import { record } from "../audit/record.ts";
import { type Call, operation, READ } from "../operation.ts";
import { ById, UnitBody } from "../schema.ts";
import { shownUnit } from "../../domain/unit.ts";
import { NO_UNIT, readableUnit } from "./read.ts";

/** Errors: `not_found`, the same for an unknown id and for a Unit that is hidden or out of scope. */
export const getUnit = operation({
  name: "unit",
  summary: "One Unit",
  action: "unit.get",
  access: READ,
  input: ById,
  output: UnitBody,
  async run({ view, input: { id } }: Call<ById>) {
    const unit = await readableUnit(view, id);
    await record(view, "unit.get", { target: id });
    if (unit === null) throw new Fault("not_found", NO_UNIT);
    return shownUnit(unit);
  },
});
