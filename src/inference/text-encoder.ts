/** Text to vectors, one window after another. Runs in a Worker. */
import { assert, StartError } from "../base/fault.ts";
import { readModelFile } from "../runtime/model-manifest.ts";
import type { InferenceOutcome, MultilingualSetup, PlannedWindow, TextKind, TextModelSetup, TextTask } from "./messages.ts";
import { floats, normalised, openBert, openGraph } from "./onnx.ts";
import { openTokenizer } from "./tokenizer.ts";
import { UnigramTokenizer } from "./unigram.ts";
import { type Division, textWindows, UNIGRAM, WORDPIECE } from "./windows.ts";

/** Embedding. A window and the next share a quarter. */
export const WINDOW_STRIDE_TOKENS = 384;

/** `<s>` and `</s>`. */
const UNIGRAM_FRAME = { first: 0, last: 2 };
/** A number of a self-test's vector may differ by this much: processors round differently (0.0016 was the most that was seen). */
const SELFTEST_MAX_DIFFERENCE = 0.01;

/** A model of texts with its tokenizer. */
interface TextModel {
  dims: number;
  maxTokens: number;
  division: Division;
  /** The token ids of a text, without those that frame it. */
  encode(text: string): number[];
  /** The ids that stand before and behind those of a text. */
  frame: Record<TextKind, { before: readonly number[]; behind: readonly number[] }>;
  /** The L2-normalised vector of framed ids. */
  embed(ids: readonly number[]): Promise<Float32Array>;
}

export class TextEmbedder {
  private constructor(private readonly model: TextModel) {}

  /** The English encoder: the hidden state of the first token, [CLS], is the vector of a text. */
  static async open({ model, tokenizer: path, dims, maxTokens }: TextModelSetup): Promise<TextEmbedder> {
    const tokenizer = await openTokenizer(path);
    const bert = await openBert(model, "last_hidden_state");
    const frame = { before: [tokenizer.cls], behind: [tokenizer.sep] };
    const embed = async (ids: readonly number[]) => {
      const hidden = await bert.run(ids, ids.length);
      assert(hidden.length === ids.length * dims, "the model gives dims floats a token");
      return normalised(hidden.slice(0, dims));
    };
    const encode = (text: string) => tokenizer.encode(text);
    return new TextEmbedder({ dims, maxTokens, division: WORDPIECE, encode, frame: { query: frame, passage: frame }, embed });
  }

  /** The multilingual encoder, which pools and normalises in its graph. Errors: StartError when a file is not the one in the manifest, or a self-test fails. */
  static async openMultilingual(setup: MultilingualSetup): Promise<TextEmbedder> {
    const { model, vocabulary, dims, maxTokens, prefixes } = setup;
    const tokenizer = new UnigramTokenizer(await readModelFile(vocabulary.path, vocabulary.name, vocabulary.sha256));
    const graph = await openGraph(await readModelFile(model.path, model.name, model.sha256));
    const frameOf = (kind: TextKind) => ({ before: [UNIGRAM_FRAME.first, ...tokenizer.encode(prefixes[kind])], behind: [UNIGRAM_FRAME.last] });
    const embed = async (ids: readonly number[]) => {
      const { embedding } = await graph({ input_ids: { type: "int64", data: BigInt64Array.from(ids, BigInt), dims: [1, ids.length] } });
      const vector = floats(embedding);
      assert(vector.length === dims, "the model gives dims floats a text");
      // A copy: the output's memory is the runtime's.
      return normalised(vector.slice());
    };
    const frame = { query: frameOf("query"), passage: frameOf("passage") };
    const embedder = new TextEmbedder({ dims, maxTokens, division: UNIGRAM, encode: (text) => tokenizer.encode(text), frame, embed });
    for (const selfTest of setup.selfTests) await embedder.verify(setup.name, selfTest);
    return embedder;
  }

  /** The vector of a window or a short text; of a long text the plan of its windows, and of a query the first one's vector. */
  async perform(task: TextTask, kind: TextKind): Promise<InferenceOutcome> {
    const planned = task.kind === "text" ? this.plan(task.text, kind) : [task.window];
    // Of a query only the first window is embedded: a search uses one vector, and a caller waits for it.
    const windows = kind === "query" ? planned.slice(0, 1) : planned;
    const [window] = windows;
    if (window === undefined || windows.length > 1) return { kind: "planned", model: task.model, windows };
    const { start, end, ids } = window;
    const vector = await this.model.embed([...ids]);
    assert(
      vector.some((value) => Math.abs(value) > 0),
      "a model's vector has a direction",
    );
    return { kind: "embedded", window: { start, end, vector } };
  }

  private plan(text: string, kind: TextKind): PlannedWindow[] {
    const { encode, frame, maxTokens, division } = this.model;
    const { before, behind } = frame[kind];
    const size = { budget: maxTokens - before.length - behind.length, stride: WINDOW_STRIDE_TOKENS };
    return textWindows(text, encode, size, division).map(({ start, end, ids }) => ({ start, end, ids: Int32Array.of(...before, ...ids, ...behind) }));
  }

  private async verify(name: string, { kind, text, tokenIds, begins }: MultilingualSetup["selfTests"][number]): Promise<void> {
    const [window] = this.plan(text, kind);
    const ids = [...(window?.ids ?? [])];
    const fault = `the model ${name} fails its self-test: this machine gives other`;
    if (ids.length !== tokenIds.length || ids.some((id, index) => id !== tokenIds[index]))
      throw new StartError(`${fault} token ids than the manifest`);
    const vector = await this.model.embed(ids);
    const same = begins.every((value, index) => Math.abs(value - (vector[index] ?? 0)) <= SELFTEST_MAX_DIFFERENCE);
    if (!same) throw new StartError(`${fault} vectors than the manifest`);
  }
}
