/**
 * Evidence in the languages that the cross-encoder and the verifier do not read: items are chosen by the encoder's cosine and
 * the words that they share with the question, and quoted without a verdict.
 */
import { EVIDENCE_ITEMS_MAX, EVIDENCE_UNITS, REGION_MAX_CHARS } from "../../base/limits.ts";
import { readText } from "../../domain/unit.ts";
import type { Language } from "../../text/language.ts";
import { textTerms } from "../../text/terms.ts";
import { probability, type RequestModels } from "../search/models.ts";
import type { Candidate } from "../search/retrieve.ts";
import { type Draft, plainText, quoteOf } from "./compose.ts";
import { echoesQuestion, type Evidence, type FoundEvidence, type Quotable, quotables } from "./evidence.ts";

/** What an answer without a verifier says of itself. */
export function unverifiedWarning(language: Language): string {
  return `nothing here verifies answers in the language ${language}: quotes are chosen by meaning and shared words, and verdict, score and nli_faithfulness are null`;
}

/**
 * The log-odds that an item answers: of its cosine with the question, and of the shares of the question's words in it and in
 * its Unit. A logistic regression on the even articles of XQuAD, as texts of any language (docs/decision/0011).
 */
const WEIGHTS = { intercept: -40.2, cosine: 43.6, inItem: 3.5, inUnit: 6.2 };

/** Least probability of what is given as an answer. */
export const UNVERIFIED_MIN = 0.5;

/** Log-odds by which a further item may be below the best, and how many are quoted in all. */
const FURTHER_MARGIN = 1;
const QUOTED_MAX = 2;

/** An item that could answer, with its terms and those of its Unit. */
interface Choosable extends Quotable {
  terms: ReadonlySet<string>;
  unitTerms: ReadonlySet<string>;
}

/** The likeliest items of the first EVIDENCE_UNITS candidates that have text and are no keyword stuffing. Errors: Fault `unavailable`. */
export async function evidenceByMeaning(
  models: RequestModels,
  language: Language,
  question: string,
  candidates: readonly Candidate[],
): Promise<FoundEvidence> {
  const readable = candidates.filter(({ unit: { text } }) => text !== null && !echoesQuestion(text.slice(0, REGION_MAX_CHARS), question));
  const looked = readable.slice(0, EVIDENCE_UNITS);
  const all = looked.flatMap((candidate) => choosable(candidate, language));
  const wanted = weighted(new Set(textTerms(question, language)), all);
  const shares = new Map(all.map((item) => [item, shareOf(wanted, item.terms)]));
  const able = all.filter(({ text }) => !/[?？؟]["'”’»)\]\s]*$/.test(text.slice(-8)) && !echoesQuestion(text, question));
  const items = able.toSorted((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0)).slice(0, EVIDENCE_ITEMS_MAX);
  const cosines = await models.similarities(
    question,
    items.map(({ passage }) => passage),
  );
  const evidence = items.map((item, index): Evidence => {
    const { start, end, text, mark, said, quote, candidate } = item;
    const [inPassage, inUnit] = [shares.get(item) ?? 0, shareOf(wanted, item.unitTerms)];
    const logit = WEIGHTS.intercept + WEIGHTS.cosine * (cosines[index] ?? 0) + WEIGHTS.inItem * inPassage + WEIGHTS.inUnit * inUnit;
    const answers = probability(logit);
    const signals = { item: logit, unit: logit, contrast: 0, agreement: 0, words: inUnit };
    return {
      start,
      end,
      text,
      index: item.index,
      mark,
      said,
      quote,
      unit: candidate.unit,
      logit,
      relevance: logit,
      signals,
      answers,
      support: answers,
    };
  });
  evidence.sort((a, b) => b.relevance - a.relevance);
  return { evidence, scored: evidence.length, late: 0 };
}

function choosable(candidate: Candidate, language: Language): Choosable[] {
  const unitTerms = new Set(textTerms(readText(candidate.unit.path, candidate.unit.text ?? ""), language));
  return quotables(candidate, () => false).map((item) => ({ ...item, terms: new Set(textTerms(item.passage, language)), unitTerms }));
}

/** The terms with weights: the rarer among the items, the heavier, so that no list of stop words is needed. */
function weighted(terms: ReadonlySet<string>, items: readonly Choosable[]): Map<string, number> {
  const having = (term: string) => items.filter((item) => item.terms.has(term)).length;
  return new Map([...terms].map((term) => [term, Math.log(1 + (items.length + 1) / (having(term) + 0.5))]));
}

/** The share of the weights, 0-1, of terms that are among `found`. */
function shareOf(wanted: ReadonlyMap<string, number>, found: ReadonlySet<string>): number {
  let [sum, shared] = [0, 0];
  for (const [term, weight] of wanted) {
    sum += weight;
    if (found.has(term)) shared += weight;
  }
  return sum === 0 ? 0 : shared / sum;
}

/** The best item, and one of another quote that is nearly as likely, each cited and without a verdict. */
export function composeUnverified(evidence: readonly Evidence[]): Draft[] {
  const [best] = evidence;
  const chosen: Evidence[] = [];
  for (const one of evidence) {
    if (best === undefined || chosen.length === QUOTED_MAX || one.answers < UNVERIFIED_MIN || one.logit < best.logit - FURTHER_MARGIN) break;
    const said = chosen.some(
      ({ unit, quote, text }) => text === one.text || (unit.uid === one.unit.uid && one.start < quote.end && one.end > quote.start),
    );
    if (!said) chosen.push(one);
  }
  return chosen.map((one, index) => {
    const draft: Draft = { text: plainText(one.said), quotes: [quoteOf(one)], verification: { verdict: null, score: null } };
    return index === 0 ? { ...draft, opens: true } : draft;
  });
}
