/** A view of a request follows what changes while it works. */
import { expect, test } from "bun:test";
import { splitClasses } from "../../../src/domain/access.ts";
import type { Caller } from "../../../src/domain/principal.ts";
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

test("callers of the same store each see what is theirs, whoever asked before", async () => {
  const data = openDataDirectory(temporaryDirectory(), Date.now);
  const { tenant, caller } = smallOn(openNamespaceStore(data, "small", { model: "fake" }));
  for (const owner of ["ann", "bo", "cy"]) {
    await fillStore(tenant, 1, () => ({ plane: "text", modality: "text", acl_owner: owner, scope: owner === "cy" ? "there" : "here" }));
  }
  await tenant.store.transact((tx) => tx.access.register("there", ["text"]));
  const as = (principal: Partial<Caller["principal"]>, more: Partial<Caller> = {}): Caller => {
    return { ...caller, ...more, principal: { ...caller.principal, perms: ["read"], ...principal } };
  };
  const asked: [Caller, string | null][] = [
    [as({ principal_id: "ann" }), "*"],
    [as({ principal_id: "bo" }), "*"],
    [as({ principal_id: "bo" }), "here"],
    [as({ principal_id: "cy", scopes: ["here"] }), "*"],
    [as({ principal_id: "cy", scopes: ["*"] }), "*"],
    [as({ perms: ["read", "admin"] }), "*"],
    [as({ perms: ["read", "admin"] }, { namespace: { ...caller.namespace, tier: "free" } }), "*"],
    [as({ super_admin: true }), null],
  ];
  const classes = await tenant.reader.access.classes();
  for (const round of [1, 2]) {
    for (const [who, scope] of asked) {
      const view = await resolveView(tenant, who, scope);
      expect({ round, who, scope, classes: view.classes }).toEqual({ round, who, scope, classes: splitClasses(who, view.effective, classes) });
    }
  }
  const visible = await Promise.all(asked.map(async ([who, scope]) => (await resolveView(tenant, who, scope)).classes.visible.length));
  expect(visible).toEqual([1, 1, 1, 0, 1, 3, 0, 2]);
  await closeSmall();
  data.close();
});
