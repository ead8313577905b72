/** The models that turn text into numbers: one pool of Workers embeds texts, reranks them and judges entailment. */
import { assert, Fault, StartError } from "../base/fault.ts";
import { NLI_HYPOTHESIS_MAX_TOKENS, NLI_PREMISE_MAX_TOKENS, RERANK_QUERY_MAX_TOKENS, RERANK_TEXT_MAX_TOKENS } from "../base/limits.ts";
import { once } from "../base/once.ts";
import type { Log } from "../base/log.ts";
import type { Encoder, EncoderInfo } from "../domain/port/encoder.ts";
import type { Entailment, EntailmentScores } from "../domain/port/entailment.ts";
import type { Reranker } from "../domain/port/reranker.ts";
import type { RuntimePaths } from "../runtime/assets.ts";
import { HAS_MULTILINGUAL_MODEL, multilingualFile } from "../runtime/multilingual-model.ts";
import type { InferenceSetup, MultilingualSetup, PairModelSetup, TextModelName } from "./messages.ts";
import { InferencePool, type StartInferenceWorker } from "./pool.ts";
import { startInferenceThread } from "./thread.ts";
import { openTokenizer } from "./tokenizer.ts";
import {
  type EntailmentEntry,
  type ModelEntry,
  modelFile,
  modelFor,
  type MultilingualEntry,
  type RerankingEntry,
  type TextEmbeddingEntry,
} from "../runtime/model-manifest.ts";

/** A self-test vector may differ by this much in each component: rounding between CPU families stays far below. */
const SELFTEST_MAX_DIFFERENCE = 0.01;
/** Steps that inference is nicer than what serves requests: a search should not wait while answers fill every core. */
const INFERENCE_NICE = 10;

/** [CLS] and two [SEP]. */
const PAIR_SPECIAL_TOKENS = 3;

export interface InferenceOptions {
  paths: RuntimePaths;
  /** Resolves once the files of `paths` may be loaded; absent: they may. */
  verified?: () => Promise<void>;
  /** One model for each task. */
  manifest: readonly ModelEntry[];
  /** The most Workers for everything but queries: they start while tasks wait, and end when idle. */
  workers: number;
  log: Log;
}

export interface Inference {
  encoder: Encoder;
  /** That of languages other than English, which opens with its first text; null when this build has none. */
  multilingual: Encoder | null;
  reranker: Reranker;
  entailment: Entailment;
  /** Starts one worker and checks its encoder against the manifest's self-test, once. Errors: as createInference. */
  selfTested(): Promise<void>;
  /** Fails the tasks that wait, and resolves when those that run are done. */
  close(): Promise<void>;
}

/**
 * As startInference, with the encoder checked.
 * Errors: StartError when the worker does not start or gives other vectors than the manifest.
 */
export async function createInference(options: InferenceOptions): Promise<Inference> {
  const inference = startInference(options);
  try {
    await inference.selfTested();
    return inference;
  } catch (error) {
    await inference.close();
    throw error;
  }
}

/**
 * Starts a worker with the first text. The encoder counts as ready when it has passed its self-test. A pair model opens with a worker's first
 * pair: when it does not open or fails its self-test, that pair's call fails with Fault `unavailable`, and the next call
 * tries again.
 */
export function startInference({ paths, verified = async () => {}, manifest, workers, log }: InferenceOptions): Inference {
  const text = modelFor(manifest, "text-embedding");
  const reranking = modelFor(manifest, "reranking");
  const entailment = modelFor(manifest, "entailment");
  const setup: Omit<InferenceSetup, "nice"> = {
    addons: paths.addons,
    text: { ...modelPaths(paths, text), dims: text.dims, maxTokens: text.max_tokens },
    multilingual: HAS_MULTILINGUAL_MODEL ? multilingualSetup(modelFor(manifest, "multilingual-embedding")) : null,
    pairs: { reranking: rerankingSetup(paths, reranking), entailment: entailmentSetup(paths, entailment) },
  };
  const thread =
    (nice: number): StartInferenceWorker =>
    async (died) => {
      await verified();
      return startInferenceThread({ ...setup, nice }, died);
    };
  // Queries have a worker of their own, so that no pair and no ingested text delays the vector that a search waits for.
  const queries = new InferencePool(thread(0), 1, log);
  const others = new InferencePool(thread(INFERENCE_NICE), workers, log, 0);
  let tested = false;
  const selfTested = once(async () => {
    await selfTest(queries, text);
    tested = true;
  });
  // On this thread, and only once a word is in doubt: some megabytes.
  const vocabulary = once(() => openTokenizer(setup.text.tokenizer));
  const close = async () => {
    await Promise.all([queries.close(), others.close()]);
  };
  const encoderOf = (model: TextModelName, info: EncoderInfo): Encoder => ({
    info,
    encode: (part, priority, { tenant, signal } = {}) => (priority === "query" ? queries : others).embed(part, priority, tenant, signal, model),
    ready: () => tested && queries.live > 0 && !others.down,
    close,
  });
  const english = encoderOf("english", { model: text.name, dims: text.dims, maxTokens: text.max_tokens, floor: text.floor ?? null });
  return {
    encoder: {
      ...english,
      encode: (...asked) => (tested ? english.encode(...asked) : selfTested().then(() => english.encode(...asked), notStarted)),
      knows: async (word) => (await vocabulary()).encode(word).length === 1,
    },
    multilingual: setup.multilingual && encoderOf("multilingual", infoOf(setup.multilingual)),
    reranker: rerankerOf(others, reranking),
    entailment: entailmentOf(others, entailment),
    selfTested,
    close,
  };
}

function notStarted(cause: unknown): never {
  throw new Fault("unavailable", "the encoder does not start", { cause });
}

function rerankerOf(pool: InferencePool, { name }: RerankingEntry): Reranker {
  return {
    model: name,
    async score(query, texts, withinMs, signal) {
      const pairs = texts.map((text) => ({ first: query, second: text }));
      const scores = await pool.score("reranking", pairs, withinMs, signal);
      return scores.map((logits) => logits?.[0] ?? null);
    },
  };
}

function entailmentOf(pool: InferencePool, { name, temperature }: EntailmentEntry): Entailment {
  return {
    model: name,
    async judge(pairs, signal) {
      const judged = pairs.map(({ premise, hypothesis }) => ({ first: premise, second: hypothesis }));
      const scores = await pool.score("entailment", judged, undefined, signal);
      return scores.map((logits) => {
        assert(logits !== null, "nothing is left out without a limit of time");
        return probabilities(logits, temperature);
      });
    },
  };
}

/** Softmax of the three logits at a temperature, in the order that the manifest's `labels` have. */
function probabilities(logits: Float32Array, temperature: number): EntailmentScores {
  const greatest = Math.max(...logits);
  const weights = Array.from(logits, (logit) => Math.exp((logit - greatest) / temperature));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const [entailment = 0, neutral = 0, contradiction = 0] = weights.map((weight) => weight / sum);
  return { entailment, neutral, contradiction };
}

/** Its cosines crowd at the top, the more so in some languages: none of them tells that two texts have nothing to do with each other. */
function infoOf({ name, dims, maxTokens }: MultilingualSetup): EncoderInfo {
  return { model: name, dims, maxTokens, floor: null };
}

function multilingualSetup(entry: MultilingualEntry): MultilingualSetup {
  const selfTests = entry.selftest.map(({ kind, text, token_ids, vector_first_8 }) => ({ kind, text, tokenIds: token_ids, begins: vector_first_8 }));
  return {
    name: entry.name,
    model: multilingualFile(entry, "model.onnx"),
    vocabulary: multilingualFile(entry, "vocabulary.bin"),
    dims: entry.dims,
    maxTokens: entry.max_tokens,
    prefixes: { query: entry.query_prefix, passage: entry.passage_prefix },
    selfTests,
  };
}

function modelPaths({ models }: RuntimePaths, entry: ModelEntry): { model: string; tokenizer: string } {
  return { model: modelFile(models, entry, "model.onnx"), tokenizer: modelFile(models, entry, "tokenizer.json") };
}

/** The part of a pair model's setup that both kinds share. The limits are in tokens of the pair's two parts. */
function pairSetup(paths: RuntimePaths, entry: RerankingEntry | EntailmentEntry, firstMaxTokens: number, secondMaxTokens: number) {
  assert(firstMaxTokens + secondMaxTokens + PAIR_SPECIAL_TOKENS <= entry.max_tokens, "a pair fits its model");
  return { name: entry.name, ...modelPaths(paths, entry), firstMaxTokens, secondMaxTokens };
}

function rerankingSetup(paths: RuntimePaths, entry: RerankingEntry): PairModelSetup {
  const selfTests = entry.selftest.map(({ query, text, token_ids, logit }) => {
    return { first: query, second: text, tokenIds: token_ids, expected: { logit } };
  });
  return { ...pairSetup(paths, entry, RERANK_QUERY_MAX_TOKENS, RERANK_TEXT_MAX_TOKENS), outputs: 1, selfTests };
}

function entailmentSetup(paths: RuntimePaths, entry: EntailmentEntry): PairModelSetup {
  const selfTests = entry.selftest.map(({ premise, hypothesis, token_ids, label }) => {
    return { first: premise, second: hypothesis, tokenIds: token_ids, expected: { greatest: entry.labels.indexOf(label) } };
  });
  return { ...pairSetup(paths, entry, NLI_PREMISE_MAX_TOKENS, NLI_HYPOTHESIS_MAX_TOKENS), outputs: entry.labels.length, selfTests };
}

async function selfTest(pool: InferencePool, entry: TextEmbeddingEntry): Promise<void> {
  for (const { text, vector_first_5 } of entry.selftest) {
    const windows = await pool.embed(text, "query").catch((error: unknown) => {
      throw new StartError(`the encoder ${entry.name} does not start`, { cause: error instanceof Fault ? error.cause : error });
    });
    const vector = windows[0]?.vector;
    const same =
      vector?.length === entry.dims && vector_first_5.every((value, index) => Math.abs(value - (vector[index] ?? 0)) <= SELFTEST_MAX_DIFFERENCE);
    if (!same) throw new StartError(`the encoder ${entry.name} fails its self-test: this machine gives other vectors than the manifest`);
  }
}
