/** What seeding promises, as one value to compare; and a demo of which seeding has something to restore in every store. */
import type { App } from "../../src/app/app.ts";
import { SEED_NAMESPACES, SEED_PRINCIPALS } from "../../src/core/demo/principals.ts";
import { rowsOf } from "../support/rows.ts";

/** Everything of the demo but times and audit rows. */
export async function promised(app: App) {
  const { tables: directory } = app.data;
  const spaces = [];
  for (const { namespace } of SEED_NAMESPACES) {
    const known = directory.namespace(namespace);
    const { catalog, files } = rowsOf(await app.tenant({ namespace, tier: known?.tier ?? "free" }));
    const stored = catalog.unitsAfter(0, 10_000).map(({ unit }) => unit);
    spaces.push({
      namespace,
      tier: known?.tier ?? null,
      scopes: catalog.registry().map(({ scope, planes, read_only_agents }) => ({ scope, planes, read_only_agents })),
      units: stored
        .map(({ unit_id, acl_groups, text, mime }) => ({ unit_id, acl_groups, text, mime }))
        .sort((a, b) => (a.unit_id < b.unit_id ? -1 : 1)),
      files: files
        .stored()
        .map(({ file_id }) => file_id)
        .sort(),
    });
  }
  const principals = SEED_PRINCIPALS.map(({ namespace, principal_id }) => directory.principal(namespace, principal_id));
  const tokens = SEED_PRINCIPALS.map(({ token }) => directory.byToken(token)?.principal.principal_id ?? null);
  return { spaces, principals, tokens, begun: directory.begunSeeding() };
}

/** Changes something that seeding restores in each catalog and in the directory. */
export async function spoil(app: App): Promise<void> {
  const { tables: directory } = app.data;
  for (const { namespace, tier } of SEED_NAMESPACES) {
    const { catalog, ledger } = rowsOf(await app.tenant({ namespace, tier }));
    ledger.transact(() => catalog.putScope({ scope: "harbour/ops", planes: [], read_only_agents: true }));
  }
  const [reader, superAdmin] = ["demo-reader", "super-admin"].map((id) => directory.principal("demo", id));
  if (!reader || !superAdmin) throw new Error("the demo has a reader and a super-admin");
  directory.putPrincipal({ ...superAdmin, perms: ["read"] });
  directory.putPrincipal({ ...reader, scopes: ["*"], groups: ["finance"], read_only: false });
  directory.putNamespace("free", "enterprise");
}
