/** Clients that generators make from the served OpenAPI document, against the executable. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ADMIN, READER, type Sandbox, seededSandbox, type Server } from "../acceptance/support.ts";
import { NEEDS_PYTHON, NO_PYTHON, PYTHON, ROOT, runWell, START_MS } from "./support.ts";

let sandbox: Sandbox;
let server: Server;
let document: string;
let env: Record<string, string>;
beforeAll(async () => {
  sandbox = await seededSandbox();
  server = await sandbox.serve(["--demo"]);
  env = { STRATA_URL: server.url, STRATA_TOKEN: READER, STRATA_ADMIN: ADMIN };
  document = join(sandbox.work, "openapi.json");
  const { body } = await server.call("GET", "/v1/openapi.json", { token: null });
  writeFileSync(document, JSON.stringify(body));
}, START_MS);
afterAll(() => sandbox?.dispose());

const bin = (name: string) => join(ROOT, "node_modules/.bin", name);

test("a TypeScript client by openapi-typescript is typed as its program expects, and works", async () => {
  const folder = join(sandbox.work, "typescript");
  mkdirSync(folder);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  copyFileSync(join(import.meta.dir, "programs/client.ts"), join(folder, "client.ts"));
  await runWell([bin("openapi-typescript"), document, "-o", "schema.ts"], { cwd: folder });
  const options = {
    strict: true,
    noEmit: true,
    target: "ESNext",
    module: "Preserve",
    lib: ["ESNext", "DOM"],
    types: [],
    allowImportingTsExtensions: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...options, skipLibCheck: true }, include: ["*.ts"] }));
  await runWell([bin("tsc"), "-p", "."], { cwd: folder });
  expect(await runWell([process.execPath, "client.ts"], { cwd: folder, env })).toBe("all well\n");
});

describe.skipIf(NO_PYTHON)(`Python ${NEEDS_PYTHON}`, () => {
  test("openapi-spec-validator finds no fault", async () => {
    expect(await runWell([join(PYTHON, "openapi-spec-validator"), document])).toContain("OK");
  });

  test("a client by openapi-python-client has every operation, and works", async () => {
    const folder = join(sandbox.work, "python");
    mkdirSync(folder);
    const made = await runWell(
      [
        join(PYTHON, "openapi-python-client"),
        "generate",
        "--path",
        document,
        "--meta",
        "none",
        "--output-path",
        "strata_client",
        "--fail-on-warning",
      ],
      {
        cwd: folder,
        env: { PATH: `${PYTHON}:${process.env.PATH}` },
      },
    );
    expect(made).not.toContain("WARNING");
    copyFileSync(join(import.meta.dir, "programs/client.py"), join(folder, "client.py"));
    expect(await runWell([join(PYTHON, "python"), "client.py"], { cwd: folder, env })).toBe("all well\n");
  });
});
