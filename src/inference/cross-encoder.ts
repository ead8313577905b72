/** Pairs of texts to logits, one pair after another. Runs in a Worker. */
import { assert, StartError } from "../base/fault.ts";
import { PAIR_UNITS_PER_TOKEN_MAX } from "../base/limits.ts";
import type { Pair, PairModelSetup, PairSelfTest } from "./messages.ts";
import { type Bert, openBert } from "./onnx.ts";
import { type BertTokenizer, openTokenizer } from "./tokenizer.ts";

/** A self-test logit, of a range of about 22, may differ by this much: int8 rounds differently on other CPU families. */
const SELFTEST_LOGIT_MAX_DIFFERENCE = 0.5;

export class CrossEncoder {
  private constructor(
    private readonly setup: PairModelSetup,
    private readonly tokenizer: BertTokenizer,
    private readonly model: Bert,
  ) {}

  /** Errors: StartError when the model does not open or fails its self-test. */
  static async open(setup: PairModelSetup): Promise<CrossEncoder> {
    const tokenizer = await openTokenizer(setup.tokenizer);
    const model = await openBert(setup.model, "logits");
    const encoder = new CrossEncoder(setup, tokenizer, model);
    try {
      for (const selfTest of setup.selfTests) await encoder.verify(selfTest);
    } catch (error) {
      await model.release();
      throw error;
    }
    return encoder;
  }

  /** The logits of a pair: [CLS] first [SEP] second [SEP]. */
  async score(pair: Pair): Promise<Float32Array> {
    const { ids, second } = this.tokenise(pair);
    const logits = await this.model.run(ids, second);
    assert(logits.length === this.setup.outputs, `the model gives ${this.setup.outputs} logits a pair`);
    return logits;
  }

  /** Errors: StartError when this machine gives other token ids or logits for the pair than the manifest has. */
  private async verify(selfTest: PairSelfTest): Promise<void> {
    const { ids } = this.tokenise(selfTest);
    const sameIds = ids.length === selfTest.tokenIds.length && ids.every((id, index) => id === selfTest.tokenIds[index]);
    const fault = `the model ${this.setup.name} fails its self-test: this machine gives other`;
    if (!sameIds) throw new StartError(`${fault} token ids than the manifest`);
    if (!isExpected(await this.score(selfTest), selfTest.expected)) throw new StartError(`${fault} logits than the manifest`);
  }

  /** `second`: where the second part begins. */
  private tokenise(pair: Pair): { ids: number[]; second: number } {
    const { cls, sep } = this.tokenizer;
    const first = [cls, ...this.part(pair.first, this.setup.firstMaxTokens), sep];
    return { ids: [...first, ...this.part(pair.second, this.setup.secondMaxTokens), sep], second: first.length };
  }

  private part(text: string, maxTokens: number): number[] {
    return this.tokenizer.encode(head(text, maxTokens * PAIR_UNITS_PER_TOKEN_MAX)).slice(0, maxTokens);
  }
}

function isExpected(logits: Float32Array, expected: PairSelfTest["expected"]): boolean {
  if ("greatest" in expected) return logits.indexOf(Math.max(...logits)) === expected.greatest;
  return Math.abs((logits[0] ?? Number.NaN) - expected.logit) <= SELFTEST_LOGIT_MAX_DIFFERENCE;
}

/** The first `units` UTF-16 units of a text, or one less where that would part a surrogate pair. */
function head(text: string, units: number): string {
  const parts = text.length > units && (text.codePointAt(units - 1) ?? 0) > 0xffff;
  return text.slice(0, parts ? units - 1 : units);
}
