/** Typed calls between threads and processes: a call has a number, which its reply repeats. Errors arrive as Faults. */
import { assert, DamageFault, Fault, type FaultKind, type Retry } from "../base/fault.ts";

/** One end of a channel of structured clones. */
export interface Transport {
  /** `transfer`: buffers that the other side takes over; they are empty here afterwards. */
  post(message: unknown, transfer: ArrayBuffer[]): void;
  onMessage(receive: (message: never) => void): void;
}

/** The methods that one side has and the other calls. */
type Methods<Calls> = { [Name in keyof Calls]: (...args: never[]) => unknown };

interface Call {
  id: number;
  method: string;
  args: unknown[];
}
interface SentFault {
  kind: FaultKind;
  retry: Retry;
  detail: string;
  damaged: boolean;
  /** Private: for the log. */
  cause: string | null;
}
type Reply = { id: number; value: unknown } | { id: number; fault: SentFault };

/** The side that calls. */
export class RpcClient<Calls extends Methods<Calls>> {
  private readonly pending = new Map<number, PromiseWithResolvers<unknown>>();
  private lastId = 0;
  private ended: Fault | null = null;

  constructor(private readonly transport: Transport) {
    transport.onMessage((reply: Reply) => this.receive(reply));
  }

  /** Errors: the Fault that the other side sends; the one that `end` was given. */
  call<Name extends keyof Calls & string>(method: Name, ...args: Parameters<Calls[Name]>): Promise<Awaited<ReturnType<Calls[Name]>>> {
    const reply = Promise.withResolvers<unknown>();
    if (this.ended === null) {
      this.lastId += 1;
      this.pending.set(this.lastId, reply);
      this.transport.post({ id: this.lastId, method, args } satisfies Call, []);
    } else reply.reject(this.ended);
    return reply.promise as Promise<Awaited<ReturnType<Calls[Name]>>>;
  }

  /** No reply comes any more: what waits for one fails, and every later call. */
  end(fault: Fault): void {
    this.ended ??= fault;
    for (const { reject } of this.pending.values()) reject(this.ended);
    this.pending.clear();
  }

  private receive(reply: Reply): void {
    const waiting = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    if ("fault" in reply) waiting?.reject(received(reply.fault));
    else waiting?.resolve(reply.value);
  }
}

export interface ServeOptions {
  /** The Fault for what a method throws. Its cause is sent as text. */
  faultOf(error: unknown, method: string): Fault;
  /** The buffers of a value that are transferred rather than copied. */
  transfer?: (value: unknown) => ArrayBuffer[];
  /** Called after each reply. */
  replied?: (method: string) => void;
}

/** The side that is called. Calls may overlap: each is answered when its method is done. */
export function serve<Calls extends Methods<Calls>>(transport: Transport, methods: Calls, { faultOf, transfer, replied }: ServeOptions): void {
  const answer = async ({ id, method, args }: Call) => {
    try {
      const called = methods[method as keyof Calls] as unknown as ((...args: unknown[]) => unknown) | undefined;
      assert(called !== undefined, `${method} is a method of this side`);
      const value = await called.apply(methods, args);
      transport.post({ id, value } satisfies Reply, transfer?.(value) ?? []);
    } catch (error) {
      transport.post({ id, fault: sent(faultOf(error, method)) } satisfies Reply, []);
    }
    replied?.(method);
  };
  transport.onMessage((call: Call) => void answer(call));
}

function sent(fault: Fault): SentFault {
  const { kind, retry, message, cause } = fault;
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return { kind, retry, detail: message, damaged: fault instanceof DamageFault, cause: cause === undefined ? null : text };
}

function received({ kind, retry, detail, damaged, cause: text }: SentFault): Fault {
  const cause = text === null ? undefined : new Error(text);
  return damaged ? new DamageFault(detail, cause) : new Fault(kind, detail, { retry, cause });
}

declare const self: Worker;

/** A Worker, or inside one (without `worker`) whoever started it. */
export function workerTransport(worker: Worker = self): Transport {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage: (receive) => {
      worker.onmessage = ({ data }) => receive(data as never);
    },
  };
}

/** Inside a child process the process that started it, over IPC. */
export const parentTransport: Transport = {
  post: (message) => process.send?.(message),
  onMessage: (receive) => process.on("message", (message) => receive(message as never)),
};
