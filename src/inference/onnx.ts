/** The only importer of onnxruntime-node. Inference is synchronous and blocks its thread, so it runs in Workers and media processes only. */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { assert } from "../base/fault.ts";
import { setNativeEnvironment } from "../runtime/native.ts";

/** A BERT-shaped model of texts, or of pairs of texts. */
export interface Bert {
  /** Its output for token ids, [CLS] and [SEP] included, a batch of one. Ids from `second` on are of the second part of a pair. */
  run(ids: readonly number[], second: number): Promise<Float32Array>;
  /** Frees the session. Call it once, when nothing runs. */
  release(): Promise<void>;
}

/**
 * Opens a model on one thread, so that an output depends on its input alone and not on what runs beside it. `model`: a
 * path, or the file's content. Memory patterns plan for a fixed shape, and texts have many: without them two sessions
 * take 280 MB instead of 342 MB after texts of 512 tokens, at the same rate. Without the arena they take more. `extra`: settings
 * of the library by their names.
 */
async function openSession(model: string | Uint8Array, extra = {}): Promise<{ session: InferenceSession; TensorOf: typeof Tensor }> {
  // Since 1.29 the Linux build reports to Microsoft, and keeps a device id and a queue in the user's cache folder.
  // This, before the library starts, is its full opt-out: nothing is written and nothing is sent.
  setNativeEnvironment("ORT_DISABLE_TELEMETRY", "1");
  // Loaded late: in the executable the package asks for its addon while it loads, which provideAddons comes before.
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: "sequential", enableMemPattern: false, extra } as const;
  // One call for each: the package overloads them.
  const session = await (typeof model === "string" ? InferenceSession.create(model, options) : InferenceSession.create(model, options));
  return { session, TensorOf: Tensor };
}

export interface GraphInput {
  type: "float32" | "uint8" | "int64" | "int32";
  data: Float32Array | Uint8Array | BigInt64Array | Int32Array;
  dims: readonly number[];
}

export interface GraphOutput {
  data: Float32Array | Int32Array;
  dims: readonly number[];
}

/** The numbers of an output that is there and has floats. */
export function floats(output: GraphOutput | undefined): Float32Array {
  assert(output?.data instanceof Float32Array, "the model has this output, in float32");
  return output.data;
}

/** Runs any graph, by the names of its inputs and outputs. */
export type Graph = (inputs: Record<string, GraphInput>) => Promise<Record<string, GraphOutput>>;

/** Repeats a recorded run of a graph on the same inputs. */
export type GraphRun = () => ReturnType<Graph>;

let recorded: GraphRun[] | null = null;

/**
 * Records the runs of graphs (of openGraph) during `work`, in order, so that the time of the models alone can be measured
 * by repeating them. Inputs are kept, not copied. For one `work` at a time. Errors: those of `work`.
 */
export async function graphRuns(work: () => Promise<unknown>): Promise<GraphRun[]> {
  assert(recorded === null, "graphRuns records one piece of work at a time");
  const runs: GraphRun[] = [];
  recorded = runs;
  try {
    await work();
  } finally {
    recorded = null;
  }
  return runs;
}

/** Opens a graph from its content. Errors: those of onnxruntime, for bytes that are no model. */
export async function openGraph(model: Uint8Array): Promise<Graph> {
  const { session, TensorOf } = await openSession(model);
  const run: Graph = async (inputs) => {
    const feeds = Object.fromEntries(Object.entries(inputs).map(([name, { type, data, dims }]) => [name, new TensorOf(type, data as never, dims)]));
    const outputs = await session.run(feeds);
    return Object.fromEntries(Object.entries(outputs).map(([name, { data, dims }]) => [name, { data: data as GraphOutput["data"], dims }]));
  };
  return (inputs) => {
    recorded?.push(() => run(inputs));
    return run(inputs);
  };
}

/**
 * The library adds and normalises with one operator that takes four times as long on a CPU as the two it stands for, an eighth
 * of the time of a pair. Results differ by rounding, as they do between CPU families (docs/decision/0004).
 */
const UNFUSED = { disable_specified_optimizers: "SkipLayerNormFusion" };

/** Opens the model at `path` for its output `name`. */
export async function openBert(path: string, name: "last_hidden_state" | "logits"): Promise<Bert> {
  const { session, TensorOf } = await openSession(path, { optimization: UNFUSED });
  const row = (values: BigInt64Array) => new TensorOf("int64", values, [1, values.length]);

  return {
    async run(ids, second) {
      const input_ids = row(BigInt64Array.from(ids, BigInt));
      const attention_mask = row(new BigInt64Array(ids.length).fill(1n));
      const token_type_ids = row(new BigInt64Array(ids.length).fill(1n, second));
      const { [name]: output } = await session.run({ input_ids, attention_mask, token_type_ids });
      assert(output?.data instanceof Float32Array, `the model gives ${name} in float32`);
      return output.data;
    },
    release: () => session.release(),
  };
}

/** A copy of `vector` with Euclidean length 1; a vector of zeros stays as it is. */
export function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}
