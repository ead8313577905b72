/** A build without the media models and the multilingual encoder: English text still goes in, and everything else says what is missing. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ended, Sandbox, START_MAX_MS } from "./support.ts";

setDefaultTimeout(START_MAX_MS + 120_000);

const ROOT = join(import.meta.dir, "../..");
const PROGRAM = "dist/strata-without-media";

let sandbox: Sandbox;
const run = (...args: string[]): Promise<Ended> =>
  sandbox.spawnCommand([join(ROOT, PROGRAM), ...args], { HOME: sandbox.home, PATH: "/nonexistent", STRATA_DATA: sandbox.data }).ended();

beforeAll(async () => {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "build.ts", PROGRAM, "--without", "media", "--without", "multilingual"], {
    cwd: ROOT,
    stderr: "pipe",
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
  sandbox = new Sandbox();
  mkdirSync(join(sandbox.work, "files"));
  copyFileSync(join(ROOT, "models/image-classifier/fixture/clock.png"), join(sandbox.work, "files/clock.png"));
  copyFileSync(join(ROOT, "models/whisper-tiny-en/fixture/jfk.wav"), join(sandbox.work, "files/jfk.wav"));
  writeFileSync(join(sandbox.work, "files/note.md"), "# Tide\n\nHigh water is at noon.\n");
});
afterAll(async () => {
  await sandbox.dispose();
  rmSync(join(ROOT, PROGRAM), { force: true });
});

test("it seeds, and searches by words and meaning", async () => {
  expect((await run("seed")).code).toBe(0);
  const { code, stdout } = await run("search", "why did turbine 7 stop?", "--as", "demo-reader", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).hits.length).toBe(10);
});

test("it takes text in, and says of the rest which build reads it", async () => {
  const { code, stdout } = await run("ingest", "files", "--namespace", "demo", "--scope", "harbour/ops", "--json");
  const { files, skipped } = JSON.parse(stdout) as { files: number; skipped: { path: string; reason: string }[] };
  expect({ code, files }).toEqual({ code: 1, files: 1 });
  expect(skipped.map(({ path }) => path)).toEqual(["files/clock.png", "files/jfk.wav"]);
  for (const { reason } of skipped) expect(reason).toContain("this build has no media models");
});

test("no namespace of another language is made, and it says which build has one", async () => {
  const made = await run("namespace", "create", "werk", "--language", "de");
  expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining("--without multilingual") });
});

test("models says that they are left out", async () => {
  expect(await run("models", "--prove")).toMatchObject({ code: 1, stderr: expect.stringContaining("--without media") });
  const { code, stdout } = await run("models", "--json");
  const { models } = JSON.parse(stdout) as { models: { name: string; verified: boolean | null }[] };
  expect(code).toBe(0);
  expect(models.filter(({ verified }) => verified === null).length).toBe(7);
});
