/** Where the commands about tokens work: on a data directory as its operator, with the audit rows that go with it, or on a running server. */
import { Fault, StartError } from "../base/fault.ts";
import type { TokenOptions } from "../core/tokens/tokens.ts";
import { type Caller, operatorIn } from "../domain/principal.ts";
import type { AuditAction } from "../domain/audit.ts";
import type { Backend } from "./backend.ts";
import { withBackend } from "./open-backend.ts";
import type { Context } from "./command.ts";
import { type DataOptions, withData, withStore } from "../app/data.ts";
import type { Directory, DirectoryReader } from "../domain/port/directory.ts";
import type { Target } from "./flags.ts";

export interface LocalTokens {
  directory: Directory;
  /** What the functions of core/tokens/tokens.ts take for the tokens of a namespace, which is opened when there is something to write down. */
  of(namespace: string): TokenOptions;
}

/** Opens a data directory, works and closes, whatever the work does. Errors: StartError. */
export async function withLocalTokens<T>(path: string, options: DataOptions, work: (tokens: LocalTokens) => Promise<T>): Promise<T> {
  const { recordIn } = await import("../core/tokens/tokens.ts");
  return withData(path, options, (data) => {
    const of = (namespace: string): TokenOptions => ({
      directory: data.directory,
      record: (event) => withStore(data, namespace, (store) => recordIn(store)(event)),
    });
    return work({ directory: data.directory, of });
  });
}

/** The operator of a namespace. Errors: StartError. */
export async function operatorOf(directory: DirectoryReader, name: string): Promise<Caller> {
  const namespace = await directory.namespace(name);
  if (namespace === null) {
    const known = (await directory.namespaces()).map((each) => each.namespace);
    throw new StartError(`no namespace ${name}; there is ${known.join(", ") || "none"}`);
  }
  return operatorIn(namespace);
}

/** Does what an operator may be refused; a refusal is written to the chain of the namespace, if there is one. */
export async function recordingDenial<T>({ directory, of }: LocalTokens, namespace: string, action: AuditAction, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault && error.kind === "forbidden" && (await directory.namespace(namespace)) !== null) {
      const detail = { error: error.kind };
      await of(namespace).record({ principal_id: "operator", action, outcome: "denied", scope: null, target: null, detail });
    }
    throw error;
  }
}

/**
 * Asks a server about the tokens of a namespace; null: the token's own. Everybody but the super-admin works in its own
 * namespace whatever it names: a command that named another is refused here, before it does anything there. Errors: Fault,
 * StartError.
 */
export function withRemoteTokens<T>(
  context: Context,
  target: Extract<Target, { kind: "server" }>,
  namespace: string | null,
  work: (backend: Backend) => Promise<T>,
): Promise<T> {
  return withBackend(context, target, { namespace }, async (backend) => {
    if (namespace !== null) {
      const { principal } = (await backend.call("context", {})) as { principal: { namespace: string } };
      if (principal.namespace !== namespace) throw new StartError(`the token belongs to namespace ${principal.namespace}, not ${namespace}`);
    }
    return work(backend);
  });
}
