/** The commands on a data directory that no server holds, and on a running server. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ADMIN,
  type Ended,
  eventually,
  ONE_LINE,
  READER,
  type Sandbox,
  type Server,
  START_MAX_MS,
  seededSandbox,
  treeOf,
  withDatabase,
} from "./support.ts";

setDefaultTimeout(START_MAX_MS + 60_000);

const QUESTION = "why did turbine 7 stop?";
/** That finance alone may read. */
const COSTS = "what is the own share under the policy?";
const FILE = "log.ndjson";
const FILE_UNITS = 400;
const BATCH = 20;

let sandbox: Sandbox;
/** What seeding prints. */
let seeded = "";
beforeAll(async () => {
  sandbox = await seededSandbox();
});
afterAll(() => sandbox.dispose());

const strata = (...args: string[]): Promise<Ended> => sandbox.run(args);

/** One line about why, on stderr alone. */
function expectRefusal({ code, stdout, stderr }: Ended, words: string): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(ONE_LINE);
  expect(stderr).toContain(words);
}

function storedUnits(doc_id: string): number {
  const path = join(sandbox.data, "namespaces/demo/catalog.db");
  return withDatabase(path, (db) => (db.query("SELECT count(*) AS n FROM unit WHERE doc_id = ?").get(doc_id) as { n: number }).n);
}

describe("on a data directory", () => {
  test("seed tells what it made, and again restores it", async () => {
    const { code, stdout } = await strata("seed");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^strata_demo_reader +demo-reader +demo$/m);
    expect(stdout).toMatch(/^demo-reader +demo +read +harbour\/ops +ops$/m);
    expect(stdout).toEndWith(" scopes, 6 principals, 6 tokens\n");
    seeded = stdout;
    const { namespaces, counts } = JSON.parse((await strata("seed", "--json")).stdout);
    expect(namespaces.map(({ namespace }: { namespace: string }) => namespace).sort()).toEqual(["demo", "enterprise", "free", "pro"]);
    expect(Math.min(...(Object.values(counts.by_plane) as number[]))).toBeGreaterThan(0);
    expect(treeOf(sandbox.home)).toEqual([]);
  });

  test("reread brings up to date what an older version read, which doctor counts", async () => {
    const catalog = join(sandbox.data, "namespaces/demo/catalog.db");
    const count = (sql: string) => withDatabase(catalog, (db) => (db.query(sql).get() as { n: number }).n);
    const documents = count("SELECT count(*) AS n FROM file WHERE kind = 'document'");
    expect(documents).toBeGreaterThan(0);
    withDatabase(catalog, (db) => db.run("UPDATE file SET extractor = 0 WHERE kind = 'document'"));
    const before = await strata("doctor");
    expect(before.code).toBe(0);
    expect(before.stdout).toMatch(
      new RegExp(`^demo: ${documents} files? \\([\\d,]+ Units?\\) made by older extractors: strata reread --namespace demo`, "m"),
    );
    const { code, stdout, stderr } = await strata("reread", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ files: documents, failed: [], left_out: [] });
    expect(count("SELECT count(*) AS n FROM file WHERE kind = 'document' AND extractor = 0")).toBe(0);
    expect((await strata("doctor")).stdout).not.toContain("older extractors");
    expect((await strata("reread", "--scope", "harbour/ops")).stdout).toStartWith("nothing to read again");
  });

  test("search, as the operator and as the reader", async () => {
    const operator = await strata("search", QUESTION, "--json");
    expect({ code: operator.code, stderr: operator.stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(operator.stdout)).toMatchObject({ hidden_by_acl: 0, context: { principal: { principal_id: "operator" } } });
    const reader = JSON.parse((await strata("search", QUESTION, "--as", "demo-reader", "--json")).stdout);
    expect(reader.hits.length).toBe(10);
    expect(reader.hidden_by_acl).toBeGreaterThan(0);
    const { stdout } = await strata("search", "grease", "--plane", "audio", "--top-k", "2", "--scope", "harbour/ops");
    expect(stdout).toMatch(/^ 1 {2}\d\.\d{4} {2}\w+\/audio {2}harbour\/ops/);
    expect(stdout).toContain("2 hits\nhidden_by_acl 0\n");
  });

  test("answer, as a person reads it and as JSON, and when there is none", async () => {
    const { code, stdout, stderr } = await strata("answer", QUESTION, "--as", "demo-reader");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^\S.*turbine (7|seven).*\[1\]/is);
    expect(stdout).toMatch(/^answered · faithfulness 0\.\d\d · \d rounds? · extractive$/m);
    expect(stdout).toMatch(/^\[1\] .* {2}\w+\/\w+ {2}harbour\/ops/m);
    expect(stdout).toMatch(/^ {4}“.+/m);
    expect(stdout).toMatch(/^ {4}entailed 0\.\d\d/m);
    expect(stdout).toMatch(/\nhidden_by_acl [1-9]\d*[^\n]*\n$/);
    const { answer, hits } = JSON.parse((await strata("answer", QUESTION, "--json")).stdout);
    expect({ status: answer.status, hits: hits.length }).toEqual({ status: "answered", hits: 10 });
    const none = await strata("answer", COSTS, "--as", "demo-reader");
    expect({ code: none.code, stderr: none.stderr }).toEqual({ code: 0, stderr: "" });
    expect(none.stdout).toMatch(/^no answer: nothing that you may read answers this well enough\n/);
    expect((await strata("answer", COSTS, "--scope", "*")).stdout).toContain("EUR 60,000");
  });

  test("answer in a free namespace, and in none", async () => {
    const refused = await strata("answer", QUESTION, "--namespace", "free");
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(ONE_LINE) });
    expectRefusal(await strata("answer", "x", "--namespace", "nowhere"), "it has demo, enterprise, free, pro; --namespace chooses one");
  });

  test("search in a namespace that does not exist", async () => {
    expectRefusal(await strata("search", "x", "--namespace", "nowhere"), "it has demo, enterprise, free, pro; --namespace chooses one");
  });

  test("ingest goes on where SIGKILL stopped it", async () => {
    const path = join(sandbox.work, FILE);
    const lines = Array.from({ length: FILE_UNITS }, (_, index) =>
      JSON.stringify({ modality: "log_template", text: `pump ${index} reports pressure class ${index % 9}`, doc_id: FILE, acl_groups: ["ops"] }),
    );
    writeFileSync(path, `${lines.join("\n")}\n`);
    const command = ["ingest", FILE, "--scope", "harbour/ops/pumps", "--batch", String(BATCH)];
    const stopped = sandbox.spawn(command);
    await eventually("two batches", () => existsSync(`${path}.position`) && JSON.parse(readFileSync(`${path}.position`, "utf8")).line >= 2 * BATCH);
    expect((await stopped.kill("SIGKILL")).stdout).toBe("");
    const { line } = JSON.parse(readFileSync(`${path}.position`, "utf8"));
    expect(line).toBeLessThan(FILE_UNITS);

    const { code, stdout, stderr } = await strata(...command);
    expect(code).toBe(0);
    expect(stderr).toBe(`going on at line ${line + 1} of ${FILE}, as ${FILE}.position says; --restart starts over\n`);
    expect(stdout).toStartWith(`${FILE_UNITS - line} Units ingested: `);
    expect(existsSync(`${path}.position`)).toBe(false);
    expect(storedUnits(FILE)).toBe(FILE_UNITS);
    const again = await strata(...command);
    expect(again).toMatchObject({ code: 0, stdout: `${FILE_UNITS} Units ingested: 0 created, 0 updated, ${FILE_UNITS} unchanged\n`, stderr: "" });
    const found = JSON.parse((await strata("search", '"pump 399"', "--as", "demo-reader", "--mode", "fulltext", "--json")).stdout);
    expect(found.hits[0].text).toStartWith("pump 399 ");
  });

  test("ingest names the line that it cannot take, and stores the others", async () => {
    const bad = [
      { modality: "text", text: "a good line", doc_id: "bad" },
      { modality: "smell", text: "a bad one", doc_id: "bad" },
      { modality: "text", text: "another good line", doc_id: "bad" },
    ];
    writeFileSync(join(sandbox.work, "bad.ndjson"), bad.map((unit) => JSON.stringify(unit)).join("\n"));
    const { code, stdout, stderr } = await strata("ingest", "bad.ndjson", "--batch", "1", "--scope", "harbour/ops");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "2 Units ingested: 2 created, 0 updated, 0 unchanged; 1 line refused\n" });
    expect(stderr).toMatch(/^bad\.ndjson: line 2 is refused: \/modality: [^\n]+\n$/);
    expect(storedUnits("bad")).toBe(2);
  });

  test("token create shows the secret once; list and revoke never", async () => {
    const created = await strata("token", "create", "robot", "--principal", "robot", "--perms", "read", "--groups", "ops");
    expect(created.code).toBe(0);
    const secret = created.stdout.trim();
    expect(created.stdout).toMatch(/^strata_[A-Za-z0-9_-]{20,}\n$/);
    expect(created.stderr).not.toContain(secret);
    const list = await strata("token", "list");
    expect(list.stdout).toMatch(/^robot +demo +robot +\S+ \S+ +live$/m);
    expect(list.stdout + list.stderr + (await strata("token", "list", "--json")).stdout).not.toContain(secret);
    for (const file of treeOf(sandbox.data).map((name) => join(sandbox.data, name))) {
      if (statSync(file).isFile() && !file.includes("/runtime/"))
        expect({ file, holds: readFileSync(file).includes(secret) }).toEqual({ file, holds: false });
    }
    expectRefusal(await strata("token", "create", "robot", "--principal", "robot"), "robot");
    expect(await strata("token", "revoke", "robot")).toMatchObject({ code: 0, stdout: "", stderr: "1 token revoked\n" });
    expect((await strata("token", "list")).stdout).toMatch(/^robot .* revoked \S+ \S+$/m);
    expectRefusal(await strata("token", "revoke", "robot"), "no live token robot");
  });

  test("doctor and audit verify find nothing wrong", async () => {
    const doctor = await strata("doctor", "--json");
    expect(doctor.code).toBe(0);
    const { sound, namespaces } = JSON.parse(doctor.stdout);
    expect(sound).toBe(true);
    expect(namespaces.length).toBe(4);
    expect(await strata("audit", "verify")).toMatchObject({ code: 0, stderr: "" });
  });

  test("models, whole and changed", async () => {
    const whole = await strata("models");
    expect(whole).toMatchObject({ code: 0, stderr: "" });
    expect(whole.stdout).toMatch(/^bge-small-en-v1\.5 .* yes$/m);
    const file = treeOf(sandbox.data).find((name) => name.endsWith("tokenizer.json")) ?? "";
    const path = join(sandbox.data, file);
    const bytes = readFileSync(path);
    const [first = 0] = bytes;
    // A file of its own: this one is shared with other directories.
    const put = (byte: number) => {
      bytes[0] = byte;
      rmSync(path);
      writeFileSync(path, bytes);
    };
    put(first ^ 1);
    expect(await strata("models")).toMatchObject({ code: 3, stdout: expect.stringMatching(/ NO$/m), stderr: expect.stringMatching(ONE_LINE) });
    expect((await strata("doctor")).code).toBe(3);
    put(first);
    expect((await strata("models")).code).toBe(0);
  });
});

describe("on a running server", () => {
  let server: Server;
  beforeAll(async () => {
    server = await sandbox.serve();
  });
  afterAll(() => server.stop());
  const remote = (...args: string[]) => strata(...args, "--url", server.url);

  test("search, with the token as a flag and from the environment", async () => {
    const { code, stdout, stderr } = await remote("search", QUESTION, "--top-k", "5", "--token", READER);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("5 hits\nhidden_by_acl ");
    const { stdout: text } = await sandbox.run(["search", QUESTION, "--json", "--url", `${server.url}/`], { STRATA_TOKEN: READER });
    expect(JSON.parse(text).context.principal.principal_id).toBe("demo-reader");
  });

  test("answer, on tiers that have it and on the one that has not", async () => {
    const { code, stdout, stderr } = await remote("answer", QUESTION, "--token", READER);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^answered · faithfulness /m);
    const { answer, context } = JSON.parse((await remote("answer", QUESTION, "--json", "--token", READER)).stdout);
    expect({ status: answer.status, who: context.principal.principal_id }).toEqual({ status: "answered", who: "demo-reader" });
    expect((await remote("answer", COSTS, "--token", READER)).stdout).toStartWith("no answer: ");
    const refused = await remote("answer", QUESTION, "--token", "strata_tier_free");
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(ONE_LINE) });
  });

  test("token create, list and revoke, while it runs", async () => {
    const as = (...args: string[]) => remote("token", ...args, "--token", ADMIN);
    const created = await as("create", "shift", "--principal", "shift", "--scopes", "harbour/ops", "--groups", "ops");
    expect(created.code).toBe(0);
    expect(created.stdout).toMatch(/^strata_[A-Za-z0-9_-]{32}\n$/);
    expect(created.stderr).toStartWith("token shift of shift in namespace demo is made\n");
    const secret = created.stdout.trim();
    expect((await remote("search", QUESTION, "--token", secret)).stdout).toContain("10 hits");
    expect((await as("list")).stdout).toMatch(/^shift +demo +shift +\S+ \S+ +live$/m);
    expectRefusal(await as("create", "shift", "--principal", "shift"), "a live token named shift exists");
    expectRefusal(await as("create", "crown", "--principal", "super-admin"), "strata token create --super on the data directory alone");
    expectRefusal(await remote("token", "create", "x", "--principal", "x", "--token", secret), "admin permission");
    for (const words of [["create", "x", "--principal", "x"], ["list"], ["revoke", "shift"]]) {
      expectRefusal(await as(...words, "--namespace", "pro"), "the token belongs to namespace demo, not pro");
    }
    expect(await as("revoke", "shift")).toMatchObject({ code: 0, stdout: "", stderr: "1 token revoked\n" });
    expectRefusal(await as("revoke", "shift"), "no live token shift");
    expectRefusal(await remote("search", "x", "--token", secret), "not valid");
    const all = await remote("token", "list", "--namespace", "pro", "--token", "strata_super_admin");
    expect(all.stdout).toMatch(/^tier_pro +pro +pro-owner +\S+ \S+ +live, published$/m);
  });

  test("ingest, seed and audit verify", async () => {
    writeFileSync(
      join(sandbox.work, "remote.ndjson"),
      `${JSON.stringify({ modality: "caption", text: "a heron named Plimsoll", scope: "harbour/ops" })}\n`,
    );
    expect(await remote("ingest", "remote.ndjson", "--token", ADMIN)).toMatchObject({
      code: 0,
      stdout: "1 Unit ingested: 1 created, 0 updated, 0 unchanged\n",
    });
    const found = JSON.parse((await remote("search", "plimsoll", "--mode", "fulltext", "--json", "--token", ADMIN)).stdout);
    expect(found.hits.length).toBe(1);
    expect(await remote("seed", "--token", ADMIN)).toMatchObject({ code: 0, stdout: seeded });
    expect(await remote("audit", "verify", "--token", READER)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^demo +intact /m) });
  });

  test("what the server refuses is one line", async () => {
    expectRefusal(await remote("search", "x", "--token", "strata_wrong"), "the token is not valid");
    expectRefusal(await remote("seed"), "send a token");
    writeFileSync(join(sandbox.work, "mine.ndjson"), `${JSON.stringify({ modality: "text", text: "mine" })}\n`);
    const { code, stdout, stderr } = await remote("ingest", "mine.ndjson", "--token", READER);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("strata: this needs the write permission\n");
  });

  test("commands that need the directory say who holds it", async () => {
    const reach = `is held by the server at ${server.url} (process ${server.process.pid}); reach it with --url ${server.url} and --token-file FILE`;
    for (const words of [
      ["search", "x"],
      ["answer", "x"],
      ["audit", "verify"],
      ["token", "list"],
    ])
      expectRefusal(await strata(...words), reach);
    expectRefusal(await strata("token", "create", "root", "--principal", "root", "--super"), "this command needs it alone");
    expectRefusal(await strata("doctor"), "this command needs it alone");
  });
});

test("a server that is not there", async () => {
  expectRefusal(
    await strata("search", "x", "--url", "http://127.0.0.1:1", "--token", READER),
    "cannot reach http://127.0.0.1:1: nothing listens there",
  );
});

test("one changed byte of an audit row", async () => {
  const broken = withDatabase(join(sandbox.data, "namespaces/demo/catalog.db"), (db) => {
    const triggers = db.query("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit'").all() as { name: string }[];
    expect(triggers.length).toBeGreaterThan(0);
    for (const { name } of triggers) db.run(`DROP TRIGGER ${name}`);
    const { seq, principal_id } = db.query("SELECT seq, principal_id FROM audit WHERE action = 'search' ORDER BY seq LIMIT 1").get() as {
      seq: number;
      principal_id: string;
    };
    db.query("UPDATE audit SET principal_id = ? WHERE seq = ?").run(`${principal_id.slice(0, -1)}X`, seq);
    return seq;
  });
  const { code, stdout } = await strata("audit", "verify");
  expect(code).toBe(3);
  expect(stdout).toMatch(/^demo +BROKEN /m);
  expect(stdout).toMatch(/^free +intact /m);
  expect(stdout).toContain(`demo: row ${broken}: row hash does not match its content\n`);
  const { reports } = JSON.parse((await strata("audit", "verify", "--namespace", "demo", "--json")).stdout);
  expect(reports).toEqual([expect.objectContaining({ namespace: "demo", intact: false, break_at: broken })]);
  expect(await strata("doctor")).toMatchObject({ code: 3, stdout: expect.stringContaining(`audit chain BROKEN at row ${broken}`) });
});
