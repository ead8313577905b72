/**
 * Runs an operation, in one order for HTTP and the command line: the view, the permission (403), what the transport itself
 * refuses, the tier (402), the form of the request (400), the work. Denials are recorded here and nowhere else.
 */
import { Fault, FAULT_STATUS } from "../base/fault.ts";
import { lacksFeature, lacksPermission } from "./access/admit.ts";
import { resolveView, type View } from "./access/view.ts";
import { checkValues, validator } from "./schema.ts";
import { recordDenial } from "./audit/record.ts";
import type { AnyOperation, Emit, Operation, Sent } from "./operation.ts";
import type { Services } from "./services.ts";
import type { Caller } from "../domain/principal.ts";

export interface Asked {
  /** Null: the operation needs no caller. */
  caller: Caller | null;
  /** The scope that the request names; null: none. */
  scope: string | null;
  /** The id or path in the request, for the row of a denial; null: none. */
  target: string | null;
  /** What the transport refuses a caller that has the permission, such as a cookie from another site; null: nothing. */
  refuse?: () => Fault | null;
  /** Takes the events of the operation; absent: nobody follows the work. */
  emit?: Emit;
  /** Errors: `bad_request`, `payload_too_large`. */
  read(): Promise<Sent>;
  /** Runs the work once there is room for it. Errors: `rate_limited`, those of the work. */
  hold<T>(work: () => Promise<T>): Promise<T>;
}

/** Errors: every Fault that the operation names, and the refusals above. */
export async function perform<Input, Output, V extends View | null>(
  operation: Operation<Input, Output, V>,
  services: Services,
  asked: Asked,
): Promise<Output> {
  const { call, output } = await inView(services, asked, (view) => run(operation, services, asked, view as V));
  const { wait } = operation;
  if (wait === undefined) return output;
  try {
    return await wait.call(operation, call, output);
  } catch (failure) {
    // The namespace may have been closed meanwhile.
    return inView(services, asked, (view) => denied(operation, asked, view, failure));
  }
}

/** Works with the view of who asks, null without a caller; its namespace stays open meanwhile. */
async function inView<T>({ withTenant }: Services, { caller, scope }: Asked, work: (view: View | null) => Promise<T>): Promise<T> {
  if (caller === null) return work(null);
  return withTenant(caller.namespace, async (tenant) => work(await resolveView(tenant, caller, scope)));
}

async function run<Input, Output, V extends View | null>(operation: Operation<Input, Output, V>, services: Services, asked: Asked, view: V) {
  const { emit } = asked;
  try {
    if (view !== null) {
      const fault = lacksPermission(operation.access, view) ?? asked.refuse?.() ?? lacksFeature(operation.access, view);
      if (fault !== null) throw fault;
    }
    const sent = await asked.read();
    return await asked.hold(async () => {
      const call = { view, input: inputOf(operation, sent, view, services), services, ...(emit && { emit }) };
      return { call, output: await operation.run(call) };
    });
  } catch (failure) {
    return denied(operation, asked, view, failure);
  }
}

/** Records a failure that is a denial. Errors: the failure. */
async function denied(operation: AnyOperation, { target }: Asked, view: View | null, failure: unknown): Promise<never> {
  if (view !== null && failure instanceof Fault && isDenial(operation, failure)) await recordDenial(view, operation, target, failure);
  throw failure;
}

const validators = new Map<AnyOperation, (value: unknown) => unknown>();

function inputOf<Input, V>(operation: Operation<Input, unknown, V>, sent: Sent, view: V, services: Services): Input {
  if (operation.parse !== undefined) return operation.parse(sent, view, () => services.now());
  if (sent.form === "json") checkValues(sent.input);
  if (operation.input === null) return {} as Input;
  const check = validators.get(operation) ?? validator(operation.input);
  validators.set(operation, check);
  return check(sent.input) as Input;
}

function isDenial({ action, access }: AnyOperation, { kind }: Fault): boolean {
  if (action === null) return false;
  const missing = access.recordsMissing === true && (kind === "not_found" || kind === "conflict");
  return kind === "forbidden" || FAULT_STATUS[kind] === 402 || missing;
}
