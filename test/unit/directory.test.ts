/** `system.db` as an earlier version left it. */
import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { sha256Hex } from "../../src/base/hash.ts";
import { NAMESPACE_MAX_TOKENS } from "../../src/base/limits.ts";
import { DIRECTORY_SCHEMA, DirectoryTables } from "../../src/adapter/sqlite/directory.ts";
import { openDatabase } from "../../src/adapter/sqlite/database.ts";
import { revokeNamed } from "../support/tokens.ts";
import { temporaryDirectory } from "../support/scratch.ts";

const NOW = 1_800_000_000_000;

/** A file of the first format, with one live and one revoked token of an admin, each with a session. */
function firstFormat(): string {
  const path = join(temporaryDirectory(), "system.db");
  const db = openDatabase(path, { ...DIRECTORY_SCHEMA, migrations: DIRECTORY_SCHEMA.migrations.slice(0, 1) });
  db.run("INSERT INTO namespace VALUES ('main', 'enterprise')");
  db.run(`INSERT INTO principal VALUES ('main', 'ann', '["read","write"]', '["*"]', '*', '[]', 0, 0)`);
  for (const [name, revoked_at] of [
    ["live", null],
    ["gone", NOW],
  ] as const) {
    db.query("INSERT INTO token VALUES (?, ?, 'main', 'ann', 0, ?, ?)").run(sha256Hex(`secret-${name}`), name, NOW, revoked_at);
    db.query("INSERT INTO session VALUES (?, ?, ?, ?)").run(sha256Hex(`session-${name}`), sha256Hex(`secret-${name}`), NOW, NOW);
  }
  db.close();
  return path;
}

function open(path: string): { db: Database; directory: DirectoryTables } {
  const db = openDatabase(path, DIRECTORY_SCHEMA);
  return { db, directory: new DirectoryTables(db, () => NOW + 1) };
}

test("a session of the first format was made from a token, and ends with it", () => {
  const { db, directory } = open(firstFormat());
  expect(directory.bySession("session-live")).toMatchObject({ credential: "token", principal: { principal_id: "ann" } });
  expect(directory.bySession("session-gone")).toBeNull();
  expect(directory.byToken("secret-live")?.principal.principal_id).toBe("ann");
  revokeNamed(directory, "main", "live");
  expect(directory.bySession("session-live")).toBeNull();
  db.close();
});

test("tokens of the first format, live and revoked, get ids of their own, which stay", () => {
  const path = firstFormat();
  const ids = () => {
    const { db, directory } = open(path);
    const tokens = directory.tokens();
    expect(tokens.map(({ id }) => directory.token(id))).toEqual(tokens);
    db.close();
    return tokens.map(({ name, id }) => [name, id]);
  };
  const first = ids();
  expect(first).toEqual([
    ["gone", expect.stringMatching(/^t_[0-9a-f]{20}$/)],
    ["live", expect.stringMatching(/^t_[0-9a-f]{20}$/)],
  ]);
  expect(new Set(first.map(([, id]) => id)).size).toBe(2);
  expect(ids()).toEqual(first);
});

test("a namespace holds so many live tokens, and revoking makes room", () => {
  const { db, directory } = open(firstFormat());
  db.transaction(() => {
    for (let n = 1; n < NAMESPACE_MAX_TOKENS; n += 1) {
      directory.putToken({ name: `t${n}`, secret: `s${n}`, namespace: "main", principal_id: "ann", seeded: false });
    }
  })();
  const another = () => directory.createToken({ name: "another", namespace: "main", principal_id: "ann" }).secret;
  expect(another).toThrow(`has ${NAMESPACE_MAX_TOKENS} live tokens`);
  revokeNamed(directory, "main", "t1");
  expect(directory.byToken(another())?.principal.principal_id).toBe("ann");
  db.close();
});
