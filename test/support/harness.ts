/** Boots the real wiring, stores and engines included, on a temporary data directory. */
import { rmSync } from "node:fs";
import { App } from "../../src/app/app.ts";
import { silentLog } from "../../src/base/log.ts";
import { createEdge } from "../../src/app/edge.ts";
import type { Http, HttpOptions } from "../../src/http/server.ts";
import { temporaryDirectory } from "./scratch.ts";

export interface CallOptions {
  token?: string | null;
  /** Text, bytes and streams go as they are; anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  /** What JSON says; null where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
  body: any;
  /** The body as it was sent. */
  text: string;
  headers: Headers;
}

export type Call = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

export interface Harness {
  app: App;
  data: string;
  http: Http;
  call: Call;
  /** A second HTTP edge over the same app: another listener, another deployment's flags, another service. */
  front(options: Partial<HttpOptions>): { http: Http; call: Call };
  close(): Promise<void>;
}

/** What the harness is called: no listener is there, but requests name one. */
export const HOST = "127.0.0.1:4700";

function asBody(body: unknown): string {
  const raw = typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
  return raw ? (body as string) : JSON.stringify(body);
}

function callerOf(http: Http): Call {
  return async (method, path, { token = "strata_demo_admin", body, headers = {} } = {}) => {
    const init: RequestInit = { method, headers: { host: HOST, ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers } };
    if (body !== undefined) {
      init.body = asBody(body);
      init.headers = { "content-type": "application/json", ...(init.headers as Record<string, string>) };
    }
    const response = await http.handle(new Request(`http://${HOST}${path}`, init));
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, body: isJson ? JSON.parse(text) : null, text, headers: response.headers };
  };
}

export interface HarnessOptions extends Partial<HttpOptions> {
  data?: string;
  seed?: boolean;
  now?: () => number;
  /** As a server that listens already and has opened nothing; by default all is open. */
  begun?: boolean;
  /** Path of ffmpeg; null or absent: there is none. */
  ffmpeg?: string | null;
  /** As AppOptions. */
  namespacesOpen?: number;
}

export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  const data = options.data ?? temporaryDirectory();
  const { log = silentLog, ffmpeg = null, begun = false, namespacesOpen = null } = options;
  const app = await (begun ? App.begin : App.open)({ data, log, ffmpeg, namespacesOpen, ...(options.now ? { now: options.now } : {}) });
  if (options.seed ?? true) await app.services.seeding.run(null);
  const names = { address: "127.0.0.1", allowed: [] };
  const front = ({ hosts = names, trustSeeded = true, secureCookies = false, services = app.services, limits = {} }: Partial<HttpOptions>) => {
    const http = createEdge({ services: { ...services, version: "test" }, hosts, trustSeeded, secureCookies, log, limits });
    return { http, call: callerOf(http) };
  };
  return {
    app,
    data,
    ...front(options),
    front,
    async close() {
      await app.close();
      if (options.data === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}
