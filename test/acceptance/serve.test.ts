/** `strata serve --demo` over HTTP: what the README shows, one good call of every route, and a life from start to restart. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { version } from "../../package.json";
import { chainFault, type Row } from "../support/audit-check.ts";
import {
  ADMIN,
  type Answer,
  copyRuntime,
  eventually,
  LINE_MAX_MS,
  ONE_LINE,
  READER,
  Sandbox,
  type Server,
  START_MAX_MS,
  socketsOf,
  treeOf,
} from "./support.ts";

setDefaultTimeout(START_MAX_MS + 60_000);

const ROOT = join(import.meta.dir, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const FILES = JSON.parse(readFileSync(join(ROOT, "data/files.json"), "utf8")) as { units: unknown[] }[];
/** Everything that the demo stores: its Units and those of its files. */
const DEMO = [...readFileSync(join(ROOT, "data/demo.ndjson"), "utf8").trim().split("\n"), ...FILES.flatMap(({ units }) => units)];
const PLANES = ["text", "visual", "audio", "doc_visual"];
const FREE = "strata_tier_free";
const PRO = "strata_tier_pro";

const sandbox = new Sandbox();
let server: Server;

beforeAll(async () => {
  server = await sandbox.serve(["--demo"]);
});
afterAll(() => sandbox.dispose());

function search(body: Record<string, unknown>, token = ADMIN): Promise<Answer> {
  return server.call("POST", "/v1/search", { token, body, headers: { "x-svc-scope": "*" } });
}

function ingest(units: readonly Record<string, unknown>[]): Promise<Answer> {
  return server.call("POST", "/v1/ingest", { body: { units } });
}

/** Every Unit that a token may list. */
async function listed(token = ADMIN): Promise<{ unit_id: string; text?: string; plane: string; doc_id?: string }[]> {
  const units = [];
  for (let cursor: number | null = 0; cursor !== null; ) {
    const { body }: Answer = await server.call("GET", `/v1/units?scope=*&cursor=${cursor}`, { token });
    units.push(...body.units);
    cursor = body.next_cursor;
  }
  return units;
}

describe("the demo", () => {
  test("is announced with lines to copy", async () => {
    expect(server.address).toBe(`http://127.0.0.1:${server.port}`);
    await eventually("the lines to copy", () => server.process.stdout.includes("\n  ./strata answer "), LINE_MAX_MS);
    expect(server.process.stdout).toContain(`curl -s ${server.url}/v1/answer -H 'Authorization: Bearer strata_demo_reader'`);
  });

  test("is stored whole", async () => {
    const units = await listed();
    expect(units.length).toBe(DEMO.length);
    expect(README).toContain(`${DEMO.length} Units`);
    expect(new Set(units.map(({ unit_id }) => unit_id)).size).toBe(DEMO.length);
    const forReader = await listed(READER);
    expect(forReader.length).toBeGreaterThan(0);
    expect(forReader.length).toBeLessThan(units.length);
  });

  for (const plane of PLANES) {
    test(`can be searched on the ${plane} plane`, async () => {
      const { status, body } = await search({ q: "the bearing of turbine 7", planes: [plane] });
      expect(status).toBe(200);
      expect(body.hits.length).toBe(10);
      expect(new Set(body.hits.map((hit: { plane: string }) => hit.plane))).toEqual(new Set([plane]));
    });
  }

  test("answers the first example of the README", async () => {
    const [, path = "", token = "", body = ""] =
      /curl -s http:\/\/127\.0\.0\.1:4700(\S+) -H 'Authorization: Bearer (\S+)' [^']*'[^']*' -d '([^']*)'/.exec(README) ?? [];
    const answer = await server.call("POST", path, { token, body: JSON.parse(body) });
    expect({ status: answer.status, token }).toEqual({ status: 200, token: READER });
    expect(answer.body.hits.length).toBe(10);
    expect(new Set(answer.body.hits.map((hit: { plane: string }) => hit.plane)).size).toBeGreaterThan(1);
    expect(answer.body.hits[0].text).toMatch(/turbine 7/i);
    expect(answer.body.hidden_by_acl).toBeGreaterThan(0);
    const asAdmin = await server.call("POST", path, { token: ADMIN, body: { ...JSON.parse(body) } });
    expect(asAdmin.body.hidden_by_acl).toBe(0);
  });

  test("opens no socket but the listener", async () => {
    await search({ q: "one more search" });
    const sockets = socketsOf(server.process.pid);
    expect(sockets).toContainEqual({ local: `127.0.0.1:${server.port}`, remote: "0.0.0.0:0" });
    expect(sockets.filter(({ local }) => local !== `127.0.0.1:${server.port}`)).toEqual([]);
    expect(sockets.filter(({ remote }) => !remote.startsWith("127.0.0.1:") && remote !== "0.0.0.0:0")).toEqual([]);
  });
});

describe("one good call of", () => {
  test("GET /v1/health, without a token", async () => {
    const { status, body, headers } = await server.call("GET", "/v1/health", { token: null });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      service: "strata",
      version,
      time: expect.any(String),
      bindings: { catalog: "bun:sqlite", vector_index: PLANES, object_store: "filesystem", key_value: "bun:sqlite", inference: true },
    });
    expect(new Date(body.time).toISOString()).toBe(body.time);
    expect(headers.get("content-type")).toStartWith("application/json");
  });

  test("GET /v1/context", async () => {
    const { status, body } = await server.call("GET", "/v1/context", { token: READER });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      principal: { principal_id: "demo-reader", namespace: "demo", read_only: true, groups: ["ops"] },
      active_scope: "harbour/ops",
      requested_scope: "harbour/ops",
      perms: ["read"],
    });
    expect(body.effective_scopes).toContain("harbour/ops/turbine");
    expect(body.folders_visible).toBeLessThan(body.folders_total);
  });

  test("GET /v1/scopes", async () => {
    const { status, body } = await server.call("GET", "/v1/scopes", { token: READER });
    expect(status).toBe(200);
    const entry = body.scopes.find(({ scope }: { scope: string }) => scope === "harbour/ops/quay");
    expect(entry).toMatchObject({ namespace: "demo", parent: "harbour/ops", read_only_agents: false });
    expect(body.scopes.every(({ scope }: { scope: string }) => scope === "harbour/ops" || scope.startsWith("harbour/ops/"))).toBe(true);
  });

  test("POST /v1/search", async () => {
    const { status, body } = await search({
      q: "grease leaking from the shaft seal",
      top_k: 3,
      filters: { modality: ["detection", "asr", "video_shot"] },
    });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["answer", "context", "hidden_by_acl", "hits", "trace"]);
    expect(body.hits.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3]);
    expect(body.trace.fusion).toEqual({ method: "rrf", k: 60 });
    for (const hit of body.hits) expect(["detection", "asr", "video_shot"]).toContain(hit.modality);
  });

  test("GET /v1/units", async () => {
    const { status, body } = await server.call("GET", "/v1/units?limit=2", { token: READER });
    expect(status).toBe(200);
    expect(body.units.length).toBe(2);
    expect(body.next_cursor).toBe(2);
    expect(body.hidden_by_acl).toBeGreaterThan(0);
    expect(body.context.principal.principal_id).toBe("demo-reader");
  });

  test("GET /v1/units/:id, which looks the same for a hidden and for an unknown one", async () => {
    const all = await listed();
    const visible = new Set((await listed(READER)).map(({ unit_id }) => unit_id));
    const [mine] = visible;
    const hidden = all.find(({ unit_id }) => !visible.has(unit_id))?.unit_id;
    expect(await server.call("GET", `/v1/units/${mine}`, { token: READER })).toMatchObject({
      status: 200,
      body: { unit_id: mine, namespace: "demo" },
    });
    const refused = await server.call("GET", `/v1/units/${hidden}`, { token: READER });
    expect(refused).toMatchObject({ status: 404, body: { error: "not_found", status: 404 } });
    expect(refused.body).toEqual((await server.call("GET", "/v1/units/u_unknown", { token: READER })).body);
  });

  test("GET /v1/catalog/stats", async () => {
    const { status, body } = await server.call("GET", "/v1/catalog/stats?scope=*");
    expect(status).toBe(200);
    expect(body.planes.map(({ plane }: { plane: string }) => plane)).toEqual(PLANES);
    for (const plane of body.planes) expect(plane).toMatchObject({ dims: 384, metric: "cosine", lag: 0, health: "green", indexed: plane.vectors });
    expect(body.storage.catalog_rows).toBe(DEMO.length);
  });

  test("GET /v1/audit, whose rows anybody can check", async () => {
    await server.call("GET", "/v1/units?limit=1");
    const { status, body } = await server.call("GET", "/v1/audit?limit=50");
    expect(status).toBe(200);
    expect({ namespace: body.namespace, count: body.count }).toEqual({ namespace: "demo", count: body.rows.length });
    const rows: Row[] = body.rows.toReversed();
    expect(chainFault(rows.slice(1), rows[0])).toBeNull();
    // The same rows for a reader, whose own request comes after them.
    const { body: hidden } = await server.call("GET", "/v1/audit?limit=50&cursor=1", { token: READER });
    expect(chainFault(hidden.rows.toReversed().slice(1), hidden.rows.at(-1))).toBeNull();
    expect(hidden.rows.map(({ row_hash }: Row) => row_hash)).toEqual(body.rows.map(({ row_hash }: Row) => row_hash));
    expect(
      hidden.rows.find(({ row_hash }: Row) => row_hash === rows.find(({ principal_id }) => principal_id === "demo-admin")?.row_hash),
    ).toMatchObject({
      principal_id: null,
      scope: null,
      target: null,
      detail: null,
    });
  });

  test("GET /v1/audit/verify", async () => {
    const { status, body } = await server.call("GET", "/v1/audit/verify", { token: READER });
    expect(status).toBe(200);
    expect(body).toEqual({
      namespace: "demo",
      intact: true,
      checked: body.head_seq,
      head_seq: expect.any(Number),
      head_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      break_at: null,
      reason: null,
    });
  });

  test("POST /v1/answer: refused on the free tier, answered with citations elsewhere", async () => {
    const body = { q: "why did turbine 7 stop?", answer: true };
    expect(await server.call("POST", "/v1/answer", { token: FREE, body })).toMatchObject({ status: 402, body: { error: "upgrade_required" } });
    const { status, body: found } = await server.call("POST", "/v1/answer", { token: READER, body });
    expect({ status, answered: found.answer?.status, model: found.answer?.model }).toEqual({
      status: 200,
      answered: "answered",
      model: "extractive",
    });
    expect(found.answer.text).toMatch(/turbine (7|seven) .*\[1\]/is);
    expect(found.answer.claims[0]?.score).toBeGreaterThan(0.5);
    expect(found.answer.nli_faithfulness).toBeGreaterThan(0.25);
    for (const { unit_id, quote, quote_start, quote_end } of found.answer.citations) {
      const { body: unit } = await server.call("GET", `/v1/units/${unit_id}`, { token: READER });
      expect(unit.text.slice(quote_start, quote_end)).toBe(quote);
    }
    const onPro = await server.call("POST", "/v1/answer", { token: PRO, body });
    expect(onPro).toMatchObject({ status: 200, body: { answer: { status: "answered" } } });
  });

  test("POST /v1/ingest", async () => {
    const unit = {
      modality: "asr",
      text: "Pilot to Osselby: quorvex in sight.",
      scope: "harbour/ops",
      acl_groups: ["ops"],
      locator: { kind: "time_range", t_start_ms: 0, t_end_ms: 900 },
    };
    const { status, body } = await ingest([unit]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ingested: 1, created: 1, updated: 0, unchanged: 0, units: [{ index: 0, status: "created" }] });
    const found = await search({ q: "quorvex", mode: "fulltext" }, READER);
    expect(found.body.hits[0]).toMatchObject({ unit_id: body.units[0].unit_id, plane: "audio", acl_owner: "demo-admin" });
    expect((await ingest([unit])).body).toMatchObject({ created: 0, unchanged: 1 });
  });

  test("POST and DELETE /v1/session", async () => {
    const opened = await server.call("POST", "/v1/session", { token: null, body: { token: READER } });
    expect(opened).toMatchObject({ status: 200, body: { principal_id: "demo-reader", namespace: "demo" } });
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(cookie).toStartWith("console.session_token=");
    const headers = { cookie, origin: server.url };
    expect((await server.call("GET", "/v1/context", { token: null, headers })).body.principal.principal_id).toBe("demo-reader");
    expect(await server.call("DELETE", "/v1/session", { token: null, headers })).toMatchObject({ status: 200, body: { ended: true } });
    expect((await server.call("GET", "/v1/context", { token: null, headers })).status).toBe(401);
  });

  test("POST /v1/admin/seed, which leaves the rest alone", async () => {
    expect((await server.call("POST", "/v1/admin/seed", { token: null })).status).toBe(401);
    const before = (await listed()).length;
    const { status, body } = await server.call("POST", "/v1/admin/seed");
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["counts", "namespaces", "principals", "scopes", "tokens"]);
    expect(body.tokens.map(({ token }: { token: string }) => token)).toContain(ADMIN);
    expect(Object.keys(body.counts.by_plane).sort()).toEqual([...PLANES].sort());
    expect((await listed()).length).toBe(before);
  });

  test("GET /v1/openapi.json, without a token", async () => {
    const { status, body } = await server.call("GET", "/v1/openapi.json", { token: null });
    expect(status).toBe(200);
    expect(Object.keys(body.paths)).toContain("/v1/search");
  });

  test("the reserved routes, and refusals in the one form", async () => {
    for (const path of ["/v1/grants", "/v1/principals", "/v1/namespaces", "/v1/sources/x"]) {
      expect((await server.call("GET", path)).body).toEqual({ error: "not_found", detail: expect.any(String), status: 404 });
    }
    expect((await server.call("GET", "/v1/units", { token: "wrong" })).body).toEqual({
      error: "unauthorized",
      detail: expect.any(String),
      status: 401,
    });
    expect((await search({ q: "x", top_k: 51 })).body).toEqual({ error: "bad_request", detail: expect.stringContaining("/top_k"), status: 400 });
    expect((await server.call("POST", "/v1/ingest", { token: READER, body: {} })).body).toEqual({
      error: "forbidden",
      detail: expect.any(String),
      status: 403,
    });
  });
});

const sentence = (topic: string, index: number) => `${topic} ${index}: marker ${topic}${index}x on post ${index % 7}`;
const unitOf = (topic: string) => (_: unknown, index: number) => ({
  modality: "text",
  text: sentence(topic, index),
  scope: "harbour/ops",
  doc_id: topic,
});

describe("more of it", () => {
  test("500 Units at once, found by the next search", async () => {
    const { status, body } = await ingest(Array.from({ length: 500 }, unitOf("buoy")));
    expect({ status, created: body.created }).toEqual({ status: 200, created: 500 });
    for (const index of [0, 250, 499]) {
      const { body: found } = await search({ q: `buoy${index}x`, mode: "fulltext" });
      expect(found.hits.map(({ unit_id }: { unit_id: string }) => unit_id)).toEqual([body.units[index].unit_id]);
    }
  });

  test("a long text, found by meaning and by words in its last part", async () => {
    const filler = Array.from({ length: 400 }, (_, index) => `Entry ${index} of the ledger names a crate of rope and its price.`).join(" ");
    const last = "A walrus called Henriette slept on the harbour master's desk.";
    const { body: stored } = await ingest([{ modality: "doc_page", text: `${filler} ${last}`, scope: "harbour/ops", doc_id: "ledger" }]);
    for (const query of [
      { q: "henriette", mode: "fulltext" },
      { q: "a ledger of crates of rope, and a walrus asleep on the desk of the harbour master", mode: "vector", planes: ["doc_visual"] },
    ]) {
      const { hits } = (await search({ ...query, top_k: 3 })).body;
      expect(hits[0].unit_id).toBe(stored.units[0].unit_id);
      if (query.mode === "fulltext") expect(hits[0].snippet).toContain("Henriette");
    }
  });

  test("the chain is intact", async () => {
    expect((await server.call("GET", "/v1/audit/verify")).body).toMatchObject({ intact: true, break_at: null });
  });
});

describe("start and end", () => {
  test("a second process on the same directory is refused", async () => {
    const { code, stdout, stderr } = await sandbox.run(["serve", "--port", "0"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain(
      `${sandbox.data} is held by the server at ${server.address} (process ${server.process.pid}), and this command needs it alone`,
    );
  });

  test("a port in use is refused", async () => {
    const other = join(sandbox.work, "other");
    copyRuntime(sandbox.data, other);
    const { code, stdout, stderr } = await sandbox.run(["serve", "--data", other, "--port", String(server.port)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain(`port ${server.port} on 127.0.0.1 is in use`);
  });

  test("SIGTERM finishes what is running, takes nothing new, and the next start has it", async () => {
    const before = (await listed()).length;
    let answered = false;
    const inFlight = ingest(Array.from({ length: 150 }, unitOf("bollard"))).finally(() => {
      answered = true;
    });
    // The encoders are at work once the process burns time; nothing else was asked of it.
    const idle = cpuOf(server.process.pid);
    await eventually("work on the ingest", () => answered || cpuOf(server.process.pid) > idle + 10);
    expect(answered).toBe(false);
    const ended = server.stop();
    await eventually("the listener to close", async () => !(await accepts(server.port)));
    expect(answered).toBe(false);
    const { status, body } = await inFlight;
    expect({ status, created: body.created }).toEqual({ status: 200, created: 150 });
    expect((await ended).code).toBe(0);

    server = await sandbox.serve(["--demo"]);
    const units = await listed();
    expect(units.length).toBe(before + 150);
    expect(units.filter(({ doc_id }) => doc_id === "bollard").length).toBe(150);
    for (const q of ["bollard149x", "buoy7x", "henriette", "quorvex"]) expect((await search({ q, mode: "fulltext" })).body.hits.length).toBe(1);
    expect((await server.call("GET", "/v1/audit/verify")).body.intact).toBe(true);
    expect((await server.stop()).code).toBe(0);
  });

  test("nothing was written beside the data directories", () => {
    expect(treeOf(sandbox.home)).toEqual([]);
    expect(readdirSync(sandbox.work).sort()).toEqual(["other", "strata", "strata-data"]);
    expect(readdirSync(sandbox.root).sort()).toEqual(["home", "work"]);
  });
});

/** Processor time of a process, in clock ticks. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}
