/** Where others can reach the listener, what is published with the product opens nothing. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { ADMIN, copyRuntime, eventually, LINE_MAX_MS, READER, type Sandbox, type Server, START_MAX_MS, seededSandbox } from "./support.ts";

setDefaultTimeout(START_MAX_MS + 60_000);

const EVERYWHERE = ["--host", "0.0.0.0"];

let sandbox: Sandbox;
let own = "";
beforeAll(async () => {
  sandbox = await seededSandbox();
  own = (await sandbox.run(["token", "create", "ops", "--principal", "demo-admin"])).stdout.trim();
});
afterAll(() => sandbox.dispose());

describe("on 0.0.0.0", () => {
  let server: Server;
  beforeAll(async () => {
    server = await sandbox.serve(["--demo", ...EVERYWHERE]);
  });
  afterAll(() => server.stop());

  test("the line says so, and that demo tokens are refused", async () => {
    expect(server.address).toBe(`http://0.0.0.0:${server.port}`);
    await eventually(
      "the explanation",
      () => server.process.stderr.includes("refuses the published demo tokens; --accept-demo-tokens takes them"),
      LINE_MAX_MS,
    );
    expect(server.process.stdout).toBe("");
  });

  test("demo tokens are refused, as bearers and for a session", async () => {
    for (const token of [ADMIN, READER, "strata_super_admin", "strata_tier_free"]) {
      expect(await server.call("GET", "/v1/context", { token })).toMatchObject({ status: 401, body: { error: "unauthorized" } });
      expect((await server.call("POST", "/v1/session", { token: null, body: { token } })).status).toBe(401);
    }
  });

  test("a token of one's own works", async () => {
    const { status, body } = await server.call("POST", "/v1/search", { token: own, body: { q: "why did turbine 7 stop?" } });
    expect({ status, hits: body.hits?.length }).toEqual({ status: 200, hits: 10 });
  });

  test("health needs no token", async () => {
    expect((await server.call("GET", "/v1/health", { token: null })).body.status).toBe("ok");
  });
});

test("on 0.0.0.0 the first-run seed is not open, and the operator is told what to do", async () => {
  const empty = join(sandbox.work, "empty");
  copyRuntime(sandbox.data, empty);
  const server = await sandbox.serve(["--data", empty, ...EVERYWHERE]);
  expect((await server.call("POST", "/v1/admin/seed", { token: null })).status).toBe(401);
  await server.stop();
  expect(server.process.stderr).toContain("nobody can sign in yet");
  // The advice, word by word, is a command that works and whose token opens the door.
  const [, advice = ""] = /^ {2}strata (token create .+)$/m.exec(server.process.stderr) ?? [];
  const { code, stdout } = await sandbox.run(advice.split(" "));
  expect(code).toBe(0);
  const again = await sandbox.serve(["--data", empty, ...EVERYWHERE]);
  expect((await again.call("GET", "/v1/context", { token: stdout.trim() })).body).toMatchObject({ perms: ["read", "write", "admin"] });
  expect(await again.stop()).toMatchObject({ code: 0, stderr: `listening on ${again.address}\n` });
});

test("--accept-demo-tokens takes them", async () => {
  const server = await sandbox.serve([...EVERYWHERE, "--accept-demo-tokens"]);
  expect((await server.call("GET", "/v1/context", { token: READER })).body.principal.principal_id).toBe("demo-reader");
  expect((await server.stop()).code).toBe(0);
});

describe("on loopback behind a proxy", () => {
  test("demo tokens and the first-run seed are refused, also with --demo", async () => {
    const fresh = join(sandbox.work, "proxied");
    copyRuntime(sandbox.data, fresh);
    const closed = await sandbox.serve(["--data", fresh, "--tls-proxy"]);
    expect((await closed.call("POST", "/v1/admin/seed", { token: null })).status).toBe(401);
    expect((await closed.stop()).stderr).toContain("nobody can sign in yet");
    const server = await sandbox.serve(["--demo", "--tls-proxy"]);
    for (const token of [ADMIN, READER, "strata_super_admin"]) {
      expect((await server.call("GET", "/v1/context", { token })).status).toBe(401);
      expect((await server.call("POST", "/v1/session", { token: null, body: { token } })).status).toBe(401);
    }
    expect((await server.call("GET", "/v1/context", { token: own })).status).toBe(200);
    const { code, stdout, stderr } = await server.stop();
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("refuses the published demo tokens; --accept-demo-tokens takes them");
  });

  test("--accept-demo-tokens takes them", async () => {
    const server = await sandbox.serve(["--tls-proxy", "--accept-demo-tokens"]);
    expect((await server.call("GET", "/v1/context", { token: READER })).status).toBe(200);
    expect((await server.stop()).code).toBe(0);
  });
});

test("another Host is refused until the operator allows it", async () => {
  const ask = async (server: Server, host: string) => (await server.call("GET", "/v1/health", { token: null, headers: { host } })).status;
  const strict = await sandbox.serve([]);
  expect(await Promise.all(["strata.example", "localhost", `127.0.0.1:${strict.port}`].map((host) => ask(strict, host)))).toEqual([400, 200, 200]);
  await strict.stop();
  const named = await sandbox.serve(["--allowed-host", "a.example,strata.example"]);
  expect(await Promise.all(["strata.example:443", "A.example", "b.example"].map((host) => ask(named, host)))).toEqual([200, 200, 400]);
  await named.stop();
});

test("on a loopback listener the first-run seed is open, once", async () => {
  const fresh = join(sandbox.work, "fresh");
  copyRuntime(sandbox.data, fresh);
  const server = await sandbox.serve(["--data", fresh]);
  const { status, body } = await server.call("POST", "/v1/admin/seed", { token: null });
  expect(status).toBe(200);
  expect(body.tokens.length).toBe(6);
  expect((await server.call("POST", "/v1/admin/seed", { token: null })).status).toBe(401);
  expect((await server.call("POST", "/v1/admin/seed", { token: READER })).status).toBe(403);
  expect((await server.stop()).code).toBe(0);
});
