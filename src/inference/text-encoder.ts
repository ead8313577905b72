/** Text to vectors, one window after another. Runs in a Worker. */
import type { InferenceOutcome, PlannedWindow, TextModelSetup, TextTask } from "./messages.ts";
import { openTextModel, type TextModel } from "./onnx.ts";
import { type BertTokenizer, openTokenizer } from "./tokenizer.ts";
import { textWindows } from "./windows.ts";

/** Embedding. A window and the next share a quarter. */
export const WINDOW_STRIDE_TOKENS = 384;

const SPECIAL_TOKENS = 2;

export class TextEmbedder {
  private constructor(
    private readonly model: TextModel,
    private readonly tokenizer: BertTokenizer,
    private readonly maxTokens: number,
  ) {}

  static async open(setup: TextModelSetup): Promise<TextEmbedder> {
    const tokenizer = await openTokenizer(setup.tokenizer);
    return new TextEmbedder(await openTextModel(setup.model, setup.dims), tokenizer, setup.maxTokens);
  }

  /** The vector of a window or a short text; of a long text the plan of its windows, or with `headOnly` the first one's vector. */
  async perform(task: TextTask, headOnly: boolean): Promise<InferenceOutcome> {
    const planned = task.kind === "text" ? this.plan(task.text) : [task.window];
    const windows = headOnly ? planned.slice(0, 1) : planned;
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
