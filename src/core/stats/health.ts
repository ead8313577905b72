import { Type } from "@sinclair/typebox";
import { type Call, openOperation, PUBLIC } from "../operation.ts";
import { oneOf } from "../schema.ts";

export const getHealth = openOperation({
  name: "health",
  summary: "State of the service",
  action: null,
  access: PUBLIC,
  input: null,
  output: Type.Object({
    status: oneOf(["ok", "degraded", "down"]),
    service: Type.String(),
    version: Type.String(),
    time: Type.String(),
    bindings: Type.Object({
      catalog: Type.String(),
      vector_index: Type.Array(Type.String()),
      object_store: Type.String(),
      key_value: Type.String(),
      inference: Type.Boolean(),
    }),
  }),
  async run({ services }: Call<unknown, unknown>) {
    const { status, vectorIndex, inference } = services.health();
    const bindings = { catalog: "bun:sqlite", vector_index: vectorIndex, object_store: "filesystem", key_value: "bun:sqlite", inference };
    return { status, service: "strata", version: services.version, time: new Date().toISOString(), bindings };
  },
});
