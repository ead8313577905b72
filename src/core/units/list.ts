import { Type } from "@sinclair/typebox";
import { record } from "../audit/record.ts";
import { type Call, operation, READ } from "../operation.ts";
import { Context, Count, Nullable, Page, pageOf, UnitBody } from "../schema.ts";
import { hiddenByAcl } from "../../domain/access.ts";
import { shownUnit } from "../../domain/unit.ts";

/** Units that the view sees, by the time of their making. */
export const listUnits = operation({
  name: "units",
  summary: "Units by time",
  action: "units.list",
  access: READ,
  input: Page,
  output: Type.Object({ units: Type.Array(UnitBody), hidden_by_acl: Count, context: Context, next_cursor: Nullable(Count) }),
  async run({ view, input }: Call<Page>) {
    const { limit, offset } = pageOf(input);
    const { visible, hidden } = view.classes;
    const { units: stored } = view.tenant.reader;
    const units = await stored.list(visible, limit + 1, offset);
    const { hidden_by_acl } = await hiddenByAcl(view.caller, hidden, () => stored.count(hidden));
    await record(view, "units.list", { detail: { limit, cursor: offset } });
    return {
      units: units.slice(0, limit).map(shownUnit),
      hidden_by_acl,
      next_cursor: units.length > limit ? offset + limit : null,
      context: view.context,
    };
  },
});
