/** Without a network, seen by strace: nothing is fetched, and nothing is written outside the data directory. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ADMIN, type Process, programPath, READER, Sandbox, Server, START_MAX_MS, socketsOf, treeOf, works } from "./support.ts";

setDefaultTimeout(START_MAX_MS + 60_000);

const canUnshare =
  works("unshare", "-m", "-n", "--propagation", "private", "true") && ["nsenter", "mount", "ip"].every((name) => programPath(name) !== null);
const canTrace = works("strace", "-D", "-f", "--seccomp-bpf", "-y", "-o", "/dev/null", "-e", "trace=openat", "true");

/** Every call that opens a connection or gives a name to a file. */
const CALLS = "connect,bind,open,openat,openat2,creat,mkdir,mkdirat,mknod,mknodat,rename,renameat,renameat2,link,linkat,symlink,symlinkat";
const CLIENT_GONE_MAX_MS = 5_000;
/** Inside, the sandbox is /mnt: every place where a program might leave something is then a directory of ours. */
const INSIDE = "/mnt";
const DATA = `${INSIDE}/work/strata-data`;
const SCRIPT = `
set -e
"$IP" link set lo up
mount --bind "$1" ${INSIDE}
mount --bind ${INSIDE}/tmp /tmp
mount --bind ${INSIDE}/vartmp /var/tmp
mount --bind ${INSIDE}/shm /dev/shm
cd ${INSIDE}/work
shift
exec env -i HOME=${INSIDE}/home PATH=/nonexistent "$@"`;

/** Under their names, fixtures of the models. */
const FILES = { "clock.png": "image-classifier/fixture/clock.png", "jfk.wav": "whisper-tiny-en/fixture/jfk.wav" };

const sandbox = new Sandbox();
const trace = join(sandbox.root, "trace");
let server: Server;

function started(): Process {
  const strace = canTrace
    ? [programPath("strace") ?? "", "-D", "-f", "--seccomp-bpf", "-qq", "-y", "-o", `${INSIDE}/trace`, "-e", `trace=${CALLS}`]
    : [];
  const program = [...strace, `${INSIDE}/work/strata`, "serve", "--demo", "--port", "0"];
  const unshare = [programPath("unshare") ?? "", "-m", "-n", "--propagation", "private"];
  const env = { PATH: process.env.PATH ?? "", IP: programPath("ip") ?? "" };
  return sandbox.spawnCommand([...unshare, "/bin/sh", "-c", SCRIPT, "sh", sandbox.root, ...program], env);
}

/** A command beside the server, in its network and its mounts. */
function inside(...args: string[]) {
  const nsenter = [programPath("nsenter") ?? "", "-t", String(server.process.pid), "-m", "-n", `--wdns=${INSIDE}/work`];
  const asked = [...args, "--url", server.address, "--token", args[0] === "search" ? READER : ADMIN];
  return sandbox.spawnCommand([...nsenter, `${INSIDE}/work/strata`, ...asked], { HOME: `${INSIDE}/home`, PATH: "/nonexistent" }).ended();
}

describe.skipIf(!canUnshare)("without a network (needs unshare, nsenter, mount, ip and the right to use them)", () => {
  beforeAll(async () => {
    for (const name of ["tmp", "vartmp", "shm"]) mkdirSync(join(sandbox.root, name));
    server = await Server.of(started());
  });
  afterAll(() => sandbox.dispose());

  test("it serves the demo and searches", async () => {
    const { code, stdout } = await inside("search", "why did turbine 7 stop?", "--json");
    expect(code).toBe(0);
    const { hits, hidden_by_acl } = JSON.parse(stdout);
    expect(hits.length).toBe(10);
    expect(hidden_by_acl).toBeGreaterThan(0);
  });

  test("it answers, with citations", async () => {
    const { code, stdout } = await inside("answer", "why did turbine 7 stop?", "--json");
    expect(code).toBe(0);
    const { answer } = JSON.parse(stdout);
    expect({ status: answer.status, model: answer.model, cited: answer.citations.length > 0 }).toEqual({
      status: "answered",
      model: "extractive",
      cited: true,
    });
  });

  test("it ingests and finds it", async () => {
    writeFileSync(
      join(sandbox.work, "units.ndjson"),
      `${JSON.stringify({ modality: "text", text: "the lighthouse of Vessbrook is dark", scope: "harbour/ops", acl_groups: ["ops"] })}\n`,
    );
    expect(await inside("ingest", "units.ndjson")).toMatchObject({ code: 0, stdout: "1 Unit ingested: 1 created, 0 updated, 0 unchanged\n" });
    const { stdout } = await inside("search", "vessbrook lighthouse", "--mode", "fulltext", "--json");
    expect(JSON.parse(stdout).hits[0].text).toContain("Vessbrook");
  });

  test("it looks at a picture, listens to a voice, and finds both", async () => {
    for (const [name, fixture] of Object.entries(FILES)) copyFileSync(join(import.meta.dir, "../../models", fixture), join(sandbox.work, name));
    const taken = await inside("ingest", ...Object.keys(FILES), "--scope", "harbour/ops", "--group", "ops");
    expect(taken).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 files taken in: /) });
    for (const [q, name] of [
      ["clock", "clock.png"],
      ["ask not what your country can do for you", "jfk.wav"],
    ] as const) {
      const { stdout } = await inside("search", q, "--json");
      expect(JSON.parse(stdout).hits[0].metadata.file_name).toBe(name);
    }
  });

  test("its only socket is the listener", async () => {
    // A command that has ended may leave its connection to the listener open for a moment.
    const deadline = Date.now() + CLIENT_GONE_MAX_MS;
    while (socketsOf(server.process.pid).length > 1 && Date.now() < deadline) await Bun.sleep(20);
    expect(socketsOf(server.process.pid)).toEqual([{ local: `127.0.0.1:${server.port}`, remote: "0.0.0.0:0" }]);
  });

  test("SIGTERM ends it", async () => {
    expect((await server.stop()).code).toBe(0);
  });

  test("it left nothing but the data directory", () => {
    const outside = treeOf(sandbox.root).filter((path) => !path.startsWith("work/strata-data/"));
    const files = Object.keys(FILES).map((name) => `work/${name}`);
    const expected = ["home", "shm", "tmp", "vartmp", "work", ...files, "work/strata", "work/strata-data", "work/units.ndjson"].sort();
    expect(outside).toEqual(canTrace ? [...expected, "trace"].sort() : expected);
    expect(treeOf(join(sandbox.data, "tmp"))).toEqual([]);
  });

  describe.skipIf(!canTrace)("strace saw (needs strace)", () => {
    /** A call as it begins; its end, when another thread came between, repeats nothing of it. */
    const calls = () =>
      readFileSync(trace, "utf8")
        .split("\n")
        .flatMap((line) => {
          const [, name, rest] = /^\d+ +([a-z0-9]+)\((.*)$/.exec(line) ?? [];
          return name === undefined || rest === undefined ? [] : [{ name, rest }];
        });

    test("no connection to anywhere else", () => {
      const connects = calls().filter(({ name }) => name === "connect");
      const here = /sa_family=AF_UNIX|inet_addr\("127\.|inet_pton\(AF_INET6, "::1"/;
      expect(connects.filter(({ rest }) => !here.test(rest))).toEqual([]);
      // The trace is one of a server: it shows the listener, and before the data directory is made that the address can be had.
      expect(calls().filter(({ name, rest }) => name === "bind" && rest.includes('inet_addr("127.0.0.1")')).length).toBe(2);
    });

    test("no file made or opened for writing outside the data directory", () => {
      const written = calls()
        .filter(
          ({ name, rest }) => !["connect", "bind"].includes(name) && !(name.startsWith("open") && !/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(rest)),
        )
        .flatMap(({ rest }) => pathsOf(rest));
      expect(written.length).toBeGreaterThan(1_000);
      expect([...new Set(written.filter((path) => path !== DATA && !path.startsWith(`${DATA}/`) && path !== "/dev/null"))]).toEqual([]);
    });
  });
});

/** The absolute paths among the arguments of a call: `AT_FDCWD</mnt/work>, "./x"`, `7</mnt/work/d>, "x"` or `"/x"`. */
function pathsOf(rest: string): string[] {
  return [...rest.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)].map(
    ([, from = `${INSIDE}/work`, path = ""]) => new URL(path, `file://${from}/`).pathname,
  );
}
