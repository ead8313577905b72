/** Services over a harness's stores whose engines a test has changed: built as the app builds its own. */
import { systemClock } from "../../src/base/clock.ts";
import { CachedReranker, QueryEncoder } from "../../src/core/search/models.ts";
import type { Services } from "../../src/core/services.ts";
import type { ChatModel } from "../../src/domain/port/chat-model.ts";
import type { Encoder, TextWindow } from "../../src/domain/port/encoder.ts";
import type { Entailment, EntailmentScores } from "../../src/domain/port/entailment.ts";
import type { Reranker } from "../../src/domain/port/reranker.ts";
import type { Call, Harness } from "./harness.ts";

export interface Engines {
  encoder: Encoder;
  reranker: Reranker;
  entailment: Entailment;
  chat: ChatModel | null;
}

/** A second set of services over the same stores, with these engines in place of the app's own. */
export function servicesWith(h: Harness, engines: Partial<Engines>, { now = systemClock, jobs = h.app.jobs } = {}): Services {
  const {
    encoder = h.app.services.encoder,
    reranker = h.app.engines.inference.reranker,
    entailment = h.app.services.models.entailment,
    chat = null,
  } = engines;
  const models = { queries: new QueryEncoder(encoder), reranker: new CachedReranker(reranker), entailment, chat };
  return { ...h.app.services, encoder, models, now, jobs };
}

/** Calls of a service as servicesWith makes them. */
export function callWith(h: Harness, engines: Partial<Engines>, now = systemClock): Call {
  return h.front({ services: servicesWith(h, engines, { now }) }).call;
}

/**
 * The engines of a harness without their time limits, asked once for anything: what a busy machine leaves out is not
 * what a test of results is about.
 */
export function unhurried({ app }: Harness): Engines {
  const windows = new Map<string, Promise<TextWindow[]>>();
  const logits = new Map<string, Promise<number | null>>();
  const scores = new Map<string, Promise<EntailmentScores>>();
  const { encoder, reranker, entailment } = app.engines.inference;
  return {
    encoder: {
      info: encoder.info,
      ready: () => encoder.ready(),
      close: () => encoder.close(),
      encode: (text, priority) => once(windows, `${priority} ${text}`, () => encoder.encode(text, priority)),
    },
    reranker: {
      model: reranker.model,
      score: (query, texts) =>
        Promise.all(texts.map((text) => once(logits, JSON.stringify([query, text]), async () => (await reranker.score(query, [text]))[0] ?? null))),
    },
    entailment: {
      model: entailment.model,
      judge: (pairs) =>
        Promise.all(
          pairs.map((pair) =>
            once(scores, JSON.stringify([pair.premise, pair.hypothesis]), async () => (await entailment.judge([pair]))[0] as EntailmentScores),
          ),
        ),
    },
    chat: null,
  };
}

function once<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? ask();
  known.set(key, found);
  return found;
}
