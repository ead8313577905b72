/** File descriptors: connections leave enough of them to everything else, and a lack of them ends nothing. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { dlopen } from "bun:ffi";
import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { connectionBounds } from "../../src/http/listener.ts";
import { eventually, READER, type Sandbox, Server, START_MAX_MS, seededSandbox } from "./support.ts";

setDefaultTimeout(START_MAX_MS + 120_000);

const LIMIT = 300;
const HALF_A_HEAD = "GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-";
const WHOLE = "GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

let sandbox: Sandbox;
const sockets: Socket[] = [];
beforeAll(async () => {
  sandbox = await seededSandbox();
});
afterAll(() => sandbox.dispose());

function descriptors({ process: { pid } }: Server): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Sends `text` on a new connection and keeps it open; false when the connection is refused. */
function hold({ port }: Server, text: string): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  return new Promise((resolve) => {
    socket.on("connect", () => socket.write(text, () => resolve(true)));
    socket.on("error", () => resolve(false));
    socket.resume();
  });
}

function letGo(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
}

/** The statuses of what has to answer as long as there are few enough connections. */
async function statuses(server: Server): Promise<(number | string)[]> {
  const asked = [server.call("GET", "/v1/health"), server.call("POST", "/v1/search", { token: READER, body: { q: "turbine" } })];
  return (await Promise.allSettled(asked)).map((one) => (one.status === "fulfilled" ? one.value.status : "no answer"));
}

describe("under a small limit", () => {
  let server: Server;
  beforeAll(async () => {
    const command = ["/bin/sh", "-c", `ulimit -n ${LIMIT}; exec ${sandbox.work}/strata serve --port 0`];
    server = await Server.of(sandbox.spawnCommand(command, { HOME: sandbox.home, PATH: "/nonexistent" }));
  });
  afterAll(() => server.stop());

  test("as many idle connections as it bears keep nobody waiting", async () => {
    const idle = descriptors(server);
    const { stop } = connectionBounds(idle, LIMIT);
    for (let held = idle; held < stop - 10; held += 1) expect(await hold(server, WHOLE)).toBe(true);
    expect(await statuses(server)).toEqual([200, 200]);
    letGo();
  });

  test("beyond them none is accepted, and when they have gone all is as before", async () => {
    await eventually("a refused connection", async () => !(await hold(server, HALF_A_HEAD)));
    expect(descriptors(server)).toBeLessThan(LIMIT);
    expect(server.process.running).toBe(true);
    letGo();
    await eventually("an answer", async () => (await statuses(server)).every((status) => status === 200));
  });

  test("connections that send no whole head go by themselves", async () => {
    await eventually("a refused connection", async () => !(await hold(server, HALF_A_HEAD)));
    await eventually("an answer", async () => (await statuses(server)).every((status) => status === 200));
    letGo();
  });
});

const RLIMIT_NOFILE = 7;

/** Sets the soft limit of a process that runs. */
function limit({ process: { pid } }: Server, count: number): void {
  const { symbols, close } = dlopen("libc.so.6", { prlimit: { args: ["i32", "i32", "ptr", "ptr"], returns: "i32" } });
  const found = new BigUint64Array(2);
  expect(symbols.prlimit(pid, RLIMIT_NOFILE, null, found)).toBe(0);
  expect(symbols.prlimit(pid, RLIMIT_NOFILE, BigUint64Array.of(BigInt(count), found[1] ?? 0n), null)).toBe(0);
  close();
}

test("an ingest that finds none is told to come again, and the service goes on", async () => {
  const server = await sandbox.serve();
  const body = { units: [{ modality: "text", text: "a sentence that no encoder has read yet", scope: "harbour/ops" }] };
  // What a start does behind its listener has its descriptors by then.
  await eventually("the whole start", async () => (await server.call("GET", "/v1/health")).body.status === "ok");
  expect((await server.call("GET", "/v1/units")).status).toBe(200);
  limit(server, descriptors(server) + 8);
  const { status, body: refused, headers } = await server.call("POST", "/v1/ingest", { body });
  expect({ status, error: refused.error, after: headers.get("retry-after") }).toEqual({ status: 503, error: "unavailable", after: "1" });
  expect((await server.call("GET", "/v1/health")).status).toBe(200);
  limit(server, 1_024);
  const stored = await eventually("the ingest", async () => {
    const answer = await server.call("POST", "/v1/ingest", { body });
    return answer.status === 200 && answer.body;
  });
  expect(stored.created).toBe(1);
  expect((await server.stop()).code).toBe(0);
});

test("a limit too small to start with is one line, and nothing is made", async () => {
  const data = `${sandbox.work}/never`;
  const command = ["/bin/sh", "-c", `ulimit -n 100; exec ${sandbox.work}/strata serve --port 0 --data ${data}`];
  const { code, stderr } = await sandbox.spawnCommand(command, { HOME: sandbox.home, PATH: "/nonexistent" }).ended();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "strata: the system allows this process 100 open files; allow at least 256 (ulimit -n, or LimitNOFILE of the unit)\n",
  });
  expect(readdirSync(sandbox.work)).not.toContain("never");
});
