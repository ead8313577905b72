/**
 * The console in a real Chromium, over many Units.
 *
 *   npm run bench:console [-- --units N] [--work DIR] [--json]
 *
 * Stores N Units (default 50,000) as `strata bench` does in a fresh data directory below DIR (default: a temporary one),
 * starts dist/strata on it, and measures in Chromium (CHROMIUM_PATH, or /usr/bin/chromium): the first paint with an empty
 * cache, the compressed size of all files, and Search while somebody types. Exit status: 0, also when a bar is missed; 1
 * when something failed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core";
import { App } from "../../src/app/app.ts";
import { createLog } from "../../src/base/log.ts";
import { GROUPS, OWNER, SCOPE, sentences, storeUnits } from "../../src/cli/bench/corpus.ts";
import { FIGURE_HEADINGS, type Figure, figureRow, percentile } from "../../src/cli/bench/measure.ts";
import { settled } from "../../src/cli/bench/stand.ts";
import { count, json, table } from "../../src/cli/format.ts";
import { newPrincipal } from "../../src/domain/principal.ts";

const STRATA = resolve(import.meta.dir, "../../dist/strata");
const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const NAMESPACE = "bench";
const UNITS = 50_000;
const LOADS = 5;
/** Texts that are typed. */
const ROUNDS = 5;
const TYPED_CHARS = 30;
/** Ten keystrokes a second. */
const KEYSTROKE_MS = 100;
/** Before and after the last results: for those that have not been asked for, and for some that come later. */
const QUIET_MS = 500;
const PAINT_MAX_MS = 300;
const FILES_MAX_KB = 250;
const START_MAX_MS = 120_000;
const POLL_MS = 50;
const KB = 1_000;

/** Stores the Units and makes an admin. Returns the admin's API token. */
async function prepare(data: string, units: number): Promise<string> {
  const app = await App.open({ data, log: createLog("warn", (line) => process.stderr.write(line), false) });
  try {
    const { tables: directory } = app.data;
    directory.putNamespace(NAMESPACE, "enterprise");
    directory.putPrincipal(newPrincipal(NAMESPACE, OWNER, { perms: ["read", "write", "admin"], scopes: [SCOPE], groups: GROUPS }));
    const { secret } = directory.createToken({ name: OWNER, namespace: NAMESPACE, principal_id: OWNER });
    const tenant = await app.tenant({ namespace: NAMESPACE, tier: "enterprise" });
    await storeUnits(tenant, app.services.encoder, units, (done) => process.stderr.write(`\r${count(done)} of ${count(units)} Units stored`));
    await settled(tenant.vectors);
    process.stderr.write("\n");
    return secret;
  } finally {
    await app.close();
  }
}

/** Starts the executable on `data`, and ends it after `work`, which gets its address. Errors: when it does not start. */
async function serving<T>(data: string, work: (url: string) => Promise<T>): Promise<T> {
  const logPath = `${data}.log`;
  await Bun.write(logPath, "");
  const server = Bun.spawn([STRATA, "serve", "--data", data, "--port", "0"], { stdout: "ignore", stderr: Bun.file(logPath) });
  try {
    const deadline = performance.now() + START_MAX_MS;
    while (server.exitCode === null && performance.now() < deadline) {
      const url = /listening on (http:\/\/[\w.:]+)/.exec(readFileSync(logPath, "utf8"))?.[1];
      if (url !== undefined) return await work(url);
      await Bun.sleep(POLL_MS);
    }
    throw new Error(`the server did not start:\n${readFileSync(logPath, "utf8")}`);
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }
}

const PAINTS = `new Promise((done) => {
  const paints = {};
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) paints[name] = startTime;
    if ("first-contentful-paint" in paints) done(paints);
  }).observe({ type: "paint", buffered: true });
})`;
type Paints = Record<"first-paint" | "first-contentful-paint", number>;

/** Signed in, with an empty cache each time. */
async function paints(browser: Browser, url: string, cookies: Awaited<ReturnType<BrowserContext["cookies"]>>): Promise<Figure[]> {
  const each: Paints[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    const context = await browser.newContext();
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.goto(url);
    each.push((await page.evaluate(PAINTS)) as Paints);
    await context.close();
  }
  const median = (name: keyof Paints) =>
    percentile(
      each.map((paint) => paint[name]),
      0.5,
    );
  const [first, contentful] = [median("first-paint"), median("first-contentful-paint")];
  return [
    {
      name: `first paint, median of ${LOADS} loads`,
      value: first,
      unit: "ms",
      bar: { text: `at most ${PAINT_MAX_MS} ms`, met: first <= PAINT_MAX_MS },
    },
    { name: "first contentful paint", value: contentful, unit: "ms", bar: { text: `at most ${PAINT_MAX_MS} ms`, met: contentful <= PAINT_MAX_MS } },
  ];
}

/** The page and all that it names, as they go over the wire. */
async function fileSizes(url: string): Promise<Figure> {
  const packed = async (path: string) => {
    const response = await fetch(new URL(path, url), { headers: { "accept-encoding": "gzip" }, decompress: false });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return (await response.arrayBuffer()).byteLength;
  };
  const html = await (await fetch(url)).text();
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string);
  const kilobytes = (await Promise.all(["/", ...named].map(packed))).reduce((sum, bytes) => sum + bytes, 0) / KB;
  return { name: "all files, compressed", value: kilobytes, unit: "kB", bar: { text: `at most ${FILES_MAX_KB} kB`, met: kilobytes <= FILES_MAX_KB } };
}

/**
 * In the page: when each key was struck and painted, and when results were painted; ms of its clock. What follows a frame's
 * rendering is heard of by a message that is sent before it.
 */
const WATCH = `(() => {
  const seen = (window.seen = { keys: [], results: [] });
  const painted = (tell) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => tell(performance.now());
    port2.postMessage(null);
  });
  let struck = 0;
  addEventListener("keydown", ({ timeStamp }) => (struck = timeStamp), true);
  addEventListener("input", () => {
    const at = struck;
    painted((shown) => seen.keys.push({ at, shown }));
  }, true);
  new MutationObserver((changes) => {
    if (changes.some(({ target }) => target.ariaBusy === "false")) painted((shown) => seen.results.push(shown));
  }).observe(document.body, { subtree: true, attributeFilter: ["aria-busy"] });
})()`;

interface Round {
  /** From the last keystroke to its results; ms. */
  delay: number;
  /** Longest from a keystroke to its painting in the field; ms. */
  gap: number;
  /** Of each request that was answered; ms. */
  answered: number[];
  aborted: number;
}

/** Types a text at its pace, whether or not the page keeps up. Errors: when the text is not searched for. */
async function type(page: Page, text: string): Promise<Round> {
  await page.getByRole("searchbox").fill("");
  await page.evaluate("Object.assign(seen, { keys: [], results: [] })");
  const answered: Request[] = [];
  const aborted: Request[] = [];
  const isSearch = (request: Request) => request.url().endsWith("/v1/search");
  const onFinished = (request: Request) => isSearch(request) && answered.push(request);
  const onFailed = (request: Request) => isSearch(request) && aborted.push(request);
  page.on("requestfinished", onFinished).on("requestfailed", onFailed);
  const start = performance.now();
  const strokes = [...text].map(async (key, index) => {
    await Bun.sleep(start + index * KEYSTROKE_MS - performance.now());
    await page.keyboard.press(key);
  });
  await Promise.all(strokes);
  // The address names the text before it is asked for.
  await page.waitForURL(({ hash }) => new URLSearchParams(hash.split("?")[1]).get("q") === text);
  await Bun.sleep(QUIET_MS);
  await page.locator(".search-results[aria-busy=false]").waitFor();
  await Bun.sleep(QUIET_MS);
  page.off("requestfinished", onFinished).off("requestfailed", onFailed);
  const { keys, results } = (await page.evaluate("seen")) as { keys: { at: number; shown: number }[]; results: number[] };
  const [typed, shown] = [keys.at(-1)?.at, results.at(-1)];
  if (typed === undefined || shown === undefined || shown < typed) throw new Error(`no results were shown for ${text}`);
  const gap = Math.max(...keys.map((key) => key.shown - key.at));
  return { delay: shown - typed, gap, answered: answered.map((request) => request.timing().responseEnd), aborted: aborted.length };
}

async function typing(context: BrowserContext, url: string): Promise<Figure[]> {
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("searchbox").waitFor();
  await page.evaluate(WATCH);
  const texts = (await sentences()).map((sentence) => sentence.slice(0, TYPED_CHARS)).filter((text) => /^[ -~]{29}[!-~]$/.test(text));
  const rounds: Round[] = [];
  for (const text of texts.slice(0, ROUNDS)) rounds.push(await type(page, text));
  const delays = rounds.map(({ delay }) => delay);
  const gap = Math.max(...rounds.map((round) => round.gap));
  const answered = rounds.flatMap((round) => round.answered);
  const sent = rounds.reduce((sum, round) => sum + round.aborted, answered.length);
  return [
    { name: `last keystroke to its results, median of ${rounds.length} texts`, value: percentile(delays, 0.5), unit: "ms" },
    { name: "the slowest", value: Math.max(...delays), unit: "ms" },
    {
      name: "longest from a keystroke to its painting",
      value: gap,
      unit: "ms",
      bar: { text: `at most ${KEYSTROKE_MS} ms, the next keystroke`, met: gap <= KEYSTROKE_MS },
    },
    { name: "searches sent for 100 keystrokes", value: (100 * sent) / (rounds.length * TYPED_CHARS), unit: "" },
    { name: "of these aborted", value: (100 * (sent - answered.length)) / sent, unit: "%" },
    { name: "a search that was answered, p50", value: percentile(answered, 0.5), unit: "ms" },
    { name: "a search that was answered, p95", value: percentile(answered, 0.95), unit: "ms" },
  ];
}

async function measure(url: string, token: string): Promise<Figure[]> {
  // Chromium's own sandbox refuses to run as root.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const session = await context.request.post(`${url}/v1/session`, { data: { token } });
    if (!session.ok()) throw new Error(`signing in answered ${session.status()}: ${await session.text()}`);
    return [...(await paints(browser, url, await context.cookies())), await fileSizes(url), ...(await typing(context, url))];
  } finally {
    await browser.close();
  }
}

const { values } = parseArgs({
  options: { units: { type: "string", default: String(UNITS) }, work: { type: "string" }, json: { type: "boolean", default: false } },
});
const units = Number(values.units);
if (!Number.isInteger(units) || units < 1) throw new Error("--units takes a whole number from 1");
for (const path of [STRATA, CHROMIUM]) if (!existsSync(path)) throw new Error(`${path} is missing`);
const work = mkdtempSync(join(values.work ?? tmpdir(), "strata-console-"));
try {
  const data = join(work, "data");
  const token = await prepare(data, units);
  const figures = await serving(data, (url) => measure(url, token));
  process.stdout.write(values.json ? json({ units, figures }) : `${count(units)} Units\n\n${table(FIGURE_HEADINGS, figures.map(figureRow))}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
