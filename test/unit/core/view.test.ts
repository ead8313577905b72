/** A view of a request follows what changes while it works. */
import { expect, test } from "bun:test";
import { resolveView } from "../../../src/core/access/view.ts";
import { openDataDirectory } from "../../../src/adapter/sqlite/data-directory.ts";
import { openNamespaceStore } from "../../../src/app/data.ts";
import { temporaryDirectory } from "../../support/scratch.ts";
import { closeSmall, smallOn } from "../../support/small-tenant.ts";
import { fillStore } from "../../support/scripted.ts";

test("a renewed view is the same one until a scope or an access class is new", async () => {
  const data = openDataDirectory(temporaryDirectory(), Date.now);
  const world = smallOn(openNamespaceStore(data, "small", { model: "fake" }));
  const { tenant, caller } = world;
  const add = (owner: string) => fillStore(tenant, 1, () => ({ plane: "text", modality: "text", acl_owner: owner }));
  await add("ann");
  const view = await resolveView(tenant, caller, null);
  const count = view.classes.visible.length + view.classes.hidden.length;
  expect(await view.renewed()).toBe(view);

  await add("bo");
  const later = await view.renewed();
  expect(later.classes.visible.length + later.classes.hidden.length).toBe(count + 1);
  expect(await later.renewed()).toBe(later);

  await tenant.store.transact((tx) => tx.access.register("another", ["text"]));
  expect((await later.renewed()).registry.map(({ scope }) => scope)).toContain("another");
  await closeSmall();
  data.close();
});
