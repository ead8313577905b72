/** The built-in synthesiser: chooses sentences of the evidence that answer, and sets them side by side so that they read. */
import { ANSWER_SENTENCES_PER_PART, CONTRADICTION_CANDIDATES } from "../../base/limits.ts";
import type { Entailment } from "../../domain/ports.ts";
import { expectedAnswer } from "../../language/questions.ts";
import { coverage } from "../../language/words.ts";
import type { Evidence } from "./localize.ts";
import { type Draft, plainText, type Quote } from "./render.ts";
import { contradictions, verify } from "./verify.ts";

/** A part of the question, and the evidence that answers it, best first. */
export interface AnsweredPart {
  question: string;
  evidence: readonly Evidence[];
}

/** A further sentence may be this much less relevant than the first, in logits: more where a fact is asked for, less is lost. */
const FACT_MARGIN = 2.5;
const PROSE_MARGIN = 4;
/** A sentence that is less likely to answer than this is not said. */
const CONFIDENCE_MIN = 0.5;
/** Above this a sentence says nothing that another one has not said. */
const ENTAILED_MIN = 0.5;
/** As many of its words in another sentence make it the same. */
const SAME_WORDS = 0.9;

const CONTRADICTION_LEAD = "Another source contradicts this:";
/** Contradictions that one answer tells of. */
const CONTRADICTIONS_MAX = 2;

/** Sentences that begin so mean something that stands before them. */
const DANGLING =
  /^["'“‘(]*(?:(?:however|but|and|so|then|also|moreover|furthermore|therefore|thus|instead|here|there|afterwards|later|meanwhile|by then|after that|at that (?:time|point)|in (?:addition|turn|response)|as a result),?\s+)?(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|this|that|these|those|such|both|neither|the (?:former|latter|same|other|two)|one of (?:them|these|those))\b/i;
/** "It was Smith who …", "There is …" and "That the …" mean nothing before them. */
const STANDING = /^["'“‘(]*(?:it (?:is|was) (?:\w+ ){1,6}(?:that|who|which)\b|that (?:the|a|an)\b)/i;

/** Evidence with the sentence before it when it would dangle without. */
export function quoteOf({ unit, start, end, contextStart, text }: Evidence): Quote {
  return { unit, start: DANGLING.test(text) && !STANDING.test(text) ? contextStart : start, end };
}

export function textOf({ unit, start, end }: Quote): string {
  return (unit.text ?? "").slice(start, end);
}

/** The drafts of all parts, every one verified against its quote; those that are not borne out are left out. */
export async function compose(entailment: Entailment, parts: readonly AnsweredPart[]): Promise<Draft[]> {
  const drafts: Draft[] = [];
  for (const part of parts) {
    const chosen = await choose(entailment, part, drafts);
    const quotes = inReadingOrder(chosen.map(quoteOf));
    const made = await Promise.all(quotes.map((quote) => draftOf(entailment, quote)));
    const borne = made.filter(({ verification }) => verification.verdict === "entailed");
    borne.forEach((draft, index) => {
      drafts.push(index === 0 ? { ...draft, opens: true } : draft);
    });
  }
  return drafts;
}

export async function draftOf(entailment: Entailment, quote: Quote): Promise<Draft> {
  const text = plainText(textOf(quote));
  return { text, quotes: [quote], verification: await verify(entailment, text, [plainText(textOf(quote))]) };
}

/** The best sentence, and those near it that add something. */
async function choose(entailment: Entailment, { question, evidence }: AnsweredPart, before: readonly Draft[]): Promise<Evidence[]> {
  const [best, ...others] = evidence;
  if (best === undefined) return [];
  const kind = expectedAnswer(question);
  const margin = kind === "any" || kind === "reason" ? PROSE_MARGIN : FACT_MARGIN;
  const chosen: Evidence[] = [];
  const said = before.map(({ text }) => text);
  for (const one of [best, ...others]) {
    if (chosen.length === ANSWER_SENTENCES_PER_PART) break;
    const near = one === best || (one.relevance >= best.relevance - margin && one.confidence >= CONFIDENCE_MIN);
    if (!near || (await isSaid(entailment, plainText(one.text), [...said, ...chosen.map(({ text }) => plainText(text))]))) continue;
    chosen.push(one);
  }
  return chosen;
}

async function isSaid(entailment: Entailment, sentence: string, said: readonly string[]): Promise<boolean> {
  if (said.some((other) => coverage(sentence, other) >= SAME_WORDS && other.length >= sentence.length / 2)) return true;
  const judged = await entailment.judge(said.map((other) => ({ premise: other, hypothesis: sentence })));
  return judged.some((scores) => scores.entailment >= ENTAILED_MIN);
}

/** Sentences of one Unit together and in their order, Units by their best sentence; overlapping quotes become one. */
function inReadingOrder(quotes: readonly Quote[]): Quote[] {
  const units = [...new Set(quotes.map(({ unit }) => unit.unit_id))];
  return units.flatMap((unit_id) => {
    const own = quotes.filter(({ unit }) => unit.unit_id === unit_id).sort((a, b) => a.start - b.start || a.end - b.end);
    const merged: Quote[] = [];
    for (const quote of own) {
      const last = merged.at(-1);
      if (last !== undefined && quote.start < last.end) last.end = Math.max(last.end, quote.end);
      else merged.push({ ...quote });
    }
    return merged;
  });
}

/**
 * Looks for what contradicts the drafts in the evidence and among themselves, and says so: the other side follows
 * right behind, with its own citation.
 */
export async function withContradictions(entailment: Entailment, drafts: readonly Draft[], evidence: readonly Evidence[]): Promise<Draft[]> {
  const result: Draft[] = [];
  const waiting = [...drafts];
  let told = 0;
  for (let draft = waiting.shift(); draft !== undefined; draft = waiting.shift()) {
    result.push(draft);
    if (told === CONTRADICTIONS_MAX) continue;
    const other = await opposite(entailment, draft, waiting, evidence);
    if (other === null || result.some(({ text }) => text === other.text)) continue;
    result.push({ ...other, lead: CONTRADICTION_LEAD, opens: false });
    const index = waiting.findIndex(({ text }) => text === other.text);
    if (index >= 0) waiting.splice(index, 1);
    told += 1;
  }
  return result;
}

/** The strongest sentence of another Unit that contradicts a draft: one that is to be said anyway, or one of the evidence. */
async function opposite(entailment: Entailment, draft: Draft, waiting: readonly Draft[], evidence: readonly Evidence[]): Promise<Draft | null> {
  const cited = new Set(draft.quotes.map(({ unit }) => unit.unit_id));
  const elsewhere = (quotes: readonly Quote[]) => quotes.every(({ unit }) => !cited.has(unit.unit_id));
  const said = waiting.filter(({ quotes }) => elsewhere(quotes));
  const unsaid = evidence.filter((one) => elsewhere([one])).slice(0, CONTRADICTION_CANDIDATES);
  const texts = [...said.map(({ text }) => text), ...unsaid.map(({ text }) => plainText(text))];
  const index = (await contradictions(entailment, draft.text, texts)).indexOf(true);
  if (index < 0) return null;
  const found = said[index];
  if (found !== undefined) return found;
  const other = await draftOf(entailment, quoteOf(unsaid[index - said.length] as Evidence));
  return other.verification.verdict === "entailed" ? other : null;
}
