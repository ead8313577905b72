/** The service opened on a data directory, without a listener: operations called by the operator, or as a principal. */
import { App, findFfmpeg } from "../app/app.ts";
import { requireData } from "../app/data.ts";
import { StartError } from "../base/fault.ts";
import { createLog, type Log } from "../base/log.ts";
import { DEMO_NAMESPACE } from "../core/demo/principals.ts";
import { checkedFacts } from "../core/files/facts.ts";
import { checkedName } from "../core/files/name.ts";
import type { Receive } from "../core/files/receive.ts";
import type { AnyOperation } from "../core/operation.ts";
import { perform } from "../core/perform.ts";
import { homeOf } from "../core/tokens/tokens.ts";
import { type Caller, operatorIn } from "../domain/principal.ts";
import { type Route, ROUTES } from "../http/routes.ts";
import { sentLine } from "../http/unit-lines.ts";
import type { Backend, BackendOptions, LocalFile } from "./backend.ts";
import type { Config } from "../config.ts";
import type { Context } from "./command.ts";
import { configOf } from "./flags.ts";
import { count } from "./format.ts";
import { Progress } from "./progress.ts";

/** A command's own messages are its log: only what goes wrong is added, unless the operator asks for more. */
function commandLog({ env, io: { stderr } }: Context): Log {
  const level = env.STRATA_LOG ? configOf({}, env).log : "warn";
  return createLog(level, (line) => stderr.write(line), stderr.isTerminal);
}

/** The App with progress on a terminal and its log on stderr. The caller closes it. Errors: StartError. */
async function openApp(context: Context, path: string): Promise<App> {
  const progress = new Progress(context.io.stderr);
  const onReplay = (namespace: string, units: number) => progress.show(`${namespace}: ${count(units)} Units brought into the indexes`);
  try {
    return await App.open({ ...optionsOf(path, commandLog(context), configOf({}, context.env)), onReplay, resumeJobs: false });
  } finally {
    progress.clear();
  }
}

/** As openApp, but a namespace is opened when it is used: one that cannot be opened fails alone. Errors: StartError. */
export function openOnUse(context: Context, path: string, config: Config): Promise<App> {
  return App.begin({ ...optionsOf(path, commandLog(context), config), resumeJobs: false });
}

/** The App of a server, as App.begin: it goes on with work that others left. The caller closes it. Errors: StartError. */
export function beginApp(path: string, log: Log, config: Config): Promise<App> {
  return App.begin(optionsOf(path, log, config));
}

function optionsOf(data: string, log: Log, { llm, ffmpeg, memory, runtime }: Config) {
  return { data, log, llm, ffmpeg: findFfmpeg(ffmpeg.setting, ffmpeg.path), memory, runtime };
}

/** As openBackend, for a data directory. Without a namespace it can only seed. */
export async function openDirect(context: Context, path: string, options: BackendOptions): Promise<Backend> {
  if (!options.create) requireData(path);
  const app = await openApp(context, path);
  try {
    return backendOf(app, await callerFor(app, options));
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function callerFor(app: App, { namespace, as = null, token }: BackendOptions): Promise<Caller | null> {
  if (token !== undefined) return holderOf(app, token, namespace);
  return namespace === null ? seederIn(app) : callerOf(app, namespace, as);
}

/** The principal of a token; the super-admin's chooses its namespace. Errors: StartError. */
async function holderOf(app: App, token: string, name: string | null): Promise<Caller> {
  const { root, directory } = app.data;
  const found = await directory.byToken(token);
  if (found === null) throw new StartError(`the token is none of ${root}`);
  const { principal } = found;
  const namespace = await (principal.super_admin && name !== null ? directory.namespace(name) : homeOf(directory, principal));
  if (namespace === null) throw new StartError(`no namespace ${name ?? principal.namespace} in ${root}`);
  return { principal, credential: "token", namespace };
}

/** Nobody while seeding is open to all; once tokens exist, the operator. */
function seederIn(app: App): Caller | null {
  return app.data.tables.hasTokens() ? operatorIn({ namespace: DEMO_NAMESPACE, tier: "enterprise" }) : null;
}

function callerOf(app: App, name: string, as: string | null): Caller {
  const { tables: directory, root } = app.data;
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
  return {
    call: (name, { input, lines, scope = null, idempotencyKey = null, file, signal }) => {
      const route: Route = ROUTES[name];
      const operation: AnyOperation = (lines && route.lines?.operation) ?? route.operation;
      return perform(operation, app.services, {
        caller: caller && signal ? { ...caller, signal } : caller,
        scope,
        target: typeof input?.id === "string" ? input.id : null,
        read: async () => ({
          input: lines === undefined ? (input ?? {}) : { lines: lines.map(sentLine) },
          form: lines === undefined ? "json" : "parameters",
          idempotencyKey,
          file: file === undefined ? null : receiving(file),
        }),
        hold: (work) => work(),
      });
    },
    close: () => app.close(),
  };
}

function receiving({ path, name, acl_groups }: LocalFile): Receive {
  return async (store, checkGroups) => {
    checkGroups(acl_groups);
    const facts = { ...checkedFacts({ acl_groups }), name: checkedName(name) };
    return { received: await store(Bun.file(path).stream() as AsyncIterable<Uint8Array>), facts };
  };
}
