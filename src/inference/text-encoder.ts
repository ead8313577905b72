/** Text to vectors, one window after another. Runs in a Worker. */
import { assert } from "../base/fault.ts";
import type { InferenceOutcome, PlannedWindow, TextModelSetup, TextTask } from "./messages.ts";
import { type Bert, normalised, openBert } from "./onnx.ts";
import { type BertTokenizer, openTokenizer } from "./tokenizer.ts";
import { textWindows } from "./windows.ts";

/** Embedding. A window and the next share a quarter. */
export const WINDOW_STRIDE_TOKENS = 384;

const SPECIAL_TOKENS = 2;

export class TextEmbedder {
  private constructor(
    private readonly setup: TextModelSetup,
    private readonly tokenizer: BertTokenizer,
    private readonly model: Bert,
  ) {}

  static async open(setup: TextModelSetup): Promise<TextEmbedder> {
    const tokenizer = await openTokenizer(setup.tokenizer);
    return new TextEmbedder(setup, tokenizer, await openBert(setup.model, "last_hidden_state"));
  }

  /** The vector of a window or a short text; of a long text the plan of its windows, or with `headOnly` the first one's vector. */
  async perform(task: TextTask, headOnly: boolean): Promise<InferenceOutcome> {
    const planned = task.kind === "text" ? this.plan(task.text) : [task.window];
    const windows = headOnly ? planned.slice(0, 1) : planned;
    const [window] = windows;
    if (window === undefined || windows.length > 1) return { kind: "planned", windows };
    const { start, end, ids } = window;
    const hidden = await this.model.run([...ids], ids.length);
    assert(hidden.length === ids.length * this.setup.dims, "the model gives dims floats a token");
    // The hidden state of the first token, [CLS], is the vector of the text.
    const vector = normalised(hidden.slice(0, this.setup.dims));
    assert(
      vector.some((value) => Math.abs(value) > 0),
      "a model's vector has a direction",
    );
    return { kind: "embedded", window: { start, end, vector } };
  }

  private plan(text: string): PlannedWindow[] {
    const { tokenizer, setup } = this;
    const size = { budget: setup.maxTokens - SPECIAL_TOKENS, stride: WINDOW_STRIDE_TOKENS };
    return textWindows(text, (part) => tokenizer.encode(part), size).map(({ start, end, ids }) => ({
      start,
      end,
      ids: Int32Array.of(tokenizer.cls, ...ids, tokenizer.sep),
    }));
  }
}
