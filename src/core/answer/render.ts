/** Makes the answer object of drafts: text with markers, claims and citations, all offsets in UTF-16 code units. */
import type { Answer, AnswerStatus, Citation, Claim } from "../../domain/answer.ts";
import type { Span } from "../../base/span.ts";
import type { Unit } from "../../domain/unit.ts";
import type { Verification } from "./verify.ts";

/** A span of a stored Unit's text. */
export interface Quote extends Span {
  unit: Unit;
}

/** A claim before it is rendered. */
export interface Draft {
  /** The sentence without markers, as `plainText` gives it. */
  text: string;
  /** What the claim cites. */
  quotes: Quote[];
  verification: Verification;
  /** Words before the sentence that are no part of the claim. */
  lead?: string;
  /** True for the first sentence about a part of the question: it begins a line. */
  opens?: boolean;
}

/** Invisible characters and overrides of the reading direction, except joiners inside scripts and emoji that need them. */
const CONTROLS =
  /[\p{Cc}\u00ad\u115f\u1160\u2028\u2029\u3164\uffa0]|[\u{e0100}-\u{e01ef}]|(?![\u200c\u200d])\p{Cf}|(?<=^|[ -~])[\u200c\u200d]+|[\u200c\u200d]+(?=[ -~]|$)/gu;

/**
 * Text of a Unit or of a chat model made safe for an answer: square brackets become round ones, since they are for markers
 * (which also disarms Markdown links and images), and the start of an HTML tag is escaped.
 */
export function plainText(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .replace(CONTROLS, "")
    .replace(/[[［【〔〖〚⟦⁅❲]/g, "(")
    .replace(/[\]］】〕〗〛⟧⁆❳]/g, ")")
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .trim();
}

/** `iterations`: how many rounds were run. `model`: `extractive` or the name of the chat model. */
export function renderAnswer(drafts: readonly Draft[], status: AnswerStatus, iterations: number, model: string): Answer {
  const citations: Citation[] = [];
  const claims: Claim[] = [];
  let text = "";
  for (const { text: sentence, quotes, verification, lead, opens } of drafts) {
    if (text !== "") text += opens ? "\n" : " ";
    if (lead !== undefined) text += `${lead} `;
    const markers = quotes.map((quote) => cite(citations, quote)).sort((a, b) => a - b);
    claims.push({ start: text.length, end: text.length + sentence.length, ...verification, citations: markers });
    text += `${sentence} ${markers.map((marker) => `[${marker}]`).join("")}`;
  }
  return { text, status, nli_faithfulness: mean(claims.map(({ score }) => score)), claims, citations, iterations, model };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The marker of a quote. Adds a citation for one that has none yet. */
function cite(citations: Citation[], { unit, start, end }: Quote): number {
  const known = citations.find((one) => one.unit_id === unit.unit_id && one.quote_start === start && one.quote_end === end);
  if (known !== undefined) return known.marker;
  const { unit_id, doc_id, scope, modality, plane, source_uri, locator } = unit;
  const quote = (unit.text ?? "").slice(start, end);
  const marker = citations.length + 1;
  citations.push({ marker, unit_id, doc_id, scope, modality, plane, source_uri, locator, quote, quote_start: start, quote_end: end });
  return marker;
}
