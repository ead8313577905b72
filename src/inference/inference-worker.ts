/** Worker thread: embeds texts and scores pairs, one after another, the most urgent priority first. */
import { assert, Fault } from "../base/fault.ts";
import { once } from "../base/once.ts";
import { inHugePages, provideAddons, yieldToOtherThreads } from "../runtime/native.ts";
import { serve, workerTransport } from "../runtime/rpc.ts";
import { CrossEncoder } from "./cross-encoder.ts";
import {
  type InferenceCalls,
  type InferenceOutcome,
  type InferenceRequest,
  type InferenceSetup,
  type PairTaskName,
  PRIORITIES,
  type TextModelName,
} from "./messages.ts";
import { TextEmbedder } from "./text-encoder.ts";

interface Waiting {
  request: InferenceRequest;
  reply(outcome: InferenceOutcome): void;
}

const inbox: Waiting[] = [];
let models: (Record<TextModelName, () => Promise<TextEmbedder>> & Record<PairTaskName, () => Promise<CrossEncoder>>) | undefined;
let working: Promise<void> | null = null;

const opening = <T>(open: () => Promise<T>) => once(() => inHugePages(open));

/** Each model opens with its first task. */
function start(setup: InferenceSetup): void {
  if (setup.nice > 0) yieldToOtherThreads(setup.nice);
  provideAddons(setup.addons);
  const { text, multilingual, pairs } = setup;
  models = {
    english: opening(() => TextEmbedder.open(text)),
    multilingual: opening(() => {
      assert(multilingual !== null, "nothing is asked of a model that this build leaves out");
      return TextEmbedder.openMultilingual(multilingual);
    }),
    reranking: opening(() => CrossEncoder.open(pairs.reranking)),
    entailment: opening(() => CrossEncoder.open(pairs.entailment)),
  };
}

/** Works until the inbox is empty; a query that arrives during another task is next. */
async function work(): Promise<void> {
  for (let next = takeNext(); next !== undefined; next = takeNext()) {
    next.reply(await outcomeOf(next.request).catch((error: unknown): InferenceOutcome => ({ kind: "failed", error: String(error) })));
  }
  working = null;
}

async function outcomeOf({ task, priority }: InferenceRequest): Promise<InferenceOutcome> {
  assert(models !== undefined, "start is the first call");
  if (task.kind === "pair") return { kind: "scored", logits: await (await models[task.model]()).score(task) };
  return (await models[task.model]()).perform(task, priority === "query" ? "query" : "passage");
}

function takeNext(): Waiting | undefined {
  for (const priority of PRIORITIES) {
    const index = inbox.findIndex(({ request }) => request.priority === priority);
    if (index !== -1) return inbox.splice(index, 1)[0];
  }
  return undefined;
}

function perform(request: InferenceRequest): Promise<InferenceOutcome> {
  const { promise, resolve } = Promise.withResolvers<InferenceOutcome>();
  inbox.push({ request, reply: resolve });
  working ??= work();
  return promise;
}

function buffersOf(value: unknown): ArrayBuffer[] {
  const outcome = value as InferenceOutcome | undefined;
  if (outcome?.kind === "embedded") return [outcome.window.vector.buffer as ArrayBuffer];
  return outcome?.kind === "planned" ? outcome.windows.map(({ ids }) => ids.buffer as ArrayBuffer) : [];
}

serve<InferenceCalls>(
  workerTransport(),
  { start, perform, drain: () => working ?? Promise.resolve() },
  { faultOf: (error) => new Fault("unavailable", String(error)), transfer: buffersOf },
);
