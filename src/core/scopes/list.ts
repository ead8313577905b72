import { Type } from "@sinclair/typebox";
import { type Call, operation, READ } from "../operation.ts";
import { describe, Millis, Nullable, Plane, text } from "../schema.ts";

const ScopeEntry = Type.Object({
  scope: text("Its path."),
  namespace: text("Namespace that it is a part of."),
  parent: describe(Nullable(Type.String()), "Path of the scope above; null at the top."),
  planes: describe(Type.Array(Plane), "Planes of the tier when it was registered."),
  read_only_agents: describe(Type.Boolean(), "True: callers with an API token may only read in it, but for admins."),
  created_at: describe(Millis, "When it was registered, in ms since the Unix epoch."),
});

export const listScopes = operation({
  name: "scopes",
  summary: "Registered scopes that the caller may use",
  action: "scopes.list",
  access: READ,
  input: null,
  output: Type.Object({ scopes: Type.Array(ScopeEntry) }),
  run: async ({ view }: Call<unknown>) => ({ scopes: view.registry.filter(({ scope }) => view.allowed.includes(scope)) }),
});
