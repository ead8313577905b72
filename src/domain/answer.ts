import type { Span } from "../base/span.ts";
import type { Locator } from "./locator.ts";
import type { Modality, Plane } from "./plane.ts";

export const ANSWER_STATUSES = ["answered", "partial", "abstained"] as const;
export type AnswerStatus = (typeof ANSWER_STATUSES)[number];

export const VERDICTS = ["entailed", "neutral", "contradicted"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A sentence of the answer, as a span of its text without markers, and its verification against what it cites. */
export interface Claim extends Span {
  /** Null with its score where nothing verifies the language of the namespace. */
  verdict: Verdict | null;
  /** Probability, 0-1, that the cited text entails the claim. */
  score: number | null;
  /** Probability, 0-1, that the claim answers the question. */
  answers: number;
  /** Markers of the citations, ascending. */
  citations: number[];
}

/** Where a quote stands. `quote` is `text.slice(quote_start, quote_end)` of the stored Unit. */
export interface Citation {
  /** The n of the inline marker `[n]`, from 1 in order of appearance. */
  marker: number;
  unit_id: string;
  doc_id: string | null;
  /** That of the Unit; absent without one. */
  path?: string[];
  scope: string;
  modality: Modality;
  plane: Plane;
  source_uri: string | null;
  locator: Locator | null;
  quote: string;
  quote_start: number;
  quote_end: number;
  /** The words of the quote that answer, as a span of the Unit's text. */
  mark_start: number;
  mark_end: number;
}

/** `text`, `claims` and `citations` are empty when the status is `abstained`. */
export interface Answer {
  text: string;
  status: AnswerStatus;
  /** Mean of the claims' scores; null without claims, or where nothing verifies them. */
  nli_faithfulness: number | null;
  claims: Claim[];
  citations: Citation[];
  /** Rounds of retrieve, find evidence, verify, cite. */
  iterations: number;
  /** `extractive` for quoted sentences, else the name of the chat model that wrote the text. */
  model: string;
}
