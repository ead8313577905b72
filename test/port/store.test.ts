import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { MemoryStore } from "../../src/adapter/memory/namespace-store.ts";
import { CATALOG_SCHEMA } from "../../src/adapter/sqlite/catalog-schema.ts";
import { createCheckpointSigner } from "../../src/adapter/sqlite/checkpoint.ts";
import { openDatabase } from "../../src/adapter/sqlite/database.ts";
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

test("files and jobs of a catalog from before extractors had versions are of the first one, wait to be read again, and are counted", async () => {
  const root = temporaryDirectory();
  const path = `${root}/catalog.db`;
  const before = CATALOG_SCHEMA.migrations.findIndex((sql) => sql.includes("ADD COLUMN extractor"));
  const old = openDatabase(path, { name: "an old catalog", migrations: CATALOG_SCHEMA.migrations.slice(0, before) });
  old.run("INSERT INTO file VALUES ('f', 'here', 'ann', '[]', 'd', 'a.txt', 'document', 'text/plain', 7, '00', NULL, 1, 1)");
  old.run("INSERT INTO access_class VALUES (1, 'here', 'ann', '[]')");
  old.run(`INSERT INTO unit (uid, unit_id, version, class_id, scope, acl_owner, acl_groups, modality, plane, windows, created_at, updated_at)
    VALUES (1, 'u', 1, 1, 'here', 'ann', '[]', 'chunk', 'text', 0, 1, 1)`);
  old.run("INSERT INTO file_unit VALUES (1, 'f')");
  old.run(`INSERT INTO job (job_id, file_id, state, stage, progress, next_part, units, created, notes, created_at, updated_at)
    VALUES ('j', 'f', 'running', 'text', 0.5, 3, 1, 1, '[]', 1, 1)`);
  old.close();
  const store = openSqliteStore({ path, checkpointPath: `${root}/audit.note`, namespace: "n", now: Date.now, model: "m", signer, log: silentLog });
  const { files, jobs } = store.reader;
  const versions = { picture: 1, document: 2, sound: 1, video: 1, log: 2 };
  expect(await files.outdated(versions, ["here"], "", 10)).toMatchObject([{ file: { file_id: "f", extractor: 1 }, units: 1, made: null }]);
  expect(await jobs.active()).toMatchObject([{ job_id: "j", asked_by: null, extractor: null, next_part: 3 }]);
  expect(await files.formerUnits("f")).toBe(0);
  expect([await files.bytesIn([1]), await files.countUnits("f", [1]), await files.bytesIn([2])]).toEqual([7, 1, 0]);
  await store.close();
  rmSync(root, { recursive: true });
});
