/** A data directory that cannot be used: status 1, one line, and nothing in it is changed. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentOf, copyData, ONE_LINE, programPath, type Sandbox, START_MAX_MS, seededData, seededSandbox, withDatabase, works } from "./support.ts";

setDefaultTimeout(START_MAX_MS + 60_000);

const COMMANDS = [["serve", "--port", "0"], ["search", "turbine"], ["audit", "verify"], ["doctor"], ["seed"]];

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await seededSandbox();
});
afterAll(() => sandbox.dispose());

/** Harms a directory and expects these commands to refuse it with `words` and to leave it as it is. */
async function expectRefusals(data: string, words: RegExp, commands: readonly string[][] = COMMANDS): Promise<void> {
  const before = contentOf(data);
  for (const command of commands) {
    const { code, stdout, stderr } = await sandbox.run([...command, "--data", data]);
    expect({ command, code, stdout }).toEqual({ command, code: 1, stdout: "" });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toMatch(words);
    expect({ command, content: contentOf(data) }).toEqual({ command, content: before });
  }
}

async function harmed(name: string, harm: (data: string) => void): Promise<string> {
  const data = join(sandbox.work, name);
  copyData(await seededData(), data);
  harm(data);
  return data;
}

const bump = (path: string) => withDatabase(path, (db) => db.run("PRAGMA user_version = 99"));

function garble(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 0, 100);
  writeFileSync(path, bytes);
}

test("system.db of a newer version", async () => {
  await expectRefusals(
    await harmed("newer", (data) => bump(join(data, "system.db"))),
    /system\.db was written by a newer strata \(format 99, .*nothing was changed/,
  );
});

test("a directory whose catalogs may be of a newer version", async () => {
  const data = await harmed("newer-catalogs", (path) =>
    withDatabase(join(path, "system.db"), (db) => db.run("UPDATE catalog_format SET format = 99")),
  );
  await expectRefusals(data, /newer-catalogs was written by a newer strata \(format 99, .*nothing was changed/);
});

test("a single catalog of a newer version", async () => {
  const data = await harmed("newer-catalog", (path) => bump(join(path, "namespaces/pro/catalog.db")));
  await expectRefusals(data, /catalog of namespace pro was written by a newer strata/, [["audit", "verify", "--namespace", "pro"]]);
});

test("a damaged system.db", async () => {
  await expectRefusals(await harmed("damaged", (data) => garble(join(data, "system.db"))), /system\.db is damaged; nothing was changed/);
});

test("a directory of something else", async () => {
  const data = join(sandbox.work, "thesis");
  mkdirSync(data);
  writeFileSync(join(data, "chapter-1.txt"), "years of work");
  await expectRefusals(data, /thesis is not empty and holds no strata data/, [["serve", "--port", "0"], ["seed"]]);
});

test("a file in place of the directory", async () => {
  const data = join(sandbox.work, "file");
  writeFileSync(data, "x");
  const { code, stderr } = await sandbox.run(["serve", "--port", "0", "--data", data]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^strata: data directory \S+\/file is not a directory\n$/);
  expect(readFileSync(data, "utf8")).toBe("x");
});

test("the directory it makes is private", async () => {
  expect(statSync(await seededData()).mode & 0o777).toBe(0o700);
});

const canMount = works("unshare", "-m", "--propagation", "private", "true") && programPath("mount") !== null;

describe.skipIf(!canMount)("on a read-only disk (needs the right to mount)", () => {
  const mount = (...args: string[]) => expect(spawnSync(programPath("mount") ?? "", args).status).toBe(0);

  test("every command is refused", async () => {
    const data = join(sandbox.work, "frozen");
    mkdirSync(data);
    mount("--bind", sandbox.data, data);
    try {
      mount("-o", "remount,ro,bind", data);
      await expectRefusals(data, /cannot be written: no permission, or the disk is read-only/);
    } finally {
      spawnSync(programPath("umount") ?? "", ["-l", data]);
      rmSync(data, { recursive: true });
    }
  });
});
