/** `strata doctor` and `strata models` look and change nothing; `strata doctor --repair` mends. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  contentOf,
  copyData,
  type Ended,
  ONE_LINE,
  RUNTIME,
  Sandbox,
  START_MAX_MS,
  seededData,
  seededSandbox,
  treeOf,
  withDatabase,
} from "./support.ts";

setDefaultTimeout(START_MAX_MS + 60_000);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await seededSandbox();
});
afterAll(() => sandbox.dispose());

const inDemo = (path: string) => join(sandbox.data, "namespaces/demo", path);

/** Runs a command and holds the data directory to what it was. */
async function unchanged(...args: string[]): Promise<Ended> {
  const before = contentOf(sandbox.data);
  const ended = await sandbox.run(args);
  expect({ args, content: contentOf(sandbox.data) }).toEqual({ args, content: before });
  return ended;
}

describe("doctor", () => {
  test("finds nothing wrong with a directory that is whole, and leaves it as it is", async () => {
    expect(await unchanged("doctor")).toMatchObject({ code: 0, stdout: expect.stringContaining("no fault found") });
  });

  test("names damaged and missing indexes, changes nothing, and mends them with --repair", async () => {
    const manifest = treeOf(inDemo("vectors/text")).find((name) => name.includes("windows.lance/_versions/")) ?? "";
    truncateSync(inDemo(`vectors/text/${manifest}`), 10);
    rmSync(inDemo("vectors/audio"), { recursive: true });
    const segment = treeOf(inDemo("fulltext")).find((name) => name.endsWith(".term")) ?? "";
    writeFileSync(inDemo(`fulltext/${segment}`), Buffer.alloc(100));

    const found = await unchanged("doctor");
    expect(found.code).toBe(3);
    expect(found.stdout).toContain("faults remain");
    for (const index of ["text", "audio", "fulltext"]) expect(found.stdout).toContain(`demo: ${index} is damaged or missing`);
    expect(found.stderr).toContain("--repair");
    expect((await unchanged("doctor", "--json")).code).toBe(3);

    const mended = await sandbox.run(["doctor", "--repair"]);
    expect(mended).toMatchObject({ code: 0, stdout: expect.stringContaining("before the repair: text is damaged or missing") });
    expect((await unchanged("doctor")).code).toBe(0);
  });

  test("changes nothing of a directory of an older format, and says so", async () => {
    const data = join(sandbox.work, "older");
    copyData(await seededData(), data);
    withDatabase(join(data, "system.db"), (db) => db.run("PRAGMA user_version = 1"));
    const before = contentOf(data);
    const { code, stderr } = await sandbox.run(["doctor", "--data", data]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^strata: system\.db has format 1; nothing was changed\. [^\n]+\n$/);
    expect(contentOf(data)).toEqual(before);
  });
});

describe("models", () => {
  test("needs no data directory and makes none", async () => {
    const empty = new Sandbox();
    const before = treeOf(empty.root);
    expect(await empty.run(["models"])).toMatchObject({ code: 0, stderr: "" });
    expect(treeOf(empty.root)).toEqual(before);
    await empty.dispose();
  });
});

describe("the runtime folder", () => {
  const build = () => join(sandbox.data, RUNTIME, treeOf(join(sandbox.data, RUNTIME))[0] ?? "");

  test("of another build stays for doctor and models, and goes with the next server", async () => {
    const other = join(sandbox.data, RUNTIME, "0123456789abcdef");
    mkdirSync(other, { mode: 0o700 });
    writeFileSync(join(other, "lancedb.node"), "of another build");
    expect((await unchanged("models")).code).toBe(0);
    expect((await unchanged("doctor")).code).toBe(0);
    expect((await sandbox.run(["search", "turbine"])).code).toBe(0);
    expect(existsSync(other)).toBe(true);
    const server = await sandbox.serve();
    expect((await server.stop()).code).toBe(0);
    expect(existsSync(other)).toBe(false);
  });

  test("is refused when others may write to it, or a library is not this build's", async () => {
    const library = join(build(), "tantivy.node");
    // A file of its own: this one is shared with other directories.
    const bytes = readFileSync(library);
    const put = (content: Buffer, mode: number) => {
      rmSync(library);
      writeFileSync(library, content);
      chmodSync(library, mode);
    };
    put(bytes, 0o622);
    for (const command of [
      ["serve", "--port", "0"],
      ["search", "turbine"],
    ]) {
      const { code, stderr } = await sandbox.run(command);
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(stderr).toMatch(ONE_LINE);
      expect(stderr).toContain("can be written by other users");
    }
    const changed = Buffer.from(bytes);
    changed[5_000] = (changed[5_000] ?? 0) ^ 1;
    put(changed, 0o600);
    const { code, stderr } = await sandbox.run(["serve", "--port", "0"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      // It may listen before it has read all of them; it loads none of them.
      stderr: expect.stringMatching(/^(listening on [^\n]+\n)?strata: [^\n]+tantivy\.node is not the file of this build[^\n]+\n$/),
    });
    put(bytes, 0o600);
    expect((await sandbox.run(["doctor"])).code).toBe(0);
  });

  test("lies where --runtime says", async () => {
    const fresh = new Sandbox();
    const shared = join(fresh.work, "lib");
    const server = await fresh.serve(["--runtime", shared]);
    expect((await server.stop()).code).toBe(0);
    expect(treeOf(shared).some((name) => name.endsWith("/lancedb.node"))).toBe(true);
    expect(existsSync(join(fresh.data, RUNTIME))).toBe(false);
    const before = contentOf(fresh.data);
    expect((await fresh.run(["doctor", "--runtime", shared])).code).toBe(0);
    // Without a copy at hand it unpacks one for itself, and takes it away again.
    expect((await fresh.run(["doctor"])).code).toBe(0);
    expect(contentOf(fresh.data)).toEqual(before);
    await fresh.dispose();
  });
});
