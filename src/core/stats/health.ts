import { Type } from "@sinclair/typebox";
import { type Call, openOperation, PUBLIC } from "../operation.ts";
import { describe, oneOf, text } from "../schema.ts";

export const getHealth = openOperation({
  name: "health",
  summary: "State of the service",
  action: null,
  access: PUBLIC,
  input: null,
  output: Type.Object({
    status: describe(oneOf(["ok", "degraded", "down"]), "`degraded`: a part does not work; `down`: no plane can be searched."),
    service: text("`strata`."),
    version: text("Version of the service."),
    time: text("Now, as ISO 8601 in UTC."),
    bindings: Type.Object(
      {
        catalog: text("Database of Units."),
        vector_index: describe(Type.Array(Type.String()), "Planes whose vectors can be searched."),
        object_store: text("Where the bytes of files are."),
        key_value: text("Store of tokens and sessions."),
        inference: describe(Type.Boolean(), "True when the models run."),
      },
      { description: "What the service is made of." },
    ),
  }),
  async run({ services }: Call<unknown, unknown>) {
    const { status, vectorIndex, inference } = services.health();
    const bindings = { catalog: "bun:sqlite", vector_index: vectorIndex, object_store: "filesystem", key_value: "bun:sqlite", inference };
    return { status, service: "strata", version: services.version, time: new Date().toISOString(), bindings };
  },
});
