/** The service opened on a data directory, without a listener: the handlers of the routes, called by the operator. */
import { App, findFfmpeg } from "../app/app.ts";
import { Fault, StartError } from "../base/fault.ts";
import { createLog, type Log } from "../base/log.ts";
import { DEMO_NAMESPACE } from "../core/demo/seed.ts";
import { type Caller, operatorIn } from "../domain/principal.ts";
import { VERSION } from "../base/version.ts";
import { type Admitted, permits, recordDenial, ROUTES, tierFault } from "../http/gate.ts";
import { createHandlers } from "../http/routes.ts";
import { createWork, WORK_LIMITS } from "../http/work.ts";
import type { Backend, BackendOptions, BackendRequest, BackendRoute } from "./backend.ts";
import { pathOf } from "./client.ts";
import type { Context } from "./command.ts";
import { requireData } from "../app/data.ts";
import { configOf } from "./flags.ts";
import { count } from "./format.ts";
import { Progress } from "./progress.ts";

/** A command's own messages are its log: only what goes wrong is added, unless the operator asks for more. */
function commandLog({ env, io: { stderr } }: Context): Log {
  const level = env.STRATA_LOG ? configOf({}, env).log : "warn";
  return createLog(level, (line) => stderr.write(line), stderr.isTerminal);
}

/** The App with progress on a terminal and its log on stderr. `resumeJobs`: only a server goes on with work that others left. The caller closes it. Errors: StartError. */
export async function openApp(
  context: Context,
  path: string,
  log = commandLog(context),
  resumeJobs = false,
  config = configOf({}, context.env),
): Promise<App> {
  const progress = new Progress(context.io.stderr);
  const onReplay = (namespace: string, units: number) => progress.show(`${namespace}: ${count(units)} Units brought into the indexes`);
  try {
    const ffmpeg = findFfmpeg(config.ffmpeg.setting, config.ffmpeg.path);
    return await App.open({ data: path, log, onReplay, llm: config.llm, ffmpeg, memory: config.memory, runtime: config.runtime, resumeJobs });
  } finally {
    progress.clear();
  }
}

/** As openBackend, for a data directory. Without a namespace it can only seed. */
export async function openDirect(context: Context, path: string, options: BackendOptions): Promise<Backend> {
  if (!options.create) requireData(path);
  const app = await openApp(context, path);
  try {
    return backendOf(app, options.namespace === null ? seederIn(app) : callerOf(app, options.namespace, options.as ?? null));
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Nobody while seeding is open to all; once tokens exist, the operator. */
function seederIn(app: App): Caller | null {
  return app.data.directory.hasTokens() ? operatorIn({ namespace: DEMO_NAMESPACE, tier: "enterprise" }) : null;
}

function callerOf(app: App, name: string, as: string | null): Caller {
  const { directory, root } = app.data;
  const namespace = directory.namespace(name);
  if (namespace === null) {
    const known = directory.namespaces().map((each) => each.namespace);
    const others =
      known.length === 0
        ? "it has none: strata seed makes the demo, strata token create makes your own"
        : `it has ${known.join(", ")}; --namespace chooses one`;
    throw new StartError(`no namespace ${name} in ${root}; ${others}`);
  }
  if (as === null) return operatorIn(namespace);
  const principal = directory.principal(name, as);
  if (principal === null) throw new StartError(`no principal ${as} in namespace ${name}`);
  return { principal, credential: "token", namespace };
}

function backendOf(app: App, caller: Caller | null): Backend {
  const handlers = createHandlers({ ...app.edge, version: VERSION, trustSeeded: true, secureCookies: false });
  const work = createWork(WORK_LIMITS);
  return {
    call: async (route, request) => {
      const admitted: Admitted = {
        route,
        caller,
        scope: request.scope ?? null,
        parameters: request.parameters ?? new URLSearchParams(),
        id: request.id ?? "",
        session: null,
      };
      try {
        if (caller !== null) await permit(app, caller, route, admitted.scope);
        const reply = await work(handlers[route], admitted, requestOf(route, request));
        return reply instanceof Response ? reply : reply.body;
      } catch (failure) {
        await recordDenial(app.service, admitted, failure);
        throw failure;
      }
    },
    close: () => app.close(),
  };
}

/** A principal that is acted for may do no more here than over HTTP, and a namespace has no more than its tier. */
async function permit(app: App, caller: Caller, route: BackendRoute, scope: string | null): Promise<void> {
  const { needs, feature } = ROUTES[route];
  const { perms } = await app.service.clamp(caller, scope);
  if (!permits(needs, perms)) throw new Fault("forbidden", `${caller.principal.principal_id} lacks the ${needs.join(" or ")} permission here`);
  const fault = tierFault(feature, caller.namespace.tier);
  if (fault !== null) throw fault;
}

function requestOf(route: BackendRoute, request: BackendRequest): Request {
  const { body, idempotencyKey, file } = request;
  const { method } = ROUTES[route];
  const path = pathOf(route, request);
  const headers = new Headers({ "content-type": "application/json" });
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
  if (file !== undefined)
    return new Request(`http://strata${path}`, { method, headers: { "content-type": "application/octet-stream" }, body: Bun.file(file).stream() });
  return new Request(`http://strata${path}`, body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) });
}
