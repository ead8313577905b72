/** Which server or directory a command works on, and the token that goes there. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clearTemporary, type DataDirectory, openDataDirectory } from "../../src/adapter/sqlite/data-directory.ts";
import { holdingServer, tellServer } from "../../src/app/server-file.ts";
import { systemClock } from "../../src/base/clock.ts";
import { TOKEN_FILE_MAX_BYTES, TOKEN_MAX_CHARS } from "../../src/base/limits.ts";
import { type Environment, UsageError } from "../../src/cli/command.ts";
import { targetOf } from "../../src/cli/flags.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { runStrata } from "../support/strata.ts";

const root = temporaryDirectory();
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("a target", () => {
  const none = { data: undefined, url: undefined, token: undefined, "token-file": undefined };
  const target = (flags: Partial<Record<keyof typeof none, string>>, env: Environment = {}) => targetOf({ ...none, ...flags }, env);
  const file = join(root, "token");

  test("is the data directory unless a server is named", () => {
    expect(target({}, { STRATA_DATA: "/d", STRATA_TOKEN: "t" })).toEqual({ kind: "data", path: "/d" });
    expect(target({ data: "/e" }, { STRATA_DATA: "/d", STRATA_URL: "http://h", STRATA_TOKEN: "t" })).toEqual({ kind: "data", path: "/e" });
  });

  test("takes address and token from flags, a file and the environment, in this order", () => {
    writeFileSync(file, "  filed\n");
    const url = "http://h:1";
    expect(target({ url: `${url}/` }, { STRATA_TOKEN: "t" })).toEqual({ kind: "server", url, token: "t" });
    expect(target({}, { STRATA_URL: url, STRATA_TOKEN: "t", STRATA_DATA: "/d" })).toEqual({ kind: "server", url, token: "t" });
    expect(target({ url }, { STRATA_URL: "http://other", STRATA_TOKEN: "t" })).toEqual({ kind: "server", url, token: "t" });
    expect(target({ url, token: "given" }, { STRATA_TOKEN: "t" })).toEqual({ kind: "server", url, token: "given" });
    expect(target({ url, "token-file": file }, { STRATA_TOKEN: "t" })).toEqual({ kind: "server", url, token: "filed" });
  });

  test("that makes no sense is refused", () => {
    const url = "http://h";
    for (const bad of [
      { url },
      { token: "t" },
      { "token-file": file },
      { url: "ftp://h", token: "t" },
      { url, token: "t", data: "d" },
      { url, token: "ä" },
    ]) {
      expect(() => target(bad)).toThrow(UsageError);
    }
    expect(() => target({ url, token: "t", "token-file": file })).toThrow("exclude each other");
    expect(() => target({ "token-file": file })).toThrow("--token-file goes with --url");
  });

  test("a file that holds no token alone is refused, and not shown", () => {
    const refused = (path: string) => expect(() => target({ url: "http://h", "token-file": path }));
    for (const content of ["", "\n", "two words", "ä", "x".repeat(TOKEN_MAX_CHARS + 1), "x".repeat(2 * TOKEN_FILE_MAX_BYTES)]) {
      writeFileSync(file, content);
      refused(file).toThrow(`${file} holds no token: one line of up to ${TOKEN_MAX_CHARS} printable characters without blanks`);
    }
    refused(root).toThrow("cannot read the token file");
    refused(join(root, "none")).toThrow("none: ENOENT");
  });
});

describe("a data directory that a server holds", () => {
  const data = join(root, "held");
  const file = join(data, "server.json");
  let held: DataDirectory;
  let server: ReturnType<typeof Bun.serve>;
  let seen: (string | null)[] = [];
  const found = { hits: [], hidden_by_acl: 0, trace: { warnings: [] } };

  beforeAll(() => {
    held = openDataDirectory(data, systemClock);
    server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url, headers }) => {
        seen.push(`${new URL(url).pathname} ${headers.get("authorization")}`);
        return Response.json(found);
      },
    });
  });
  afterAll(async () => {
    held.close();
    await server.stop(true);
  });
  const tell = (more: { host?: string; demo?: boolean } = {}) => tellServer(data, { host: "127.0.0.1", port: server.port ?? 0, demo: true, ...more });
  beforeEach(() => {
    seen = [];
    rmSync(file, { force: true });
    tell();
  });
  const search = (...more: string[]) => runStrata(["search", "x", "--data", data, ...more]);
  const address = () => `http://127.0.0.1:${server.port}`;

  test("is asked as the demo's reader, which stderr says in one line", async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const line = `asking ${address()}, which serves the demo, as demo-reader; --url and --token-file ask as somebody else\n`;
    expect(await search()).toEqual({ status: 0, out: "no Unit found\nhidden_by_acl 0\n", err: line });
    expect((await search("--as", "demo-reader", "--namespace", "demo", "--json")).status).toBe(0);
    expect(seen).toEqual(Array(2).fill("/v1/search Bearer strata_demo_reader"));
  });

  test("without the demo is named, and sent nothing", async () => {
    tell({ demo: false });
    const { status, err } = await search();
    expect({ status, err }).toEqual({
      status: 1,
      err: `strata: data directory ${data} is held by the server at ${address()} (process ${process.pid}); reach it with --url ${address()} and --token-file FILE, or stop it\n`,
    });
    expect(seen).toEqual([]);
  });

  test("as anybody else, in another namespace, or to change something, is named too", async () => {
    for (const more of [
      ["--as", "demo-admin"],
      ["--namespace", "pro"],
    ])
      expect((await search(...more)).err).toContain(`reach it with --url ${address()}`);
    const others = [["token", "list"], ["seed"], ["audit", "verify"]];
    for (const words of others) expect((await runStrata([...words, "--data", data])).err).toContain(`reach it with --url ${address()}`);
    const alone = await runStrata(["namespace", "list", "--data", data]);
    expect(alone.err).toContain(`is held by the server at ${address()} (process ${process.pid}), and this command needs it alone: stop that first`);
    expect(seen).toEqual([]);
  });

  const UNTRUSTED: [name: string, change: () => void][] = [
    ["others may read", () => chmodSync(file, 0o644)],
    ["others may write", () => chmodSync(file, 0o602)],
    ["points elsewhere", () => tell({ host: "192.0.2.1" })],
    ["names a host that only looks like loopback", () => tell({ host: "127.0.0.1.example.org" })],
    ["is of a process that is gone", () => rewrite({ pid: 2 ** 22 + 1 })],
    ["is of another version", () => rewrite({ version: 2 })],
    ["has no port", () => rewrite({ port: 0 })],
    ["is no JSON", () => writeFileSync(file, "{")],
    ["is a link", () => link()],
    ["is a folder", () => folder()],
    ["is missing", () => rmSync(file)],
  ];
  function rewrite(more: object): void {
    writeFileSync(file, JSON.stringify({ version: 1, host: "127.0.0.1", port: server.port, pid: process.pid, demo: true, ...more }));
  }
  function link(): void {
    renameSync(file, join(root, "elsewhere.json"));
    symlinkSync(join(root, "elsewhere.json"), file);
  }
  function folder(): void {
    rmSync(file);
    mkdirSync(file);
  }
  test.each(UNTRUSTED)("whose file %s is not asked", async (_name, change) => {
    expect(holdingServer(data)).not.toBeNull();
    change();
    expect(await search()).toMatchObject({ status: 1, out: "", err: expect.stringContaining("is in use by another strata process") });
    expect(seen).toEqual([]);
    rmSync(file, { recursive: true, force: true });
  });

  test.skipIf(process.geteuid?.() !== 0)("whose file another user wrote is not asked (needs root)", async () => {
    chownSync(file, 65_534, 65_534);
    expect((await search()).err).toContain("is in use by another strata process");
    expect(seen).toEqual([]);
  });
});

test("what a killed server left is no server: the lock says so, and whoever takes it removes the file", async () => {
  const data = join(root, "left");
  openDataDirectory(data, systemClock).close();
  tellServer(data, { host: "127.0.0.1", port: 9, demo: true });
  expect(await runStrata(["token", "list", "--data", data])).toMatchObject({ status: 0, err: "" });
  expect(existsSync(join(data, "server.json"))).toBe(false);
});

test("tmp/ is emptied, and a link in its place is left alone", () => {
  const data = join(root, "cleared");
  const elsewhere = join(root, "elsewhere");
  openDataDirectory(data, systemClock).close();
  for (const folder of [join(data, "tmp"), elsewhere]) {
    mkdirSync(join(folder, "media-1"), { recursive: true });
    writeFileSync(join(folder, "media-1", "part.wav"), "x");
  }
  symlinkSync(elsewhere, join(data, "tmp", "link"));
  clearTemporary(data);
  expect(readdirSync(join(data, "tmp"))).toEqual([]);
  rmSync(join(data, "tmp"), { recursive: true });
  symlinkSync(elsewhere, join(data, "tmp"));
  clearTemporary(data);
  expect(existsSync(join(elsewhere, "media-1", "part.wav"))).toBe(true);
});
