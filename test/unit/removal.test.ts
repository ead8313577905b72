/** What it costs SQLite to remove Units. */
import { expect, test } from "bun:test";
import { CATALOG_SCHEMA } from "../../src/adapter/sqlite/catalog-schema.ts";
import { openDatabase } from "../../src/adapter/sqlite/database.ts";
import { tablesOf } from "../../src/adapter/sqlite/tables.ts";
import { temporaryDirectory } from "../support/scratch.ts";

/** Statements that it takes to remove `count` Units, and what is left in the tables. */
function statements(count: number): { run: number; rows: Record<string, number> } {
  const db = openDatabase(`${temporaryDirectory()}/catalog.db`, { name: "the catalog", ...CATALOG_SCHEMA });
  let run = 0;
  const counted = new Proxy(db, {
    get: (target, name) => {
      if (name === "query") run += 1;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const { units } = tablesOf(counted, { namespace: "small", now: Date.now, model: "m" });
  const identity = { namespace: "small", scope: "here", acl_owner: "o", doc_id: null, path: null, source_uri: null, locator: null } as const;
  const draft = { ...identity, modality: "text", plane: "text", acl_groups: [], mime: null, metadata: null } as const;
  const drafts = Array.from({ length: count }, (_, index) => ({ ...draft, acl_groups: [], text: `line ${index % 7}`, unit_id: `u_${index}` }));
  const uids = db.transaction(() => units.upsert(drafts, new Map()).map(({ uid }) => uid))();
  run = 0;
  expect(units.remove(uids)).toBe(count);
  const before = run;
  const tables = ["unit", "outbox", "embedding", "removal"];
  const rows = Object.fromEntries(tables.map((table) => [table, (db.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n]));
  db.close();
  return { run: before, rows };
}

test("thousands of Units take as many statements as one", () => {
  const one = statements(1);
  const many = statements(3_000);
  expect(many.run).toBe(one.run);
  expect(many.rows).toEqual({ unit: 0, outbox: 0, embedding: 0, removal: 6_000 });
});
