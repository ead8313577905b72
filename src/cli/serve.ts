import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { App } from "../app/app.ts";
import { explainAlone } from "../app/data.ts";
import { forgetServer, httpUrl, tellServer } from "../app/server-file.ts";
import { StartError } from "../base/fault.ts";
import { createLog, type Log } from "../base/log.ts";
import { requireDescriptorLimit } from "../base/descriptors.ts";
import { type Config, DEFAULTS, isLoopback } from "../config.ts";
import { DEMO_READER } from "../core/demo/principals.ts";
import { aborted, type Context, defineCommand, EXIT, type FlagValues, type Io, list, toggle, value } from "./command.ts";
import { configOf, DATA, RUNTIME } from "./flags.ts";
import { LLM_ENVIRONMENT } from "./help.ts";
import { Progress } from "./progress.ts";
import { SEEDING } from "./seed.ts";

const QUESTION = "why did turbine 7 stop?";

const DEMO_AND_PROXY = {
  demo: toggle("load the demo on the first start, while there is no token"),
  "accept-demo-tokens": toggle("take the published demo tokens where others can reach the listener, also through --tls-proxy"),
  "tls-proxy": toggle("clients come over TLS through a proxy: session cookies are Secure"),
};
type ServeFlags = FlagValues<typeof DEMO_AND_PROXY>;

export const serve = defineCommand({
  purpose:
    "Runs the service on a data directory, which it makes when there is none and holds alone. SIGTERM or SIGINT lets running requests finish \
(10 s at most), closes the stores and ends with status 0; a second signal ends at once. Without TLS of its own: put a proxy in front of it \
before others reach it. Where STRATA_LLM_URL names a chat endpoint, the evidence for an answer, which the caller may read, is sent there.",
  operands: [],
  flags: {
    ...DATA,
    host: value("HOST", "address to listen on", { env: "STRATA_HOST", default: DEFAULTS.host }),
    port: value("PORT", "port to listen on, 0 for a free one", { env: "STRATA_PORT", default: String(DEFAULTS.port) }),
    "allowed-host": list("NAME", "answer to this name too, such as the one of a proxy; others are refused, but for the address and localhost", {
      env: "STRATA_ALLOWED_HOSTS",
    }),
    ...RUNTIME,
    memory: value(
      "SIZE",
      "memory for reading files, previews and ffmpeg together, such as 2GiB; by default half of the machine's or its control group's",
      { env: "STRATA_MEMORY" },
    ),
    ...DEMO_AND_PROXY,
  },
  environment: LLM_ENVIRONMENT,
  examples: [
    ["try it", "strata serve --demo"],
    ["behind a TLS proxy, which passes the Host header on", "strata serve --data /var/lib/strata --tls-proxy --allowed-host strata.example"],
  ],
  async run(context, flags) {
    const config = configOf(flags, context.env);
    const stop = context.interruption();
    requireDescriptorLimit();
    const address = { ...config, host: unbracketed(config.host) };
    tryAddress(address);
    // The engines and Elysia, which no other command needs to explain itself.
    const { beginApp } = await import("./direct.ts");
    const { stderr } = context.io;
    const log = createLog(config.log, (line) => stderr.write(line), stderr.isTerminal);
    const app = await beginApp(config.data, log, config).catch((error: unknown) => {
      throw explainAlone(config.data, error);
    });
    try {
      await answer(context, app, address, flags, log, stop);
    } finally {
      await app.close();
    }
    return EXIT.done;
  },
});

/** Listens until the operator asks for the end. */
async function answer({ io }: Context, app: App, config: Config, flags: ServeFlags, log: Log, stop: AbortSignal): Promise<void> {
  const { listen } = await import("../http/listener.ts");
  const { createEdge } = await import("../app/edge.ts");
  const { directory, seeding } = app.services;
  if (flags.demo && !(await directory.hasTokens())) await seedDemo(io, seeding);
  if (stop.aborted) return;
  // Whoever reaches the proxy reaches a listener on loopback through it.
  const trustSeeded = flags["accept-demo-tokens"] || (isLoopback(config.host) && !flags["tls-proxy"]);
  const hosts = { address: config.host, allowed: config.allowedHosts };
  const http = createEdge({ services: app.services, hosts, trustSeeded, secureCookies: flags["tls-proxy"], log });
  const listener = listening(() => listen(http, { hostname: config.host, port: config.port, log, held: () => app.descriptors() }), config);
  const live = (await directory.tokens(null)).filter(({ revoked_at, seeded }) => revoked_at === null && (trustSeeded || !seeded));
  const canSignIn = live.length > 0;
  const demo = flags.demo && live.some(({ principal_id, seeded }) => seeded && principal_id === DEMO_READER.principal_id);
  const { root } = app.data;
  announce(root, { host: reachable(config.host), port: listener.port, demo }, log);
  io.stderr.write(`listening on ${httpUrl(config.host, listener.port)}\n`);
  advise(io, config, flags, listener.port, {
    trustSeeded,
    canSignIn,
  });
  try {
    await Promise.race([aborted(stop), finishStart(app, stop)]);
  } finally {
    forgetServer(root);
    await listener.stop();
  }
}

/** Does behind the listener what no request waits for, and then never ends. Errors: StartError when the engines cannot be used. */
async function finishStart(app: App, stop: AbortSignal): Promise<never> {
  try {
    await app.finishStart();
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  return new Promise(() => {});
}

/** Without the file the service is as good: only commands of this machine have to be told where it is. */
function announce(root: string, server: Parameters<typeof tellServer>[1], log: Log): void {
  try {
    tellServer(root, server);
  } catch (error) {
    log.warn("server.json cannot be written: commands must name this server with --url", { error });
  }
}

async function seedDemo({ stderr }: Io, seeding: App["services"]["seeding"]): Promise<void> {
  await new Progress(stderr).during(SEEDING, () => seeding.run(null));
}

/**
 * Before anything is made: a mistyped address leaves no data directory behind. A port in use may be that of the server which
 * holds the directory, and opening that says so. Errors: StartError.
 */
function tryAddress(config: Config): void {
  try {
    Bun.listen({ hostname: config.host, port: config.port, socket: { data() {} } }).stop(true);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EADDRINUSE" && existsSync(join(config.data, "system.db"))) return;
    throw refusedAddress(cause, config);
  }
}

function refusedAddress(cause: unknown, { host, port }: Config): StartError {
  return new StartError(listenFault((cause as NodeJS.ErrnoException).code ?? "", host, port), { cause });
}

/** Errors: StartError in words for what the system refuses. */
function listening<T>(listen: () => T, config: Config): T {
  try {
    return listen();
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw refusedAddress(cause, config);
  }
}

export function listenFault(code: string, host: string, port: number): string {
  if (code === "EADDRINUSE") return `port ${port} on ${host} is in use; choose another with --port, or 0 for a free one`;
  if (code === "EACCES") return `no permission to listen on port ${port} of ${host}; choose one above 1023 with --port`;
  return `cannot listen on ${host} port ${port}: is ${host} an address of this machine?`;
}

function unbracketed(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

/** What to do next, for somebody who just started the service. */
function advise(io: Io, config: Config, flags: ServeFlags, port: number, state: { trustSeeded: boolean; canSignIn: boolean }): void {
  if (!state.trustSeeded && !state.canSignIn) {
    io.stderr.write(`nobody can sign in yet. Stop this, make the first admin, and start again:\n  ${firstAdmin(config.data)}\n`);
  }
  if (!flags.demo) return;
  if (state.trustSeeded) io.stdout.write(tryNext(httpUrl(reachable(config.host), port), config.data));
  else io.stderr.write("others can reach this service, so it refuses the published demo tokens; --accept-demo-tokens takes them\n");
}

function firstAdmin(data: string): string {
  return `strata token create admin --principal admin --namespace main --tier enterprise --perms read,write,admin --data ${data}`;
}

/** An address that this machine can call, for one that stands for all of them. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

/** How to call this executable from here; the sources have no name of their own. */
function program(): string {
  const path = relative(process.cwd(), process.execPath);
  if (!path.endsWith("strata")) return "strata";
  return path.includes("/") ? path : `./${path}`;
}

/** `data`: the directory that is served, which another terminal has to name where it is not the default. */
export function tryNext(url: string, data: string): string {
  const named = data === DEFAULTS.data ? "" : ` --data ${/^[\w./-]+$/.test(data) ? data : `'${data.replaceAll("'", "'\\''")}'`}`;
  const body = JSON.stringify({ q: QUESTION, answer: true });
  return `
Open the console, and sign in with a click:

  ${url}/

or try, as a reader who may not see everything:

  curl -s ${url}/v1/answer -H 'Authorization: Bearer strata_demo_reader' -H 'Content-Type: application/json' -d '${body}'

or without JSON, from another terminal:

  ${program()} answer "${QUESTION}"${named}

`;
}
