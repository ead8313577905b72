/** Every program of docs/examples, as its README says to run it, against the executable with its demo. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { ADMIN, READER, type Sandbox, seededSandbox, type Server } from "../acceptance/support.ts";
import { NEEDS_PYTHON, NO_PYTHON, PYTHON, ROOT, runWell, START_MS } from "./support.ts";

const EXAMPLES = join(ROOT, "docs/examples");

let sandbox: Sandbox;
let server: Server;
beforeAll(async () => {
  sandbox = await seededSandbox();
  server = await sandbox.serve(["--demo"]);
}, START_MS);
afterAll(() => sandbox?.dispose());

/** What each must say. */
const SAYS: Record<string, string[]> = {
  "search.sh": ["== answer", "hidden from this caller: ", "[1] "],
  "search.ts": ["1. ", "answered: ", "[1]", "refused with 400 bad_request"],
  "stream.ts": ["reading ", "entailed: ", "answered: "],
  "upload.ts": ["done ", "plum jam"],
  "search.py": ["1. ", "answered: ", "[1] ", "refused with 400 bad_request"],
  "langchain_retriever.py": ["harbour/"],
  "mcp.ts": ["tools: ", "search", "1. "],
};

test("every example is run", () => {
  const programs = readdirSync(EXAMPLES).filter((name) => [".sh", ".ts", ".py"].includes(extname(name)));
  expect(programs.sort()).toEqual(Object.keys(SAYS).sort());
});

const INTERPRETERS: Record<string, string> = { ".sh": "/bin/sh", ".ts": process.execPath, ".py": join(PYTHON, "python") };

async function output(name: string): Promise<string> {
  const path = join(EXAMPLES, name);
  const jam = join(sandbox.work, "jam.txt");
  await Bun.write(jam, "The plum jam stands in locker ten.");
  const [operands, token] = name === "upload.ts" ? [[jam], ADMIN] : [[], READER];
  return runWell([INTERPRETERS[extname(name)] ?? "", path, ...operands], { env: { STRATA_URL: server.url, STRATA_TOKEN: token } });
}

const python = (name: string) => extname(name) === ".py";
for (const name of Object.keys(SAYS)) {
  describe.skipIf(python(name) && NO_PYTHON)(python(name) ? `Python ${NEEDS_PYTHON}` : "example", () => {
    test(name, async () => {
      const said = await output(name);
      for (const part of SAYS[name] ?? []) expect(said).toContain(part);
    });
  });
}
