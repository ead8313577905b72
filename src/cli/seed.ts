import type { SeedReport } from "../core/demo/seed.ts";
import { withBackend } from "./open-backend.ts";
import { defineCommand, EXIT } from "./command.ts";
import { JSON_OUTPUT, TARGET, targetOf } from "./flags.ts";
import { count, json, table } from "./format.ts";
import { Progress } from "./progress.ts";

/** The first time every text of the demo runs through the model. */
export const SEEDING = "loading the demo; the first time takes up to half a minute";

export const seed = defineCommand({
  purpose:
    "Loads the demo: four namespaces, their principals, a story to search across all planes, and tokens that are the same on every deployment \
(a server that others can reach refuses them). Seeding again restores all of it but revoked tokens, and touches nothing else; a server lets an \
admin of the namespace demo do it, and the super-admin.",
  operands: [],
  flags: { ...TARGET, ...JSON_OUTPUT },
  examples: [
    ["into ./strata-data", "strata seed"],
    ["again, on a running server", "strata seed --url http://127.0.0.1:4700 --token strata_demo_admin"],
  ],
  async run(context, flags) {
    // The first run of a server is open: there is no token yet.
    const target = targetOf(flags, context.env, { anonymous: true });
    const options = { namespace: null, create: true };
    const progress = new Progress(context.io.stderr);
    const report = (await withBackend(context, target, options, (backend) => progress.during(SEEDING, () => backend.call("seed", {})))) as SeedReport;
    context.io.stdout.write(flags.json ? json(report) : reportText(report));
    return EXIT.done;
  },
});

/** What was seeded, as tables. */
export function reportText({ namespaces, principals, tokens, counts }: SeedReport): string {
  const planes = Object.entries(counts.by_plane).map(([plane, units]) => `${count(units)} ${plane}`);
  return [
    table(
      ["NAMESPACE", "TIER"],
      namespaces.map(({ namespace, tier }) => [namespace, tier]),
    ),
    table(
      ["PRINCIPAL", "NAMESPACE", "PERMS", "SCOPES", "GROUPS"],
      principals.map(({ principal_id, namespace, perms, scopes, groups }) => [
        principal_id,
        namespace,
        perms.join(","),
        scopes.join(","),
        groups.join(",") || "-",
      ]),
    ),
    table(
      ["TOKEN", "PRINCIPAL", "NAMESPACE"],
      tokens.map(({ token, principal_id, namespace }) => [token, principal_id, namespace]),
    ),
    `${count(counts.units)} Units (${planes.join(", ")}), ${counts.scopes} scopes, ${counts.principals} principals, ${counts.tokens} tokens\n`,
  ].join("\n");
}
