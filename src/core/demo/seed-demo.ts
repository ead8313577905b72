import { Type } from "@sinclair/typebox";
import { Fault } from "../../base/fault.ts";
import { PERMS } from "../../domain/principal.ts";
import { TIERS } from "../../domain/tier.ts";
import type { View } from "../access/view.ts";
import { checkValues, Count, describe, oneOf, text } from "../schema.ts";
import { ADMINISTER, type Call, openOperation } from "../operation.ts";
import { DEMO_NAMESPACE } from "./principals.ts";

const Counts = Type.Record(Type.String(), Count);
const namespace = text("Namespace that it belongs to.");

/** Errors: as `seed`. */
export const seedDemo = openOperation({
  name: "seed",
  summary: "(Re)seeds the demo: open until a token exists, then for admins of the namespace demo",
  action: "seed",
  access: { ...ADMINISTER, admission: "first-run", within: DEMO_NAMESPACE },
  input: null,
  faults: ["quota_exceeded", "conflict"],
  output: Type.Object({
    namespaces: Type.Array(Type.Object({ namespace, tier: oneOf(TIERS) }), { description: "One for each tier." }),
    principals: Type.Array(
      Type.Object({
        principal_id: text("Its id."),
        namespace,
        perms: Type.Array(oneOf(PERMS), { description: "What it may do." }),
        scopes: Type.Array(Type.String(), { description: "Scopes that it may use, each with all below it; `*`: all." }),
        groups: Type.Array(Type.String(), { description: "Groups that it belongs to." }),
        read_only: describe(Type.Boolean(), "True: it may only read."),
      }),
      { description: "Who may call." },
    ),
    scopes: Type.Array(Type.Object({ namespace, scope: text("Its path.") }), { description: "Scopes that Units lie in." }),
    tokens: Type.Array(
      Type.Object({ name: text("Its name."), token: text("Its secret, which is published."), principal_id: text("Whom it stands for."), namespace }),
      { description: "The same on every deployment." },
    ),
    counts: Type.Object(
      {
        units: describe(Count, "Units of the demo."),
        scopes: describe(Count, "Scopes of the demo."),
        principals: describe(Count, "Principals of the demo."),
        tokens: describe(Count, "Tokens of the demo."),
        by_plane: describe(Counts, "Its Units by plane."),
        by_modality: describe(Counts, "Its Units by modality."),
      },
      { description: "How much there is." },
    ),
  }),
  parse({ input }) {
    checkValues(input);
    if (input !== undefined && (typeof input !== "object" || input === null || Array.isArray(input))) {
      throw new Fault("bad_request", "the body must be absent or an object");
    }
    return {};
  },
  run: ({ view, services }: Call<object, View | null>) => services.seeding.run(view?.caller ?? null),
});
