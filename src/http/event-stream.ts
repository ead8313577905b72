/** An operation whose caller follows its work, as Server-Sent Events: its own events, then `final` with the result, or `error`. */
import type { TSchema } from "@sinclair/typebox";
import { assert } from "../base/fault.ts";
import type { Emit, Operation } from "../core/operation.ts";
import { shaped } from "../core/schema.ts";

type Followed = Pick<Operation, "events" | "output">;

export interface Following {
  /** Pause between comment lines, which keep the connection and tell that the work goes on. */
  heartbeatMs: number;
  /** The body for a failure that comes after the status has left. */
  bodyOf(failure: unknown): unknown;
  /** Told of a stream that has begun: `sent` settles when its last byte was taken, or nobody is there to take it. */
  began(sent: Promise<void>): void;
}

const EVENT_STREAM = "text/event-stream";
const HEARTBEAT = ": the work goes on\n\n";

/** True when the `Accept` header names event streams, and does not refuse them by a weight of 0. */
export function wantsEvents(request: Request): boolean {
  const ranges = (request.headers.get("accept") ?? "").toLowerCase().split(",");
  return ranges.some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    return type === EVENT_STREAM && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

/**
 * Resolves with the first event. `work` gets a signal that aborts when the client goes. Errors: those of `work` before its
 * first event; later ones become the event `error`.
 */
export async function followed(
  request: Request,
  { events = {}, output }: Followed,
  { heartbeatMs, bodyOf, began }: Following,
  work: (emit: Emit, signal: AbortSignal) => Promise<unknown>,
): Promise<Response> {
  const lines = new Lines();
  const first = Promise.withResolvers<void>();
  let begun = false;
  const send = (event: string, data: unknown) => {
    lines.add(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    begun = true;
    first.resolve();
  };
  const shapedBy = (schema: TSchema | null | undefined, data: unknown) => {
    assert(schema, "what is followed has a schema");
    return shaped(schema, data);
  };
  const emit: Emit = (event, data) => send(event, shapedBy(events[event], data));
  const signal = lines.left;
  request.signal.addEventListener("abort", () => lines.leave(), { once: true });
  if (request.signal.aborted) lines.leave();
  work(emit, signal)
    .then((result) => send("final", shapedBy(output, result)))
    .catch((failure: unknown) => {
      if (!begun) first.reject(failure);
      else if (!signal.aborted) send("error", bodyOf(failure));
    })
    .finally(() => lines.end());
  await first.promise;
  began(lines.sent);
  const beating = setInterval(() => lines.addIfEmpty(HEARTBEAT), heartbeatMs);
  void lines.sent.then(() => clearInterval(beating));
  // A proxy that gathers what it passes on would hold the events back.
  return new Response(lines.body, { headers: { "content-type": EVENT_STREAM, "x-accel-buffering": "no" } });
}

/** Text on its way to a client. What was added waits until it is taken: a slow reader slows nothing. */
class Lines {
  readonly body: ReadableStream<Uint8Array>;
  /** Settles when all was taken, or the client has gone. */
  readonly sent: Promise<void>;
  private readonly waiting: Uint8Array[] = [];
  private readonly gone = new AbortController();
  private readonly encoder = new TextEncoder();
  private readonly settled = Promise.withResolvers<void>();
  private more = Promise.withResolvers<void>();
  private ended = false;

  constructor() {
    this.sent = this.settled.promise;
    this.body = new ReadableStream(
      {
        pull: (controller) => this.give(controller),
        cancel: () => this.leave(),
      },
      { highWaterMark: 0 },
    );
  }

  /** The client has gone. */
  leave(): void {
    this.gone.abort();
    this.settled.resolve();
    this.wake();
  }

  /** Aborts when the client has gone. */
  get left(): AbortSignal {
    return this.gone.signal;
  }

  add(text: string): void {
    this.waiting.push(this.encoder.encode(text));
    this.wake();
  }

  addIfEmpty(text: string): void {
    if (this.waiting.length === 0) this.add(text);
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  private wake(): void {
    this.more.resolve();
    this.more = Promise.withResolvers();
  }

  private async give(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    while (this.waiting.length === 0 && !this.ended && !this.left.aborted) await this.more.promise;
    if (this.left.aborted) return;
    const next = this.waiting.shift();
    if (next !== undefined) controller.enqueue(next);
    if (this.waiting.length > 0 || !this.ended) return;
    controller.close();
    this.settled.resolve();
  }
}
