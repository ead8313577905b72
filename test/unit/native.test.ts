/** What the C library does for us: a program that is bound to whoever starts it (ffmpeg, beside a process that the kernel may kill at any time), and memory. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BOUND_ARGUMENT, bound, EXIT_NOT_RUN, forgetCode, pageOutFiles, preferHugePages, selfCommand } from "../../src/runtime/native.ts";
import { temporaryDirectory } from "../support/scratch.ts";

setDefaultTimeout(60_000);

async function run(command: readonly string[]): Promise<{ output: string; code: number }> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "ignore", env: { SECRET: "1" } });
  const output = await new Response(child.stdout).text();
  return { output, code: await child.exited };
}

test("ends when the process that started it is killed", async () => {
  const parent = Bun.spawn([process.execPath, join(import.meta.dir, "../support/bound-parent.ts")], { stdout: "pipe" });
  const { value } = await parent.stdout.getReader().read();
  const pid = Number(new TextDecoder().decode(value));
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  parent.kill("SIGKILL");
  await parent.exited;
  while (existsSync(`/proc/${pid}`)) await Bun.sleep(10);
});

test("gets its arguments as they are, no environment, and its own exit status", async () => {
  const script = 'printf "%s|" "$@"; exit 3';
  expect(await run(bound("/bin/sh", ["-c", script, "sh", "a b", "--version", "ü"]))).toEqual({ output: "a b|--version|ü|", code: 3 });
  expect((await run(bound("/usr/bin/env", []))).output).toBe("");
});

test("does not run when there is no such program, or whoever asked is gone", async () => {
  expect((await run(bound("/nowhere/ffmpeg", []))).code).toBe(EXIT_NOT_RUN);
  expect(await run([...selfCommand(BOUND_ARGUMENT), "1", "/bin/echo", "late"])).toEqual({ output: "", code: EXIT_NOT_RUN });
});

test("mapped files whose memory was given back read as before; a directory that is gone has none", () => {
  const directory = temporaryDirectory();
  const path = join(directory, "mapped");
  const content = Buffer.from("what the file says ".repeat(10_000));
  writeFileSync(path, content);
  const mapped = Bun.mmap(path);
  expect(content.equals(mapped)).toBe(true);
  pageOutFiles(directory);
  expect(content.equals(mapped)).toBe(true);
  pageOutFiles(join(directory, "gone"));
});

test("a library whose code was given back runs on", () => {
  const library = Bun.resolveSync("@oxdev03/node-tantivy-binding-linux-x64-gnu", import.meta.dir);
  const { SchemaBuilder } = require(library) as { SchemaBuilder: new () => { build(): object } };
  const code = () => {
    const [, resident] =
      new RegExp(` r-xp .*${RegExp.escape(library)}\n(?:.*\n)*?Rss: +(\\d+) kB`).exec(readFileSync("/proc/self/smaps", "utf8")) ?? [];
    return Number(resident);
  };
  const build = () => new SchemaBuilder().build();
  const before = build();
  expect(code()).toBeGreaterThan(0);
  forgetCode(library);
  expect(code()).toBe(0);
  expect(Object.keys(build())).toEqual(Object.keys(before));
  expect(code()).toBeGreaterThan(0);
});

test("memory for which huge pages are asked keeps what it holds, and takes more", () => {
  const MB = 2 ** 20;
  const memory = new Uint8Array(16 * MB);
  memory.fill(7, 0, 3 * MB);
  preferHugePages(memory.buffer);
  memory.fill(9, 5 * MB);
  const sum = (from: number, to: number) => memory.subarray(from * MB, to * MB).reduce((all, value) => all + value, 0);
  expect([sum(0, 3), sum(3, 5), sum(5, 16)]).toEqual([7 * 3 * MB, 0, 9 * 11 * MB]);
});
