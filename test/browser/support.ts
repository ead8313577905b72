/** A real Chromium in front of the executable, and what went wrong in its pages. */
import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { programPath, type Sandbox, seededSandbox, Server, START_MAX_MS } from "../acceptance/support.ts";

/** Path of the browser: CHROMIUM_PATH, or the one that Debian's package installs; undefined: there is none. */
const CHROMIUM = [process.env.CHROMIUM_PATH, programPath("chromium")].find((path) => path !== undefined && path !== null && existsSync(path));

/** A test that needs the browser: counted as skipped, by its name, where there is none. */
export function inChromium(name: string, work: () => Promise<void>, maxMs?: number): void {
  (CHROMIUM === undefined ? test.skip : test)(`${name} (needs Chromium)`, work, maxMs);
}

/** For one test, beside others on the same machine. */
export const TEST_MAX_MS = 120_000;
const ACTION_MAX_MS = 20_000;

export type Somebody = "demo-admin" | "demo-reader";
export const SCREENS = ["search", "answer", "files", "units", "scopes", "audit", "status", "tokens"] as const;

/** The browser writes each refusal to the console as an error, and so each request that found nobody there. */
const EXPECTED = /^Failed to load resource: (?:the server responded with a status of 4\d\d|net::ERR_)/;
const REPORT_VIOLATIONS =
  "addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error('policy:', violatedDirective, blockedURI))";

/** Collects uncaught errors, errors in the console, violations of the policy, dialogs, and requests to other hosts. */
async function watch(page: Page): Promise<string[]> {
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(`uncaught: ${message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text())) problems.push(`console: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1") problems.push(`request to ${hostname}`);
  });
  await page.addInitScript(REPORT_VIOLATIONS);
  return problems;
}

/** A service with the demo and a browser. */
export class Stand {
  private constructor(
    readonly browser: Browser,
    readonly sandbox: Sandbox,
    private server: Server,
  ) {}

  static async open(): Promise<Stand> {
    // Chromium's own sandbox refuses to run as root, as CI does.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const sandbox = await seededSandbox();
    const [browser, server] = await Promise.all([
      chromium.launch({ executablePath: CHROMIUM ?? "", args: [...args, "--autoplay-policy=no-user-gesture-required"] }),
      started(sandbox, 0),
    ]);
    return new Stand(browser, sandbox, server);
  }

  get url(): string {
    return this.server.url;
  }

  get api(): Server["call"] {
    return (...request) => this.server.call(...request);
  }

  /** Ends the service, does `between`, and starts it again on the same port and data. */
  async restart(between: () => Promise<void>): Promise<void> {
    const { port } = this.server;
    await this.server.stop();
    await between();
    this.server = await started(this.sandbox, port);
  }

  /** The console, signed in as somebody (null: nobody) at `place`; afterwards nothing may have gone wrong in the page. */
  async visit(who: Somebody | null, place: string, work: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    context.setDefaultTimeout(ACTION_MAX_MS);
    const page = await context.newPage();
    const problems = await watch(page);
    try {
      await page.goto(`${this.url}/#/${place}`);
      if (who !== null) await signIn(page, who);
      await work(page);
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.sandbox.dispose();
  }
}

/** With PATH, since video needs ffmpeg. */
function started(sandbox: Sandbox, port: number): Promise<Server> {
  return Server.of(sandbox.spawn(["serve", "--demo", "--port", String(port)], { PATH: process.env.PATH ?? "" }));
}

/** One click on the page for signing in. */
export async function signIn(page: Page, who: Somebody): Promise<void> {
  await page.getByRole("button", { name: who }).click();
  await page.locator("#main").waitFor();
}

/** A stand for the tests of a file. */
export function useStand(): () => Stand {
  let stand: Stand | null = null;
  beforeAll(async () => {
    if (CHROMIUM !== undefined) stand = await Stand.open();
  }, START_MAX_MS);
  afterAll(async () => {
    await stand?.close();
  });
  return () => {
    if (stand === null) throw new Error("the stand is not open");
    return stand;
  };
}
