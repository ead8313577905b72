/** The key of the chains: made once, missed when it is gone, and replaced by a new epoch that every chain tells of. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../src/base/fault.ts";
import type { AuditRow, VerificationReport } from "../../src/domain/audit.ts";
import { beginEpoch, finishEpoch } from "../../src/adapter/sqlite/audit-key.ts";
import { type DataDirectory, openDataDirectory } from "../../src/adapter/sqlite/data-directory.ts";
import { chainFault } from "../support/audit-check.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { event } from "./chain-fixture.ts";
import { openRows, type Rows } from "../support/rows.ts";

setDefaultTimeout(60_000);

const SPACES = ["one", "two"];
const ROWS = 8;
let root: string;
let now = 1_767_225_600_000;
const clock = () => {
  now += 5;
  return now;
};

beforeEach(() => {
  root = temporaryDirectory();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function withDirectory<T>(work: (data: DataDirectory) => T | Promise<T>, openKey?: Parameters<typeof openDataDirectory>[2]): Promise<T> {
  const data = openDataDirectory(root, clock, openKey);
  try {
    return await work(data);
  } finally {
    data.close();
  }
}

async function withLedger<T>(data: DataDirectory, namespace: string, work: (ledger: Rows["ledger"]) => T | Promise<T>): Promise<T> {
  const store = openRows(data, namespace, { now: clock });
  try {
    return await work(store.ledger);
  } finally {
    await store.close();
  }
}

/** Two chains of ROWS rows. */
function fill(rows = ROWS): Promise<void> {
  return withDirectory(async (data) => {
    for (const namespace of SPACES) {
      await withLedger(data, namespace, async (ledger) => {
        for (let index = 0; index < rows; index += 1) await ledger.append(event(index));
      });
    }
  });
}

function verifyAll(): Promise<VerificationReport[]> {
  return withDirectory((data) => Promise.all(SPACES.map((namespace) => withLedger(data, namespace, (ledger) => ledger.verify()))));
}

function rowsOf(namespace: string): Promise<AuditRow[]> {
  return withDirectory((data) => withLedger(data, namespace, (ledger) => ledger.page(100, 0).toReversed()));
}

/** What `strata audit rekey` does; `upTo`: it dies before this many namespaces are done, and never finishes. */
function rekey(upTo = Number.POSITIVE_INFINITY): Promise<VerificationReport[]> {
  return withDirectory(async (data) => {
    const reports: VerificationReport[] = [];
    for (const namespace of SPACES.slice(0, upTo)) {
      await withLedger(data, namespace, async (ledger) => {
        const report = await ledger.verify();
        ledger.beginEpoch("operator", report.intact);
        reports.push(report);
      });
    }
    if (upTo >= SPACES.length) finishEpoch(data.root, data.tables);
    return reports;
  }, beginEpoch);
}

const keyPath = () => join(root, "audit.key");
const catalogOf = (namespace: string) => join(root, "namespaces", namespace, "catalog.db");
const noteOf = (namespace: string) => readFileSync(join(root, "namespaces", namespace, "audit.note"), "utf8");

/** Why the directory is not opened. */
async function refusal(): Promise<string> {
  const error = await withDirectory(() => null).catch((cause: unknown) => cause);
  if (!(error instanceof StartError)) throw new Error(`the start was not refused: ${String(error)}`);
  return error.message;
}

function tamper(namespace: string, ...statements: string[]): void {
  const db = new Database(catalogOf(namespace));
  for (const { name } of db.query("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all() as { name: string }[])
    db.run(`DROP TRIGGER ${name}`);
  for (const sql of statements) db.run(sql);
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

describe("making the key", () => {
  test("it is made on first run, for its owner alone, and stays", async () => {
    const made = await withDirectory((data) => data.signer.verifierKey);
    expect(statSync(keyPath()).mode & 0o777).toBe(0o600);
    expect(readdirSync(root).filter((name) => name.startsWith("audit.key"))).toEqual(["audit.key"]);
    expect(await withDirectory((data) => data.signer.verifierKey)).toBe(made);
  });

  test("it takes its name when it is whole: what a crash left beside it is no key", async () => {
    mkdirSync(root, { recursive: true });
    await withDirectory(() => null);
    rmSync(keyPath());
    writeFileSync(`${keyPath()}.tmp`, "-----BEGIN PRIV");
    await withDirectory(() => null);
    expect(existsSync(`${keyPath()}.tmp`)).toBe(false);
    rmSync(keyPath());
    // Where it cannot be written whole, there is no key at all.
    mkdirSync(`${keyPath()}.tmp`);
    expect(() => openDataDirectory(root, clock)).toThrow(StartError);
    expect(existsSync(keyPath())).toBe(false);
  });

  test("without chains a lost key is made again, catalogs or not", async () => {
    await fill(0);
    expect(existsSync(catalogOf("one"))).toBe(true);
    rmSync(keyPath());
    await fill();
    expect(await verifyAll()).toMatchObject([{ intact: true }, { intact: true }]);
  });
});

describe("the right key is missed", () => {
  beforeEach(() => fill());

  test("a lost key is not replaced; put back, everything is as it was", async () => {
    const key = readFileSync(keyPath());
    const before = await rowsOf("one");
    rmSync(keyPath());
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await refusal()).toBe(
        "audit.key is missing, and the audit chains here are signed with it. Put the right key back from a backup, or begin a new epoch with strata audit rekey",
      );
      expect(existsSync(keyPath())).toBe(false);
    }
    writeFileSync(keyPath(), key, { mode: 0o600 });
    expect(await verifyAll()).toMatchObject([
      { intact: true, head_seq: ROWS },
      { intact: true, head_seq: ROWS },
    ]);
    expect(await rowsOf("one")).toEqual(before);
  });

  test.each([
    ["rows", (base: string) => rmSync(join(base, "audit.note"))],
    ["a note", (base: string) => rmSync(join(base, "catalog.db"))],
    [
      "a catalog that cannot be read",
      (base: string) => [rmSync(join(base, "audit.note")), writeFileSync(join(base, "catalog.db"), "x".repeat(5_000))],
    ],
  ])("%s is enough of a chain", async (_name, reduce) => {
    rmSync(join(root, "namespaces/two"), { recursive: true });
    reduce(join(root, "namespaces/one"));
    rmSync(keyPath());
    expect(await refusal()).toMatch(/^audit\.key is missing/);
  });

  test("another key and a damaged one are refused", async () => {
    const key = readFileSync(keyPath());
    const elsewhere = temporaryDirectory();
    openDataDirectory(elsewhere, clock).close();
    writeFileSync(keyPath(), readFileSync(join(elsewhere, "audit.key")));
    rmSync(elsewhere, { recursive: true });
    expect(await refusal()).toMatch(/^audit\.key is another key \([0-9a-f]{8}\) than the one that signs the audit chains here \([0-9a-f]{8}\)\. Put/);
    writeFileSync(keyPath(), key.subarray(0, 40));
    expect(await refusal()).toMatch(/^audit\.key is damaged/);
    writeFileSync(keyPath(), key);
    expect(await verifyAll()).toMatchObject([{ intact: true }, { intact: true }]);
  });
});

describe("a new epoch", () => {
  beforeEach(() => fill());

  test.each([
    ["after the key was lost", () => rmSync(keyPath())],
    ["after it was damaged", () => writeFileSync(keyPath(), "garbage")],
    ["with the key at hand", () => {}],
  ])("%s: every chain names its head and its key, and is intact under the new one", async (_name, lose) => {
    const [first, second] = await Promise.all([noteOf("one"), noteOf("two")]);
    const [old, oldKey] = await withDirectory((data) => [data.signer, data.signer.keyId] as const);
    const before = await rowsOf("one");
    lose();
    expect(await rekey()).toMatchObject([{ intact: true }, { intact: true }]);
    expect(await verifyAll()).toMatchObject([
      { intact: true, head_seq: ROWS + 1 },
      { intact: true, head_seq: ROWS + 1 },
    ]);
    const rows = await rowsOf("one");
    const [newKey, opened] = await withDirectory(({ signer }) => [signer.verifierKey, signer.open("one", noteOf("one"))] as const);
    expect(rows.slice(0, ROWS)).toEqual(before);
    expect(rows.at(-1)).toMatchObject({
      action: "audit.rekey",
      outcome: "ok",
      principal_id: "operator",
      detail: { intact: true, old_seq: ROWS, old_hash: before.at(-1)?.row_hash, old_key_id: oldKey, new_key: newKey },
    });
    expect(chainFault(rows as never)).toBeNull();
    expect(opened).toEqual({ seq: ROWS + 1, row_hash: rows.at(-1)?.row_hash ?? "" });
    expect([noteOf("one"), noteOf("two")].map((note) => [first, second].includes(note))).toEqual([false, false]);
    expect(old.open("one", noteOf("one"))).toBeNull();
    expect(readdirSync(root).filter((name) => name.startsWith("audit.key"))).toEqual(["audit.key"]);
    await fill(3);
    expect(await verifyAll()).toMatchObject([{ intact: true, head_seq: ROWS + 4 }, { intact: true }]);
  });

  test("the old key is another key from then on", async () => {
    const key = readFileSync(keyPath());
    await rekey();
    const fresh = readFileSync(keyPath());
    writeFileSync(keyPath(), key);
    expect(await refusal()).toMatch(/^audit\.key is another key/);
    writeFileSync(keyPath(), fresh);
    expect(await verifyAll()).toMatchObject([{ intact: true }, { intact: true }]);
  });

  test.each([
    ["lost", () => rmSync(keyPath())],
    ["at hand", () => {}],
  ])("a cut tail stays found where it was cut, the key %s", async (_name, lose) => {
    tamper("one", "DELETE FROM audit WHERE seq >= 6");
    lose();
    expect(await rekey()).toMatchObject([{ intact: false, break_at: 6 }, { intact: true }]);
    expect(await verifyAll()).toMatchObject([{ intact: false, break_at: 6 }, { intact: true }]);
    await fill(3);
    expect(await verifyAll()).toMatchObject([{ intact: false, break_at: 6 }, { intact: true }]);
    expect((await rowsOf("one")).find(({ action }) => action === "audit.rekey")).toMatchObject({ seq: ROWS + 1, detail: { intact: false } });
  });

  test("a changed row stays found", async () => {
    tamper("one", "UPDATE audit SET ts = ts + 1 WHERE seq = 4");
    rmSync(keyPath());
    await rekey();
    expect(await verifyAll()).toMatchObject([{ intact: false, break_at: 4 }, { intact: true }]);
  });

  test("with the key at hand nothing is taken by its word: a forged note stays forged", async () => {
    const note = noteOf("one").replace(`\n${ROWS}\n`, `\n${ROWS - 1}\n`);
    tamper("one", `UPDATE audit_head SET note = '${note}'`);
    expect(await rekey()).toMatchObject([{ intact: false }, { intact: true }]);
    expect(await verifyAll()).toMatchObject([{ intact: false }, { intact: true }]);
  });

  test("begun and not finished, it keeps the service from starting until it is finished, with one row a chain", async () => {
    rmSync(keyPath());
    await rekey(1);
    expect(await refusal()).toBe("a new epoch of the audit chains was begun and not finished; strata audit rekey finishes it");
    await rekey(1);
    await rekey();
    expect(await verifyAll()).toMatchObject([
      { intact: true, head_seq: ROWS + 1 },
      { intact: true, head_seq: ROWS + 1 },
    ]);
    for (const namespace of SPACES) expect((await rowsOf(namespace)).filter(({ action }) => action === "audit.rekey")).toHaveLength(1);
  });

  test("its key is not taken for granted between the steps of the end", async () => {
    // The new key is remembered, and has not taken its place.
    await withDirectory((data) => data.tables.rememberAuditKey(data.signer.keyId), beginEpoch);
    expect(await refusal()).toMatch(/not finished/);
    await rekey();
    expect(await verifyAll()).toMatchObject([{ intact: true }, { intact: true }]);
  });
});
