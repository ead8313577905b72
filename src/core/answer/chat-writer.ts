/** The optional synthesiser: a chat model writes from the evidence, and keeps only what the evidence bears out. */
import { CHAT_EVIDENCE_MAX } from "../../base/limits.ts";
import { Fault } from "../../base/fault.ts";
import type { ChatModel } from "../../domain/port/chat-model.ts";
import type { Entailment } from "../../domain/port/entailment.ts";
import { coverage } from "../../language/en/words.ts";
import { quoteOf, textOf } from "./compose.ts";
import type { Evidence } from "./evidence.ts";
import { type Draft, plainText, type Quote } from "./render.ts";
import { injectsPrompt, echoesQuestion } from "./prompt-injection.ts";
import { verify } from "./verify.ts";
import { chatMessages, chatClaims, type ChatClaim } from "./chat-text.ts";

/**
 * The entailment model overlooks a strange word among known ones ("stopped because of a curse": 0.50), so it has to be
 * the surer, the fewer of the claim's words stand in what it cites: 0.4 when all do, 0.7 when half do.
 */
const SURE = { known: 0.4, unknown: 1 };

export interface ChatAnswer {
  /** Empty when the built-in synthesiser is to answer. */
  drafts: Draft[];
  warnings: string[];
}

/** Asks the chat model. Its failures are warnings, never errors. */
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
  const drafts = judged.filter(isBorneOut);
  const dropped = claims.length - drafts.length;
  const warnings = dropped === 0 ? [] : [`${dropped} of ${claims.length} sentences of the chat model are not borne out by what they cite: left out`];
  if (drafts.length === 0) warnings.push("the chat model wrote nothing that the evidence bears out: the built-in synthesiser answers");
  return { drafts, warnings };
}

function isBorneOut({ text, quotes, verification: { verdict, score } }: Draft): boolean {
  const known = coverage(text, quotes.map(textOf).join(" "));
  return verdict === "entailed" && score >= known * SURE.known + (1 - known) * SURE.unknown;
}

/** A claim that cites nothing is held to the passage that covers it best. */
async function draftOf(entailment: Entailment, claim: ChatClaim, quotes: readonly Quote[]): Promise<Draft> {
  const text = plainText(claim.text);
  const named = claim.markers.flatMap((marker) => quotes[marker - 1] ?? []);
  const cited = named.length > 0 ? named : nearest(text, quotes);
  return {
    text,
    quotes: cited,
    verification: await verify(
      entailment,
      text,
      cited.map((quote) => plainText(textOf(quote))),
    ),
  };
}

function nearest(text: string, quotes: readonly Quote[]): Quote[] {
  const ranked = quotes.map((quote) => ({ quote, share: coverage(text, textOf(quote)) })).sort((a, b) => b.share - a.share);
  return ranked.slice(0, 1).map(({ quote }) => quote);
}
