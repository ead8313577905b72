import { Type } from "@sinclair/typebox";
import { type Call, operation, READ } from "../operation.ts";
import { Millis, Nullable, Plane } from "../schema.ts";

const ScopeEntry = Type.Object({
  scope: Type.String(),
  namespace: Type.String(),
  parent: Nullable(Type.String()),
  planes: Type.Array(Plane),
  read_only_agents: Type.Boolean(),
  created_at: Millis,
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
