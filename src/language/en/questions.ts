/** What a query asks: its form, its parts, and the kind of answer it wants. */
import { QUERY_MAX_CHARS, QUESTION_PARTS_MAX, SENTENCE_MAX_CHARS } from "../../base/limits.ts";
import { sentences } from "../../text/sentences.ts";
import { bare, closesVerb, DETERMINERS, AUXILIARIES, isPast, isVerbForm, tokensOf } from "./verbs.ts";
import { isStopWord } from "./words.ts";

export type QueryForm = "question" | "statement" | "keywords";
export type ExpectedAnswer = "time" | "number" | "any";

const ASKS = /[?？]["'”’)\]\s]*$/;
const WH = /^(?:what|who|whom|whose|which|when|where|why|how)(?:'s|'re|'d|'ll)?$/;
const REQUEST =
  /^(?:please\s+)?(?:tell\s+(?:me|us)|explain|describe|define|summari[sz]e|give\s+(?:me|us)|show\s+(?:me|us)|(?:name|list|state|identify|find)\s+(?:an?|the|one|two|three|some|all|every|each|any|\d+)|compare\s+the)\s/i;
const PREPOSITION =
  /^(?:in|on|at|during|for|from|by|to|with|of|under|within|after|before|until|since|through|about|into|along|besides|approximately|roughly|about)$/;
/** A question word that stands where its answer would ("it was split into how many layers"). */
const ASKS_INSIDE = /\s(?:what|which)\s(?:type|kind|year|sort|number|percentage)\b|\show\s(?:many|much)\b/i;
const SUBJECT_PRONOUN = /^(?:he|she|it|they|we|you|i|there)$/;

/** Of fewer words a full stop ends an abbreviation. */
const STATEMENT_MIN_WORDS = 3;

/**
 * Whether `q` is a question, a statement, or just keywords. A statement ends like one: with a verb alone, a fifth of what
 * people type to find something would be one ("prompt width is not counted right").
 */
export function queryForm(q: string): QueryForm {
  const text = q.length > QUERY_MAX_CHARS ? q.slice(0, QUERY_MAX_CHARS) : q.trim();
  if (ASKS.test(q.slice(-16))) return "question";
  const tokens = tokensOf(text);
  if (opensQuestion(tokens) || (REQUEST.test(text) && tokens.length > 1)) return "question";
  const [first = "", second = "", third = ""] = tokens.map(bare);
  if (PREPOSITION.test(first) && [second, third].some((word) => /^(?:what|which|whose|whom)$/.test(word)) && !/^which$/.test(third))
    return "question";
  if (tokens.length > 3 && PREPOSITION.test(first) && /,\s(?:what|how|why|who)\s/i.test(text)) return "question";
  if (ASKS_INSIDE.test(text) && !/[.!]$/.test(text)) return "question";
  return tokens.length >= STATEMENT_MIN_WORDS && /[.!]["'”’)\]]*$/.test(text) ? "statement" : "keywords";
}

/** True for a yes-or-no question. */
export function asksWhether(q: string): boolean {
  const [first = ""] = tokensOf(q.slice(0, QUERY_MAX_CHARS).trim()).map(bare);
  return AUXILIARIES.has(first) && queryForm(q) === "question";
}

/** The two figures or codes that a question chooses between ("94 or 112 degrees", "GC-220 or GL-220"), in lower case; empty when it does not. */
export function alternatives(q: string): string[] {
  const [, first = "", second = ""] = /([\p{L}\p{N}][\p{L}\p{N}.:/-]{0,40}),? or ([\p{L}\p{N}][\p{L}\p{N}.:/-]{0,40})/u.exec(q.toLowerCase()) ?? [];
  const both = [first, second].map((word) => word.replace(/[^\p{L}\p{N}]+$/u, ""));
  return both.every((word) => /\p{N}/u.test(word)) ? both : [];
}

const VERSUS = /^(.+)\s(?:vs\.?|versus)\s(.+)$/is;
const BETWEEN = /\bdifferences?\sbetween\s(.+?)\sand\s(.+)$/is;

/**
 * The two things that a question compares ("git fetch vs git pull", "difference between merge and rebase"), a word each; empty when
 * it does not. A word is in lower case, and what begins with a symbol as it is written (`-v`).
 */
export function compared(q: string): string[] {
  const text = q.slice(0, QUERY_MAX_CHARS);
  const [, first = "", second = ""] = VERSUS.exec(text) ?? BETWEEN.exec(text) ?? [];
  const [left, right] = [first, second].map((side) => tokensOf(side).map(comparable));
  // What both have in common is not repeated: "git pull" is "pull" beside "git fetch".
  const own = (side: string[] = [], other: string[] = []) => side.filter((word) => word !== "" && !DETERMINERS.has(word) && !other.includes(word));
  const both = [own(left, right).at(-1), own(right, left)[0]];
  return both.every((word) => word !== undefined) ? (both as string[]) : [];
}

/** Without the punctuation of a sentence around it. */
function comparable(token: string): string {
  const word = token.replace(/^["'“‘`(]+|["'”’`),;:.?!]+$/g, "");
  return /^[\p{L}\p{N}]/u.test(word) ? word.toLowerCase() : word;
}

/** Begins with a question word or with an auxiliary and its subject. */
function opensQuestion(tokens: readonly string[]): boolean {
  const [first = "", second = ""] = tokens.map(bare);
  if (/^(?:when|where)$/.test(first)) return AUXILIARIES.has(second) || tokens.length < 2 || !tokens.some((token) => token.endsWith(","));
  if (WH.test(first)) return true;
  if (!AUXILIARIES.has(first) || tokens.length < 3) return false;
  const subject = DETERMINERS.has(second) || SUBJECT_PRONOUN.test(second) || /^\p{Lu}/u.test(tokens[1] ?? "");
  return first === "will" || first === "may"
    ? subject && /^(?:the|an?|it|they|we|you|he|she|there|i)$/.test(second)
    : subject || /^(?:do|does|did|is|are|can)$/.test(first);
}

/**
 * The parts of a compound question in order, each readable alone, at most QUESTION_PARTS_MAX; a leading pronoun
 * becomes the noun phrase it means. A question that is one, or of which that is unclear, comes back alone.
 */
export function questionParts(q: string): string[] {
  const text = q.trim();
  if (text === "") return [];
  if (text.length > SENTENCE_MAX_CHARS) return [text];
  const asked: string[] = [];
  let context = "";
  for (const { start, end } of sentences(text)) {
    const sentence = text.slice(start, end);
    if (ASKS.test(sentence)) {
      asked.push(context + sentence);
      context = "";
    } else context += `${sentence} `;
  }
  if (asked.length > 1 && context === "") {
    // "Why?" cannot be searched for alone.
    if (asked.length > QUESTION_PARTS_MAX || !asked.every((part) => tokensOf(part).length > 2)) return [text];
    const meant = nounPhrase((asked[0] ?? "").replace(/[?\s]+$/, ""));
    return asked.map((part, index) => (index === 0 ? part : (withoutPronoun(part, meant) ?? part)));
  }
  return asked.length > 1 || sentences(text).length > 1 ? [text] : coordinated(text);
}

const JOINT =
  /,?\s+and\s+(?=(?:(?:in|on|at|by|for|to|from)\s+)?(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|can|could|has|have|had)\s)/gi;

function coordinated(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const joint of text.matchAll(JOINT)) {
    const next = joint.index + joint[0].length;
    if (!splitsAt(text.slice(from, joint.index), text.slice(next))) continue;
    parts.push(text.slice(from, joint.index));
    from = next;
  }
  parts.push(text.slice(from).replace(/[?\s]+$/, ""));
  if (parts.length === 1 || parts.length > QUESTION_PARTS_MAX) return [text];
  const meant = nounPhrase(parts[0] ?? "");
  const readable = parts.map((part, index) => (index === 0 ? part : withoutPronoun(part, meant)));
  return readable.some((part) => part === null) ? [text] : readable.map((part) => `${part}?`);
}

/** True when both sides are whole questions: each has a question word with its verb, and none that may be a relative pronoun. */
function splitsAt(left: string, right: string): boolean {
  const before = tokensOf(left);
  const after = tokensOf(right);
  const asks = opensQuestion(before) || WH.test(bare(before[1] ?? ""));
  if (!asks || before.length < 3 || !before.slice(1).some((token) => isVerbForm(bare(token)))) return false;
  const [first = "", second = ""] = after.map(bare);
  if (AUXILIARIES.has(first))
    return SUBJECT_PRONOUN.test(second) || (AUXILIARIES.has(bare(before[0] ?? "")) && DETERMINERS.has(second) && !/^(?:has|have|had)$/.test(first));
  const relative = before.slice(2).some((token) => /^(?:who|which|that|what|when|where|how|why|whether)$/.test(bare(token)));
  if (relative || after.length < 3) return false;
  if (/^(?:when|where|why)$/.test(first)) return AUXILIARIES.has(second);
  if (first === "how") return after.slice(1, 5).some((token) => AUXILIARIES.has(bare(token)));
  return after.slice(1, 5).some((token, index) => AUXILIARIES.has(bare(token)) || (isPast(bare(token)) && closesVerb(after[index + 2])));
}

/** What a question is about: the words after its verb, or between its auxiliary and its verb; null when that is not one plain phrase. */
function nounPhrase(question: string): string | null {
  const tokens = tokensOf(question);
  const verb = tokens.findIndex((token, index) => AUXILIARIES.has(bare(token)) || (index > 0 && isPast(bare(token))));
  if (verb < 0 || (verb > 1 && !/^how$/i.test(tokens[0] ?? ""))) return null;
  const rest = tokens.slice(verb + 1);
  const end = rest.findIndex((token, index) => {
    const word = bare(token);
    if (word === "of" || DETERMINERS.has(word)) return false;
    return (
      isStopWord(word) ||
      isPast(word) ||
      /[,;:]$/.test(token) ||
      // A form that may be a verb is a noun right behind an article ("the stop").
      (index > 0 && isVerbForm(word) && !/^\p{Lu}/u.test(token) && !DETERMINERS.has(bare(rest[index - 1] ?? "")))
    );
  });
  const phrase = end < 0 ? rest : rest.slice(0, end);
  // After "did" a verb follows, known or not.
  if (/^(?:do|does|did|can|could)$/.test(bare(tokens[verb] ?? "")) && !isVerbForm(bare(rest[end] ?? ""))) phrase.pop();
  return phrase.length > 0 && phrase.length <= 6 && !/^(?:he|she|it|they|there)$/.test(bare(phrase[0] ?? "")) ? phrase.join(" ") : null;
}

/** `part` with its pronoun replaced by `meant`; null when it has a pronoun that cannot be replaced. */
function withoutPronoun(part: string, meant: string | null): string | null {
  const tokens = tokensOf(part);
  const index = tokens.findIndex((token) => /^(?:he|she|it|they|him|them|its|his|her|their)$/.test(bare(token)));
  if (index < 0) return part;
  const before = bare(tokens[index - 1] ?? "");
  const subject = /^(?:he|she|it|they)$/.test(bare(tokens[index] ?? "")) && AUXILIARIES.has(before);
  const object = /^(?:him|it|them)$/.test(bare(tokens[index] ?? "")) && isPast(before);
  return (subject || object) && meant !== null ? [...tokens.slice(0, index), meant, ...tokens.slice(index + 1)].join(" ") : null;
}

const EXPECTED: [ExpectedAnswer, RegExp][] = [
  ["time", /\bhow\s+long\s+ago\b|\b(?:what|which)\s+(?:\S+\s+)?(?:years?|dates?|months?|days?|century|decade|time|hour|season|era)\b/],
  ["time", /\bwhen(?=\s+(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should)\b|'s)/],
  ["number", /\bhow\s+(?:many|much|long|far|old|tall|high|deep|fast|big|large|heavy|wide|often|hot|thick|strong)\b/],
  [
    "number",
    /\bwhat\s+(?:(?:is|was|are|were|did)\s+)?(?:the\s+)?(?:(?:total|average|maximum|minimum|highest|lowest)\s+)?(?:percentage|percent|number|amount|price|cost|size|height|length|width|depth|weight|speed|temperature|population|score|total|rate|ratio|distance|voltage|age|share|proportion)\b/,
  ],
];

/** Whether the first question word of `q` asks for a time or a number. */
export function expectedAnswer(q: string): ExpectedAnswer {
  const text = q.slice(0, QUERY_MAX_CHARS).toLowerCase();
  let [kind, first]: [ExpectedAnswer, number] = ["any", Number.POSITIVE_INFINITY];
  for (const [candidate, pattern] of EXPECTED) {
    const at = pattern.exec(text)?.index ?? Number.POSITIVE_INFINITY;
    if (at < first) [kind, first] = [candidate, at];
  }
  return kind;
}
