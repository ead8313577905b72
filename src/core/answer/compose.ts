/** The extractive writer: an answer of sentences quoted from the evidence, in an order in which they can be read. Makes the answer object of any writer's drafts. */
import type { Span } from "../../base/span.ts";
import { ANSWER_SENTENCES_PER_PART, CONTRADICTION_CANDIDATES } from "../../base/limits.ts";
import type { Answer, AnswerStatus, Citation, Claim } from "../../domain/answer.ts";
import type { Entailment } from "../../domain/port/entailment.ts";
import type { Unit } from "../../domain/unit.ts";
import { namesIn } from "../../language/asked.ts";
import { DIVIDED_WORD } from "../../text/letters.ts";
import {
  alternatives,
  compared,
  compareQuantities,
  coverage,
  type ExpectedAnswer,
  expectedAnswer,
  sameNegation,
  words,
} from "../../language/language.ts";
import { asFurther, type Evidence, SUPPORTED_MIN } from "./evidence.ts";
import { type Disagreement, disagreements, type Verification, verify } from "./verify.ts";

/** A span of a stored Unit's text that can be read alone. */
export interface Quote extends Span {
  unit: Unit;
  /** The words of it that answer. */
  mark: Span;
  /** Probability, 0-1, that they answer the question. */
  answers: number;
}

/** Of a claim in a language that the verifier does not read. */
export interface Unverified {
  verdict: null;
  score: null;
}

/** A claim before it is rendered. */
export interface Draft {
  /** The sentence without markers, as `plainText` gives it. */
  text: string;
  /** What the claim cites. */
  quotes: Quote[];
  verification: Verification | Unverified;
  /** Words before the sentence that are no part of the claim. */
  lead?: string;
  /** True for the first sentence about a part of the question: it begins a line. */
  opens?: boolean;
}

/** One of the questions that the query is made of, with its evidence by descending relevance. */
export interface QuestionPart {
  question: string;
  evidence: readonly Evidence[];
}

/** Beside a first item with this support only those are given that have SURE_BESIDE alone: what others add is next to nothing (docs/decision/0005). */
const SURE = 0.9;
const SURE_BESIDE = 0.95;
/** The least support of a further item: of those below it few add anything (docs/decision/0005). */
const FURTHER_MIN = 0.25;
/** A sentence that another one entails with at least this probability is redundant. */
const ENTAILED_MIN = 0.5;
/** Two sentences are the same claim when one has this share of the other's content words. */
const SAME_WORDS = 0.75;
/** Units cited for one sentence. */
const SUPPORTS_MAX = 3;

/** Logits by which a sentence about one of two alternatives that the question names may be less relevant than the best. */
const ALTERNATIVE_MARGIN = 8;
/** Contradictions shown in one answer. */
const CONTRADICTIONS_MAX = 2;
const LEADS: Record<Disagreement["how"] | "alternative", string> = {
  alternative: "Another source says otherwise:",
  contradiction: "Another source contradicts this:",
  figure: "Another source gives another figure:",
};

/** What is cited for an item. */
export function quoteOf({ unit, quote, mark, answers }: Evidence): Quote {
  return { unit, ...quote, mark, answers };
}

export function textOf({ unit, start, end }: Quote): string {
  return (unit.text ?? "").slice(start, end);
}

/** A sentence chosen for the answer, and evidence from other Units that makes the same claim. */
interface Choice {
  said: Evidence;
  supports: Evidence[];
  /** True when it is given beside a better one. */
  further?: boolean;
}

/** The drafts of all parts that their quotes entail. Errors: as Entailment.judge. */
export async function compose(entailment: Entailment, parts: readonly QuestionPart[]): Promise<Draft[]> {
  const drafts: Draft[] = [];
  for (const part of parts) {
    const choices = withAlternatives(part, await choose(entailment, part, drafts));
    const entailed = choices.map(draftOf).filter(({ verification }) => verification.verdict === "entailed");
    leadToAlternative(entailed, alternatives(part.question));
    drafts.push(...entailed.map((draft, index) => (index === 0 ? { ...draft, opens: true } : draft)));
  }
  return drafts;
}

/** The item as a claim that cites its quote and those of its supports. Every item passes the same test, whatever stands beside it. */
function draftOf({ said, supports, further = false }: Choice): Draft {
  const stated = further ? asFurther(said) : said;
  const verification: Verification = { verdict: said.support >= SUPPORTED_MIN ? "entailed" : "neutral", score: stated.support };
  return { text: plainText(said.said), quotes: [stated, ...supports].map(quoteOf), verification };
}

/** A draft that cites `quotes`, verified against them. Errors: as Entailment.judge. */
export async function verifiedDraft(entailment: Entailment, text: string, quotes: Quote[]): Promise<Draft & { verification: Verification }> {
  const cited = quotes.map((quote) => plainText(textOf(quote)));
  return { text, quotes, verification: await verify(entailment, text, cited) };
}

/** The best item, and at most ANSWER_SENTENCES_PER_PART - 1 others that are likely enough beside it and not redundant. */
async function choose(entailment: Entailment, { evidence }: QuestionPart, before: readonly Draft[]): Promise<Choice[]> {
  const [best, ...others] = evidence;
  if (best === undefined) return [];
  const choices: Choice[] = [];
  const quoted = (one: Evidence) =>
    choices.some(({ said: { unit, quote } }) => unit.uid === one.unit.uid && one.start < quote.end && one.end > quote.start);
  const adds = (one: Evidence) => (best.support < SURE ? asFurther(one).support >= FURTHER_MIN : one.support >= SURE_BESIDE);
  for (const one of [best, ...others]) {
    const further = one !== best;
    if (quoted(one) || (further && !adds(one))) continue;
    const same = choices.find(({ said }) => covers(said.text, one.text) || covers(one.text, said.text));
    if (same !== undefined) await support(entailment, same, one);
    else if (choices.length < ANSWER_SENTENCES_PER_PART && !(await isRedundant(entailment, one, before, choices)))
      choices.push({ said: one, supports: [], further });
  }
  return choices;
}

/** True when `a` has nearly all words of `b`, all its quantities, and the same negation. */
function covers(a: string, b: string): boolean {
  return coverage(b, a) >= SAME_WORDS && sameNegation(a, b) && compareQuantities(b, a).missing.length === 0;
}

/** Adds `one` as a further source of a choice, if its Unit is not cited for it yet and its sentence entails the choice. */
async function support(entailment: Entailment, { said, supports }: Choice, one: Evidence): Promise<void> {
  const known = [said, ...supports].some(({ unit }) => unit.uid === one.unit.uid);
  if (known || supports.length + 1 >= SUPPORTS_MAX || !covers(one.text, said.text)) return;
  const { verdict } = await verify(entailment, plainText(said.text), [plainText(one.text)]);
  if (verdict === "entailed") supports.push(one);
}

/** For a question that names two alternatives ("94 or 112 degrees") or compares two things: adds an item for each that the choices do not mention. */
function withAlternatives({ question, evidence }: QuestionPart, choices: readonly Choice[]): Choice[] {
  const least = (evidence[0]?.relevance ?? 0) - ALTERNATIVE_MARGIN;
  const sides = compared(question);
  const near = evidence.filter(({ relevance }) => relevance >= least);
  const given = choices.map(({ said }) => said);
  const unnamed = alternatives(question).filter((word) => !given.some(({ text }) => names(text, word)));
  const found = [
    ...unnamed.flatMap((word) => near.find(({ text }) => names(text, word)) ?? []),
    ...sidesLeft(sides, given).flatMap((side) => near.find((one) => isAbout(one, side, sides)) ?? []),
  ];
  return [...choices, ...[...new Set(found)].map((said) => ({ said, supports: [] }))];
}

/** Of the two things that a question compares those that none of `items` is about. */
function sidesLeft(sides: readonly string[], items: readonly Side[]): string[] {
  return sides.filter((side) => !items.some((one) => isAbout(one, side, sides)));
}

/** What the drafts leave unsaid of a comparison: those of its two things that none is about. */
export function unsaidSides(question: string, drafts: readonly Draft[]): string[] {
  const said = drafts.flatMap(({ text, quotes }) => quotes.map(({ unit }) => ({ text, unit })));
  return sidesLeft(compared(question), said);
}

type Side = Pick<Evidence, "text" | "unit">;

/** Whether an item names one side of a comparison, or stands under it and not under the other. */
function isAbout({ text, unit }: Side, side: string, sides: readonly string[]): boolean {
  const under = sides.filter((one) => holds((unit.path ?? []).join("\n"), one));
  return holds(text, side) || (under.length === 1 && under[0] === side);
}

/** Whether a text names a side: as it is written where it is a name with symbols, else by its word. */
function holds(text: string, side: string): boolean {
  const [name] = namesIn(side);
  return name === undefined ? coverage(side, text) === 1 : namesIn(text).includes(name);
}

/** Puts a lead before the first draft that mentions one alternative after a draft of another Unit mentioned the other. */
function leadToAlternative(drafts: Draft[], named: readonly string[]): void {
  const only = ({ text }: Draft) => {
    const found = named.filter((word) => names(text, word));
    return found.length === 1 ? found[0] : undefined;
  };
  const sided = drafts.filter((draft) => only(draft) !== undefined);
  const other = sided.find((draft, at) => sided.slice(0, at).some((one) => only(one) !== only(draft) && unitOf(one) !== unitOf(draft)));
  if (other !== undefined) other.lead = LEADS.alternative;
}

function unitOf({ quotes }: Draft): number | undefined {
  return quotes[0]?.unit.uid;
}

/** True when the text has `word`, which may be several words, as whole words. `word` is in lower case. */
function names(text: string, word: string): boolean {
  return ` ${words(text).join(" ")} `.includes(` ${words(word).join(" ")} `);
}

/** True when a sentence repeats or follows from one that is in the answer already. */
async function isRedundant(entailment: Entailment, { text }: Evidence, before: readonly Draft[], choices: readonly Choice[]): Promise<boolean> {
  const said = [...before.map((draft) => draft.text), ...choices.map((choice) => plainText(choice.said.text))];
  const sentence = plainText(text);
  if (said.some((other) => covers(other, sentence))) return true;
  const judged = await entailment.judge(said.map((other) => ({ premise: other, hypothesis: sentence })));
  return judged.some((scores) => scores.entailment >= ENTAILED_MIN);
}

/**
 * The drafts with at most CONTRADICTIONS_MAX contradictions made visible: a draft, or a sentence of the evidence, that
 * disagrees with another one follows right behind it, with a lead and its own citation. `settled` is given each of the result
 * as soon as its place is known. Errors: as Entailment.judge.
 */
export async function withContradictions(
  entailment: Entailment,
  questions: readonly string[],
  drafts: readonly Draft[],
  evidence: readonly Evidence[],
  settled: (draft: Draft) => Promise<void>,
): Promise<Draft[]> {
  const asked = new Set(questions.map(expectedAnswer));
  const result: Draft[] = [];
  const waiting = [...drafts];
  const settle = async (draft: Draft) => {
    result.push(draft);
    await settled(draft);
  };
  let told = 0;
  for (let draft = waiting.shift(); draft !== undefined; draft = waiting.shift()) {
    await settle(draft);
    if (told === CONTRADICTIONS_MAX) continue;
    const other = await opposite(entailment, asked, draft, waiting, evidence);
    if (other === null || result.some(({ text }) => text === other.draft.text)) continue;
    await settle({ ...other.draft, lead: LEADS[other.how], opens: false });
    const index = waiting.findIndex(({ text }) => text === other.draft.text);
    if (index >= 0) waiting.splice(index, 1);
    told += 1;
  }
  return result;
}

/** The first sentence of another Unit that disagrees with a draft: one of the drafts that are still to come, else one of the evidence. */
async function opposite(
  entailment: Entailment,
  asked: ReadonlySet<ExpectedAnswer>,
  draft: Draft,
  waiting: readonly Draft[],
  evidence: readonly Evidence[],
): Promise<{ draft: Draft; how: Disagreement["how"] } | null> {
  const others = (unit: Unit) => draft.quotes.every((cited) => !standTogether(cited.unit, unit));
  const said = waiting.filter(({ quotes }) => quotes.every(({ unit }) => others(unit)));
  const unsaid = evidence.filter(({ unit }) => others(unit)).slice(0, CONTRADICTION_CANDIDATES);
  const texts = [...said.map(({ text }) => text), ...unsaid.map(({ text }) => plainText(text))];
  const found = await disagreements(entailment, draft.text, texts);
  const index = found.findIndex((one) => one !== null && matters(one, asked));
  const how = found[index]?.how;
  if (how === undefined) return null;
  const known = said[index];
  if (known !== undefined) return { draft: known, how };
  const other = draftOf({ said: unsaid[index - said.length] as Evidence, supports: [] });
  return other.verification.verdict === "entailed" ? { draft: other, how } : null;
}

/** One Unit, or two of a document under one heading: rows of a table say different things of different ones, and none denies another. */
function standTogether(one: Unit, other: Unit): boolean {
  const [path, beside] = [one.path ?? [], other.path ?? []];
  return one.uid === other.uid || (one.doc_id === other.doc_id && path.length > 0 && JSON.stringify(path) === JSON.stringify(beside));
}

/** True for a contradiction, and for different figures of the kind that the question asks for. */
function matters(one: Disagreement, asked: ReadonlySet<ExpectedAnswer>): boolean {
  if (one.how === "contradiction") return true;
  return asked.has(one.kind === "time" ? "time" : "number");
}

// --- the answer object: text with markers, claims and citations, all offsets in UTF-16 code units ---

/** Invisible characters and overrides of the reading direction, except joiners inside scripts and emoji that need them. */
const CONTROLS =
  /[\p{Cc}\u00ad\u115f\u1160\u2028\u2029\u3164\uffa0]|[\u{e0100}-\u{e01ef}]|(?![\u200c\u200d])\p{Cf}|(?<=^|[ -~])[\u200c\u200d]+|[\u200c\u200d]+(?=[ -~]|$)/gu;

/**
 * Text of a Unit or of a chat model made safe for an answer: square brackets become round ones, since they are for markers
 * (which also disarms Markdown links and images), and the start of an HTML tag is escaped.
 */
export function plainText(text: string): string {
  return text
    .replace(DIVIDED_WORD, "")
    .replace(/\s+/gu, " ")
    .replace(CONTROLS, "")
    .replace(/[[［【〔〖〚⟦⁅❲]/g, "(")
    .replace(/[\]］】〕〗〛⟧⁆❳]/g, ")")
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .trim();
}

/** The text of an answer with its claims and citations, as it grows. */
export class AnswerText {
  text = "";
  readonly claims: Claim[] = [];
  readonly citations: Citation[] = [];

  add({ text: sentence, quotes, verification, lead, opens }: Draft): Claim {
    if (this.text !== "") this.text += opens ? "\n" : " ";
    if (lead !== undefined) this.text += `${lead} `;
    const markers = [...new Set(quotes.map((quote) => cite(this.citations, quote)))].sort((a, b) => a - b);
    const answers = Math.max(...quotes.map((quote) => quote.answers));
    const start = this.text.length;
    const claim: Claim = { start, end: start + sentence.length, ...verification, answers, citations: markers };
    this.claims.push(claim);
    this.text += `${sentence} ${markers.map((marker) => `[${marker}]`).join("")}`;
    return claim;
  }
}

/** `iterations`: how many rounds were run. `model`: `extractive` or the name of the chat model. */
export function renderAnswer(drafts: readonly Draft[], status: AnswerStatus, iterations: number, model: string): Answer {
  const answer = new AnswerText();
  for (const draft of drafts) answer.add(draft);
  const { text, claims, citations } = answer;
  return { text, status, nli_faithfulness: mean(claims.flatMap(({ score }) => score ?? [])), claims, citations, iterations, model };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The marker of a quote. Adds a citation for one that has none yet. */
function cite(citations: Citation[], { unit, start, end, mark }: Quote): number {
  const same = (one: Citation) => one.quote_start === start && one.quote_end === end && one.mark_start === mark.start && one.mark_end === mark.end;
  const known = citations.find((one) => one.unit_id === unit.unit_id && same(one));
  if (known !== undefined) return known.marker;
  const { unit_id, doc_id, path, scope, modality, plane, source_uri, locator } = unit;
  const quote = (unit.text ?? "").slice(start, end);
  const marker = citations.length + 1;
  const place = { doc_id, ...(path === null ? {} : { path }), scope, modality, plane, source_uri, locator };
  citations.push({ marker, unit_id, ...place, quote, quote_start: start, quote_end: end, mark_start: mark.start, mark_end: mark.end });
  return marker;
}
