/** Boots the real wiring, stores and engines included, on a temporary data directory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "../../src/app.ts";
import { silentLog } from "../../src/base/log.ts";
import { createHttp, type HttpOptions } from "../../src/http/server.ts";

export interface CallOptions {
  token?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
  body: any;
  headers: Headers;
}

export interface Harness {
  app: App;
  data: string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

/** An open app points TMPDIR into its own data directory, which goes away with it: the first answer of the process counts. */
process.env.STRATA_TEST_TMP ??= tmpdir();
export const TEST_TMP: string = process.env.STRATA_TEST_TMP;

export function temporaryDirectory(): string {
  return mkdtempSync(join(TEST_TMP, "strata-test-"));
}

export async function openHarness(options: { data?: string; seed?: boolean; now?: () => number } & Partial<HttpOptions> = {}): Promise<Harness> {
  const data = options.data ?? temporaryDirectory();
  const app = await App.open({ data, log: silentLog, ...(options.now ? { now: options.now } : {}) });
  if (options.seed ?? true) await app.service.seed(null);
  const http = createHttp({
    service: app.service,
    directory: app.data.directory,
    health: () => app.health(),
    version: "test",
    trustSeeded: options.trustSeeded ?? true,
    secureCookies: options.secureCookies ?? false,
    log: silentLog,
  });
  return {
    app,
    data,
    async call(method, path, { token = "strata_demo_admin", body, headers = {} } = {}) {
      const init: RequestInit = { method, headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers } };
      if (body !== undefined) {
        init.body = typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body);
        init.headers = { "content-type": "application/json", ...(init.headers as Record<string, string>) };
      }
      const response = await http.handle(new Request(`http://127.0.0.1:4700${path}`, init));
      return { status: response.status, body: await response.json(), headers: response.headers };
    },
    async close() {
      await app.close();
      if (options.data === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}
