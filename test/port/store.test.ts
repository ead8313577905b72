import { generateKeyPairSync } from "node:crypto";
import { rmSync } from "node:fs";
import { MemoryStore } from "../../src/adapter/memory/namespace-store.ts";
import { createCheckpointSigner } from "../../src/adapter/sqlite/checkpoint.ts";
import { openSqliteStore } from "../../src/adapter/sqlite/namespace-store.ts";
import { silentLog } from "../../src/base/log.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { storeConformance } from "./store-conformance.ts";

const signer = createCheckpointSigner(generateKeyPairSync("ed25519").privateKey);

storeConformance("SQLite", (now) => {
  const root = temporaryDirectory();
  const paths = { path: `${root}/catalog.db`, checkpointPath: `${root}/audit.note` };
  const store = openSqliteStore({ ...paths, namespace: "n", now, model: "m", signer, log: silentLog });
  return { store, remove: () => rmSync(root, { recursive: true }) };
});

storeConformance("memory", (now) => ({ store: new MemoryStore({ namespace: "n", now, model: "m" }), remove: () => {} }));
