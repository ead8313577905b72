/**
 * What taking files in leaves in the memory of the serving process, and how long it takes beside the bare encoder.
 *
 *   npm run bench:ingest-memory -- FOLDER... [--work DIR] [--idle SECONDS] [--json]
 *
 * Starts dist/strata on a fresh data directory below DIR (default: a temporary one), takes each folder in with
 * `strata ingest`, then leaves the server alone for SECONDS (default 60: inference workers end after 30). Meanwhile it
 * reads /proc/PID/status and /proc/PID/fd of the serving process twice a second; the processes that read files are
 * others, and not counted. MB are 10^6 bytes of VmRSS, "anonymous" the part of it that is RssAnon. Then, with the server gone,
 * this process encodes each text that was stored with nothing else to do. Exit status: 0 when the bars are met, 3 when one is
 * missed, 1 when something failed.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Database } from "bun:sqlite";
import { App } from "../../src/app/app.ts";
import { silentLog } from "../../src/base/log.ts";
import { readText } from "../../src/domain/unit.ts";

const STRATA = resolve(import.meta.dir, "../../dist/strata");
const TOKEN = "strata_demo_admin";
const PEAK_MAX_MB = 1_200;
const IDLE_MAX_MB = 600;
const BARE_SHARE_MIN = 0.8;
const WARM_UP_TEXTS = 50;
const IDLE_SECONDS = 60;
const SAMPLE_MS = 500;
const START_MAX_MS = 120_000;
const POLL_MS = 50;
const KIB = 1_024;
const MB = 1_000_000;
const FAULTY = 3;

interface Sample {
  resident: number;
  anonymous: number;
  threads: number;
  handles: number;
}

/** Errors: throws when the process is gone. */
function sampleOf(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  const megabytes = (name: string) => (number(name) * KIB) / MB;
  return {
    resident: megabytes("VmRSS"),
    anonymous: megabytes("RssAnon"),
    threads: number("Threads"),
    handles: readdirSync(`/proc/${pid}/fd`).length,
  };
}

function highest(samples: readonly Sample[]): Sample {
  const most = (of: (sample: Sample) => number) => samples.reduce((highest, sample) => Math.max(highest, of(sample)), 0);
  return { resident: most((s) => s.resident), anonymous: most((s) => s.anonymous), threads: most((s) => s.threads), handles: most((s) => s.handles) };
}

/** The address that the server prints once it listens. Errors: throws when it ends or takes too long. */
async function listening(server: Bun.Subprocess, logPath: string): Promise<string> {
  const deadline = performance.now() + START_MAX_MS;
  while (server.exitCode === null && performance.now() < deadline) {
    const url = /listening on (http:\/\/[\w.:]+)/.exec(readFileSync(logPath, "utf8"))?.[1];
    if (url !== undefined) return url;
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`the server did not start:\n${readFileSync(logPath, "utf8")}`);
}

/** Errors: throws when a file is refused. */
async function ingest(folder: string, url: string): Promise<string> {
  const scope = `bench/${basename(resolve(folder)).replaceAll(/[^\w-]/g, "-")}`;
  const child = Bun.spawn([STRATA, "ingest", folder, "--url", url, "--token", TOKEN, "--scope", scope], { stdout: "pipe", stderr: "pipe" });
  const [said, faults, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`ingest of ${folder} ended with ${code}:\n${faults}`);
  return said.trim();
}

interface Outcome {
  started: Sample;
  peak: Sample;
  idle: Sample;
  /** Of the whole ingest. */
  minutes: number;
  /** Of encoding the same texts, and nothing else. */
  bareMinutes: number;
  texts: number;
}

/** The texts that were encoded for these files, each once, as they were encoded. */
function textsIn(data: string): string[] {
  const catalog = new Database(join(data, "namespaces", "demo", "catalog.db"), { readonly: true });
  const sql = "SELECT path, text FROM unit WHERE embedded_sha256 IS NOT NULL AND scope LIKE 'bench/%' GROUP BY embedded_sha256";
  const rows = catalog.query(sql).all() as { path: string | null; text: string }[];
  catalog.close();
  return rows.map(({ path, text }) => readText(path === null ? null : (JSON.parse(path) as string[]), text));
}

/** Minutes that the encoder takes for the texts. */
async function encodeBare(texts: readonly string[], work: string): Promise<number> {
  const app = await App.open({ data: join(work, "bare"), log: silentLog });
  try {
    const encodeAll = (some: readonly string[]) => Promise.all(some.map((text) => app.services.encoder.encode(text, "ingest")));
    await encodeAll(texts.slice(0, WARM_UP_TEXTS));
    const start = performance.now();
    await encodeAll(texts);
    return (performance.now() - start) / 60_000;
  } finally {
    await app.close();
  }
}

async function measure(folders: readonly string[], work: string, idleMs: number): Promise<Omit<Outcome, "bareMinutes" | "texts">> {
  const logPath = join(work, "serve.log");
  await Bun.write(logPath, "");
  const log = Bun.file(logPath);
  const server = Bun.spawn([STRATA, "serve", "--data", join(work, "data"), "--port", "0", "--demo"], { stdout: "ignore", stderr: log });
  const samples: Sample[] = [];
  let sampling: ReturnType<typeof setInterval> | undefined;
  try {
    const url = await listening(server, logPath);
    const started = sampleOf(server.pid);
    sampling = setInterval(() => server.exitCode === null && samples.push(sampleOf(server.pid)), SAMPLE_MS);
    const start = performance.now();
    for (const folder of folders) process.stderr.write(`${folder}: ${await ingest(folder, url)}\n`);
    const minutes = (performance.now() - start) / 60_000;
    await Bun.sleep(idleMs);
    return { started, peak: highest(samples), idle: sampleOf(server.pid), minutes };
  } finally {
    clearInterval(sampling);
    server.kill("SIGTERM");
    await server.exited;
  }
}

function shareOfBare({ bareMinutes, minutes }: Outcome): number {
  return bareMinutes / minutes;
}

function report(outcome: Outcome, idleSeconds: number): string {
  const { started, peak, idle, minutes, bareMinutes, texts } = outcome;
  const share = shareOfBare(outcome);
  const row = (name: string, { resident, anonymous, threads, handles }: Sample, max: number) => {
    const bar = max === Number.POSITIVE_INFINITY ? "" : `at most ${max} MB: ${resident <= max ? "met" : "MISSED"}`;
    return `${name.padEnd(24)}${[resident, anonymous, threads, handles].map((value) => value.toFixed(0).padStart(12)).join("")}   ${bar}\n`;
  };
  return [
    `${" ".repeat(24)}${["MB", "anonymous", "threads", "handles"].map((name) => name.padStart(12)).join("")}\n`,
    row("started", started, Number.POSITIVE_INFINITY),
    row("highest of each", peak, PEAK_MAX_MB),
    row(`idle for ${idleSeconds} s`, idle, IDLE_MAX_MB),
    `taken in within ${minutes.toFixed(2)} minutes; the bare encoder takes ${bareMinutes.toFixed(2)} for the ${texts} texts: ${share.toFixed(2)} of its rate, \
at least ${BARE_SHARE_MIN}: ${share >= BARE_SHARE_MIN ? "met" : "MISSED"}\n`,
  ].join("");
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { work: { type: "string" }, idle: { type: "string", default: String(IDLE_SECONDS) }, json: { type: "boolean", default: false } },
});
if (positionals.length === 0) throw new Error("name the folders to take in");
if (!existsSync(STRATA)) throw new Error(`${STRATA} is missing: run \`npm run build\` first`);
const idleSeconds = Number(values.idle);
const work = mkdtempSync(join(values.work ?? tmpdir(), "strata-ingest-memory-"));
try {
  const measured = await measure(positionals, work, idleSeconds * 1_000);
  const texts = textsIn(join(work, "data"));
  const outcome = { ...measured, texts: texts.length, bareMinutes: await encodeBare(texts, work) };
  process.stdout.write(values.json ? `${JSON.stringify(outcome)}\n` : report(outcome, idleSeconds));
  const met = outcome.peak.resident <= PEAK_MAX_MB && outcome.idle.resident <= IDLE_MAX_MB && shareOfBare(outcome) >= BARE_SHARE_MIN;
  process.exitCode = met ? 0 : FAULTY;
} finally {
  rmSync(work, { recursive: true, force: true });
}
