/** The chat writer: a chat model writes claims from the evidence, and those that the evidence entails are kept. */
import { CHAT_EVIDENCE_MAX } from "../../base/limits.ts";
import { Fault } from "../../base/fault.ts";
import type { ChatModel } from "../../domain/port/chat-model.ts";
import type { Entailment } from "../../domain/port/entailment.ts";
import { coverage } from "../../language/en/words.ts";
import { quoteOf, textOf, verifiedDraft } from "./compose.ts";
import type { Evidence } from "./evidence.ts";
import { type Draft, plainText, type Quote } from "./render.ts";
import { injectsPrompt, echoesQuestion } from "./prompt-injection.ts";
import { chatMessages, chatClaims, type ChatClaim } from "./chat-text.ts";

/**
 * Least score of a claim when all its content words stand in what it cites, and when none does; in between, linear. The
 * entailment model overlooks an unsupported word among supported ones ("stopped because of a curse": 0.50).
 */
const SCORE_MIN = { covered: 0.4, uncovered: 1 };

export interface ChatAnswer {
  /** Empty when the extractive writer has to answer. */
  drafts: Draft[];
  warnings: string[];
}

/** Asks the chat model once. A Fault of it becomes a warning; errors of the entailment model are thrown. */
export async function chatAnswer(chat: ChatModel, entailment: Entailment, question: string, evidence: readonly Evidence[]): Promise<ChatAnswer> {
  const quotes = evidence.slice(0, CHAT_EVIDENCE_MAX).map(quoteOf);
  let claims: ChatClaim[] | null;
  try {
    const messages = chatMessages(
      question,
      quotes.map((quote) => plainText(textOf(quote))),
    );
    claims = chatClaims(await chat.complete(messages), quotes.length);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { drafts: [], warnings: [`${error.message}: the built-in synthesiser answers`] };
  }
  if (claims === null) return { drafts: [], warnings: ["the chat model found the evidence insufficient: the built-in synthesiser answers"] };
  const stated = claims.filter(({ text }) => !/[?？]\W*$/.test(text) && !injectsPrompt(text) && !echoesQuestion(text, question));
  const judged = await Promise.all(stated.map((claim) => draftOf(entailment, claim, quotes)));
  const drafts = judged.filter(isSupported);
  const dropped = claims.length - drafts.length;
  const warnings = dropped === 0 ? [] : [`${dropped} of ${claims.length} sentences of the chat model are not borne out by what they cite: left out`];
  if (drafts.length === 0) warnings.push("the chat model wrote nothing that the evidence bears out: the built-in synthesiser answers");
  return { drafts, warnings };
}

function isSupported({ text, quotes, verification: { verdict, score } }: Draft): boolean {
  const covered = coverage(text, quotes.map(textOf).join(" "));
  return verdict === "entailed" && score >= covered * SCORE_MIN.covered + (1 - covered) * SCORE_MIN.uncovered;
}

/** Verifies a claim against what it cites, or, when it cites nothing, against the quote that covers it best. */
function draftOf(entailment: Entailment, claim: ChatClaim, quotes: readonly Quote[]): Promise<Draft> {
  const text = plainText(claim.text);
  const named = claim.markers.flatMap((marker) => quotes[marker - 1] ?? []);
  return verifiedDraft(entailment, text, named.length > 0 ? named : nearest(text, quotes));
}

function nearest(text: string, quotes: readonly Quote[]): Quote[] {
  const ranked = quotes.map((quote) => ({ quote, share: coverage(text, textOf(quote)) })).sort((a, b) => b.share - a.share);
  return ranked.slice(0, 1).map(({ quote }) => quote);
}
