/** A catalog from before Units had paths opens, and its Units keep their vectors. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../src/base/hash.ts";
import { CATALOG_SCHEMA } from "../../src/adapter/sqlite/catalog-schema.ts";
import { openDatabase } from "../../src/adapter/sqlite/database.ts";
import { tablesOf } from "../../src/adapter/sqlite/tables.ts";
import { parseFilter } from "../../src/domain/filter.ts";
import { packWindows } from "../../src/adapter/sqlite/vector-codec.ts";
import { temporaryDirectory } from "../support/scratch.ts";

const BEFORE_PATHS = 6;

test("Units of a catalog without paths have none, and the vectors of their texts, and are counted", async () => {
  const directory = temporaryDirectory();
  const path = join(directory, "catalog.db");
  const old = openDatabase(path, { name: "the catalog", migrations: CATALOG_SCHEMA.migrations.slice(0, BEFORE_PATHS) });
  const hash = sha256Hex("old text");
  const window = { start: 0, end: 8, vector: Float32Array.of(1, 0) };
  old.run("INSERT INTO access_class (class_id, scope, owner, groups) VALUES (1, 'here', 'ann', '[]')");
  old.run(`INSERT INTO unit (unit_id, version, class_id, scope, acl_owner, acl_groups, modality, plane, text, content_sha256, windows, created_at, updated_at, metadata)
    VALUES ('u_old', 1, 1, 'here', 'ann', '[]', 'text', 'text', 'old text', '${hash}', 1, 1, 1, '{"part":4}')`);
  old.query("INSERT INTO embedding (text_sha256, model, windows) VALUES (?, 'm', ?)").run(hash, packWindows([window]));
  old.close();

  const db = openDatabase(path, { name: "the catalog", ...CATALOG_SCHEMA });
  const { units, embeddings } = tablesOf(db, { namespace: "n", now: () => 2, model: "m" });
  expect(units.byIds(["u_old"]).get("u_old")).toMatchObject({ text: "old text", path: null, content_sha256: hash, embeddedSha256: hash });
  expect(units.entriesAfter(0, 10).map(({ windows }) => windows)).toEqual([[window]]);
  expect([...embeddings.windowsWithin([hash], [1]).keys()]).toEqual([hash]);
  expect(embeddings.missing(10)).toEqual([]);
  expect(await units.counts([1])).toMatchObject([{ plane: "text", units: 1, vectors: 1 }, {}, {}, {}]);
  expect(await units.count(null)).toBe(1);
  expect(await units.matching(parseFilter({ "metadata.part": { $gt: 3 } }), [1], 10, 10)).toEqual({ uids: [1], complete: true });
  expect(embeddings.foreign()).toBe(false);
  expect(units.remove([1])).toBe(1);
  expect(await units.count(null)).toBe(0);
  expect(embeddings.windows([hash]).size).toBe(0);
  db.close();
  rmSync(directory, { recursive: true, force: true });
});
