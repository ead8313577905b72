/** What the executable says about itself, in an empty directory, without writing anything. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { version } from "../../package.json";
import { Sandbox, treeOf } from "./support.ts";

setDefaultTimeout(60_000);

const COMMANDS = [
  "serve",
  "seed",
  "search",
  "answer",
  "ingest",
  "mcp",
  "reread",
  "audit verify",
  "audit rekey",
  "token create",
  "token list",
  "token revoke",
  "namespace list",
  "namespace create",
  "namespace set",
  "scope set",
  "doctor",
  "models",
  "bench",
  "completions",
  "version",
];

const sandbox = new Sandbox();
afterAll(() => sandbox.dispose());

function strata(line: string) {
  return sandbox.run(line.split(" ").filter((word) => word !== ""));
}

test("its version", async () => {
  for (const line of ["version", "--version", "-V"]) {
    const { code, stdout, stderr } = await strata(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^strata ${version.replaceAll(".", "\\.")} \\(bun [\\d.]+\\)\\n$`));
  }
});

test("its help lists every command", async () => {
  const outputs = await Promise.all(["", "--help", "-h", "help"].map(strata));
  expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
  const { code, stdout, stderr } = await strata("--help");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [, commands = ""] = /\ncommands\n((?: {2}.+\n)+)/.exec(stdout) ?? [];
  expect([...commands.matchAll(/^ {2}(\S+(?: \S+)?) {2,}\S/gm)].map(([, name]) => name ?? "").sort()).toEqual([...COMMANDS].sort());
  for (const section of ["usage", "examples", "environment", "exit status"]) expect(stdout).toContain(`\n${section}`);
});

describe("the help of", () => {
  for (const name of COMMANDS) {
    test(name, async () => {
      const { code, stdout, stderr } = await strata(`${name} --help`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(await strata(`help ${name}`)).toEqual({ code, stdout, stderr });
      expect(stdout).toContain(`\nusage\n  strata ${name} `);
      const [, examples = ""] = /\nexamples\n((?: {2}.+\n)+)/.exec(stdout) ?? [];
      expect(examples.split("\n").filter((line) => line.startsWith("  strata ")).length).toBeGreaterThanOrEqual(2);
      expect(stdout).toMatch(/\nexit status\n {2}0 {2}done\n/);
    });
  }
});

describe("what it does not understand", () => {
  const cases: [line: string, words: string][] = [
    ["serv", "Did you mean serve?"],
    ["ingset x.ndjson", "Did you mean ingest?"],
    ["token lst", "Did you mean list?"],
    ["serve --prot 1", "Did you mean --port?"],
    ["search x --top-k 0", "--top-k must be a whole number from 1 to 50"],
    ["search x --plane smell", "--plane must be one of text, visual, audio, doc_visual"],
    ["serve --port 70000", "--port (STRATA_PORT) must be a number from 0 to 65535"],
    ["token", "create, list, revoke\nstrata: see strata help token"],
    ["search", "QUERY is missing"],
    ["answer", "QUESTION is missing"],
    ["mcp", "needs --token-file FILE"],
    ["frobnicate", 'unknown command "frobnicate"'],
  ];
  for (const [line, words] of cases) {
    test(line, async () => {
      const { code, stdout, stderr } = await strata(line);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(words);
      expect(stderr).toMatch(/^strata: [^\n]+\nstrata: see strata [^\n]+\n$/);
    });
  }
});

test("a directory without data is not made by a question about it", async () => {
  for (const line of [
    "search x",
    "answer x",
    "doctor",
    "audit verify",
    "audit rekey",
    "token list",
    "token revoke x",
    "namespace set x --tier pro",
    "scope set x --agents read",
  ]) {
    const { code, stdout, stderr } = await strata(line);
    expect({ line, code, stdout }).toEqual({ line, code: 1, stdout: "" });
    expect(stderr).toMatch(/^strata: no strata data in [^\n]+\n$/);
  }
});

test("nothing was written by any of this", () => {
  expect(treeOf(sandbox.root)).toEqual(["home", "work", "work/strata"]);
});
