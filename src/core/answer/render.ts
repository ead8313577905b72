/** From verified sentences to the answer object: text with markers, claims and citations, all offsets in UTF-16. */
import type { Answer, AnswerStatus, Citation, Claim } from "../../domain/answer.ts";
import type { Span } from "../../base/span.ts";
import type { Unit } from "../../domain/unit.ts";
import type { Verification } from "./verify.ts";

/** A span of a stored Unit's text. */
export interface Quote extends Span {
  unit: Unit;
}

/** A sentence of the answer to be. */
export interface Draft {
  /** Without markers; made by `plainText`. */
  text: string;
  quotes: Quote[];
  verification: Verification;
  /** Said before the sentence, without claiming anything. */
  lead?: string;
  /** Begins a new line: another part of the question. */
  opens?: boolean;
}

/** Characters that show nothing, or turn the reading direction of what follows. Joiners stay in scripts and emoji that need them. */
const CONTROLS =
  /[\p{Cc}\u00ad\u115f\u1160\u2028\u2029\u3164\uffa0]|[\u{e0100}-\u{e01ef}]|(?![\u200c\u200d])\p{Cf}|(?<=^|[ -~])[\u200c\u200d]+|[\u200c\u200d]+(?=[ -~]|$)/gu;

/**
 * Text of a Unit, or of a chat model, as it goes into an answer. Square brackets are for markers and become round ones,
 * which also takes links and images of Markdown apart; what begins a tag of HTML is escaped.
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

/** `iterations`: rounds that were run. `model`: who wrote the drafts. */
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

/** The marker of a quote: a quote has one, however often it is cited. */
function cite(citations: Citation[], { unit, start, end }: Quote): number {
  const known = citations.find((one) => one.unit_id === unit.unit_id && one.quote_start === start && one.quote_end === end);
  if (known !== undefined) return known.marker;
  const { unit_id, doc_id, scope, modality, plane, source_uri, locator } = unit;
  const quote = (unit.text ?? "").slice(start, end);
  const marker = citations.length + 1;
  citations.push({ marker, unit_id, doc_id, scope, modality, plane, source_uri, locator, quote, quote_start: start, quote_end: end });
  return marker;
}
