/** The writer of a namespace: what its queue refuses, what a removal costs, and when a repeated request is answered. */
import { afterEach, describe, expect, test } from "bun:test";
import { commit } from "../../../src/core/tenant.ts";
import { sha256Hex } from "../../../src/base/hash.ts";
import { Fault } from "../../../src/base/fault.ts";
import { INGEST_QUEUE_MAX_BYTES } from "../../../src/base/limits.ts";
import { removeUnits } from "../../../src/core/files/remove.ts";
import { resolveView } from "../../../src/core/access/view.ts";
import type { IngestUnit } from "../../../src/core/units/drafts.ts";
import { ingest, type IngestInput } from "../../../src/core/units/ingest.ts";
import { fileId, type StoredFile } from "../../../src/domain/file.ts";
import type { Encoder } from "../../../src/domain/port/encoder.ts";
import { callIn, closeSmall, oneWindow, openSmall, type SmallTenant } from "../../support/small-tenant.ts";

afterEach(closeSmall);

function request(texts: readonly string[], idempotencyKey: string | null = null): IngestInput {
  return batch(
    texts.map((text) => ({ text, modality: "text" })),
    idempotencyKey,
  );
}

function batch(units: readonly IngestUnit[], idempotencyKey: string | null = null): IngestInput {
  return { units, idempotencyKey };
}

const send = async (small: SmallTenant, asked: IngestInput, encoder = oneWindow) => ingest.run(await callIn(small, asked, { encoder }));
const unitsIn = ({ tenant }: SmallTenant) => tenant.reader.units.count(null);

async function kindOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof Fault)) throw new Error(`a fault was expected, not ${String(error)}`);
  return error.kind;
}

/** A file record with `count` Units of its own. */
async function fileWith(small: SmallTenant, count: number): Promise<StoredFile> {
  const { tenant } = small;
  const identity = { scope: "here", acl_owner: "owner", sha256: "0".repeat(64) };
  const file_id = fileId({ namespace: "small", ...identity });
  const facts = { name: "a.txt", kind: "document" as const, mime: "text/plain", bytes: 1, metadata: null, extractor: 2 };
  const { value: file } = await tenant.store.transact((tx) => tx.files.put({ ...identity, ...facts, file_id, acl_groups: [], doc_id: file_id }));
  const texts = Array.from({ length: count }, (_, index) => `line ${index}`);
  for (let at = 0; at < count; at += 1_000) {
    const { units } = await send(small, request(texts.slice(at, at + 1_000)));
    const stored = await tenant.reader.units.byIds(units.map(({ unit_id }) => unit_id));
    await tenant.store.transact((tx) =>
      tx.files.addUnits(
        file_id,
        [...stored.values()].map(({ uid }) => uid),
      ),
    );
  }
  return file;
}

describe("a repeated request", () => {
  test("is answered when the first one's Units are searchable, not when they are stored", async () => {
    const small = openSmall();
    const gate = Promise.withResolvers<void>();
    small.fulltext.gate = gate.promise;
    const order: string[] = [];
    const first = send(small, request(["a heron"], "key")).then((answer) => order.push("first") && answer);
    while ((await unitsIn(small)) === 0) await Bun.sleep(1);
    const second = send(small, request(["a heron"], "key")).then((answer) => order.push("second") && answer);
    // Were it answered from the catalog alone, it would be by now.
    for (let turn = 0; turn < 20; turn += 1) await Bun.sleep(1);
    expect(order).toEqual([]);
    gate.resolve();
    expect(await second).toEqual(await first);
    expect(order).toEqual(["first", "second"]);
    expect(small.fulltext.uids.size).toBe(1);
  });

  test("answers 503 as long as an index is behind, and 200 once it has caught up", async () => {
    const small = openSmall();
    small.text.failing = true;
    expect(await kindOf(send(small, request(["a heron"], "key")))).toBe("unavailable");
    expect(await unitsIn(small)).toBe(1);
    expect(await kindOf(send(small, request(["a heron"], "key")))).toBe("unavailable");
    small.text.failing = false;
    const answer = await send(small, request(["a heron"], "key"));
    expect(answer).toMatchObject({ ingested: 1, created: 1 });
    expect([small.text.uids.size, small.fulltext.uids.size]).toEqual([1, 1]);
  });

  test("with another body is a conflict at once", async () => {
    const small = openSmall();
    await send(small, request(["a heron"], "key"));
    expect(await kindOf(send(small, request(["a crane"], "key")))).toBe("conflict");
  });
});

test("texts are encoded in the name of their namespace", async () => {
  const small = openSmall();
  const tenants: (string | undefined)[] = [];
  const encoder: Encoder = {
    ...oneWindow,
    encode: (text, priority, options) => {
      tenants.push(options?.tenant);
      return oneWindow.encode(text, priority);
    },
  };
  await send(small, request(["a heron", "a crane"]), encoder);
  expect(tenants).toEqual(["small", "small"]);
});

test("of a batch that the encoder refuses in part, the rest is given up", async () => {
  const small = openSmall();
  let signal: AbortSignal | undefined;
  const encoder: Encoder = {
    ...oneWindow,
    encode: async (text, _, options) => {
      if (text === "a crane") throw new Fault("unavailable", "too many texts wait for the models");
      signal = options?.signal;
      return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Fault("unavailable", "given up"))));
    },
  };
  expect(await kindOf(send(small, request(["a heron", "a crane"]), encoder))).toBe("unavailable");
  expect([signal?.aborted, await unitsIn(small)]).toEqual([true, 0]);
});

describe("the queue", () => {
  test("is counted in bytes: a job beyond them is refused, one of none is not", async () => {
    const small = openSmall();
    const write = (bytes: number) => commit(small.tenant, async () => bytes, { bytes });
    const waiting = [write(INGEST_QUEUE_MAX_BYTES - 1), write(1)];
    expect(await kindOf(write(1))).toBe("unavailable");
    expect(await Promise.all([...waiting, write(0)])).toEqual([INGEST_QUEUE_MAX_BYTES - 1, 1, 0]);
    expect(await write(2 * INGEST_QUEUE_MAX_BYTES)).toBe(2 * INGEST_QUEUE_MAX_BYTES);
  });

  test("never refuses to delete a file, however much waits", async () => {
    const small = openSmall();
    const file = await fileWith(small, 1_200);
    const { tenant, caller } = small;
    const full = commit(tenant, async () => null, { bytes: INGEST_QUEUE_MAX_BYTES });
    expect(await removeUnits(await resolveView(tenant, caller, null), { file })).toBe(1_200);
    await full;
    expect([await unitsIn(small), await tenant.reader.files.byId(file.file_id), small.fulltext.uids.size, small.text.uids.size]).toEqual([
      0,
      null,
      0,
      0,
    ]);
  });
});

describe("removing", () => {
  test("an index is asked once for every batch of ids, and each id comes up once", async () => {
    const small = openSmall();
    const file = await fileWith(small, 2_000);
    await removeUnits(await resolveView(small.tenant, small.caller, null), { file });
    const asked = small.fulltext.removed;
    expect(asked.reduce((sum, ids) => sum + ids, 0)).toBe(2_000);
    expect(asked.length).toBeLessThanOrEqual(Math.ceil(2_000 / Math.max(...asked)));
  });

  test("a Unit leaves the embedding of a text that another one has", async () => {
    const small = openSmall();
    const both = batch([
      { text: "same", modality: "text", doc_id: "a" },
      { text: "same", modality: "text", doc_id: "b" },
    ]);
    const { units } = await send(small, both);
    const { store, reader } = small.tenant;
    const stored = await reader.units.byIds(units.map(({ unit_id }) => unit_id));
    const [first, second] = units.map(({ unit_id }) => stored.get(unit_id)?.uid ?? 0);
    const hash = sha256Hex("same");
    await store.transact((tx) => tx.units.remove([first ?? 0]));
    expect((await reader.embeddings.spans([hash])).get(hash)).toHaveLength(1);
    await store.transact((tx) => tx.units.remove([second ?? 0]));
    expect((await reader.embeddings.spans([hash])).size).toBe(0);
  });
});
