import { Type } from "@sinclair/typebox";
import { Fault } from "../../base/fault.ts";
import { PERMS } from "../../domain/principal.ts";
import { TIERS } from "../../domain/tier.ts";
import type { View } from "../access/view.ts";
import { checkValues, Count, oneOf } from "../schema.ts";
import { ADMINISTER, type Call, openOperation } from "../operation.ts";
import { DEMO_NAMESPACE } from "./principals.ts";

const Counts = Type.Record(Type.String(), Count);

/** Errors: as `seed`. */
export const seedDemo = openOperation({
  name: "seed",
  summary: "(Re)seeds the demo: open until a token exists, then for admins of the namespace demo",
  action: "seed",
  access: { ...ADMINISTER, admission: "first-run", within: DEMO_NAMESPACE },
  input: null,
  faults: ["quota_exceeded", "conflict"],
  output: Type.Object({
    namespaces: Type.Array(Type.Object({ namespace: Type.String(), tier: oneOf(TIERS) })),
    principals: Type.Array(
      Type.Object({
        principal_id: Type.String(),
        namespace: Type.String(),
        perms: Type.Array(oneOf(PERMS)),
        scopes: Type.Array(Type.String()),
        groups: Type.Array(Type.String()),
        read_only: Type.Boolean(),
      }),
    ),
    scopes: Type.Array(Type.Object({ namespace: Type.String(), scope: Type.String() })),
    tokens: Type.Array(Type.Object({ name: Type.String(), token: Type.String(), principal_id: Type.String(), namespace: Type.String() })),
    counts: Type.Object({ units: Count, scopes: Count, principals: Count, tokens: Count, by_plane: Counts, by_modality: Counts }),
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
