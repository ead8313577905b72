/** Worker thread: embeds texts and scores pairs, one after another, the most urgent priority first. */
import { once } from "../base/once.ts";
import {
  type FromInferenceWorker,
  type InferenceOutcome,
  type InferenceRequest,
  type InferenceSetup,
  PRIORITIES,
  type ToInferenceWorker,
} from "./messages.ts";
import { provideAddons, yieldToOtherThreads } from "../runtime/native.ts";
import { PairScorer } from "./cross-encoder.ts";
import { TextEmbedder } from "./text-encoder.ts";

declare const self: Worker;

const inbox: InferenceRequest[] = [];
let models: { embedder: () => Promise<TextEmbedder>; scorer: PairScorer } | undefined;
let running = false;
let closing = false;

function send(message: FromInferenceWorker): void {
  const transfer: ArrayBufferLike[] = [];
  if (message.kind === "reply" && message.outcome.kind === "embedded") transfer.push(message.outcome.window.vector.buffer);
  if (message.kind === "reply" && message.outcome.kind === "planned") transfer.push(...message.outcome.windows.map(({ ids }) => ids.buffer));
  self.postMessage(message, transfer as ArrayBuffer[]);
}

/** Each model opens with its first task. */
function start(setup: InferenceSetup): void {
  try {
    if (setup.nice > 0) yieldToOtherThreads(setup.nice);
    provideAddons(setup.addons);
    models = { embedder: once(() => TextEmbedder.open(setup.text)), scorer: new PairScorer(setup.pairs) };
    send({ kind: "started" });
  } catch (error) {
    send({ kind: "start-failed", error: String(error) });
  }
}

/** Works until the inbox is empty; a query that arrives during another task is next. */
async function work(): Promise<void> {
  if (running || models === undefined) return;
  running = true;
  for (let request = takeNext(); request !== undefined; request = takeNext()) {
    const outcome = await perform(models, request).catch((error: unknown): InferenceOutcome => ({ kind: "failed", error: String(error) }));
    send({ kind: "reply", id: request.id, outcome });
  }
  running = false;
  if (closing) send({ kind: "closed" });
}

async function perform({ embedder, scorer }: NonNullable<typeof models>, { task, priority }: InferenceRequest): Promise<InferenceOutcome> {
  if (task.kind === "pair") return { kind: "scored", logits: await scorer.score(task.model, task) };
  // Of a query only the first window is embedded: a search uses one vector, and a caller waits for it.
  return (await embedder()).perform(task, priority === "query");
}

function takeNext(): InferenceRequest | undefined {
  for (const priority of PRIORITIES) {
    const index = inbox.findIndex((request) => request.priority === priority);
    if (index !== -1) return inbox.splice(index, 1)[0];
  }
  return undefined;
}

self.onmessage = (event: MessageEvent<ToInferenceWorker>) => {
  const message = event.data;
  if (message.kind === "setup") {
    start(message.setup);
    return;
  }
  if (message.kind === "close") closing = true;
  else inbox.push(message.request);
  void work();
};
