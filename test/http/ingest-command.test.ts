/** `strata ingest` of Units: a line that is refused is named, and the others are stored, by a server as in a data directory. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REFUSALS_LISTED_MAX } from "../../src/base/limits.ts";
import { openHarness } from "../support/harness.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { START_MS } from "../support/seeded.ts";
import { runStrata } from "../support/strata.ts";

setDefaultTimeout(60_000);

let root: string;
let data: string;
let file: string;
const good = (name: string) => JSON.stringify({ modality: "text", source_uri: `ingest-command://${name}` });

beforeAll(async () => {
  root = temporaryDirectory();
  data = join(root, "data");
  file = join(root, "bad.ndjson");
  await (await openHarness({ data })).close();
}, START_MS);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const WHERE = ["--namespace", "demo", "--scope", "harbour/ops", "--batch", "2"];
const direct = (...more: string[]) => runStrata(["ingest", file, "--data", data, ...WHERE, ...more]);

/** A server on the same directory, and the command against it. */
async function remote() {
  const harness = await openHarness({ data, seed: false });
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => harness.http.handle(request) });
  try {
    const url = `http://127.0.0.1:${server.port}`;
    return await runStrata(["ingest", file, "--url", url, "--token", "strata_demo_admin", "--scope", "harbour/ops", "--batch", "2"]);
  } finally {
    await server.stop(true);
    await harness.close();
  }
}

test("the others are stored, the second time too, and the status is 1", async () => {
  writeFileSync(file, [good("1"), "{bad", "", good("4"), '{"modality":"smell","text":"x"}', good("6")].join("\n"));
  const refusals = new RegExp(`^${file}: line 2 is refused: the line is no valid JSON[^\\n]*\\n${file}: line 5 is refused: /modality: [^\\n]+\\n$`);
  const expected = (counts: string) => ({ status: 1, out: `3 Units ingested: ${counts}; 2 lines refused\n`, err: expect.stringMatching(refusals) });
  expect(await direct()).toEqual(expected("3 created, 0 updated, 0 unchanged"));
  expect(await direct()).toEqual(expected("0 created, 0 updated, 3 unchanged"));
  // Another principal's Units.
  expect(await remote()).toEqual(expected("3 created, 0 updated, 0 unchanged"));
  expect(existsSync(`${file}.position`)).toBe(false);
});

test("a file of another kind is refused line by line, and some of them are named", async () => {
  writeFileSync(file, "no JSON\n".repeat(3 * REFUSALS_LISTED_MAX));
  const { status, out, err } = await direct("--json");
  expect({ status, lines: err.trimEnd().split("\n").length }).toEqual({ status: 1, lines: REFUSALS_LISTED_MAX });
  const { refused, refusals } = JSON.parse(out);
  expect({ refused, listed: refusals.length, first: refusals[0].line }).toEqual({
    refused: 3 * REFUSALS_LISTED_MAX,
    listed: REFUSALS_LISTED_MAX,
    first: 1,
  });
});
