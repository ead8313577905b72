/** The built-in synthesiser: chooses sentences of the evidence that answer, and sets them side by side so that they read. */
import { ANSWER_SENTENCES_PER_PART, CONTRADICTION_CANDIDATES } from "../../base/limits.ts";
import type { Entailment } from "../../domain/port/entailment.ts";
import { compareQuantities } from "../../language/en/compare.ts";
import { sameNegation } from "../../language/en/negation.ts";
import { alternatives, type ExpectedAnswer, expectedAnswer, hasExpected } from "../../language/en/questions.ts";
import { coverage, words } from "../../language/en/words.ts";
import type { Evidence } from "./evidence.ts";
import { type Draft, plainText, type Quote } from "./render.ts";
import { type Disagreement, disagreements, verify } from "./verify.ts";

/** A part of the question, and its evidence, best first. */
export interface AnsweredPart {
  question: string;
  evidence: readonly Evidence[];
}

/** A further sentence may be this much less relevant than the first, in logits: more where more than a fact is asked for. */
const FACT_MARGIN = 3;
const PROSE_MARGIN = 4;
/** A further sentence that is less likely to answer than this is not said. */
const CONFIDENCE_MIN = 0.5;
/** Above this a sentence says nothing that another one has not said. */
const ENTAILED_MIN = 0.5;
/** When one sentence has so much of what another says, both say the same. */
const SAME_WORDS = 0.75;
/** Sources cited for one sentence. */
const SUPPORTS_MAX = 3;

/** Evidence for a figure or code that the question names may be this much less relevant than the best, in logits. */
const ALTERNATIVE_MARGIN = 8;
/** Contradictions that one answer tells of. */
const CONTRADICTIONS_MAX = 2;
const LEADS: Record<Disagreement["how"] | "alternative", string> = {
  alternative: "Another source says otherwise:",
  contradiction: "Another source contradicts this:",
  figure: "Another source gives another figure:",
};

/** Sentences that begin so mean something that stands before them. */
const DANGLING =
  /^["'“‘(]*(?:(?:however|but|and|so|then|also|moreover|furthermore|therefore|thus|instead|here|there|afterwards|later|meanwhile|by then|after that|at that (?:time|point)|in (?:addition|turn|response)|as a result),?\s+)?(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|this|that|these|those|such|both|neither|the (?:former|latter|same|other|two)|one of (?:them|these|those))\b/i;
/** Words that point to something said before, wherever they stand; "this morning" points to no sentence. */
const POINTING =
  /\b(?:these|those|(?:all|both|most|some|many|each|one) of (?:this|them)|this(?! (?:morning|afternoon|evening|night|day|week|month|year|time)\b))\s+\p{L}/iu;
/** "It was Smith who …" and "That the …" mean nothing before them. */
const STANDING = /^["'“‘(]*(?:it (?:is|was) (?:\w+ ){1,6}(?:that|who|which)\b|that (?:the|a|an)\b)/i;

/** Evidence with the sentence before it when it would dangle without. */
export function quoteOf(evidence: Evidence): Quote {
  const dangles = (DANGLING.test(evidence.text) && !STANDING.test(evidence.text)) || POINTING.test(evidence.text);
  return dangles ? { ...spanOf(evidence), start: evidence.contextStart } : spanOf(evidence);
}

function spanOf({ unit, start, end }: Evidence): Quote {
  return { unit, start, end };
}

export function textOf({ unit, start, end }: Quote): string {
  return (unit.text ?? "").slice(start, end);
}

/** A sentence to say, and further evidence that says the same. */
interface Choice {
  said: Evidence;
  supports: Evidence[];
}

/** The drafts of all parts, every one verified against its quotes; those that are not borne out are left out. */
export async function compose(entailment: Entailment, parts: readonly AnsweredPart[]): Promise<Draft[]> {
  const drafts: Draft[] = [];
  for (const part of parts) {
    const choices = withAlternatives(part, inReadingOrder(await choose(entailment, part, drafts)));
    const made = await Promise.all(choices.map((choice, index) => draftOf(entailment, choice, choices[index - 1])));
    const borne = made.filter(({ verification }) => verification.verdict === "entailed");
    leadOver(borne, alternatives(part.question));
    borne.forEach((draft, index) => {
      drafts.push(index === 0 ? { ...draft, opens: true } : draft);
    });
  }
  return drafts;
}

/** `before`: what is said right before it, which may be the sentence that this one leans on. */
async function draftOf(entailment: Entailment, { said, supports }: Choice, before?: Choice): Promise<Draft> {
  const led = before?.said.unit.uid === said.unit.uid && before.said.start >= said.contextStart;
  const quotes = [led ? spanOf(said) : quoteOf(said), ...supports.map(quoteOf)];
  const texts = quotes.map((quote) => plainText(textOf(quote)));
  const [text = ""] = texts;
  return { text, quotes, verification: await verify(entailment, text, texts) };
}

/** The best sentence, and those near it that add something. */
async function choose(entailment: Entailment, { question, evidence }: AnsweredPart, before: readonly Draft[]): Promise<Choice[]> {
  const [best, ...others] = evidence;
  if (best === undefined) return [];
  const kind = expectedAnswer(question);
  const prose = kind === "any" || kind === "reason";
  const choices: Choice[] = [];
  for (const one of [best, ...others]) {
    const near = one.relevance >= best.relevance - (prose ? PROSE_MARGIN : FACT_MARGIN) && one.confidence >= CONFIDENCE_MIN;
    if (one !== best && !(near && hasExpected(kind, one.text))) continue;
    const same = choices.find(({ said }) => covers(said.text, one.text) || covers(one.text, said.text));
    if (same !== undefined) await support(entailment, same, one);
    else if (choices.length < ANSWER_SENTENCES_PER_PART && !(await isSaid(entailment, one, before, choices)))
      choices.push({ said: one, supports: [] });
  }
  return choices;
}

/** True when `a` has nearly all that `b` says: words, figures and negations. */
function covers(a: string, b: string): boolean {
  return coverage(b, a) >= SAME_WORDS && sameNegation(a, b) && compareQuantities(b, a).missing.length === 0;
}

/** Cites a further Unit for a sentence, if its own words bear the sentence out. */
async function support(entailment: Entailment, { said, supports }: Choice, one: Evidence): Promise<void> {
  const known = [said, ...supports].some(({ unit }) => unit.uid === one.unit.uid);
  if (known || supports.length + 1 >= SUPPORTS_MAX || !covers(one.text, said.text)) return;
  const { verdict } = await verify(entailment, plainText(said.text), [plainText(one.text)]);
  if (verdict === "entailed") supports.push(one);
}

/** Of a question that names two figures or codes to choose from, evidence for each of them is said, for want of better. */
function withAlternatives({ question, evidence }: AnsweredPart, choices: readonly Choice[]): Choice[] {
  const least = (evidence[0]?.relevance ?? 0) - ALTERNATIVE_MARGIN;
  const missing = alternatives(question).filter((word) => !choices.some(({ said }) => names(said.text, word)));
  const found = missing.flatMap((word) => evidence.find(({ text, relevance }) => names(text, word) && relevance >= least) ?? []);
  return [...choices, ...[...new Set(found)].map((said) => ({ said, supports: [] }))];
}

/** Marks the first sentence for one alternative that follows another Unit's sentence for the other one. */
function leadOver(drafts: Draft[], named: readonly string[]): void {
  const only = ({ text }: Draft) => {
    const found = named.filter((word) => names(text, word));
    return found.length === 1 ? found[0] : undefined;
  };
  const sided = drafts.filter((draft) => only(draft) !== undefined);
  const opposed = (draft: Draft) => sided.slice(0, sided.indexOf(draft)).some((one) => only(one) !== only(draft) && unitOf(one) !== unitOf(draft));
  const other = sided.find(opposed);
  if (other !== undefined) other.lead = LEADS.alternative;
}

function unitOf({ quotes }: Draft): number | undefined {
  return quotes[0]?.unit.uid;
}

/** True when the text has the word whole; `word` is in lower case. */
function names(text: string, word: string): boolean {
  return ` ${words(text).join(" ")} `.includes(` ${words(word).join(" ")} `);
}

async function isSaid(entailment: Entailment, { text }: Evidence, before: readonly Draft[], choices: readonly Choice[]): Promise<boolean> {
  const said = [...before.map((draft) => draft.text), ...choices.map((choice) => plainText(choice.said.text))];
  const sentence = plainText(text);
  if (said.some((other) => covers(other, sentence))) return true;
  const judged = await entailment.judge(said.map((other) => ({ premise: other, hypothesis: sentence })));
  return judged.some((scores) => scores.entailment >= ENTAILED_MIN);
}

/** Sentences of one Unit together and in their order, Units by their best sentence. */
function inReadingOrder(choices: readonly Choice[]): Choice[] {
  const units = [...new Set(choices.map(({ said }) => said.unit.uid))];
  return units.flatMap((uid) => choices.filter(({ said }) => said.unit.uid === uid).sort((a, b) => a.said.start - b.said.start));
}

/**
 * Looks for what contradicts the drafts in the evidence and among themselves, and says so: the other side follows
 * right behind, with its own citation.
 */
export async function withContradictions(
  entailment: Entailment,
  questions: readonly string[],
  drafts: readonly Draft[],
  evidence: readonly Evidence[],
): Promise<Draft[]> {
  const asked = new Set(questions.map(expectedAnswer));
  const result: Draft[] = [];
  const waiting = [...drafts];
  let told = 0;
  for (let draft = waiting.shift(); draft !== undefined; draft = waiting.shift()) {
    result.push(draft);
    if (told === CONTRADICTIONS_MAX) continue;
    const other = await opposite(entailment, asked, draft, waiting, evidence);
    if (other === null || result.some(({ text }) => text === other.draft.text)) continue;
    result.push({ ...other.draft, lead: LEADS[other.how], opens: false });
    const index = waiting.findIndex(({ text }) => text === other.draft.text);
    if (index >= 0) waiting.splice(index, 1);
    told += 1;
  }
  return result;
}

/** The strongest sentence of another Unit that disagrees with a draft: one that is to be said anyway, or one of the evidence. */
async function opposite(
  entailment: Entailment,
  asked: ReadonlySet<ExpectedAnswer>,
  draft: Draft,
  waiting: readonly Draft[],
  evidence: readonly Evidence[],
): Promise<{ draft: Draft; how: Disagreement["how"] } | null> {
  const cited = new Set(draft.quotes.map(({ unit }) => unit.uid));
  const said = waiting.filter(({ quotes }) => quotes.every(({ unit }) => !cited.has(unit.uid)));
  const unsaid = evidence.filter(({ unit }) => !cited.has(unit.uid)).slice(0, CONTRADICTION_CANDIDATES);
  const texts = [...said.map(({ text }) => text), ...unsaid.map(({ text }) => plainText(text))];
  const found = await disagreements(entailment, draft.text, texts);
  const index = found.findIndex((one) => one !== null && matters(one, asked));
  const how = found[index]?.how;
  if (how === undefined) return null;
  const known = said[index];
  if (known !== undefined) return { draft: known, how };
  const other = await draftOf(entailment, { said: unsaid[index - said.length] as Evidence, supports: [] });
  return other.verification.verdict === "entailed" ? { draft: other, how } : null;
}

/** Different figures matter where a figure of that kind was asked for; a contradiction always does. */
function matters(one: Disagreement, asked: ReadonlySet<ExpectedAnswer>): boolean {
  if (one.how === "contradiction") return true;
  return asked.has(one.kind === "time" ? "time" : "number");
}
