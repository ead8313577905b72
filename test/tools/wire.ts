/**
 * Records the whole API's wire, to prove that a change of the code changes no byte of it: a fixed list of requests over
 * every route and every kind of answer, one at a time, each with its response as one JSON line. Two recordings of one
 * executable are equal; test/tools/wire/normal.ts says what is replaced by names for that.
 *
 *   bun test/tools/wire.ts EXECUTABLE OUT.ndjson          records
 *   bun test/tools/wire.ts --compare A.ndjson B.ndjson    prints the first differences; ends with 1 when there are some
 *
 * A recording fails when a route of the executable's OpenAPI document was not asked, and when an answer shows that a
 * time limit of the service ran out: then the machine was too busy.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { recordFirstRun, recordMatrix, recordPaths } from "./wire/access.ts";
import { recordReread, recordSessions, recordTokens } from "./wire/admin.ts";
import { compareRecordings } from "./wire/compare.ts";
import { recordFiles, recordRemoval, recordSimilar } from "./wire/files.ts";
import { recordForms } from "./wire/forms.ts";
import { hire } from "./wire/people.ts";
import { type Answer, Recorder } from "./wire/recorder.ts";
import { recordAnswers, recordSearch } from "./wire/search.ts";
import { startService } from "./wire/service.ts";
import { CHAT_MODEL, ChatEndpoint, recordChat, recordEmpty, recordProxied } from "./wire/settings.ts";
import { recordAudit, recordIngest, recordQuota, recordReading } from "./wire/units.ts";

const USAGE = "usage: bun test/tools/wire.ts EXECUTABLE OUT.ndjson\n       bun test/tools/wire.ts --compare A.ndjson B.ndjson\n";
const PROXIED = ["--tls-proxy", "--allowed-host", "strata.example"];

/** Routes of the service's own document that no request of the recording matched. */
function unasked({ json }: Answer, asked: readonly string[]): string[] {
  const routes = Object.entries(json.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
  return routes
    .filter(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replace("{path}", ".+").replace(/\{\w+\}/g, "[^/]+")}$`);
      return !asked.some((request) => pattern.test(request));
    })
    .map(({ method, path }) => `${method} ${path}`);
}

async function record(executable: string, out: string): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), "strata-wire-"));
  const r = new Recorder(out);
  const chat = new ChatEndpoint(r);
  const during = async <T>(data: string, flags: string[], env: Record<string, string>, work: () => Promise<T>): Promise<T> => {
    const service = await startService({ executable, home, data, flags, env });
    r.port = service.port;
    try {
      return await work();
    } finally {
      await service.stop();
    }
  };
  try {
    const people = await during("data", [], {}, async () => {
      await recordFirstRun(r);
      const hired = await hire(r);
      for (const chapter of [recordMatrix, recordIngest, recordReading, recordSearch, recordAnswers]) await chapter(r, hired);
      for (const chapter of [recordPaths, recordForms]) await chapter(r);
      for (const chapter of [recordFiles, recordSimilar, recordReread, recordRemoval, recordTokens, recordSessions, recordAudit])
        await chapter(r, hired);
      await recordQuota(r);
      return hired;
    });
    const settings = { STRATA_LLM_URL: chat.url, STRATA_LLM_MODEL: CHAT_MODEL, STRATA_LLM_KEY: "sk-house" };
    await during("data", PROXIED, settings, async () => {
      await recordChat(r, chat, people);
      await recordProxied(r, people);
    });
    return await during("empty", PROXIED, {}, async () => {
      await recordEmpty(r);
      const missing = unasked(await r.look("GET", "/v1/openapi.json"), r.asked);
      return [...missing.map((route) => `no request asks ${route}`), ...r.hurried.map((line) => `a time limit ran out: ${line}`)];
    });
  } finally {
    process.stdout.write(`${r.count} requests\n`);
    r.close();
    await chat.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

const [first, second, third] = Bun.argv.slice(2);
if (first === "--compare" && second !== undefined && third !== undefined) {
  const differences = compareRecordings(second, third);
  process.stdout.write(differences.length === 0 ? "equal\n" : `${differences.join("\n")}\n`);
  process.exit(differences.length === 0 ? 0 : 1);
} else if (first !== undefined && !first.startsWith("-") && second !== undefined && third === undefined) {
  const faults = await record(resolve(first), resolve(second));
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exit(faults.length === 0 ? 0 : 1);
} else {
  process.stderr.write(USAGE);
  process.exit(2);
}
