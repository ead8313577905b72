/** Appending: order, group commit, failure; and a verifier that lets others work. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { AUDIT_VERIFY_CHUNK_ROWS } from "../../src/base/limits.ts";
import { canonicalJson, sha256Hex } from "../../src/base/hash.ts";
import { contentHash } from "../../src/domain/audit.ts";
import { ChainFixture, event } from "./chain-fixture.ts";

setDefaultTimeout(120_000);

let chain: ChainFixture;
let store: ReturnType<ChainFixture["open"]>;
beforeEach(() => {
  chain = new ChainFixture();
  store = chain.open();
});
afterEach(async () => {
  await store.close();
  chain.close();
});

/** Commits in the write-ahead log: the frames that carry the size of the database after them. */
function commits(): number {
  const wal = readFileSync(`${chain.paths.catalog}-wal`);
  const pageSize = wal.readUInt32BE(8);
  const salt = wal.subarray(16, 24);
  let count = 0;
  for (let at = 32; at + 24 + pageSize <= wal.length; at += 24 + pageSize) {
    if (wal.subarray(at + 8, at + 16).equals(salt) && wal.readUInt32BE(at + 4) !== 0) count += 1;
  }
  return count;
}

test("concurrent appends get consecutive seqs, in the order they were asked for", async () => {
  const rows = await Promise.all(Array.from({ length: 300 }, (_, index) => store.ledger.append(event(index))));
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  rows.slice(1).forEach((row, index) => {
    expect(row.prev_hash).toBe(rows[index]?.row_hash ?? "");
  });
  expect(await store.ledger.verify()).toMatchObject({ intact: true, checked: 300 });
});

test("appends that arrive together share a commit; one after the other they do not", async () => {
  const before = commits();
  await Promise.all(Array.from({ length: 200 }, (_, index) => store.ledger.append(event(index))));
  expect(commits() - before).toBe(1);
  for (let index = 0; index < 5; index += 1) await store.ledger.append(event(index));
  expect(commits() - before).toBe(6);
});

test("a transaction that fails leaves neither rows nor a gap", async () => {
  await store.ledger.append(event(1));
  const failing = store.store.transact(async (tx) => {
    await tx.ledger.append(event(2));
    throw new Error("no");
  });
  const three = store.ledger.append(event(3));
  const five = store.ledger.append(event(5));
  await expect(failing).rejects.toThrow("no");
  await Promise.all([three, five]);
  expect((await store.ledger.append(event(6))).seq).toBe(4);
  expect(store.ledger.length).toBe(4);
  expect(await store.ledger.verify()).toMatchObject({ intact: true, checked: 4 });
});

test("verify of 20,000 rows lets other work run, and rows that come meanwhile do no harm", async () => {
  const total = 20_000;
  store.ledger.transact(() => {
    for (let index = 0; index < total; index += 1) store.ledger.appendIn(event(index));
  });
  let turns = 0;
  let running = true;
  const ticking = (async () => {
    while (running) {
      await Bun.sleep(0);
      turns += 1;
    }
  })();
  const verifying = store.ledger.verify();
  const appended = await Promise.all([store.ledger.append(event(1)), store.ledger.append(event(2))]);
  expect(appended.map(({ seq }) => seq)).toEqual([total + 1, total + 2]);
  expect(await verifying).toMatchObject({ intact: true, checked: total, head_seq: total });
  running = false;
  await ticking;
  expect(turns).toBeGreaterThanOrEqual(total / AUDIT_VERIFY_CHUNK_ROWS - 1);
  expect(await store.ledger.verify()).toMatchObject({ intact: true, checked: total + 2 });
});

test("the content of a row is hashed as canonical JSON, whatever the names and values of its detail", () => {
  const named = JSON.parse('{"b":1,"__proto__":2,"a":3}');
  const details = [
    {},
    { b: true, a: null, ab: "x" },
    { 10: 1, 2: 2, b: true, a: null },
    named,
    { é: "\u2028\ud83d\ude00", 'q"': 1e21, z: -0, "\u0001": 0.1 },
  ];
  for (const detail of details) {
    const content = { principal_id: 'Zoë "Z"', scope: null, target: "u_1", detail };
    expect(contentHash("salt", content)).toBe(sha256Hex(canonicalJson({ salt: "salt", ...content })));
  }
});
