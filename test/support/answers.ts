/** What holds of every answer, worked out again from the body and from what the same caller can read. */
import { expect } from "bun:test";
import type { Call, CallOptions } from "./harness.ts";

export interface Claim {
  start: number;
  end: number;
  verdict: string;
  score: number;
  answers: number;
  citations: number[];
}

export interface Citation {
  marker: number;
  unit_id: string;
  doc_id: string | null;
  scope: string;
  modality: string;
  plane: string;
  source_uri: string | null;
  locator: unknown;
  quote: string;
  quote_start: number;
  quote_end: number;
  mark_start: number;
  mark_end: number;
}

export interface Answered {
  text: string;
  status: "answered" | "partial" | "abstained";
  nli_faithfulness: number | null;
  claims: Claim[];
  citations: Citation[];
  iterations: number;
  model: string;
}

export const LEAD = "Another source contradicts this:";
/** What an answer says of its own accord. */
const LEADS = [LEAD, "Another source gives another figure:", "Another source says otherwise:"];

/** Letters and digits alone: what markup, white space and brackets take away from a quote leaves them. */
function bare(text: string): string {
  return text.replaceAll("&lt;", "<").replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether the words of a claim stand in a quote one after the other; between them may be markers of a list and items that are not said. */
function standsIn(claim: string, quoted: string): boolean {
  const text = bare(quoted);
  let at = 0;
  return claim.split(/\s+/).every((word) => {
    const found = text.indexOf(bare(word), at);
    at = found + bare(word).length;
    return found >= 0;
  });
}

export function claimTexts({ text, claims }: Answered): string[] {
  return claims.map(({ start, end }) => text.slice(start, end));
}

export function markersIn(text: string): number[] {
  return [...text.matchAll(/\[(\d+)\]/g)].map(([, digits]) => Number(digits));
}

/** Everything about an answer that needs no other document. `context` is shown when something fails. */
export function checkForm(answer: Answered, context: string): void {
  const { text, status, claims, citations, nli_faithfulness } = answer;
  const markers = markersIn(text);
  const numbers = citations.map(({ marker }) => marker);
  expect([...new Set(markers)], `markers in order of first appearance: ${context}`).toEqual(numbers);
  expect(numbers, `markers from 1: ${context}`).toEqual(citations.map((_, index) => index + 1));
  expect({ text: text === "", claims: claims.length === 0, citations: citations.length === 0 }, `abstained or not: ${context}`).toEqual({
    text: status === "abstained",
    claims: status === "abstained",
    citations: status === "abstained",
  });
  const mean = claims.length === 0 ? null : claims.reduce((sum, { score }) => sum + score, 0) / claims.length;
  if (mean === null) expect(nli_faithfulness, context).toBeNull();
  else expect(nli_faithfulness, `faithfulness: ${context}`).toBeCloseTo(mean, 12);
  expect(/[[\]]/.test(text.replace(/\[\d+\]/g, "")), `brackets that are no markers: ${context}`).toBe(false);
  expect(/<[a-z/!?]|[\u200b\u202a-\u202e]|(?!\n)\p{Cc}/iu.test(text), `markup or controls: ${context}`).toBe(false);
  checkClaims(answer, context);
}

function checkClaims({ text, claims, model, citations }: Answered, context: string): void {
  let at = 0;
  let between = "";
  for (const { start, end, verdict, score, answers, citations: cited } of claims) {
    expect(start, `claims overlap: ${context}`).toBeGreaterThanOrEqual(at);
    expect(end > start && end <= text.length, `a claim's span: ${context}`).toBe(true);
    between += text.slice(at, start);
    const claim = text.slice(start, end);
    expect(claim, context).toBe(claim.trim());
    expect(markersIn(claim), `a marker inside a claim: ${context}`).toEqual([]);
    const [follows = ""] = /^ (?:\[\d+\])+/.exec(text.slice(end)) ?? [];
    expect(markersIn(follows), `markers behind a claim: ${context}`).toEqual(cited);
    expect(cited, context).toEqual([...new Set(cited)].sort((a, b) => a - b));
    expect({ verdict, score: score >= 0 && score <= 1 && answers >= 0 && answers <= 1 }, context).toEqual({ verdict: "entailed", score: true });
    const quoted = cited.map((marker) => citations[marker - 1]?.quote ?? "").join(" ");
    if (model === "extractive") expect(standsIn(claim, quoted), `what is said stands in the quote: ${context}`).toBe(true);
    at = end + follows.length;
  }
  between += text.slice(at);
  const unclaimed = LEADS.reduce((rest, lead) => rest.replaceAll(lead, ""), between);
  expect(unclaimed.trim(), `words that nobody claims: ${context}`).toBe("");
}

/** Every citation is of a Unit that the caller can read, and says about it what the Unit says of itself. */
export async function checkCitations({ citations }: Answered, call: Call, options: CallOptions, context: string): Promise<void> {
  for (const { marker: _marker, quote, quote_start, quote_end, mark_start, mark_end, unit_id, ...shown } of citations) {
    const { status, body: unit } = await call("GET", `/v1/units/${unit_id}?scope=*`, options);
    expect(status, `a cited Unit that its reader cannot read: ${context}`).toBe(200);
    const { doc_id = null, path, scope, modality, plane, source_uri = null, locator = null } = unit;
    expect(shown, context).toEqual({ doc_id, ...(path === undefined ? {} : { path }), scope, modality, plane, source_uri, locator });
    expect(unit.text?.slice(quote_start, quote_end), `a quote: ${context}`).toBe(quote);
    expect(mark_start >= quote_start && mark_start < mark_end && mark_end <= quote_end, `a mark: ${context}`).toBe(true);
    expect({ empty: quote.trim() === "", whole: quote.isWellFormed() }, `a quote: ${context}`).toEqual({ empty: false, whole: true });
  }
}

interface HitWithEvidence {
  text?: string;
  evidence?: { start: number; end: number; score: number }[];
}

/** `evidence` of hits lies inside their texts. Returns how many spans there are. */
export function checkEvidence(hits: readonly HitWithEvidence[], context: string): number {
  const spans = hits.flatMap(({ text = "", evidence = [] }) => evidence.map((span) => ({ ...span, text })));
  for (const { text, start, end, score } of spans) {
    expect(start >= 0 && start < end && end <= text.length && score >= 0 && score <= 1, `an evidence span: ${context}`).toBe(true);
    expect(text.slice(start, end).isWellFormed(), context).toBe(true);
  }
  return spans.length;
}
