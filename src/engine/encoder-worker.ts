/** Worker thread: tokenises and embeds one text or window after another, queries first. */
import { WINDOW_STRIDE_TOKENS } from "../base/limits.ts";
import type { EncoderOutcome, EncoderRequest, EncoderSetup, FromEncoderWorker, PlannedWindow, ToEncoderWorker } from "./encoder-messages.ts";
import { provideAddons } from "./native.ts";
import { openTextModel, type TextModel } from "./onnx.ts";
import { BertTokenizer } from "./tokenizer.ts";
import { textWindows } from "./windows.ts";

declare const self: Worker;

const SPECIAL_TOKENS = 2;

class TextEmbedder {
  private constructor(
    private readonly model: TextModel,
    private readonly tokenizer: BertTokenizer,
    private readonly maxTokens: number,
  ) {}

  static async open(setup: EncoderSetup): Promise<TextEmbedder> {
    provideAddons(setup.addons);
    const tokenizer = new BertTokenizer(await Bun.file(setup.tokenizer).json());
    return new TextEmbedder(await openTextModel(setup.model, setup.dims), tokenizer, setup.maxTokens);
  }

  async perform({ task, priority }: EncoderRequest): Promise<EncoderOutcome> {
    const planned = task.kind === "text" ? this.plan(task.text) : [task.window];
    // A query is read as far as the model reads: somebody waits, and the rest would only blur it.
    const windows = priority === "query" ? planned.slice(0, 1) : planned;
    const [window] = windows;
    if (window === undefined || windows.length > 1) return { kind: "planned", windows };
    const vector = await this.model.embed([...window.ids]);
    return { kind: "embedded", window: { start: window.start, end: window.end, vector } };
  }

  private plan(text: string): PlannedWindow[] {
    const { tokenizer, maxTokens } = this;
    const size = { budget: maxTokens - SPECIAL_TOKENS, stride: WINDOW_STRIDE_TOKENS };
    return textWindows(text, (part) => tokenizer.encode(part), size).map(({ start, end, ids }) => ({
      start,
      end,
      ids: Int32Array.of(tokenizer.cls, ...ids, tokenizer.sep),
    }));
  }
}

const inbox: EncoderRequest[] = [];
let embedder: TextEmbedder | undefined;
let running = false;
let closing = false;

function send(message: FromEncoderWorker): void {
  const transfer: ArrayBufferLike[] = [];
  if (message.kind === "reply" && message.outcome.kind === "embedded") transfer.push(message.outcome.window.vector.buffer);
  if (message.kind === "reply" && message.outcome.kind === "planned") transfer.push(...message.outcome.windows.map(({ ids }) => ids.buffer));
  self.postMessage(message, transfer as ArrayBuffer[]);
}

async function start(setup: EncoderSetup): Promise<void> {
  try {
    embedder = await TextEmbedder.open(setup);
    send({ kind: "started" });
  } catch (error) {
    send({ kind: "start-failed", error: String(error) });
  }
}

/** Empties the inbox, queries first; a query that arrives while a text runs is next. */
async function work(): Promise<void> {
  if (running || embedder === undefined) return;
  running = true;
  for (let request = takeNext(); request !== undefined; request = takeNext()) {
    const outcome = await embedder.perform(request).catch((error: unknown): EncoderOutcome => ({ kind: "failed", error: String(error) }));
    send({ kind: "reply", id: request.id, outcome });
  }
  running = false;
  if (closing) send({ kind: "closed" });
}

function takeNext(): EncoderRequest | undefined {
  const query = inbox.findIndex((request) => request.priority === "query");
  return inbox.splice(Math.max(query, 0), 1)[0];
}

self.onmessage = (event: MessageEvent<ToEncoderWorker>) => {
  const message = event.data;
  if (message.kind === "setup") {
    void start(message.setup);
    return;
  }
  if (message.kind === "close") closing = true;
  else inbox.push(message.request);
  void work();
};
