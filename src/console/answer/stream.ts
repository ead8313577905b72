/** Follows an answer while it is made. */
import type { Schemas } from "../../client/client.ts";
import { type AnswerEvent, streamAnswer } from "../../client/stream.ts";
import { client, explained } from "../api.ts";
import type { Citation, Claim, Hit, Trace } from "../types.ts";

/** What is known of an answer so far. */
export interface Progress {
  /** Null until something was found. */
  hits: Hit[] | null;
  trace: Trace | null;
  text: string;
  claims: Claim[];
  citations: Citation[];
  /** The whole, once it is there; it alone is the answer. */
  final: Schemas["AnswerResult"] | null;
}

export const NOTHING_YET: Progress = { hits: null, trace: null, text: "", claims: [], citations: [], final: null };

/** Asks, and tells `listener` whenever more is known. Errors: ApiError; the signal's reason when it was aborted. */
export async function followAnswer(question: string, listener: (progress: Progress) => void, signal: AbortSignal): Promise<void> {
  let progress = NOTHING_YET;
  try {
    for await (const event of streamAnswer(client, { q: question, answer: true, explain: true }, { signal })) {
      progress = after(progress, event);
      listener(progress);
    }
  } catch (error) {
    throw signal.aborted ? error : explained(error);
  }
}

/** What is known after an event. */
export function after(progress: Progress, { event, data }: AnswerEvent): Progress {
  switch (event) {
    case "search":
      return { ...progress, hits: data.hits, trace: data.trace };
    case "claim": {
      // The first claim begins the answer anew.
      const known = data.index === 0 ? [] : progress.citations;
      const added = data.citations.filter(({ marker }) => known.every((one) => one.marker !== marker));
      return { ...progress, text: data.text, claims: [...progress.claims.slice(0, data.index), data.claim], citations: [...known, ...added] };
    }
    case "final": {
      const { hits, trace, answer } = data;
      return { hits, trace, text: answer?.text ?? "", claims: answer?.claims ?? [], citations: answer?.citations ?? [], final: data };
    }
  }
}
