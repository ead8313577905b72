/** Units as NDJSON: a status for each line, batches that are stored as they fill, and a bad line that refuses itself alone. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { BATCH_MAX_UNITS, LINE_MAX_BYTES } from "../../src/base/limits.ts";
import { openWorld, tenantOf, FILES, type World } from "../support/files.ts";
import { HOST } from "../support/harness.ts";
import { auditRows, hire } from "../support/people.ts";
import { START_MS } from "../support/seeded.ts";

setDefaultTimeout(60_000);

const HEADERS = { "content-type": "application/x-ndjson" };
const ok = (line: number, status = "created") => ({ line, unit_id: expect.stringMatching(/^u_/), status });
const refused = (line: number, error: string, detail: string, status: number) => ({
  line,
  error: { error, detail: expect.stringContaining(detail), status },
});

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, START_MS);
afterAll(() => world.h.close());

/** A Unit without a text, which costs no encoding. */
const bare = (name: string, more: object = {}) => JSON.stringify({ modality: "text", source_uri: name, ...more });

async function send(token: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await world.h.call("POST", "/v1/ingest", { token, body, headers: { ...HEADERS, ...headers } });
  const lines =
    answer.status === 200
      ? answer.text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  return { ...answer, lines };
}
const stored = async () => (await tenantOf(world.h)).reader.units.count(null);

test("each line has its status, and a bad one refuses itself alone", async () => {
  const before = await stored();
  const { status, lines, headers } = await send(
    world.ann,
    [
      bare("lines/1"),
      "",
      "{",
      bare("lines/2", { modality: "smell" }),
      bare("lines/3", { acl_owner: "somebody" }),
      bare("lines/4", { locator: { kind: "char_span", start: 2, end: 1 } }),
      JSON.stringify({ modality: "text", text: "mine", vector: [1] }),
      "7",
      bare("lines/1"),
      bare("lines/5"),
    ].join("\n"),
  );
  expect([status, headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  expect(lines).toEqual([
    ok(1),
    refused(3, "bad_request", "the line is no valid JSON", 400),
    refused(4, "bad_request", "/modality: must be one of", 400),
    refused(5, "forbidden", "/acl_owner: ", 403),
    refused(6, "bad_request", "/locator/end: ", 400),
    refused(7, "forbidden", "/vector: ", 403),
    refused(8, "bad_request", "must be an object", 400),
    ok(9, "unchanged"),
    ok(10),
  ]);
  expect(await stored()).toBe(before + 2);
  const rows = (await auditRows(world.h, FILES)).filter(({ action }) => action === "ingest").slice(0, 2);
  expect(rows.map(({ outcome }) => outcome)).toEqual(["ok", "denied"]);
});

test("texts are searchable when their status is there, and a vector may come with them", async () => {
  const vector = Array.from({ length: 384 }, (_, at) => (at === 3 ? 1 : 0));
  const { lines } = await send(
    world.admin,
    [JSON.stringify({ modality: "text", text: "a xylophone", vector }), '{"modality":"text","text":"a zither"}'].join("\n"),
  );
  expect(lines).toEqual([ok(1), ok(2)]);
  const { body } = await world.h.call("POST", "/v1/search", { token: world.admin, body: { q: "zither", mode: "fulltext" } });
  expect(body.hits[0].unit_id).toBe(lines[1].unit_id);
});

test("a body of several batches is stored batch by batch, and a name answers it again", async () => {
  const many = Array.from({ length: BATCH_MAX_UNITS + 5 }, (_, at) => bare(`many/${at}`)).join("\n");
  const key = { "idempotency-key": "many lines" };
  const first = await send(world.ann, many, key);
  expect(first.lines).toHaveLength(BATCH_MAX_UNITS + 5);
  expect(first.lines.every(({ status }) => status === "created")).toBe(true);
  const rows = (await auditRows(world.h, FILES)).filter(({ action, outcome }) => action === "ingest" && outcome === "ok").slice(0, 2);
  expect(rows.map(({ detail }) => detail.ingested)).toEqual([5, BATCH_MAX_UNITS]);
  expect((await send(world.ann, many, key)).text).toBe(first.text);
  expect((await send(world.ann, many.replace("many/0", "many/zero"), key)).status).toBe(409);
  expect((await send(world.ann, many)).lines.every(({ status }) => status === "unchanged")).toBe(true);
});

test("what comes later waits until the statuses before it are read", async () => {
  let given = 0;
  const batch = new TextEncoder().encode(`${Array.from({ length: BATCH_MAX_UNITS }, () => bare("same")).join("\n")}\n`);
  const body = new ReadableStream<Uint8Array>({ pull: (to) => (given++ < 6 ? to.enqueue(batch) : to.close()) }, { highWaterMark: 0 });
  const headers = { ...HEADERS, host: HOST, authorization: `Bearer ${world.ann}` };
  const response = await world.h.http.handle(new Request(`http://${HOST}/v1/ingest`, { method: "POST", headers, body }));
  await Bun.sleep(200);
  const early = given;
  expect(early).toBeLessThan(6);
  expect((await response.text()).trimEnd().split("\n")).toHaveLength(6 * BATCH_MAX_UNITS);
  expect(given).toBeGreaterThan(early);
});

test("who hangs up keeps what was acknowledged, and frees the place of the stream", async () => {
  const before = await stored();
  const piece = (at: number) =>
    new TextEncoder().encode(`${Array.from({ length: BATCH_MAX_UNITS }, (_, n) => bare(`left/${at}/${n}`)).join("\n")}\n`);
  let at = 0;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (to) => to.enqueue(piece(at++)),
      cancel: () => {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { ...HEADERS, host: HOST, authorization: `Bearer ${world.ann}` };
  const { http } = world.h.front({ limits: { uploads: 1 } });
  const response = await http.handle(new Request(`http://${HOST}/v1/ingest`, { method: "POST", headers, body }));
  const reader = response.body?.getReader();
  await reader?.read();
  const busy = await http.handle(new Request(`http://${HOST}/v1/ingest`, { method: "POST", headers, body: bare("busy") }));
  expect(busy.status).toBe(429);
  await reader?.cancel();
  const added = (await stored()) - before;
  expect([added >= BATCH_MAX_UNITS, added % BATCH_MAX_UNITS, cancelled]).toEqual([true, 0, true]);
  const free = await http.handle(new Request(`http://${HOST}/v1/ingest`, { method: "POST", headers, body: bare("free") }));
  expect([free.status, http.inFlight()]).toEqual([200, 1]);
  await free.text();
  expect(http.inFlight()).toBe(0);
});

test("what concerns the whole request is refused as any request is, before a line is stored", async () => {
  const before = await stored();
  const reader = hire(world.h, "only-reads", { namespace: FILES, perms: ["read"] });
  const long = `${bare("fine")}\n${"x".repeat(LINE_MAX_BYTES + 1)}\n`;
  const codes = [
    await send("no token of ours", bare("x")),
    await send(reader, "{"),
    await send(world.ann, ""),
    await send(world.ann, bare("x"), { "content-encoding": "gzip" }),
    await send(world.ann, bare("x"), { "idempotency-key": "\u00e9" }),
    await send(world.ann, new Response(long).body),
  ].map(({ status, body }) => [status, body?.error]);
  expect(codes).toEqual([
    [401, "unauthorized"],
    [403, "forbidden"],
    [400, "bad_request"],
    [400, "bad_request"],
    [400, "bad_request"],
    [413, "payload_too_large"],
  ]);
  expect(await stored()).toBe(before);
});

test("a failure behind the first batch is the last line", async () => {
  const { lines } = await send(
    world.ann,
    new Response(`${Array.from({ length: BATCH_MAX_UNITS }, () => bare("again")).join("\n")}\n${"x".repeat(3 * LINE_MAX_BYTES)}`).body,
  );
  expect(lines).toHaveLength(BATCH_MAX_UNITS + 1);
  expect(lines.at(-1)).toEqual({
    error: { error: "payload_too_large", detail: expect.stringContaining(`line ${BATCH_MAX_UNITS + 1} `), status: 413 },
  });
});
