/** MCP over HTTP: the official client through the real pipeline, beside the routes that its tools stand for. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { silentLog } from "../../src/base/log.ts";
import type { Entailment } from "../../src/domain/port/entailment.ts";
import { type Listener, listen } from "../../src/http/listener.ts";
import type { Http } from "../../src/http/server.ts";
import { servicesWith, unhurried } from "../support/engines.ts";
import { type Call, type Harness, HOST } from "../support/harness.ts";
import { connect, disconnectAll, type Era, toolNames, use } from "../support/mcp.ts";
import { ADMIN, auditRows, brokenChains, FREE, hire, PRO, READER, SUPER, unitCount } from "../support/people.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";

setDefaultTimeout(60_000);

const STOP = "why did turbine 7 stop?";
const READING = ["search", "answer", "get_unit", "list_scopes", "similar"];

let h: Harness;
let http: Http;
let call: Call;
beforeAll(async () => {
  h = await openSeeded();
  ({ http, call } = h.front({ services: servicesWith(h, unhurried(h)) }));
}, START_MS);
afterAll(() => h.close());

let listener: Listener;
beforeEach(() => {
  listener = listen(http, { hostname: "127.0.0.1", port: 0, log: silentLog });
});
afterEach(async () => {
  await disconnectAll();
  await listener.stop();
});

function clientOf(token: string, headers: Record<string, string> = {}, era: Era = "auto") {
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } };
  return connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${listener.port}/v1/mcp`), { requestInit }), era);
}

/** A request as it stands on the wire. */
async function send(body: unknown, { method = "POST", token = READER as string | null, headers = {} as Record<string, string> } = {}) {
  const init: RequestInit = {
    method,
    headers: {
      host: HOST,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  };
  if (body !== undefined) init.body = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await http.handle(new Request(`http://${HOST}/v1/mcp`, init));
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text), headers: response.headers };
}

const message = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 7, method, params });
const toolCall = (name: string, args: unknown) => message("tools/call", { name, arguments: args });

/** What differs from one run to the next. */
function timeless(body: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(body, (key, value) => (key === "ms" || key === "total_ms" ? 0 : value)));
}

describe.each(["auto", "legacy"] as const)("a client of the era %p", (era) => {
  test("sees the tools that it may use, each with its schemas", async () => {
    const reader = await clientOf(READER, {}, era);
    expect(reader.getProtocolEra()).toBe(era === "auto" ? "modern" : "legacy");
    expect(await toolNames(reader)).toEqual(READING);
    expect(await toolNames(await clientOf(ADMIN, { "x-svc-scope": "harbour" }, era))).toEqual([...READING, "ingest"]);
    expect(await toolNames(await clientOf(hire(h, `none-${era}`, { perms: [] }), {}, era))).toEqual([]);
    expect(await toolNames(await clientOf(hire(h, `writer-${era}`, { perms: ["write"] }), {}, era))).toEqual(["ingest"]);
    const { tools } = await (await clientOf(READER, {}, era)).listTools();
    for (const { inputSchema, outputSchema, description, annotations } of tools) {
      expect(inputSchema).toMatchObject({ type: "object", properties: { scope: { type: "string" } } });
      expect(outputSchema).toMatchObject({ type: "object" });
      expect(description?.length).toBeGreaterThan(10);
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    }
    expect(tools.find(({ name }) => name === "answer")?.inputSchema.required).toEqual(["q"]);
  });

  test.each([
    ["the reader", READER],
    ["the admin", ADMIN],
  ])("%s finds, gets and is told what the routes give", async (_who, token) => {
    const client = await clientOf(token, {}, era);
    const options = { token, headers: { "x-svc-scope": "harbour/ops" } };
    const scope = "harbour/ops";
    const route = async (path: string, body: unknown) => timeless((await call("POST", path, { ...options, body })).body);
    const found = await use(client, "search", { q: STOP, top_k: 20, scope });
    expect(timeless(found.body)).toEqual(await route("/v1/search", { q: STOP, top_k: 20 }));
    const answered = await use(client, "answer", { q: STOP, scope });
    expect(timeless(answered.body)).toEqual(await route("/v1/answer", { q: STOP, answer: true }));
    expect(answered.text).toStartWith(answered.body.answer.text);
    for (const { quote } of answered.body.answer.citations) expect(answered.text).toContain(quote);
    const [first] = found.body.hits;
    expect(found.text).toContain(first.unit_id);
    const similar = await use(client, "similar", { unit_id: first.unit_id, scope });
    expect(timeless(similar.body)).toEqual(await route("/v1/similar", { unit_id: first.unit_id }));
    const unit = await use(client, "get_unit", { id: first.unit_id, scope });
    expect(unit.body).toEqual((await call("GET", `/v1/units/${first.unit_id}`, options)).body);
    expect(unit.text).toContain(first.text);
    expect((await use(client, "list_scopes")).body).toEqual((await call("GET", "/v1/scopes", { token })).body);
  });

  test("leaves the rows of the audit chain that the routes leave", async () => {
    const client = await clientOf(READER, {}, era);
    const before = (await auditRows(h, "demo", 1))[0]?.seq ?? 0;
    const { body } = await use(client, "search", { q: STOP });
    await use(client, "answer", { q: STOP });
    await use(client, "get_unit", { id: body.hits[0].unit_id });
    expect((await use(client, "ingest", { units: [{ modality: "text", text: "not mine to write" }] })).body).toEqual({
      error: "forbidden",
      detail: "this needs the write permission",
      status: 403,
    });
    const rows = (await auditRows(h, "demo", 10)).filter(({ seq }) => seq > before).reverse();
    expect(rows.map(({ action, outcome, principal_id }) => [action, outcome, principal_id])).toEqual([
      ["search", "ok", "demo-reader"],
      ["answer", "ok", "demo-reader"],
      ["unit.get", "ok", "demo-reader"],
      ["ingest", "denied", "demo-reader"],
    ]);
    expect(await brokenChains(h)).toEqual([]);
  });

  test("stores what a writer sends, for the next search to find", async () => {
    const client = await clientOf(ADMIN, { "x-svc-scope": "harbour/ops" }, era);
    const text = `The ${era} lighter Bertha carried oats on a Tuesday.`;
    const stored = await use(client, "ingest", { units: [{ modality: "text", text, acl_groups: ["ops"] }] });
    expect(stored.body).toMatchObject({ ingested: 1, created: 1 });
    const found = await use(await clientOf(READER, {}, era), "search", { q: `what did the ${era} lighter Bertha carry?` });
    expect(found.body.hits[0]).toMatchObject({ unit_id: stored.body.units[0].unit_id, text });
    expect(stored.text).toContain(stored.body.units[0].unit_id);
  });
});

describe("scope, tier and namespace", () => {
  test("a scope that is not the caller's, or is none, finds nothing and says no more", async () => {
    const client = await clientOf(READER);
    for (const scope of ["harbour/finance", "harbour/none-such", "../etc"]) {
      const { body } = await use(client, "search", { q: STOP, scope });
      expect({ hits: body.hits, effective: body.context.effective_scopes, hidden: body.hidden_by_acl }).toEqual({
        hits: [],
        effective: [],
        hidden: 0,
      });
    }
    const everything = await use(client, "search", { q: STOP, scope: "*" });
    expect(everything.body.context.effective_scopes).toEqual(everything.body.context.allowed_scopes);
  });

  test("a scope of the connection holds whatever a tool names, and the tools offer none", async () => {
    const client = await clientOf(ADMIN, { "x-svc-scope": "harbour/ops" });
    const { body } = await use(client, "search", { q: STOP, scope: "*" });
    expect(body.context.requested_scope).toBe("harbour/ops");
    for (const { inputSchema } of (await client.listTools()).tools) expect(inputSchema.properties).not.toHaveProperty("scope");
  });

  test("ingest into a scope that is not the caller's is refused, and nothing is stored", async () => {
    const client = await clientOf(hire(h, "mcp-writer"));
    const before = await unitCount(h);
    const units = [
      { modality: "text", text: "one that would be allowed" },
      { modality: "text", text: "one that is not", scope: "harbour/finance" },
    ];
    expect((await use(client, "ingest", { units })).body).toMatchObject({ error: "forbidden", status: 403 });
    expect((await use(client, "ingest", { units: units.slice(0, 1), scope: "harbour/finance" })).body).toMatchObject({
      error: "forbidden",
      status: 403,
    });
    expect(await unitCount(h)).toBe(before);
  });

  test("what a tier lacks is refused as by the route", async () => {
    const free = await use(await clientOf(FREE), "answer", { q: STOP });
    expect(free.body).toEqual((await call("POST", "/v1/answer", { token: FREE, body: { q: STOP, answer: true } })).body);
    expect(free.body.error).toBe("upgrade_required");
  });

  test("the super-admin chooses a namespace, nobody else does", async () => {
    const named = { "x-svc-namespace": "pro" };
    const namespaceOf = async (token: string) => (await use(await clientOf(token, named), "search", { q: "crane" })).body.context.principal.namespace;
    expect(await namespaceOf(SUPER)).toBe("pro");
    expect(await namespaceOf(READER)).toBe("demo");
    expect((await send(message("ping"), { token: SUPER, headers: { "x-svc-namespace": "none-such" } })).status).toBe(404);
    expect(await namespaceOf(PRO)).toBe("pro");
  });
});

describe("what is no request of a caller", () => {
  test("without a live token is 401, whatever else it is", async () => {
    for (const token of [null, "strata_nobody"])
      for (const [method, body] of [
        ["POST", "{"],
        ["POST", message("ping")],
        ["GET", undefined],
        ["DELETE", undefined],
      ] as const) {
        const answer = await send(body, { method, token });
        expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 401, error: "unauthorized" });
        expect(answer.headers.get("www-authenticate")).toStartWith("Bearer");
      }
  });

  test("from a page of another site is 403, under a foreign name 400", async () => {
    expect(await send(message("ping"), { headers: { origin: "http://evil.example" } })).toMatchObject({ status: 403, body: { error: "forbidden" } });
    expect(await send(message("ping"), { headers: { host: "evil.example" } })).toMatchObject({ status: 400, body: { error: "bad_request" } });
  });

  test("GET and DELETE are 405: there are no sessions", async () => {
    for (const method of ["GET", "DELETE"]) {
      const answer = await send(undefined, { method, headers: { "mcp-session-id": "abc" } });
      expect({ status: answer.status, error: answer.body.error, allow: answer.headers.get("allow") }).toEqual({
        status: 405,
        error: "method_not_allowed",
        allow: "POST",
      });
    }
    expect((await send(undefined, { method: "PUT" })).status).toBe(404);
  });

  test.each([
    ["no JSON", "{", 400, "bad_request"],
    ["nothing", "", 400, "bad_request"],
    ["no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), 400, "bad_request"],
    ["brackets without end", "[".repeat(100_000), 400, "bad_request"],
  ])("a body of %s is one error of HTTP", async (_what, body, status, error) => {
    expect(await send(body)).toMatchObject({ status, body: { error, status } });
  });

  test("a body beyond the limit is 413", async () => {
    const answer = await send("{}", { headers: { "content-length": String(17 * 1024 * 1024) } });
    expect(answer).toMatchObject({ status: 413, body: { error: "payload_too_large", status: 413 } });
    expect(await send("{}", { headers: { "content-type": "text/plain" } })).toMatchObject({ status: 400, body: { error: "bad_request" } });
  });

  test.each([
    ["a number", 5, 400],
    ["no method", { jsonrpc: "2.0", id: 1 }, 400],
    ["another version", { jsonrpc: "1.0", id: 1, method: "ping" }, 400],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "ping" }, 400],
    ["a batch", [message("ping"), message("ping")], 400],
    ["an unknown method", message("tools/none"), 200],
    ["parameters that are a list", { ...message("tools/call"), params: [1] }, 400],
    ["an unknown tool", toolCall("drop_tables", {}), 200],
    ["arguments that are a list", toolCall("search", ["turbine"]), 200],
    ["a call without a name", message("tools/call", {}), 200],
  ])("%s is one JSON-RPC error", async (_what, body, status) => {
    const before = await unitCount(h);
    const answer = await send(body, { token: ADMIN });
    expect({ status: answer.status, keys: Object.keys(answer.body).sort() }).toEqual({ status, keys: ["error", "id", "jsonrpc"] });
    expect(Object.keys(answer.body.error).sort()).toEqual(expect.arrayContaining(["code", "message"]));
    expect(await unitCount(h)).toBe(before);
  });

  test.each([
    ["search", { q: "" }, "/q: must be a string of 1 to 4096 characters"],
    ["search", {}, "/q: is required"],
    ["search", { q: "x", top_k: 51 }, "/top_k: must be an integer of 1 to 50"],
    ["search", { q: "x", filters: { colour: "red" } }, "/filters/colour"],
    ["search", { q: "x", scope: 5 }, "/scope: must be a string of 1 to 520 characters"],
    ["search", { q: "x", scope: "a".repeat(521) }, "/scope: must be a string"],
    ["search", { q: "a\u0000b" }, "/q: holds a NUL character"],
    ["similar", {}, "/unit_id: is required"],
    ["get_unit", {}, "/id: is required"],
    ["ingest", { units: [{ modality: "smell", text: "x" }] }, "/units/0/modality"],
    ["ingest", { units: [] }, "/units: must be an array of 1 to 1000 items"],
  ])("arguments of %p that do not fit are named: %p", async (name, args, detail) => {
    const client = await clientOf(ADMIN, name === "ingest" ? { "x-svc-scope": "harbour" } : {});
    const before = await unitCount(h);
    const { body, failed } = await use(client, name, args);
    expect({ failed, ...body }).toEqual({ failed: true, error: "bad_request", status: 400, detail: expect.stringContaining(detail) });
    expect(await unitCount(h)).toBe(before);
  });

  test("an id that is unknown and one that is hidden are told alike", async () => {
    const client = await clientOf(READER);
    const { body } = await use(await clientOf(ADMIN), "search", { q: "machinery reserve", scope: "harbour/ops" });
    const ids = body.hits.map(({ unit_id }: { unit_id: string }) => unit_id);
    const seen = await Promise.all(ids.map((id: string) => use(client, "get_unit", { id })));
    const hidden = seen.find(({ failed }) => failed);
    expect(hidden?.body).toEqual((await use(client, "get_unit", { id: `u_${"a".repeat(32)}` })).body);
    expect(hidden?.body.error).toBe("not_found");
  });

  test("what breaks inside is an internal error that shows nothing of itself", async () => {
    const services = servicesWith(h, { entailment: { model: "broken", judge: () => Promise.reject(new Error("secret of the engine")) } });
    const broken = h.front({ services }).http;
    const headers = {
      host: HOST,
      authorization: `Bearer ${READER}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const body = JSON.stringify(toolCall("answer", { q: STOP }));
    const text = await (await broken.handle(new Request(`http://${HOST}/v1/mcp`, { method: "POST", headers, body }))).text();
    expect(text).toContain("internal_error");
    expect(text).not.toContain("secret");
  });
});

test.each(["auto", "legacy"] as const)("a client of the era %p that goes ends the work of its tool and frees the place", async (era) => {
  const reached = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  const entailment: Entailment = {
    model: "standing",
    judge: (_pairs, signal) => {
      reached.resolve();
      return new Promise((_, reject) =>
        signal?.addEventListener("abort", () => {
          ended.resolve("ended");
          reject(new Error("gone"));
        }),
      );
    },
  };
  const front = h.front({ services: servicesWith(h, { ...unhurried(h), entailment }), limits: { requests: 1 } });
  const standing = listen(front.http, { hostname: "127.0.0.1", port: 0, log: silentLog });
  try {
    const url = new URL(`http://127.0.0.1:${standing.port}/v1/mcp`);
    const client = await connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${READER}` } } }), era);
    const asked = client.callTool({ name: "answer", arguments: { q: STOP } }).catch(() => "cut");
    await reached.promise;
    await client.close();
    expect(await asked).toBe("cut");
    expect(await ended.promise).toBe("ended");
    while (front.http.inFlight() > 0) await Bun.sleep(5);
    expect((await front.call("POST", "/v1/search", { token: READER, body: { q: "turbine", mode: "fulltext" } })).status).toBe(200);
  } finally {
    await standing.stop();
  }
});

test("a flood is refused with 429, and a request that is refused does nothing", async () => {
  const front = h.front({ limits: { requests: 1 }, services: servicesWith(h, unhurried(h)) });
  const headers = {
    host: HOST,
    authorization: `Bearer ${READER}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const ask = () =>
    front.http.handle(new Request(`http://${HOST}/v1/mcp`, { method: "POST", headers, body: JSON.stringify(toolCall("search", { q: STOP })) }));
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await ask()).status).toBe(200);
});
