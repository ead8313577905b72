/** MCP over standard input and output: the official client starts `strata mcp`, on a data directory and for a server. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { silentLog } from "../../src/base/log.ts";
import { type Listener, listen } from "../../src/http/listener.ts";
import { type Harness, openHarness } from "../support/harness.ts";
import { connect, disconnectAll, toolNames, use } from "../support/mcp.ts";
import { ADMIN, auditRows, READER } from "../support/people.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { seededData, START_MS } from "../support/seeded.ts";

// A process that loads the models, perhaps beside another suite.
setDefaultTimeout(START_MS);

const STOP = "why did turbine 7 stop?";
const MAIN = join(import.meta.dir, "../../src/main.ts");
const READING = ["search", "answer", "get_unit", "list_scopes", "similar"];

let folder: string;
beforeAll(() => {
  folder = temporaryDirectory();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(disconnectAll);

function tokenFile(token: string): string {
  const path = join(folder, `${token}.txt`);
  writeFileSync(path, `${token}\n`);
  return path;
}

const commandOf = (args: readonly string[]) => [MAIN, "mcp", ...args];

function started(...args: string[]) {
  return connect(new StdioClientTransport({ command: process.execPath, args: commandOf(args), stderr: "ignore" }), "legacy");
}

/** Runs the command to its end, with these lines as its input. */
async function run(args: readonly string[], lines: readonly string[] = []) {
  const child = Bun.spawn([process.execPath, ...commandOf(args)], { stdin: "pipe", stdout: "pipe", stderr: "pipe", env: process.env });
  for (const line of lines) child.stdin.write(`${line}\n`);
  await child.stdin.flush();
  const read = new Response(child.stdout).text();
  // What is asked before the input ends may still be in work then.
  if (lines.length > 0) await Bun.sleep(500);
  await child.stdin.end();
  return { status: await child.exited, out: await read, err: await new Response(child.stderr).text() };
}

describe("on a data directory", () => {
  let data: string;
  beforeAll(async () => {
    data = await seededData();
  }, START_MS);
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  test("the reader and the admin each get what they may read, and rows are written", async () => {
    const found: string[][] = [];
    for (const [token, tools] of [
      [READER, READING],
      [ADMIN, [...READING, "ingest"]],
    ] as const) {
      const client = await started("--token-file", tokenFile(token), "--data", data);
      expect(await toolNames(client)).toEqual([...tools]);
      const { body } = await use(client, "search", { q: "machinery reserve", top_k: 50, scope: "harbour/ops" });
      expect(body.context.principal.principal_id).toBe(token === READER ? "demo-reader" : "demo-admin");
      found.push(body.hits.map(({ unit_id }: { unit_id: string }) => unit_id));
      expect((await use(client, "answer", { q: STOP, scope: "harbour/ops" })).body.answer.status).toBe("answered");
      await disconnectAll();
    }
    const h = await openHarness({ data, seed: false });
    try {
      const rows = await auditRows(h, "demo", 4);
      expect(rows.map(({ action, principal_id }) => `${principal_id} ${action}`)).toEqual([
        "demo-admin answer",
        "demo-admin search",
        "demo-reader answer",
        "demo-reader search",
      ]);
      for (const [index, token] of [READER, ADMIN].entries()) {
        const body = { q: "machinery reserve", top_k: 50 };
        const route = await h.call("POST", "/v1/search", { token, body, headers: { "x-svc-scope": "harbour/ops" } });
        expect(found[index]).toEqual(route.body.hits.map(({ unit_id }: { unit_id: string }) => unit_id));
      }
      expect(found[0]).not.toEqual(found[1]);
    } finally {
      await h.close();
    }
  });

  test("a token that is none of its own ends it before the first message", async () => {
    expect(await run(["--token-file", tokenFile("strata_nobody"), "--data", data])).toMatchObject({
      status: 1,
      out: "",
      err: `strata: the token is none of ${data}\n`,
    });
  });

  test("what is no message is passed over, and it ends with its input", async () => {
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const { status, out } = await run(["--token-file", tokenFile(READER), "--data", data], ["{", "5", ping]);
    expect(status).toBe(0);
    const answers = out
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
    expect(answers.find(({ id }) => id === 1)).toMatchObject({ jsonrpc: "2.0", id: 1, result: {} });
  });
});

describe("for a server", () => {
  let h: Harness;
  let data: string;
  let listener: Listener;
  let url: string;
  beforeAll(async () => {
    data = await seededData();
    h = await openHarness({ data, seed: false });
    listener = listen(h.http, { hostname: "127.0.0.1", port: 0, log: silentLog });
    url = `http://127.0.0.1:${listener.port}`;
  }, START_MS);
  afterAll(async () => {
    await listener.stop();
    await h.close();
    rmSync(data, { recursive: true, force: true });
  });

  test("tools give what its routes give to the same token", async () => {
    for (const token of [READER, ADMIN]) {
      const client = await started("--token-file", tokenFile(token), "--url", url, "--scope", "harbour/ops");
      expect(await toolNames(client)).toEqual(token === READER ? READING : [...READING, "ingest"]);
      const options = { token, headers: { "x-svc-scope": "harbour/ops" } };
      const { body } = await use(client, "search", { q: STOP, scope: "*" });
      const route = await h.call("POST", "/v1/search", { ...options, body: { q: STOP } });
      expect(body.hits).toEqual(route.body.hits);
      expect({ hidden: body.hidden_by_acl, scope: body.context.requested_scope }).toEqual({ hidden: route.body.hidden_by_acl, scope: "harbour/ops" });
      const { unit_id } = body.hits[0];
      expect((await use(client, "get_unit", { id: unit_id })).body).toEqual((await h.call("GET", `/v1/units/${unit_id}`, options)).body);
      expect((await use(client, "list_scopes")).body).toEqual((await h.call("GET", "/v1/scopes", options)).body);
      const similar = await h.call("POST", "/v1/similar", { ...options, body: { unit_id } });
      expect((await use(client, "similar", { unit_id })).body.hits).toEqual(similar.body.hits);
    }
  });

  test("what it refuses is told in its own words", async () => {
    const client = await started("--token-file", tokenFile(READER), "--url", url);
    const units = [{ modality: "text", text: "not mine to write" }];
    const refused = await h.call("POST", "/v1/ingest", { token: READER, body: { units } });
    expect((await use(client, "ingest", { units })).body).toEqual(refused.body);
    expect((await use(client, "search", { q: "" })).body).toMatchObject({ error: "bad_request", detail: expect.stringContaining("/q") });
    await expect(client.callTool({ name: "drop_tables", arguments: {} })).rejects.toThrow("no such tool");
  });

  test("a token that it does not know, and a directory that it holds, end the command", async () => {
    expect(await run(["--token-file", tokenFile("strata_nobody"), "--url", url])).toMatchObject({
      status: 1,
      err: "strata: the token is not valid\n",
    });
    const held = await run(["--token-file", tokenFile(READER), "--data", data]);
    expect(held).toMatchObject({ status: 1, out: "", err: expect.stringContaining("in use by another strata process") });
  });
});
