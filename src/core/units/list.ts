import { type Static, Type } from "@sinclair/typebox";
import { badField } from "../../base/fault.ts";
import { PAGE_MAX } from "../../base/limits.ts";
import { hiddenByAcl } from "../../domain/access.ts";
import { shownUnit, type Unit } from "../../domain/unit.ts";
import type { View } from "../access/view.ts";
import { record } from "../audit/record.ts";
import { type Call, operation, READ } from "../operation.ts";
import { choiceOf, Context, Count, describe, Id, NextCursor, Page, pageOf, UnitBody } from "../schema.ts";

const UnitsPage = Type.Object({
  ...Page.properties,
  sort: Type.Optional(choiceOf(["created_at", "-created_at"], "`created_at`: the oldest first, the default; `-created_at`: the newest.")),
  ids: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: PAGE_MAX,
      description: "In place of a page these Units, in this order; those that do not exist, or are hidden, are missing.",
    }),
  ),
});
type UnitsPage = Static<typeof UnitsPage>;

/** Units that the view sees, by the time of their making, or by their ids. */
export const listUnits = operation({
  name: "units",
  summary: "Units by time, or by their ids",
  action: "units.list",
  access: READ,
  input: UnitsPage,
  output: Type.Object({
    units: Type.Array(UnitBody),
    hidden_by_acl: describe(Count, "Units in the effective scopes that the caller may not read, as exactly as the namespace tells it; 0 with `ids`."),
    context: Context,
    next_cursor: NextCursor,
  }),
  async run({ view, input }: Call<UnitsPage>) {
    const { units, hidden_by_acl, next_cursor } = input.ids === undefined ? await pageBy(view, input) : await byIds(view, input);
    return { units: units.map(shownUnit), hidden_by_acl, next_cursor, context: view.context };
  },
});

interface Listed {
  units: Unit[];
  hidden_by_acl: number;
  next_cursor: number | null;
}

async function pageBy(view: View, input: UnitsPage): Promise<Listed> {
  const { limit, offset } = pageOf(input);
  const { visible, hidden } = view.classes;
  const { units: stored } = view.tenant.reader;
  const units = await stored.list(visible, limit + 1, offset, input.sort === "-created_at" ? "newest" : "oldest");
  const { hidden_by_acl } = await hiddenByAcl(view.caller, hidden, () => stored.count(hidden));
  await record(view, "units.list", { detail: { limit, cursor: offset } });
  return { units: units.slice(0, limit), hidden_by_acl, next_cursor: units.length > limit ? offset + limit : null };
}

/** Each once. A hidden Unit is missing like one that does not exist, so that none is counted. */
async function byIds(view: View, { ids = [], limit, cursor, sort }: UnitsPage): Promise<Listed> {
  const other = Object.entries({ limit, cursor, sort }).find(([, value]) => value !== undefined);
  if (other !== undefined) throw badField(`/${other[0]}`, "is of a page, and goes with no ids");
  const { tenant, classes } = view;
  const found = await tenant.reader.units.byIds(ids);
  const units = [...new Set(ids)].flatMap((id) => found.get(id) ?? []).filter(({ classId }) => classes.visible.includes(classId));
  await record(view, "units.list", { detail: { ids: ids.length } });
  return { units, hidden_by_acl: 0, next_cursor: null };
}
