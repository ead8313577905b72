/** What the shells themselves complete with the scripts of `strata completions`. */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { COMMON } from "../../src/cli/help.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { runStrata } from "../support/strata.ts";

const root = temporaryDirectory();
mkdirSync(join(root, "work", "folder one"), { recursive: true });
writeFileSync(join(root, "work", "file two.ndjson"), "");

async function written(shell: string): Promise<string> {
  const { status, out, err } = await runStrata(["completions", shell]);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  const path = join(root, `strata.${shell}`);
  writeFileSync(path, out);
  return path;
}

/** Runs a shell in a folder with one file and one folder; its lines. What it says on stderr fails the test. */
function lines(command: string[]): string[] {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, { cwd: join(root, "work"), env: { PATH: process.env.PATH ?? "", HOME: root } });
  expect({ said: stderr.toString(), exitCode }).toEqual({ said: "", exitCode: 0 });
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

const firstWords = [...new Set(COMMANDS.map(({ name }) => name.split(" ")[0] ?? "")), "help"].sort();

/** Words of a command line, the last one as far as it is typed, and what there is to complete it. */
const COMPLETED: [typed: string[], offered: string[]][] = [
  [["sea"], ["search"]],
  [["audit", "v"], ["verify"]],
  [["help", "tok"], ["token"]],
  [["help", "token", "cr"], ["create"]],
  [["search", "--mo"], ["--mode"]],
  [["search", "x", "--mode", "v"], ["vector"]],
  [["search", "--plane", "text", "--plane", "doc"], ["doc_visual"]],
  [["search", "--token-file", "fi"], ["file two.ndjson"]],
  [["completions", "z"], ["zsh"]],
  [["ingest", "fi"], ["file two.ndjson"]],
  [["search", "--scope", "t"], []],
  [["frobnicate", "x"], []],
];

describe.skipIf(Bun.which("bash") === null)("bash (skipped where there is none)", () => {
  let script = "";
  beforeAll(async () => {
    script = await written("bash");
  });
  // compopt works inside a completion that the shell runs itself.
  const complete = (...words: string[]) => {
    const run = `source "$1"; compopt() { :; }; COMP_WORDS=("\${@:2}"); COMP_CWORD=$(($# - 2)); _strata; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(["bash", "--norc", "-c", run, "bash", script, "strata", ...words]);
  };

  test("is told of it by name", () => {
    expect(lines(["bash", "--norc", "-c", 'source "$1"; complete -p strata', "bash", script])).toEqual(["complete -F _strata strata"]);
  });

  test.each(COMPLETED)("%j", (typed, offered) => {
    expect(complete(...typed)).toEqual(offered);
  });

  test("--flag=value, which comes as three words", () => {
    expect(complete("search", "--mode", "=", "full")).toEqual(["fulltext"]);
    expect(complete("search", "--mode", "=")).toEqual(["hybrid", "vector", "fulltext"]);
  });

  test("a folder, where one is wanted", () => {
    expect(complete("serve", "--data", "f")).toEqual(["folder one"]);
  });

  test("every command, with all of its flags and no other", async () => {
    expect(complete("").sort()).toEqual(["--help", "--version", ...firstWords].sort());
    for (const { name, load } of COMMANDS) {
      const { flags } = await load();
      const all = Object.keys({ ...flags, ...COMMON }).map((flag) => `--${flag}`);
      expect({ name, flags: complete(...name.split(" "), "--") }).toEqual({ name, flags: all });
    }
  });
});

describe.skipIf(Bun.which("fish") === null)("fish (skipped where there is none)", () => {
  let script = "";
  beforeAll(async () => {
    script = await written("fish");
  });
  const complete = (...words: string[]) => {
    const found = lines(["fish", "--no-config", "-c", `source ${script}; complete -C '${["strata", ...words].join(" ")}'`]);
    return found.map((line) => (line.split("\t")[0] ?? "").replaceAll("\\ ", " "));
  };

  test.each(COMPLETED)("%j", (typed, offered) => {
    expect(complete(...typed)).toEqual(offered);
  });

  test("every command, with all of its flags and no other", async () => {
    expect(complete("").sort()).toEqual(firstWords);
    for (const { name, load } of COMMANDS) {
      const { flags } = await load();
      const all = Object.keys({ ...flags, ...COMMON }).map((flag) => `--${flag}`);
      expect({ name, flags: complete(name, "--").sort() }).toEqual({ name, flags: all.sort() });
    }
  });
});

describe.skipIf(Bun.which("zsh") === null)("zsh (skipped where there is none)", () => {
  let script = "";
  beforeAll(async () => {
    script = await written("zsh");
  });
  // Outside the line editor the functions that would show something print what they are given.
  const STUBS = `compdef() { : }; _arguments() { print -rl -- \${@:3} }; _describe() { print -rl -- \${(P)2} }`;
  const complete = (...words: string[]) =>
    lines(["zsh", "-f", "-c", `${STUBS}; source $1; words=("\${@:2}"); CURRENT=$#words; _strata`, "zsh", script, "strata", ...words]);

  test("commands, and those of a group", () => {
    expect(
      complete("")
        .map((line) => line.split(":")[0] ?? "")
        .sort(),
    ).toEqual(firstWords);
    expect(complete("audit", "")).toEqual(complete("help", "audit", ""));
    expect(complete("audit", "").map((line) => line.split(":")[0] ?? "")).toEqual(["verify", "rekey"]);
  });

  test("every command, with all of its flags and no other", async () => {
    for (const { name, load } of COMMANDS) {
      const { flags } = await load();
      const all = Object.keys({ ...flags, ...COMMON }).map((flag) => `--${flag}`);
      const specs = complete(...name.split(" "), "--").filter((spec) => /^\*?--/.test(spec));
      expect({ name, flags: specs.map((spec) => /--[a-z-]+/.exec(spec)?.[0]) }).toEqual({ name, flags: all as (string | undefined)[] });
    }
  });

  test("words, files and folders", () => {
    const specs = complete("search", "--");
    expect(specs).toContainEqual(expect.stringMatching(/^--mode=\[.*\]: :\(hybrid vector fulltext\)$/));
    expect(specs).toContainEqual(expect.stringMatching(/^\*--plane=.*:\(text visual audio doc_visual\)$/));
    expect(specs).toContainEqual(expect.stringMatching(/^--token-file=.*:_files$/));
    expect(specs).toContainEqual(expect.stringMatching(/^--data=.*:_files -\/$/));
    expect(complete("ingest", "--").at(-1)).toBe("*: :_files");
  });
});

test("a shell that there is no script for is wrong usage", async () => {
  expect(await runStrata(["completions", "tcsh"])).toMatchObject({
    status: 2,
    out: "",
    err: expect.stringContaining("strata: SHELL must be one of bash, zsh, fish"),
  });
  expect(await runStrata(["completions"])).toMatchObject({ status: 2, err: expect.stringContaining("SHELL is missing") });
});
