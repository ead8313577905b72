/** Follows an answer while it is made, by Server-Sent Events. */
import { ApiError, request, type SearchBody, unreachable } from "../api.ts";
import type { Answer, Citation, Claim, Hit, SearchResult, Trace } from "../types.ts";

/** What is known of an answer so far. */
export interface Progress {
  /** Null until something was found. */
  hits: Hit[] | null;
  trace: Trace | null;
  text: string;
  claims: Claim[];
  citations: Citation[];
  /** The whole, once it is there; it alone is the answer. */
  final: SearchResult | null;
}

export const NOTHING_YET: Progress = { hits: null, trace: null, text: "", claims: [], citations: [], final: null };

interface ClaimEvent {
  /** 0 begins the answer anew. */
  index: number;
  text: string;
  claim: Claim;
  citations: Citation[];
}

/** Asks, and tells `listener` whenever more is known. Errors: ApiError; the signal's reason when it was aborted. */
export async function followAnswer(query: SearchBody, listener: (progress: Progress) => void, signal: AbortSignal): Promise<void> {
  const response = await request("POST", "/v1/answer", { json: { ...query, answer: true }, headers: { accept: "text/event-stream" }, signal });
  let progress = NOTHING_YET;
  const take = (event: string, data: string) => {
    progress = after(progress, event, JSON.parse(data));
    listener(progress);
  };
  if (response.headers.get("content-type")?.startsWith("application/json")) take("final", await response.text());
  else if (response.body !== null) await readEvents(response.body, take, signal);
  if (progress.final === null) throw unreachable();
}

function after(progress: Progress, event: string, data: unknown): Progress {
  if (event === "search") {
    const { hits, trace } = data as SearchResult;
    return { ...progress, hits, trace };
  }
  if (event === "claim") return withClaim(progress, data as ClaimEvent);
  if (event === "final") return finished(data as SearchResult);
  if (event === "error") {
    const { status, error, detail } = data as { status: number; error: string; detail: string };
    throw new ApiError(status, error, detail);
  }
  return progress;
}

function withClaim(progress: Progress, { index, text, claim, citations }: ClaimEvent): Progress {
  const known = index === 0 ? [] : progress.citations;
  const added = citations.filter(({ marker }) => known.every((one) => one.marker !== marker));
  return { ...progress, text, claims: [...progress.claims.slice(0, index), claim], citations: [...known, ...added] };
}

function finished(final: SearchResult): Progress {
  const answer: Answer | null = final.answer;
  return { hits: final.hits, trace: final.trace, text: answer?.text ?? "", claims: answer?.claims ?? [], citations: answer?.citations ?? [], final };
}

/** Reads events until the stream ends. Comment lines keep the connection and say nothing. */
async function readEvents(body: ReadableStream<Uint8Array>, take: (event: string, data: string) => void, signal: AbortSignal): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = block.split("\n").map((line) => line.split(/: (.*)/s));
        const named = (name: string) => fields.find(([field]) => field === name)?.[1];
        const data = named("data");
        if (data !== undefined) take(named("event") ?? "message", data);
      }
    }
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error;
    throw unreachable();
  } finally {
    reader.cancel().catch(() => {});
  }
}
