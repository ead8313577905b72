/** Commands in the directory of a running server, without being told where it is. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ADMIN, eventually, LINE_MAX_MS, ONE_LINE, type Sandbox, START_MAX_MS, seededSandbox, works } from "./support.ts";

setDefaultTimeout(START_MAX_MS + 60_000);

const QUESTION = "why did turbine 7 stop?";

let sandbox: Sandbox;
let file = "";
beforeAll(async () => {
  sandbox = await seededSandbox();
  file = join(sandbox.data, "server.json");
});
afterAll(() => sandbox.dispose());

const asked = (url: string) => `asking ${url}, which serves the demo, as demo-reader; --url and --token-file ask as somebody else\n`;
const who = (text: string) => JSON.parse(text).context.principal.principal_id;

describe("a server with the demo", () => {
  test("is asked as its reader, until it ends", async () => {
    const server = await sandbox.serve(["--demo"]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ version: 1, host: "127.0.0.1", port: server.port, demo: true, pid: server.process.pid });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await eventually("what to try next", () => server.process.stdout.includes(`answer "${QUESTION}"\n`), LINE_MAX_MS);

    const answer = await sandbox.run(["answer", QUESTION]);
    // A busy machine may add a warning that reranking ran out of time.
    expect({ code: answer.code, told: answer.stderr.startsWith(asked(server.url)) }).toEqual({ code: 0, told: true });
    expect(answer.stdout).toMatch(/\nanswered · .*\nhidden_by_acl [1-9]/s);
    const found = await sandbox.run(["search", QUESTION, "--facet", "modality", "--json"]);
    expect(who(found.stdout)).toBe("demo-reader");
    expect(JSON.parse(found.stdout).facets.modality.values.length).toBeGreaterThan(1);

    writeFileSync(join(sandbox.work, "token"), `${ADMIN}\n`);
    const named = ["--url", server.url, "--token-file", "token"];
    expect(who((await sandbox.run(["search", QUESTION, "--json", ...named])).stdout)).toBe("demo-admin");
    const environment = { STRATA_URL: server.url, STRATA_TOKEN: ADMIN };
    expect(who((await sandbox.run(["search", QUESTION, "--json"], environment)).stdout)).toBe("demo-admin");

    chmodSync(file, 0o644);
    expect(await sandbox.run(["search", QUESTION])).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(ONE_LINE) });
    expect((await server.stop()).code).toBe(0);
    expect(existsSync(file)).toBe(false);
    const alone = await sandbox.run(["search", QUESTION, "--json"]);
    expect({ who: who(alone.stdout), stderr: alone.stderr }).toEqual({ who: "operator", stderr: "" });
  });

  test("that was killed leaves nothing behind that the next command would believe, or keep", async () => {
    const left = join(sandbox.data, "tmp", "media-1", "part.wav");
    const server = await sandbox.serve(["--demo"]);
    mkdirSync(join(left, ".."));
    writeFileSync(left, "half a part");
    await server.process.kill("SIGKILL");
    expect(existsSync(file)).toBe(true);
    const { code, stdout, stderr } = await sandbox.run(["search", QUESTION, "--json"]);
    expect({ code, stderr, who: who(stdout) }).toEqual({ code: 0, stderr: "", who: "operator" });
    expect({ file: existsSync(file), left: existsSync(left) }).toEqual({ file: false, left: false });
  });
});

describe("on a terminal", () => {
  const onTerminal = (command: string) =>
    sandbox.spawnCommand(["/usr/bin/script", "-qec", command, "/dev/null"], { HOME: sandbox.home, PATH: "/usr/bin:/bin" });

  test.skipIf(!works("script", "-qec", "true", "/dev/null"))(
    "colours, and none with --no-color (skipped without `script` or a terminal for it)",
    async () => {
      const coloured = await onTerminal(`./strata search "${QUESTION}" --top-k 1`).ended();
      expect(coloured.code).toBe(0);
      expect(coloured.stdout).toContain("\x1b[1m\x1b[36m");
      const plain = await onTerminal(`./strata search "${QUESTION}" --top-k 1 --no-color 2>/dev/null`).ended();
      expect(plain.stdout).not.toContain("\x1b");
      expect(plain.stdout).toContain("1 hit");
    },
  );
});
