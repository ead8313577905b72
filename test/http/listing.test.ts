/** Reading without searching: listing, single Units, context, scopes, stats, health, the OpenAPI document, audit, namespaces. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { modelManifest } from "../../src/runtime/model-manifest.ts";
import { ROUTES } from "../../src/http/routes.ts";
import { chainFault, CONTENT, type Row, withoutContent } from "../support/audit-check.ts";
import type { Answer, Harness } from "../support/harness.ts";
import { ADMIN, brokenChains, cookieOf, ENTERPRISE, FREE, hire, PRO, READER, SUPER, unitCount } from "../support/people.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";
import { rowsOf } from "../support/rows.ts";

interface Listed {
  unit_id: string;
  scope: string;
  namespace: string;
  acl_owner: string;
  acl_groups: string[];
  created_at: number;
  plane: string;
  content_sha256: string | null;
  text?: string;
  metadata?: { file_name?: string };
}

const FILES = (await Bun.file(`${import.meta.dir}/../../data/files.json`).json()) as { name: string; bytes: number }[];
const PLANES = ["text", "visual", "audio", "doc_visual"];
const UNKNOWN_ID = `u_${"a".repeat(32)}`;

/** A schema of the document, or the one that it refers to. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into schemas whose shape is what they test
function resolved(document: any, schema: any): any {
  return typeof schema.$ref === "string" ? document.components.schemas[schema.$ref.split("/").at(-1)] : schema;
}

interface Described {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: { type: string };
}

let h: Harness;
let clock = Date.now();

beforeAll(async () => {
  h = await openSeeded({ now: () => clock });
}, START_MS);

afterAll(async () => {
  await h.close();
});

const get = (path: string, token = ADMIN, headers: Record<string, string> = {}) => h.call("GET", path, { token, headers });
const within = (scope: string, unit: Listed) => unit.scope === scope || unit.scope.startsWith(`${scope}/`);

/** Every page of a listing, in the order of the pages. */
async function walk(
  path: string,
  token: string,
  limit: number,
  headers: Record<string, string> = {},
): Promise<{ units: Listed[]; hidden: number; pages: number }> {
  const units: Listed[] = [];
  let pages = 0;
  let hidden = 0;
  for (let cursor: number | null = 0; cursor !== null; pages += 1) {
    const { status, body }: Answer = await get(`${path}${path.includes("?") ? "&" : "?"}limit=${limit}&cursor=${cursor}`, token, headers);
    expect(status).toBe(200);
    expect(body.units.length).toBeLessThanOrEqual(limit);
    if (body.next_cursor !== null) expect([body.units.length, body.next_cursor]).toEqual([limit, cursor + limit]);
    units.push(...body.units);
    hidden = body.hidden_by_acl;
    cursor = body.next_cursor;
  }
  return { units, hidden, pages };
}

describe("the listing", () => {
  test.each([1, 7, 50, 61, 100])("pages of %d: to the end, in order, without gaps or repeats", async (limit) => {
    // 366 demo Units; a page of 61 divides them, so the last one is full and has no next.
    const scope = limit === 1 ? "town" : "*";
    const { units, pages } = await walk(`/v1/units?scope=${scope}`, ADMIN, limit);
    const keys = units.map(({ created_at, unit_id }) => `${String(created_at).padStart(16, "0")} ${unit_id}`);
    expect(keys).toEqual([...keys].sort());
    expect(new Set(keys).size).toBe(keys.length);
    expect(units.length).toBe(scope === "*" ? await unitCount(h) : (await walk(`/v1/units?scope=${scope}`, ADMIN, 100)).units.length);
    expect(pages).toBe(Math.ceil(units.length / limit));
  });

  test("equal times are ordered by unit_id", async () => {
    const body = { units: Array.from({ length: 40 }, (_, i) => ({ modality: "text", source_uri: `same/${i}`, scope: "listing/same" })) };
    await h.call("POST", "/v1/ingest", { body });
    const { units } = await walk("/v1/units?scope=listing/same", ADMIN, 7);
    expect(new Set(units.map(({ created_at }) => created_at)).size).toBe(1);
    const names = units.map(({ unit_id }) => unit_id);
    expect(names).toEqual([...names].sort());
    expect(names.length).toBe(40);
  });

  test("time comes before unit_id, and an update keeps the place", async () => {
    const send = (n: number, mime: string) =>
      h.call("POST", "/v1/ingest", { body: { units: [{ modality: "text", source_uri: `time/${n}`, scope: "listing/time", mime }] } });
    const made: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      clock += 1;
      made.push((await send(n, "a/a")).body.units[0].unit_id);
    }
    clock += 1_000;
    await send(0, "b/b");
    const { units } = await walk("/v1/units?scope=listing/time", ADMIN, 3);
    expect(units.map(({ unit_id }) => unit_id)).toEqual(made);
  });

  test("the newest first, when asked, is the same list the other way round", async () => {
    const { units } = await walk("/v1/units?scope=*", ADMIN, 100);
    const newest = await walk("/v1/units?scope=*&sort=-created_at", ADMIN, 61);
    expect(newest.units.map(({ unit_id }) => unit_id)).toEqual(units.map(({ unit_id }) => unit_id).reverse());
    expect((await walk("/v1/units?scope=*&sort=created_at", ADMIN, 100)).units).toEqual(units);
    const wrong = await get("/v1/units?sort=size");
    expect([wrong.status, wrong.body.detail]).toEqual([400, "/sort: must be one of created_at, -created_at"]);
  });

  test("limit: 100 unless said otherwise, and never more", async () => {
    for (const limit of ["", "?limit=100", "?limit=101", "?limit=100000"]) {
      const { body } = await get(`/v1/units${limit}`);
      expect([body.units.length, body.next_cursor]).toEqual([100, 100]);
    }
    expect((await get("/v1/units?limit=99")).body.next_cursor).toBe(99);
  });

  test("a cursor beyond the end is an empty page", async () => {
    for (const cursor of [100_000, 999_999_999_999_999]) {
      const { body } = await get(`/v1/units?cursor=${cursor}`);
      expect([body.units, body.next_cursor]).toEqual([[], null]);
    }
  });

  test("shows exactly what scope and ACL let the caller read, and counts the rest", async () => {
    const everything = (await walk("/v1/units?scope=*", SUPER, 100)).units;
    const writer = hire(h, "lister", { groups: ["engineering"], scopes: ["harbour/office", "town"], active_scope: "town" });
    const own = await h.call("POST", "/v1/ingest", {
      token: writer,
      body: { units: [{ modality: "text", source_uri: "own/1", scope: "harbour/office" }] },
    });
    const all = (await walk("/v1/units?scope=*", SUPER, 100)).units;
    expect(all.length).toBe(everything.length + 1);
    const callers: [string, string, (unit: Listed) => boolean, string[]][] = [
      ["reader", READER, ({ acl_groups }) => acl_groups.includes("ops"), ["harbour/ops"]],
      ["writer", writer, ({ acl_groups, acl_owner }) => acl_groups.includes("engineering") || acl_owner === "lister", ["harbour/office", "town"]],
      ["admin", ADMIN, () => true, [""]],
    ];
    for (const [name, token, mayRead, grants] of callers) {
      for (const asked of ["*", "harbour", "harbour/ops", "harbour/ops/quay", "harbour/office", "town", "nowhere"]) {
        const inScope = all.filter((unit) => (asked === "*" || within(asked, unit)) && grants.some((grant) => grant === "" || within(grant, unit)));
        const { units, hidden } = await walk(`/v1/units?scope=${asked}`, token, 100);
        const expected = inScope.filter(mayRead);
        expect({ name, asked, ids: units.map(({ unit_id }) => unit_id) }).toEqual({ name, asked, ids: expected.map(({ unit_id }) => unit_id) });
        expect({ name, asked, hidden }).toEqual({ name, asked, hidden: inScope.length - expected.length });
      }
    }
    expect((await get(`/v1/units/${own.body.units[0].unit_id}?scope=*`, writer)).status).toBe(200);
  });

  test("answers with the context of the request", async () => {
    const { body } = await get("/v1/units?limit=1&scope=harbour", READER);
    expect(Object.keys(body).sort()).toEqual(["context", "hidden_by_acl", "next_cursor", "units"]);
    expect(body.context).toEqual((await get("/v1/context?scope=harbour", READER)).body);
  });
});

describe("Units by their ids", () => {
  const byIds = (ids: string[], token = ADMIN, more = "") => get(`/v1/units?ids=${ids.join(",")}${more}`, token);

  test("come in the order asked, each once, as the listing shows them", async () => {
    const units = ((await get("/v1/units?limit=20")).body.units as Listed[]).reverse();
    const ids = units.map(({ unit_id }) => unit_id);
    const { body } = await byIds([...ids, ...ids.slice(0, 3)]);
    expect(body).toMatchObject({ units, hidden_by_acl: 0, next_cursor: null });
    const repeated = await get(`/v1/units?${ids.map((id) => `ids=${id}`).join("&")}`);
    expect(repeated.body.units).toEqual(units);
  });

  test("a hidden, foreign or unknown id is missing, and says no more", async () => {
    const all = (await walk("/v1/units?scope=*", ADMIN, 100)).units;
    const inOps = all.filter((unit) => within("harbour/ops", unit));
    const visible = inOps.find(({ acl_groups }) => acl_groups.includes("ops"))?.unit_id ?? "";
    const hidden = inOps.find(({ acl_groups }) => !acl_groups.includes("ops"))?.unit_id ?? "";
    const outside = all.find(({ scope }) => scope === "town")?.unit_id ?? "";
    const elsewhere = (await get("/v1/units?limit=1", PRO)).body.units[0].unit_id;
    const shown = async (id: string) => (await byIds([id, visible], READER)).text;
    expect((await byIds([hidden, visible, outside], READER)).body.units.map(({ unit_id }: Listed) => unit_id)).toEqual([visible]);
    for (const id of [hidden, outside, elsewhere]) expect(await shown(id)).toBe(await shown(UNKNOWN_ID));
  });

  test("at most 100, and not beside the members of a page", async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `u_${String(n).padStart(32, "a")}`);
    expect((await byIds(ids)).body.units).toEqual([]);
    expect((await byIds([...ids, "u_x"])).body.detail).toBe("/ids: must be an array of 1 to 100 items");
    expect((await get("/v1/units?ids=")).body.detail).toStartWith("/ids/0: must be a string of");
    for (const [name, value] of [
      ["limit", 5],
      ["cursor", 0],
      ["sort", "created_at"],
    ])
      expect((await byIds(ids.slice(0, 1), ADMIN, `&${name}=${value}`)).body.detail).toBe(`/${name}: is of a page, and goes with no ids`);
  });
});

describe("one Unit", () => {
  test("is what the listing shows", async () => {
    const { units } = (await get("/v1/units?limit=20")).body;
    expect(units.length).toBe(20);
    for (const unit of units) expect((await get(`/v1/units/${unit.unit_id}`)).body).toEqual(unit);
  });

  test("hidden, out of scope, in another namespace and unknown are one answer, byte for byte", async () => {
    const all = (await walk("/v1/units?scope=*", ADMIN, 100)).units;
    const find = (test: (unit: Listed) => boolean) => all.find(test)?.unit_id ?? "";
    const hidden = find((unit) => within("harbour/ops", unit) && !unit.acl_groups.includes("ops"));
    const outside = find((unit) => unit.scope === "town" && unit.acl_groups.includes("ops")) || find((unit) => unit.scope === "town");
    const elsewhere = (await get("/v1/units?limit=1", PRO)).body.units[0].unit_id;
    const visible = find((unit) => within("harbour/ops", unit) && unit.acl_groups.includes("ops"));
    const unknown = await get(`/v1/units/${UNKNOWN_ID}`, READER, { "x-request-id": "same" });
    expect([unknown.status, unknown.body.error]).toEqual([404, "not_found"]);
    const strip = ({ headers, status, text }: Answer) => ({ status, text, headers: [...headers].filter(([name]) => name !== "date") });
    const asks = [hidden, outside, elsewhere].map((id) => get(`/v1/units/${id}`, READER, { "x-request-id": "same" }));
    asks.push(
      get(`/v1/units/${hidden}?scope=*`, READER, { "x-request-id": "same" }),
      get(`/v1/units/${visible}`, READER, { "x-request-id": "same", "x-svc-scope": "harbour/ops/nowhere" }),
    );
    for (const answer of await Promise.all(asks)) expect(strip(answer)).toEqual(strip(unknown));
    expect((await get(`/v1/units/${visible}`, READER)).status).toBe(200);
    expect((await get(`/v1/units/${hidden}`, ADMIN)).status).toBe(200);
  });

  test("ids are exact", async () => {
    const id = (await get("/v1/units?limit=1")).body.units[0].unit_id as string;
    for (const other of [id.toUpperCase(), `${id}%20`, `${id}.`, id.slice(0, -1), `${id}%00`, id.replace("_", "%")])
      expect((await get(`/v1/units/${other}`)).status).toBe(404);
    const encoded = [...id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
    expect((await get(`/v1/units/${encoded}`)).body.unit_id).toBe(id);
  });
});

describe("context and scopes", () => {
  test("a second question mark is part of a value, and hides no scope", async () => {
    const { body } = await h.call("GET", "/v1/context?note=why?&scope=harbour/ops/quay");
    expect([body.requested_scope, body.effective_scopes]).toEqual(["harbour/ops/quay", ["harbour/ops/quay"]]);
  });

  test("the reader's context", async () => {
    const { body } = await get("/v1/context", READER);
    const ops = ["harbour/ops", "harbour/ops/control", "harbour/ops/quay", "harbour/ops/turbine"];
    const total = (await get("/v1/scopes")).body.scopes.length;
    expect(body).toEqual({
      principal: { principal_id: "demo-reader", namespace: "demo", read_only: true, groups: ["ops"] },
      active_scope: "harbour/ops",
      requested_scope: "harbour/ops",
      effective_scopes: ops,
      allowed_scopes: ops,
      perms: ["read"],
      folders_visible: 4,
      folders_total: total,
    });
  });

  const SCOPES: [string, Record<string, string>, string, string, number][] = [
    ["", {}, "harbour/ops", "active", 4],
    ["?scope=harbour/ops/quay", {}, "harbour/ops/quay", "query", 1],
    ["", { "x-svc-scope": "harbour/ops/quay" }, "harbour/ops/quay", "header", 1],
    ["?scope=harbour/ops/control", { "x-svc-scope": "harbour/ops/quay" }, "harbour/ops/quay", "header over query", 1],
    ["?scope=*", {}, "*", "star", 4],
    ["?scope=harbour", {}, "harbour", "above", 4],
    ["?scope=town", {}, "town", "not allowed", 0],
    ["?scope=mars", {}, "mars", "unknown", 0],
    ["?scope=harbour%2Fops", {}, "harbour/ops", "encoded", 4],
  ];
  test.each(SCOPES)("context%s %j: requested %s (%s)", async (query, headers, requested, _name, effective) => {
    const { body } = await get(`/v1/context${query}`, READER, headers);
    expect([body.requested_scope, body.effective_scopes.length, body.allowed_scopes.length, body.active_scope]).toEqual([
      requested,
      effective,
      4,
      "harbour/ops",
    ]);
    expect(body.effective_scopes).toEqual([...body.effective_scopes].sort());
  });

  test("scopes: those the caller may use, each with its parent", async () => {
    const all = (await get("/v1/scopes")).body.scopes;
    const own = (await get("/v1/scopes", READER)).body.scopes;
    expect(own).toEqual(all.filter(({ scope }: Listed) => scope === "harbour/ops" || scope.startsWith("harbour/ops/")));
    for (const entry of all) {
      expect(Object.keys(entry).sort()).toEqual(["created_at", "namespace", "parent", "planes", "read_only_agents", "scope"]);
      expect(entry.parent).toBe(entry.scope.includes("/") ? entry.scope.slice(0, entry.scope.lastIndexOf("/")) : null);
    }
  });

  test("read_only_agents shows in the perms of a token and of a session made from it, not of an admin or the super-admin", async () => {
    const token = hire(h, "guarded", { scopes: ["harbour"], active_scope: "harbour" });
    const perms = async (who: string, scope: string) => (await get(`/v1/context?scope=${scope}`, who)).body.perms;
    expect(await perms(token, "harbour")).toEqual(["read", "write"]);
    expect(await perms(token, "harbour/archive")).toEqual(["read"]);
    expect(await perms(token, "harbour/archive/deeper")).toEqual(["read"]);
    for (const who of [ADMIN, SUPER]) expect(await perms(who, "harbour/archive")).toEqual(["read", "write", "admin"]);
    const cookie = await cookieOf(h, token);
    expect((await h.call("GET", "/v1/context?scope=harbour/archive", { token: null, headers: { cookie } })).body.perms).toEqual(["read"]);
  });
});

describe("stats", () => {
  test.each([
    ["admin", ADMIN, ""],
    ["reader", READER, ""],
    ["reader in one scope", READER, "?scope=harbour/ops/quay"],
    ["reader where it may not look", READER, "?scope=town"],
    ["free", FREE, ""],
  ])("%s: counts of what the caller may read", async (_name, token, query) => {
    const { body } = await get(`/v1/catalog/stats${query}`, token);
    const { units } = await walk(`/v1/units${query}`, token, 100);
    expect(Object.keys(body).sort()).toEqual(["namespace", "planes", "queries_per_day", "scope", "storage"]);
    expect(body.planes.map(({ plane }: Listed) => plane)).toEqual(token === FREE ? ["text", "doc_visual"] : PLANES);
    const { catalog, features } = rowsOf(await h.app.tenant({ namespace: token === FREE ? "free" : "demo", tier: "free" }));
    const vectorsOf = (unit: Listed) => {
      const embedded = catalog.byId(unit.unit_id)?.embeddedSha256 ?? "";
      return (catalog.embeddings.spans([embedded]).get(embedded) ?? []).length;
    };
    let all = 0;
    for (const plane of body.planes) {
      const vectors = units.filter((unit) => unit.plane === plane.plane).reduce((sum, unit) => sum + vectorsOf(unit), 0);
      all += vectors;
      const seen = units.filter((unit) => unit.plane === plane.plane && features.embeddings([catalog.byId(unit.unit_id)?.uid ?? 0]).size > 0);
      const content = { visual: ["image-classifier", 1280], audio: ["yamnet", 1024] }[plane.plane as string];
      expect(plane).toEqual({
        plane: plane.plane,
        model: "bge-small-en-v1.5",
        dims: 384,
        metric: "cosine",
        vectors,
        indexed: vectors,
        lag: 0,
        health: "green",
        ...(content && { content: { model: content[0], dims: content[1], metric: "cosine", vectors: seen.length } }),
      });
    }
    const stored = FILES.filter(({ name }) => units.some(({ metadata }) => metadata?.file_name === name));
    expect(body.storage).toEqual({
      object_store_gb: stored.reduce((sum, { bytes }) => sum + bytes, 0) / 1e9,
      catalog_rows: units.length,
      vectors: all,
    });
    expect(all > 0).toBe(query !== "?scope=town");
  });

  test("queries of the last day, and no older ones", async () => {
    const count = async () => (await get("/v1/catalog/stats", PRO)).body.queries_per_day;
    const before = await count();
    for (let n = 0; n < 3; n += 1) await h.call("POST", "/v1/search", { token: PRO, body: { q: "turbine", top_k: 1 } });
    await h.call("POST", "/v1/search", { token: PRO, body: { q: "" } });
    await get("/v1/units", PRO);
    expect(await count()).toBe(before + 3);
    clock += 86_400_000 + 1;
    expect(await count()).toBe(0);
  });
});

describe("models", () => {
  test("each of the manifest with its licence, and neither path nor hash", async () => {
    const { status, body, text } = await get("/v1/models", READER);
    expect(status).toBe(200);
    expect(body.models.map(({ name }: { name: string }) => name)).toEqual(modelManifest().map(({ name }) => name));
    for (const model of body.models) {
      expect(Object.keys(model).sort()).toEqual(["bytes", "dims", "included", "licence", "name", "task"]);
      expect([model.licence.length > 2, model.bytes > 1_000]).toEqual([true, true]);
    }
    expect(text).not.toMatch(/[0-9a-f]{64}|\.onnx|models\//);
  });
});

describe("health and the document", () => {
  test("health", async () => {
    for (const token of [null, ADMIN, "strata_nobody"]) {
      const { status, body } = await h.call("GET", "/v1/health", { token });
      expect(status).toBe(200);
      expect(new Date(body.time).toISOString()).toBe(body.time);
      expect({ ...body, time: "" }).toEqual({
        status: "ok",
        service: "strata",
        version: "test",
        time: "",
        bindings: { catalog: "bun:sqlite", vector_index: PLANES, object_store: "filesystem", key_value: "bun:sqlite", inference: true },
      });
    }
  });

  test("the OpenAPI document names every route and no host of others", async () => {
    const { status, body, text } = await h.call("GET", "/v1/openapi.json", { token: null });
    expect(status).toBe(200);
    expect(body.openapi).toStartWith("3.");
    const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace("{path}", "*").replaceAll(/\{(\w+)\}/g, ":$1")}`),
    );
    // MCP describes itself.
    const routes = h.http.routes().filter((route) => route.includes(" /v1/") && !route.endsWith("/openapi.json") && !route.endsWith("/mcp"));
    expect(described.sort()).toEqual(routes.sort());
    for (const post of ["search", "answer", "ingest", "session", "admin/tokens"])
      expect(resolved(body, body.paths[`/v1/${post}`].post.requestBody.content["application/json"].schema).type).toBe("object");
    expect(text).not.toMatch(/https?:\/\/(?!json-schema\.org|spec\.openapis\.org)/);
  });

  test("the OpenAPI document has the path of Units, hits and citations", async () => {
    const { body } = await h.call("GET", "/v1/openapi.json", { token: null });
    const membersOf = (schema: object) => resolved(body, schema).properties;
    const answered = (method: string, path: string) => membersOf(body.paths[path][method].responses["200"].content["application/json"].schema);
    const found = answered("post", "/v1/answer");
    const members = [
      membersOf(membersOf(body.paths["/v1/ingest"].post.requestBody.content["application/json"].schema).units.items),
      membersOf(answered("get", "/v1/units").units.items),
      answered("get", "/v1/units/{id}"),
      membersOf(found.hits.items),
      membersOf(membersOf(found.answer).citations.items),
    ];
    for (const { path } of members) {
      expect(path).toMatchObject({ type: "array", maxItems: 16, items: { type: "string", minLength: 1, maxLength: 500 } });
    }
  });

  test("the OpenAPI document names the events of an answer, and of nothing else", async () => {
    const { body, text } = await h.call("GET", "/v1/openapi.json", { token: null });
    expect(text.split('"text/event-stream"').length - 1).toBe(1);
    const { content } = body.paths["/v1/answer"].post.responses["200"];
    const kinds = content["text/event-stream"].schema.anyOf.map(({ properties }: { properties: object }) => properties);
    expect(kinds.map(({ event }: { event: { const: string } }) => event.const)).toEqual(["search", "claim", "final", "error"]);
    expect(kinds[2].data).toEqual(content["application/json"].schema);
  });

  test("the OpenAPI document names the parameters of every route", async () => {
    const { body } = await h.call("GET", "/v1/openapi.json", { token: null });
    const caller = ["header X-Svc-Scope", "query scope", "header X-Svc-Namespace"];
    const page = ["query limit", "query cursor"];
    const name = ["query name", "header X-File-Name"];
    const own: Record<string, string[]> = {
      "get /v1/health": [],
      "post /v1/session": [],
      "delete /v1/scopes/{path}": ["path path", ...caller],
      "get /v1/units": [...page, "query sort", "query ids", ...caller],
      "get /v1/files": [...page, "query state", ...caller],
      "get /v1/audit": [...page, ...caller],
      "get /v1/audit/verify": ["query after", "query hash", "query limit", ...caller],
      "post /v1/ingest": ["header Idempotency-Key", ...caller],
      "post /v1/files": ["query wait", ...name, "query doc_id", "query acl_groups", "query metadata", ...caller],
      "get /v1/files/{id}/content": ["path id", "header Range", ...caller],
      "get /v1/units/{id}/preview": ["path id", "query size", "query whole", ...caller],
      "post /v1/similar": [...name, ...["top_k", "planes", "modalities", "doc_id", "min_score", "filters"].map((each) => `query ${each}`), ...caller],
    };
    const ids = new Set<string>();
    for (const [path, methods] of Object.entries(body.paths as Record<string, Record<string, { operationId: string; parameters: Described[] }>>)) {
      for (const [method, { operationId, parameters }] of Object.entries(methods)) {
        ids.add(operationId);
        const expected = own[`${method} ${path}`] ?? [...(path.includes("{id}") ? ["path id"] : []), ...caller];
        const named = parameters.map((each) => `${each.in} ${each.name}`).sort();
        expect([method, path, ...named]).toEqual([method, path, ...[...expected, "header X-Request-Id"].sort()]);
        for (const { description, schema, required, in: where } of parameters) {
          expect([description.length > 0, typeof schema.type, required]).toEqual([true, "string", where === "path"]);
        }
      }
    }
    expect(ids.size).toBe(Object.keys(ROUTES).length);
  });

  test("the OpenAPI document names what each route takes as its body, and every status that it answers with", async () => {
    const { body } = await h.call("GET", "/v1/openapi.json", { token: null });
    const described = (method: string, path: string) => body.paths[path][method];
    const statuses = (method: string, path: string) => Object.keys(described(method, path).responses).map(Number);
    expect(statuses("get", "/v1/health")).toEqual([200, 400, 429, 500, 503]);
    expect(statuses("get", "/v1/units/{id}")).toEqual([200, 400, 401, 403, 404, 429, 500, 503]);
    expect(statuses("get", "/v1/files/{id}/content")).toEqual([200, 206, 400, 401, 403, 404, 416, 429, 500, 503]);
    expect(statuses("post", "/v1/ingest")).toEqual([200, 400, 401, 402, 403, 404, 409, 413, 429, 500, 503]);
    expect(statuses("post", "/v1/files")).toEqual([200, 202, 400, 401, 402, 403, 404, 409, 413, 429, 500, 503]);
    expect(statuses("post", "/v1/session")).toEqual([200, 400, 401, 403, 413, 429, 500, 503]);
    const takes = (method: string, path: string) => Object.keys(described(method, path).requestBody?.content ?? {});
    expect(takes("post", "/v1/files")).toEqual(["multipart/form-data", "application/octet-stream"]);
    expect(takes("post", "/v1/similar")).toEqual(["application/json", "multipart/form-data", "application/octet-stream"]);
    expect(takes("get", "/v1/units")).toEqual([]);
  });

  test("every answer says what it is and is kept by nobody", async () => {
    for (const path of ["/v1/health", "/v1/units?limit=1", "/v1/nothing", "/v1/openapi.json"]) {
      const { headers } = await get(path);
      expect(headers.get("content-type")).toStartWith("application/json");
      expect([headers.get("x-content-type-options"), headers.get("cache-control")]).toEqual(["nosniff", "no-store"]);
      expect([headers.get("server"), headers.get("x-powered-by"), headers.get("access-control-allow-origin")]).toEqual([null, null, null]);
    }
  });
});

describe("audit", () => {
  /** Every row up to `head`, newest first. Each page is written down as a row itself; the cursor that it hands out takes that into account. */
  async function rowsUpTo(head: number, token: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const { body }: Answer = await get(`/v1/audit?limit=20&cursor=${cursor}`, token);
      expect(Object.keys(body).sort()).toEqual(["count", "namespace", "next_cursor", "rows"]);
      expect([body.namespace, body.count]).toEqual(["demo", body.rows.length]);
      rows.push(...body.rows);
      cursor = body.next_cursor;
    }
    return rows.filter(({ seq }) => seq <= head);
  }

  test("pages to the end: newest first, without gaps, and any reader can recompute it", async () => {
    const head = (await get("/v1/audit?limit=1")).body.rows[0].seq as number;
    const rows = await rowsUpTo(head, READER);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: head }, (_, i) => head - i));
    expect(chainFault(rows.toReversed())).toBeNull();
  });

  test("a reader sees what itself did; of all others' rows, that they were", async () => {
    await h.call("POST", "/v1/search?scope=harbour/finance", { body: { q: "invoices" } });
    await get(`/v1/units/${UNKNOWN_ID}`, READER);
    const [own, foreign] = (await get("/v1/audit?limit=2", READER)).body.rows as Row[];
    expect(own).toMatchObject({
      v: 2,
      principal_id: "demo-reader",
      action: "unit.get",
      target: UNKNOWN_ID,
      salt: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect(Object.keys(foreign ?? {}).sort()).toEqual(
      ["v", "seq", "ts", "namespace", ...CONTENT, "action", "outcome", "content_hash", "prev_hash", "row_hash"].sort(),
    );
    expect(foreign).toMatchObject({ v: 2, action: "search", outcome: "ok", principal_id: null, scope: null, target: null, detail: null });
    const head = own?.seq ?? 0;
    const [mine, theirs] = [await rowsUpTo(head, READER), await rowsUpTo(head, ADMIN)];
    expect(mine.map((row) => (row.principal_id === "demo-reader" ? row : withoutContent(row)))).toEqual(mine);
    expect(mine).toEqual(theirs.map((row) => (row.principal_id === "demo-reader" ? row : withoutContent(row))));
    expect(JSON.stringify(mine)).not.toContain("harbour/finance");
    expect(new Set(theirs.map(({ salt }) => salt)).size).toBe(theirs.length);
    expect(chainFault(theirs.toReversed())).toBeNull();
  });

  test("the super-admin sees every row whole", async () => {
    await get(`/v1/units/${UNKNOWN_ID}`, READER);
    expect((await get("/v1/audit?limit=1", SUPER)).body.rows[0]).toMatchObject({ principal_id: "demo-reader", target: UNKNOWN_ID });
  });

  test("limit is 100 unless said otherwise, and never more", async () => {
    for (let n = 0; n < 110; n += 1) await get(`/v1/units/${UNKNOWN_ID}`, ENTERPRISE);
    for (const query of ["", "?limit=100", "?limit=101", "?limit=5000"]) {
      const { body } = await get(`/v1/audit${query}`, ENTERPRISE);
      expect(body.count).toBe(100);
      expect(body.next_cursor).toBeGreaterThanOrEqual(100);
    }
    const { body } = await get("/v1/audit?cursor=100000", ENTERPRISE);
    expect([body.rows, body.count, body.next_cursor]).toEqual([[], 0, null]);
  });

  test("what was done is there before the answer is", async () => {
    const ACTIONS: [string, () => Promise<Answer>, number?][] = [
      ["search", () => h.call("POST", "/v1/search", { body: { q: "a private question", top_k: 1 } })],
      ["units.list", () => get("/v1/units?limit=1")],
      ["unit.get", () => get(`/v1/units/${UNKNOWN_ID}`), 404],
      ["ingest", () => h.call("POST", "/v1/ingest", { body: { units: [{ modality: "text", source_uri: "audited/1", scope: "harbour" }] } })],
      ["audit.verify", () => get("/v1/audit/verify")],
      ["audit.list", () => get("/v1/audit?limit=1")],
      ["session.create", () => h.call("POST", "/v1/session", { token: null, body: { token: ADMIN } })],
      ["seed", () => h.call("POST", "/v1/admin/seed")],
    ];
    for (const [action, run, status = 200] of ACTIONS) {
      expect((await run()).status).toBe(status);
      const [row] = (await get("/v1/audit?limit=1")).body.rows;
      expect(row).toMatchObject({ action, outcome: "ok", principal_id: "demo-admin", namespace: "demo" });
    }
    const { text } = await get("/v1/audit");
    expect(text).not.toContain("private question");
    expect(text).toContain(createHash("sha256").update("a private question").digest("hex"));
    expect(text).not.toContain(ADMIN);
  });

  test("verify, on every tier", async () => {
    for (const [token, namespace] of [
      [ADMIN, "demo"],
      [READER, "demo"],
      [FREE, "free"],
      [PRO, "pro"],
      [ENTERPRISE, "enterprise"],
    ] as const) {
      const { body } = await get("/v1/audit/verify", token);
      expect(body).toEqual({
        namespace,
        intact: true,
        checked: body.head_seq,
        head_seq: body.head_seq,
        head_hash: body.head_hash,
        break_at: null,
        reason: null,
      });
      expect(body.head_hash).toMatch(/^[0-9a-f]{64}$/);
      expect(body.checked).toBeGreaterThan(0);
    }
  });

  test("verify part by part, after a row that the caller knows", async () => {
    const verify = (query: string) => get(`/v1/audit/verify?${query}`, READER);
    const first = (await verify("limit=2")).body;
    expect(first).toMatchObject({ intact: true, checked: 2, head_seq: 2, more: true });
    const rest = (await verify(`after=2&hash=${first.head_hash}`)).body;
    expect(rest).toMatchObject({ intact: true, checked: rest.head_seq - 2, after: 2, break_at: null });
    expect(rest).not.toHaveProperty("more");
    expect((await verify(`after=3&hash=${first.head_hash}`)).body).toMatchObject({ intact: false, checked: 0, break_at: 3, after: 3 });
    for (const wrong of ["after=2", `hash=${first.head_hash}`, "limit=0", `after=0&hash=${first.head_hash}`, "after=2&hash=abc", "limit=x"]) {
      expect((await verify(wrong)).status).toBe(400);
    }
  });
});

describe("namespaces", () => {
  const at = (namespace: string) => ({ "x-svc-namespace": namespace });

  test("the super-admin lands in the demo, and goes where it says", async () => {
    expect((await get("/v1/context", SUPER)).body.principal).toEqual({
      principal_id: "super-admin",
      namespace: "demo",
      read_only: false,
      groups: [],
    });
    for (const namespace of ["demo", "free", "pro", "enterprise"]) {
      const { body } = await get("/v1/context", SUPER, at(namespace));
      expect([body.principal.namespace, body.perms]).toEqual([namespace, ["read", "write", "admin"]]);
      const { units, hidden } = await walk("/v1/units", SUPER, 100, at(namespace));
      expect([units.length, hidden]).toEqual([await unitCount(h, namespace), 0]);
      expect(new Set(units.map((unit) => unit.namespace))).toEqual(new Set([namespace]));
    }
  });

  test("the tier of the namespace binds it too", async () => {
    expect((await get("/v1/audit", SUPER, at("free"))).status).toBe(402);
    expect((await get("/v1/audit", SUPER, at("pro"))).status).toBe(200);
    const { body } = await h.call("POST", "/v1/search", { token: SUPER, body: { q: "turbine" }, headers: at("free") });
    expect(body.trace.planes).toEqual(["text", "doc_visual"]);
  });

  test.each(["nowhere", "", "Demo", "../demo", "demo/../pro", "%64emo", "*"])("%p is no namespace", async (namespace) => {
    const answer = await get("/v1/units?limit=1", SUPER, at(namespace));
    expect([answer.status, answer.body.error]).toEqual([404, "not_found"]);
  });

  test("blanks around its name are trimmed on their way, as of any header", async () => {
    expect((await get("/v1/units?limit=1", SUPER, at("demo "))).status).toBe(200);
  });

  test.each([ADMIN, READER, FREE, PRO, ENTERPRISE])("%s stays where it is", async (token) => {
    const own = (await get("/v1/context", token)).text;
    for (const namespace of ["demo", "pro", "nowhere"]) expect((await get("/v1/context", token, at(namespace))).text).toBe(own);
  });

  test("what is written in one is in no other", async () => {
    const text = "the isolated narwhal of the enterprise namespace";
    const made = await h.call("POST", "/v1/ingest", { token: ENTERPRISE, body: { units: [{ text, modality: "text", scope: "only/here" }] } });
    const id = made.body.units[0].unit_id;
    for (const token of [ADMIN, PRO, FREE]) {
      expect((await get(`/v1/units/${id}`, token)).status).toBe(404);
      expect((await get("/v1/scopes", token)).text).not.toContain("only/here");
      for (const mode of ["hybrid", "fulltext"]) {
        const { body } = await h.call("POST", "/v1/search", { token, body: { q: text, mode, top_k: 50 } });
        expect(body.hits.map((hit: Listed) => hit.text)).not.toContain(text);
        expect(new Set(body.hits.map((hit: Listed) => hit.namespace)).size).toBeLessThanOrEqual(1);
      }
    }
    expect((await get(`/v1/units/${id}`, SUPER, at("enterprise"))).body.text).toBe(text);
    expect((await get(`/v1/units/${id}`, SUPER)).status).toBe(404);
  });

  test("one principal name in two namespaces is two principals", async () => {
    const twin = hire(h, "twin", { scopes: ["*"], active_scope: "*" });
    const other = hire(h, "twin", { namespace: "pro", scopes: ["*"], active_scope: "*" });
    const made = await h.call("POST", "/v1/ingest", { token: twin, body: { units: [{ modality: "text", source_uri: "twin/1", scope: "harbour" }] } });
    expect((await get(`/v1/units/${made.body.units[0].unit_id}`, twin)).status).toBe(200);
    expect((await get(`/v1/units/${made.body.units[0].unit_id}`, other)).status).toBe(404);
  });

  test("the super-admin's acts are written where they were done", async () => {
    const before = (await get("/v1/audit?limit=1", ADMIN)).body.rows[0].seq;
    await get("/v1/units?limit=1", SUPER, at("pro"));
    expect((await get("/v1/audit?limit=1", SUPER, at("pro"))).body.rows[0]).toMatchObject({
      principal_id: "super-admin",
      action: "units.list",
      namespace: "pro",
    });
    expect((await get("/v1/audit?limit=1", ADMIN)).body.rows[0].seq).toBe(before + 1);
  });
});

test("every chain is whole", async () => {
  expect(await brokenChains(h)).toEqual([]);
});
