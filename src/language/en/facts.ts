/** Splits a claim into its single facts. Where a cut is doubtful the claim stays whole, since half a sentence verifies worse than a long one. */
import { FACTS_MAX, SENTENCE_MAX_CHARS } from "../../base/limits.ts";
import { BE, bare, closesVerb, DETERMINERS, finiteVerb, AUXILIARIES, isPast, isPresentThird, PRONOUNS, tokensOf } from "./verbs.ts";

/** A subject of more words is taken for misread. */
const SUBJECT_MAX_WORDS = 7;
/** After one of these a second verb may belong to either clause. */
const SUBORDINATE = /\b(?:that|which|who|whom|whose|if|when|whether|because|after|before|until|although|though|both|between|either|not only|to)\b/i;
const CLAUSE_BORDER = /;\s+|,\s+(?:and|but|yet|while|whereas)\s+|\s+(?:and|but)\s+(?=(?:he|she|it|they)\s)/gi;
const VERB_BORDER = /,?\s+(?:and|but)\s+(?:then\s+|also\s+|later\s+|subsequently\s+)?/gi;
const NO_ANTECEDENT = /^(?:i|we|you|there|(?:no|some|every|any)(?:body|thing)|no one|everyone|someone|this|that|these|those)(?:\s|$)/i;
const RELATIVE_INNER = /^([^,]+), (?:which|who) ([^,]+), (.+)$/s;
const RELATIVE_LAST = /^([^,]+), who ([^,]+)$/s;
const NAME_LAST = /(?:^|\s)((?:the |The )?\p{Lu}[\p{L}'’-]*(?: (?:\p{Lu}[\p{L}'’-]*|\d+)){1,3})$/u;

/**
 * The facts of `claim`, each a statement that is read alone, in order, at most FACTS_MAX: clauses, verb phrases
 * and relative clauses become statements of their own with the subject they share. A simple claim is its only fact.
 */
export function facts(claim: string): string[] {
  const text = claim.trim();
  if (text === "") return [];
  if (text.length > SENTENCE_MAX_CHARS || /["“”«»?]|\s['‘]/.test(text)) return [claim];
  const end = /[.!]$/.exec(text)?.[0] ?? "";
  let parts = [end === "" ? text : text.slice(0, -1)];
  for (const split of [clauses, relatives, verbPhrases]) {
    const finer = parts.flatMap(split);
    if (finer.length > FACTS_MAX) break;
    parts = finer;
  }
  return parts.length === 1 ? [claim] : parts.map((part) => capitalised(part.trim()) + end);
}

function capitalised(text: string): string {
  return /^(?:the|an?|this|that|these|those|its|his|her|their|it|he|she|they|there|we|no)\s/.test(text)
    ? text.slice(0, 1).toUpperCase() + text.slice(1)
    : text;
}

/** The noun phrase before the first finite verb, if it is short and plain. */
function subjectOf(text: string): string | null {
  const tokens = tokensOf(text);
  const verb = finiteVerb(tokens);
  if (verb < 1 || verb > SUBJECT_MAX_WORDS) return null;
  const subject = tokens.slice(0, verb);
  const first = bare(subject[0] ?? "");
  const plain = !subject.join(" ").match(/[,;:()]/) && !subject.some((token) => isPast(bare(token)) && token !== subject[0]);
  const opens = DETERMINERS.has(first) || PRONOUNS.has(first) || /^[\p{Lu}\d]/u.test(subject[0] ?? "");
  const led = /^(?:in|on|at|after|before|when|while|if|by|for|during|because|as|since|although|then|from|with|under|there|what|this is)$/.test(first);
  const whole = subject.length > 1 || !/^(?:the|an?|its|his|her|their|my|our|your|every|no)$/.test(first);
  return plain && opens && !led && whole ? subject.join(" ") : null;
}

/** Clauses that each have a subject and a verb; a pronoun that can only mean the first subject is replaced by it. */
function clauses(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (const border of text.matchAll(CLAUSE_BORDER)) {
    const left = text.slice(from, border.index);
    const right = text.slice(border.index + border[0].length);
    const nested = !border[0].startsWith(";") && /\b(?:that|because|if|when|although|though|whether|both)\b/i.test(left);
    if (nested || unbalanced(left) || subjectOf(left) === null || !isClause(right)) continue;
    if (pronounOf(right) !== null && resolved(right, found[0] ?? left) === null) continue;
    found.push(left);
    from = border.index + border[0].length;
  }
  found.push(text.slice(from));
  const [first = ""] = found;
  return found.map((clause, index) => (index === 0 || pronounOf(clause) === null ? clause : (resolved(clause, first) ?? clause)));
}

function unbalanced(text: string): boolean {
  return text.split("(").length !== text.split(")").length;
}

/** Begins with its own subject and a verb near it; "and the pump" alone is a member of a list. */
function isClause(text: string): boolean {
  const subject = subjectOf(text);
  if (subject === null) return false;
  const first = bare(tokensOf(subject)[0] ?? "");
  return PRONOUNS.has(first) ? tokensOf(subject).length === 1 : first !== "that";
}

function pronounOf(clause: string): string | null {
  const first = bare(tokensOf(clause)[0] ?? "");
  return PRONOUNS.has(first) ? first : null;
}

/** `clause` with its leading pronoun replaced by the subject of `first`; null when they do not agree in number or kind. */
function resolved(clause: string, first: string): string | null {
  const subject = subjectOf(first);
  const pronoun = pronounOf(clause);
  if (subject === null || pronoun === null) return null;
  const kept = pronounOf(subject);
  if (kept !== null) return kept === pronoun ? clause : null;
  const last = bare(tokensOf(subject).at(-1) ?? "");
  const plural = /\sand\s/.test(subject) || /[^suid]s$/.test(last);
  const named = /^\p{Lu}/u.test(subject) && !/^(?:The|An?|This|That|These|Those|Its|Their)\s/.test(subject) && !/\d/.test(subject);
  // "It is right to …" means nothing before it, and a name may be a person's.
  const empty = /^it\s+(?:is|was)\s+\S+\s+(?:to|that|for)\s/i.test(clause);
  const agrees = pronoun === "they" ? plural : !plural && named === (pronoun !== "it") && !empty;
  return agrees && !NO_ANTECEDENT.test(subject) ? subject + clause.trim().slice(pronoun.length) : null;
}

/** "X, which did A, did B" and "… X Y, who did A". */
function relatives(text: string): string[] {
  const inner = RELATIVE_INNER.exec(text);
  if (inner !== null) {
    const [, subject = "", relative = "", rest = ""] = inner;
    const short = tokensOf(subject).length <= SUBJECT_MAX_WORDS && finiteVerb([...tokensOf(subject), "is"]) === tokensOf(subject).length;
    const opens =
      /^(?:[\p{Lu}\d]|(?:the|an?|this|its|his|her|their)\s)/u.test(subject) && !/^(?:In|On|At|By|For|After|From|With|Of|When|If)\s/.test(subject);
    return short && opens && startsWithVerb(relative) && startsWithVerb(rest) ? [`${subject} ${rest}`, `${subject} ${relative}`] : [text];
  }
  const last = RELATIVE_LAST.exec(text);
  const name = NAME_LAST.exec(last?.[1] ?? "")?.[1];
  if (last === null || name === undefined || !startsWithVerb(last[2] ?? "") || subjectOf(text) === null) return [text];
  return [last[1] ?? "", `${name} ${last[2]}`];
}

function startsWithVerb(text: string): boolean {
  const [first = "", next] = tokensOf(text);
  const word = bare(first);
  return AUXILIARIES.has(word) || (isPast(word) && closesVerb(next)) || isPresentThird(word);
}

/** "X did A and did B" as "X did A" and "X did B". */
function verbPhrases(text: string): string[] {
  const subject = subjectOf(text);
  if (subject === null) return [text];
  for (const border of text.matchAll(VERB_BORDER)) {
    const left = text.slice(0, border.index);
    const right = text.slice(border.index + border[0].length);
    const rest = left.slice(subject.length).trim();
    if (rest === "" || rest.includes(";") || unbalanced(left) || SUBORDINATE.test(rest)) continue;
    const lead = sharedLead(tokensOf(rest), tokensOf(right));
    if (lead === null || (rest.includes(",") && lead === "" && !AUXILIARIES.has(bare(tokensOf(right)[0] ?? "")))) continue;
    return [left, ...verbPhrases(`${subject} ${lead}${right}`)];
  }
  return [text];
}

/** The auxiliary that the second verb phrase shares with the first ("was "), "" for none; null when the two are not parallel. */
function sharedLead(left: readonly string[], right: readonly string[]): string | null {
  const [first = "", second = ""] = [bare(left[0] ?? ""), bare(left[1] ?? "")];
  const verb = bare(right[0] ?? "");
  const rightEnd = /[,;:)]$/.test(right[0] ?? "");
  if (rightEnd || right.length === 0) return null;
  if (AUXILIARIES.has(verb)) return AUXILIARIES.has(bare(right[1] ?? "")) || right.length < 2 ? null : "";
  if (isPast(verb)) {
    if (!closesVerb(right[1])) return null;
    const next = bare(right[1] ?? "");
    if (BE.has(first)) {
      // "Was opened and attracted visitors" is active, "was stopped and repaired by divers" is not.
      if (!isPast(second) || left.length < 2) return null;
      if (DETERMINERS.has(next)) return "";
      return left.length <= 4 || /^(?:by|in|on|at|from)$/.test(next) ? `${left[0]} ` : null;
    }
    return AUXILIARIES.has(first) || !isPast(first) ? null : "";
  }
  if (!isPresentThird(verb) || /^(?:of|in)$/.test(bare(right[1] ?? "")) || right.length < 2) return null;
  return isPresentThird(first) || (BE.has(first) && DETERMINERS.has(bare(right[1] ?? ""))) ? "" : null;
}
