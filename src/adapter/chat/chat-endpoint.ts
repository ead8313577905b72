/** An OpenAI-compatible chat endpoint over HTTP: a chat model that the operator configured. */
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { gone } from "../../base/abort.ts";
import { Fault } from "../../base/fault.ts";
import { CHAT_IN_FLIGHT_MAX, CHAT_MAX_BYTES, CHAT_MAX_MS, CHAT_MAX_TOKENS } from "../../base/limits.ts";
import type { ChatEndpoint, ChatMessage, ChatModel } from "../../domain/port/chat-model.ts";

const KIB = 1024;
const COMPLETIONS = "/chat/completions";
/** Finish reasons of an incomplete text. */
const CUT = ["length", "content_filter"];

const FinishReason = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Completion = Type.Object({
  choices: Type.Array(Type.Object({ message: Type.Object({ content: Type.String() }), finish_reason: FinishReason }), { minItems: 1 }),
});
/** One event of a stream; the last one may have no choice, only counts of tokens. */
const Chunk = Type.Object({
  choices: Type.Array(
    Type.Object({
      delta: Type.Optional(Type.Object({ content: Type.Optional(Type.Union([Type.String(), Type.Null()])) })),
      finish_reason: FinishReason,
    }),
  ),
});

function failure(what: string, cause?: unknown): Fault {
  return new Fault("unavailable", `the chat model ${what}`, { cause });
}

/** `maxMs`: time for a whole exchange. Each is independent of the others: no message is kept. */
export function createChat({ url, model, key }: ChatEndpoint, maxMs = CHAT_MAX_MS): ChatModel {
  const address = completionsUrl(url);
  let inFlight = 0;

  async function exchange(messages: readonly ChatMessage[], signal: AbortSignal | undefined): Promise<string> {
    const body = JSON.stringify({ model, messages, temperature: 0, stream: false, max_tokens: CHAT_MAX_TOKENS });
    try {
      const ends = AbortSignal.any([AbortSignal.timeout(maxMs), ...(signal === undefined ? [] : [signal])]);
      return contentOf(await post(address, key, body, ends));
    } catch (error) {
      throw error instanceof Fault ? error : networkFault(error);
    }
  }

  return {
    model,
    complete: async (messages, signal) => {
      if (inFlight >= CHAT_IN_FLIGHT_MAX) throw failure("is busy");
      inFlight += 1;
      return exchange(messages, signal).finally(() => {
        inFlight -= 1;
      });
    },
  };
}

function completionsUrl(text: string): string {
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith(COMPLETIONS) ? path : path + COMPLETIONS;
  url.hash = "";
  return url.href;
}

/** The body of a response with a status of 2xx, as text. Errors: Fault `unavailable`, those of fetch. */
async function post(url: string, key: string | null, body: string, signal: AbortSignal): Promise<string> {
  // A compressed body could decompress to more than CHAT_MAX_BYTES, so none is requested and none is decompressed.
  const headers = new Headers({ "content-type": "application/json", accept: "application/json", "accept-encoding": "identity" });
  if (key !== null) headers.set("authorization", `Bearer ${key}`);
  // A redirect would carry the evidence to a host that nobody configured.
  const safe = { redirect: "error", decompress: false } as const;
  const response = await fetch(url, { method: "POST", headers, body, signal, ...safe });
  if (!response.ok) {
    await response.body?.cancel();
    throw failure(`answered ${response.status}`);
  }
  return readText(response);
}

/** An error inside the loop cancels the stream, which closes the connection. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > CHAT_MAX_BYTES) throw failure(`answered more than ${CHAT_MAX_BYTES / KIB} KiB`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw failure("answered something that is not UTF-8");
  }
}

/** The text of a completion or of a stream of events: some endpoints stream although `stream` is false. */
function contentOf(body: string): string {
  const streamed = /^\s*(?:data|event|id|retry)?:/.test(body);
  const { content, finish_reason } = streamed ? assembled(body) : completed(body);
  if (finish_reason && CUT.includes(finish_reason)) throw failure("stopped before the end of its answer");
  if (content.trim() === "") throw failure("answered without a text");
  return content;
}

interface ModelReply {
  content: string;
  finish_reason?: string | null | undefined;
}

function completed(body: string): ModelReply {
  const value = parsed(body);
  const choice = Value.Check(Completion, value) ? value.choices[0] : undefined;
  if (choice === undefined) throw failure("answered something that is no chat completion");
  return { content: choice.message.content, finish_reason: choice.finish_reason };
}

/** Joins the deltas of a stream of events. A stream with neither a finish reason nor `[DONE]` was cut off. */
function assembled(body: string): ModelReply {
  let content = "";
  let finish_reason: string | null = null;
  for (const line of body.split(/\r\n|\r|\n/)) {
    const data = line.startsWith("data:") ? line.slice("data:".length).trim() : "";
    if (data === "") continue;
    if (data === "[DONE]") return { content, finish_reason };
    const choice = chunkOf(data).choices[0];
    content += choice?.delta?.content ?? "";
    finish_reason = choice?.finish_reason ?? finish_reason;
  }
  if (finish_reason === null) throw failure("closed the connection");
  return { content, finish_reason };
}

function chunkOf(data: string): Static<typeof Chunk> {
  const value = parsed(data);
  if (!Value.Check(Chunk, value)) throw failure("streamed something that is no chat completion");
  return value;
}

/** JSON.parse's error message quotes the text, which may hold evidence, so it is dropped and not logged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failure("answered something that is not JSON");
  }
}

/** The Fault for what fetch and the body's stream reject with. */
function networkFault(error: unknown): Fault {
  const { name, code } = error as Error & { code?: string };
  if (name === "TimeoutError") return failure("timed out", error);
  if (name === "AbortError") return gone();
  if (code === "ECONNRESET") return failure("closed the connection", error);
  // The error's message has the whole address, whose query may be a secret, so it is no cause in the log either.
  if (code === "UnexpectedRedirect") return failure("answered with a redirect");
  return failure("cannot be reached", error);
}
