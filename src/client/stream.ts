/** An answer followed as it is made: the hits as soon as they are found, each claim when it is verified, then the whole. */
import { type EventSourceMessage, EventSourceParserStream } from "eventsource-parser/stream";
import { ApiError, type ErrorBody, type Schemas, type StrataClient } from "./client.ts";

export type AnswerEvent =
  | { event: "search"; data: Pick<Schemas["AnswerResult"], "hits" | "trace" | "context"> }
  /** `index` 0 begins the answer anew: what was told of it before no longer holds. `text` is the answer's up to here. */
  | { event: "claim"; data: { index: number; text: string; claim: Schemas["Claim"]; citations: Schemas["Citation"][] } }
  /** The last one: the body that an answer without a stream has. */
  | { event: "final"; data: Schemas["AnswerResult"] };

export interface StreamOptions {
  scope?: string;
  /** Ends the work at the service too. */
  signal?: AbortSignal;
}

const EVENT_STREAM = "text/event-stream";

/** The events of an answer, in their order. Errors: ApiError, also for one that comes late; what `fetch` throws; an Error when the stream is cut. */
export async function* streamAnswer(
  client: StrataClient,
  query: Schemas["AnswerQuery"],
  { scope, signal }: StreamOptions = {},
): AsyncGenerator<AnswerEvent> {
  const { data, error, response } = await client.POST("/v1/answer", {
    body: query,
    headers: { accept: EVENT_STREAM, ...(scope === undefined ? {} : { "x-svc-scope": scope }) },
    parseAs: "stream",
    ...(signal === undefined ? {} : { signal }),
  });
  if (!data) throw ApiError.of(response, error);
  if (!response.headers.get("content-type")?.startsWith(EVENT_STREAM)) {
    // A service that streams no answers sends the whole.
    yield { event: "final", data: (await new Response(data).json()) as Schemas["AnswerResult"] };
    return;
  }
  for await (const { event, data: text } of messagesOf(data)) {
    const body = JSON.parse(text) as unknown;
    if (event === "error") throw new ApiError((body as ErrorBody).status, body as ErrorBody, response.headers.get("x-request-id"));
    yield { event, data: body } as AnswerEvent;
    if (event === "final") return;
  }
  throw new Error("the stream ended before the answer was whole");
}

/** Cancels the stream when its reader stops before the end. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  const decoder = new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>;
  const reader = body.pipeThrough(decoder).pipeThrough(new EventSourceParserStream()).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
