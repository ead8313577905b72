/** Whoever changes the database file is found out, at the row that was touched. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { generateKeyPairSync, sign } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type ChainPart, contentHash, rowHash, sealRow } from "../../src/domain/audit.ts";
import { insertRow } from "../../src/adapter/sqlite/audit-rows.ts";
import { chainFault } from "../support/audit-check.ts";
import { ChainFixture, event, NAMESPACE } from "./chain-fixture.ts";
import { type RowBytes, rowsOf } from "./sqlite-file.ts";

setDefaultTimeout(180_000);

const ROWS = 40;
const SPILLING = 25;
const REPLACEMENT = 30;
const EMPTY = 33;
const events = Array.from({ length: ROWS }, (_, index) => {
  const seq = index + 1;
  // Overflow pages; and U+FFFD, which is also what bytes that are no UTF-8 are read as.
  if (seq === SPILLING) return event(seq, { detail: { long: "spill ".repeat(300) } });
  if (seq === REPLACEMENT) return event(seq, { scope: "odd/\ufffdname\ufffd" });
  if (seq === EMPTY) return event(seq, { detail: {} });
  return event(seq);
});

let chain: ChainFixture;
beforeEach(async () => {
  chain = new ChainFixture();
  await chain.build(events);
});
afterEach(() => chain.close());

function auditRoot(): number {
  const db = new Database(chain.paths.catalog, { readonly: true });
  const { rootpage } = db.query("SELECT rootpage FROM sqlite_schema WHERE name = 'audit'").get() as { rootpage: number };
  db.close();
  return rootpage;
}

/** Changes single bytes of the file, one at a time, and returns those that verify does not pin on `seq`. */
async function unnoticed(file: Buffer, seq: number, offsets: readonly number[], valuesOf: (byte: number) => number[]): Promise<string[]> {
  const missed: string[] = [];
  for (const offset of offsets) {
    const byte = file[offset] ?? 0;
    for (const value of new Set(valuesOf(byte))) {
      if (value === byte) continue;
      const changed = Buffer.from(file);
      changed[offset] = value;
      chain.replace(changed);
      const { intact, break_at, reason } = await chain.verify();
      if (intact || break_at !== seq || reason === null)
        missed.push(`row ${seq} byte ${offset}: ${byte} -> ${value}: intact ${intact}, break_at ${break_at}`);
    }
  }
  return missed;
}

function rowOf(rows: readonly RowBytes[], seq: number): RowBytes {
  const row = rows.find((one) => one.seq === seq);
  if (row === undefined) throw new Error(`row ${seq} is not in the file`);
  return row;
}

describe("a changed byte", () => {
  const fewValues = (byte: number) => [(byte + 1) % 256, byte ^ 0x80, 0];
  const allValues = () => Array.from({ length: 256 }, (_, value) => value);

  test("the fixture is intact, and every row is found in the file", async () => {
    expect(await chain.verify()).toMatchObject({ intact: true, checked: ROWS, head_seq: ROWS, break_at: null, reason: null });
    const rows = rowsOf(chain.read(), auditRoot());
    expect(rows.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
    expect(rowOf(rows, SPILLING).spills).toBe(true);
    expect(rows.some(({ interior }) => interior)).toBe(true);
  });

  async function expectFound(seq: number): Promise<void> {
    const file = chain.read();
    const { length, record } = rowOf(rowsOf(file, auditRoot()), seq);
    expect(await unnoticed(file, seq, [...length, ...record], fewValues)).toEqual([]);
  }

  async function expectHeaderHeld(seq: number): Promise<void> {
    const file = chain.read();
    const { length, header } = rowOf(rowsOf(file, auditRoot()), seq);
    expect(await unnoticed(file, seq, [...length, ...header], allValues)).toEqual([]);
  }

  for (const seq of [1, SPILLING, REPLACEMENT, ROWS]) {
    test(`is found in row ${seq}`, () => expectFound(seq));
  }

  test("is found in a row of an interior page", async () => {
    const interior = rowsOf(chain.read(), auditRoot()).find((row) => row.interior);
    if (interior === undefined) throw new Error("no interior row");
    await expectFound(interior.seq);
  });

  test("is found in a record's header, whatever its new value", () => expectHeaderHeld(4));

  describe("of a chain that began in an old catalog", () => {
    const OLD_ROWS = 20;
    beforeEach(async () => {
      chain.close();
      chain = new ChainFixture();
      chain.buildFirstForm(events.slice(0, OLD_ROWS));
      await chain.build(events.slice(OLD_ROWS));
    });

    test("the fixture is intact, its old rows as they were", async () => {
      expect(await chain.verify()).toMatchObject({ intact: true, checked: ROWS, break_at: null });
      const store = chain.open();
      const rows = store.ledger.page(ROWS, 0).toReversed();
      await store.close();
      expect(rows.map(({ v }) => v)).toEqual(rows.map(({ seq }) => (seq <= OLD_ROWS ? undefined : 2)));
      expect(chainFault(rows as never)).toBeNull();
    });

    for (const seq of [1, OLD_ROWS]) {
      test(`is found in row ${seq}`, () => expectFound(seq));
    }

    test("is found in a record's header, whatever its new value", () => expectHeaderHeld(4));

    test("a row of the first form takes no salt, no content hash and no other version", async () => {
      for (const change of ["salt = 'x'", `content_hash = '${"0".repeat(64)}'`, "v = 2", "v = 3"]) {
        const file = chain.read();
        chain.tamper(`UPDATE audit SET ${change} WHERE seq = 7`);
        expect(await chain.verify()).toMatchObject({ intact: false, break_at: 7, reason: "row hash does not match its content" });
        chain.replace(file);
      }
    });

    test("a row of the second form cannot be told as one of the first", async () => {
      chain.tamper("UPDATE audit SET v = 1 WHERE seq = 31", "UPDATE audit SET salt = '', content_hash = '' WHERE seq = 31");
      expect(await chain.verify()).toMatchObject({ intact: false, break_at: 31 });
    });
  });
});

describe("changed rows", () => {
  test("UPDATE and DELETE are refused", () => {
    const db = new Database(chain.paths.catalog);
    expect(() => db.run("UPDATE audit SET ts = 0 WHERE seq = 3")).toThrow("write-once");
    expect(() => db.run("DELETE FROM audit WHERE seq = 40")).toThrow("write-once");
    expect(() => db.run("INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE seq = 3")).toThrow();
    db.close();
  });

  test("a changed member is found, also when its hash is made to fit", async () => {
    chain.tamper("UPDATE audit SET principal_id = 'nobody' WHERE seq = 12");
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: 12, reason: "row hash does not match its content" });
    const db = new Database(chain.paths.catalog);
    const row = db.query("SELECT * FROM audit WHERE seq = 12").get() as Record<string, never>;
    db.close();
    const json = (name: string) => JSON.parse(row[name] as unknown as string);
    const content = { principal_id: "nobody", scope: json("scope"), target: json("target"), detail: json("detail") };
    const content_hash = contentHash(row.salt as unknown as string, content);
    chain.tamper(`UPDATE audit SET content_hash = '${content_hash}' WHERE seq = 12`);
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: 12, reason: "row hash does not match its content" });
    const hash = rowHash({ ...row, namespace: NAMESPACE, content_hash } as never);
    chain.tamper(`UPDATE audit SET row_hash = '${hash}' WHERE seq = 12`);
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: 13, reason: "prev_hash is not the hash of the row before" });
  });

  test("JSON that is written differently but means the same is found", async () => {
    chain.tamper("UPDATE audit SET detail = replace(detail, '\"index\":', '\"index\": ') WHERE seq = 9");
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: 9 });
  });

  test("a detail that is no object is found, though it has as few members as the one that was", async () => {
    const file = chain.read();
    for (const detail of ["[]", "0", "true", '""', "null"]) {
      chain.tamper(`UPDATE audit SET detail = '${detail}' WHERE seq = ${EMPTY}`);
      expect(await chain.verify()).toMatchObject({ intact: false, break_at: EMPTY, reason: "row hash does not match its content" });
      chain.replace(file);
    }
  });

  test("a removed row is found", async () => {
    chain.tamper("DELETE FROM audit WHERE seq = 17");
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: 17 });
  });

  test("an inserted row is found", async () => {
    chain.tamper(
      "CREATE TEMP TABLE moved AS SELECT * FROM audit WHERE seq >= 17",
      "DELETE FROM audit WHERE seq >= 17",
      "UPDATE moved SET seq = seq + 1",
      "INSERT INTO audit SELECT * FROM moved",
      "UPDATE moved SET seq = 17 WHERE seq = 18",
      "INSERT INTO audit SELECT * FROM moved WHERE seq = 17",
    );
    const report = await chain.verify();
    expect(report.intact).toBe(false);
    // Row 17 is the old one, unchanged; what stands behind it is not.
    expect(report.break_at).toBe(18);
  });

  test("swapped rows are found", async () => {
    chain.tamper(
      "UPDATE audit SET seq = 100 WHERE seq = 21",
      "UPDATE audit SET seq = 21 WHERE seq = 22",
      "UPDATE audit SET seq = 22 WHERE seq = 100",
    );
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: 21 });
  });

  test("a whole chain written anew is found, since nobody can sign it", async () => {
    const other = new ChainFixture();
    await other.build(events.map((one) => ({ ...one, principal_id: "somebody-else" })));
    const forged = other.read();
    other.close();
    chain.replace(forged);
    const report = await chain.verify();
    expect(report).toMatchObject({ intact: false });
    expect(report.break_at).toBe(ROWS);
  });

  test("rows that fit but that nobody signed are found, now and after a restart", async () => {
    const store = chain.open();
    const [last] = store.ledger.page(1, 0);
    await store.close();
    if (last === undefined) throw new Error("no last row");
    const db = new Database(chain.paths.catalog);
    insertRow(db, sealRow(event(1), { seq: ROWS + 1, ts: last.ts, namespace: NAMESPACE, prev_hash: last.row_hash }));
    db.close();
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: ROWS + 1, reason: "no signed head vouches for this row" });
    await chain.build([event(1), event(2)]);
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: ROWS + 1 });
  });
});

describe("a check that goes on after a row", () => {
  /** The row as the chain had it before anybody touched it. */
  async function part(seq: number, limit = Number.POSITIVE_INFINITY): Promise<ChainPart> {
    const store = chain.open();
    const [row] = store.ledger.page(1, ROWS - seq);
    await store.close();
    return { after: { seq, row_hash: row?.row_hash ?? "" }, limit };
  }
  const change = (seq: number) => `UPDATE audit SET principal_id = 'nobody' WHERE seq = ${seq}`;

  test("finds what was changed, taken out or cut behind the row", async () => {
    const asked = await part(10);
    chain.tamper(change(20), "DELETE FROM audit WHERE seq = 30");
    expect(await chain.verify(asked)).toMatchObject({ intact: false, break_at: 20, checked: 9, after: 10 });
    expect(await chain.verify({ ...asked, limit: 9 })).toMatchObject({ intact: true, checked: 9, head_seq: 19, more: true });
    expect(await chain.verify(await part(25))).toMatchObject({ intact: false, break_at: 30 });
    const late = await part(31);
    chain.tamper("DELETE FROM audit WHERE seq > 35");
    expect(await chain.verify(late)).toMatchObject({ intact: false, break_at: 36, reason: expect.stringContaining("the chain ends before") });
  });

  test("says nothing of the rows before, and says so", async () => {
    const asked = await part(10);
    chain.tamper(change(5));
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: 5 });
    expect(await chain.verify(asked)).toMatchObject({ intact: true, after: 10, checked: ROWS - 10 });
  });

  test("finds that the row is not the one that whoever asks knows, in a chain that was made and signed anew, too", async () => {
    const asked = await part(10);
    chain.tamper("DELETE FROM audit", "DELETE FROM audit_head");
    rmSync(chain.paths.checkpoint, { force: true });
    await chain.build(events);
    expect(await chain.verify()).toMatchObject({ intact: true, checked: ROWS });
    expect(await chain.verify(asked)).toMatchObject({ intact: false, break_at: 10, checked: 0, after: 10 });
    chain.tamper("DELETE FROM audit WHERE seq >= 8");
    expect(await chain.verify(asked)).toMatchObject({ intact: false, break_at: 10 });
  });

  test("finds that the row is not the one that was signed", async () => {
    const asked = await part(ROWS);
    const forged = { seq: ROWS, row_hash: "f".repeat(64) };
    chain.tamper(`UPDATE audit SET row_hash = '${forged.row_hash}' WHERE seq = ${ROWS}`);
    expect(await chain.verify({ ...asked, after: forged })).toMatchObject({ intact: false, break_at: ROWS });
    expect(await chain.verify(asked)).toMatchObject({ intact: false, break_at: ROWS });
  });
});

describe("a cut tail", () => {
  const CUT = 36;
  const cut = `DELETE FROM audit WHERE seq >= ${CUT}`;

  /** The note that the database held when the chain ended at `seq`. */
  async function olderNote(seq: number): Promise<string> {
    const older = chain.data.signer.sign(NAMESPACE, { seq, row_hash: await hashOf(seq) });
    return older.replaceAll("'", "''");
  }
  async function hashOf(seq: number): Promise<string> {
    const store = chain.open();
    const row = store.ledger.page(1, ROWS - seq)[0];
    await store.close();
    return row?.row_hash ?? "";
  }

  async function staysFound(): Promise<void> {
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: CUT });
    await chain.build([event(1), event(2), event(3)]);
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: CUT });
    await chain.build(Array.from({ length: 12 }, (_, index) => event(index)));
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: CUT });
  }

  test("is found, also after the service appended new rows", async () => {
    chain.tamper(cut);
    await staysFound();
  });

  test("is found when the head's row is deleted too", async () => {
    chain.tamper(cut, "DELETE FROM audit_head");
    await staysFound();
  });

  test("is found when the head is rolled back to an older note", async () => {
    const note = await olderNote(CUT - 1);
    chain.tamper(cut, `UPDATE audit_head SET note = '${note}'`);
    await staysFound();
  });

  test("is found by the head in the database when the note beside it is gone", async () => {
    chain.tamper(cut);
    rmSync(chain.paths.checkpoint);
    await staysFound();
  });

  test("leaves nothing vouched for when both notes are gone", async () => {
    chain.tamper(cut, "DELETE FROM audit_head");
    rmSync(chain.paths.checkpoint);
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: 1 });
    await chain.build([event(1)]);
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: 1 });
  });

  test("is found while the service runs", async () => {
    const store = chain.open();
    chain.tamper(cut, "DELETE FROM audit_head");
    rmSync(chain.paths.checkpoint);
    expect(await store.ledger.verify()).toMatchObject({ intact: false, break_at: CUT });
    await store.ledger.append(event(1));
    expect(await store.ledger.verify()).toMatchObject({ intact: false, break_at: CUT });
    await store.close();
  });

  test("of every row is found", async () => {
    chain.tamper("DELETE FROM audit");
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: 1, checked: 0 });
  });
});

describe("a note", () => {
  /** A note in our form, with our key's name and id, but signed by another key. */
  function forgedNote(): string {
    const ours = chain.data.signer.sign(NAMESPACE, { seq: ROWS, row_hash: "ab".repeat(32) });
    const body = ours.slice(0, ours.indexOf("\n\n") + 1);
    const line = ours.trimEnd().split(" ").at(-1) ?? "";
    const id = Buffer.from(line, "base64").subarray(0, 4);
    const signature = sign(null, Buffer.from(body), generateKeyPairSync("ed25519").privateKey);
    return `${ours.slice(0, ours.length - line.length - 1)}${Buffer.concat([id, signature]).toString("base64")}\n`;
  }

  test("of the right form signed with another key vouches for nothing", async () => {
    expect(chain.data.signer.open(NAMESPACE, forgedNote())).toBeNull();
    chain.tamper(`UPDATE audit_head SET note = '${forgedNote()}'`);
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: ROWS + 1 });
    expect((await chain.verify()).reason).toContain("signature does not match");
    await chain.build([event(1)]);
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: ROWS + 1 });
  });

  test("beside the database that is forged is found", async () => {
    writeFileSync(chain.paths.checkpoint, forgedNote());
    expect(await chain.verify()).toMatchObject({ intact: false, break_at: ROWS + 1 });
  });

  test("is written on close and holds the head", async () => {
    expect(existsSync(chain.paths.checkpoint)).toBe(true);
    expect(chain.data.signer.open(NAMESPACE, readFileSync(chain.paths.checkpoint, "utf8"))?.seq).toBe(ROWS);
  });

  test("older than the chain is no fault: the service may have died before it wrote it", async () => {
    const before = readFileSync(chain.paths.checkpoint);
    await chain.build([event(41), event(42)]);
    writeFileSync(chain.paths.checkpoint, before);
    expect(await chain.verify()).toMatchObject({ intact: true, head_seq: ROWS + 2 });
  });
});
