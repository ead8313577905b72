import { Type } from "@sinclair/typebox";
import { type Call, openOperation, PUBLIC } from "../operation.ts";
import type { StorageFailure } from "../../domain/health.ts";
import { describe, oneOf, text } from "../schema.ts";

/** Anybody may ask: no namespace is named. */
const FAILURES: Record<StorageFailure, string> = {
  "not opened": "a namespace cannot be opened",
  "not read": "a catalog cannot be read",
  "not written": "a catalog cannot be written",
  damaged: "a catalog is damaged",
};

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
        catalog: text("Database of Units; where a namespace's fails, what of it, such as `bun:sqlite (a catalog cannot be written)`."),
        vector_index: describe(Type.Array(Type.String()), "Planes whose vectors can be searched."),
        object_store: text("Where the bytes of files are."),
        key_value: text("Store of tokens and sessions."),
        inference: describe(Type.Boolean(), "True when the models run."),
      },
      { description: "What the service is made of." },
    ),
  }),
  async run({ services }: Call<unknown, unknown>) {
    const { status, catalog, vectorIndex, inference } = services.health();
    const database = catalog === null ? "bun:sqlite" : `bun:sqlite (${FAILURES[catalog]})`;
    const bindings = { catalog: database, vector_index: vectorIndex, object_store: "filesystem", key_value: "bun:sqlite", inference };
    return { status, service: "strata", version: services.version, time: new Date().toISOString(), bindings };
  },
});
