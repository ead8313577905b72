/** What a search and an answer gave to a question, and how much of the question's gold is in it. */
import type { WireHit, WireResult } from "../stand.ts";
import { type Gold, type Need, places, type SetQuestion } from "./sets.ts";

/** A quote is there to be read: one of more words counts for nothing. */
export const QUOTE_MAX_WORDS = 80;

interface WireCitation {
  marker: number;
  quote: string;
  quote_start: number;
  path?: string[];
  mark_start?: number | null;
  mark_end?: number | null;
}

interface WireClaim {
  score: number | null;
  answers?: number | null;
  citations: number[];
}

interface WireAnswer {
  status: string;
  text: string;
  nli_faithfulness: number | null;
  claims: WireClaim[];
  citations: WireCitation[];
}

/** What was given, without a judgement. Times in ms, as the caller saw them. */
export interface Reply {
  status: string;
  answered: boolean;
  faithfulness: number | null;
  /** How sure the service is of its answer, 0-1: `answers` of the first claim, or else the best confidence of its rounds. */
  sureness: number;
  claims: { score: number | null; answers: number | null; quotes: string[] }[];
  /** The first claim's first citation; `marked` is all of the quote where no words are marked. */
  first: { quote: string; marked: string; path: string[] } | null;
  hits: { text: string; file: string | null; page: number | null }[];
  searchMs: number;
  answerMs: number;
  warnings: string[];
}

/** Of a question with gold: shares are of its places. Of an absent one: what was answered is wrong. */
export interface Judged extends Reply {
  id: string;
  q: string;
  needs: Need | null;
  absent: boolean;
  /** Share of the places in the first hit, in the first five, in all quotes. */
  top1: number;
  top5: number;
  cited: number;
  /** Whether any place is in the first quote, and in the words marked in it. */
  firstRight: boolean;
  markRight: boolean;
  pageTop5: boolean;
  /** Of each claim, whether any place is in a quote of it. */
  claimsRight: boolean[];
}

export function replyOf(search: WireResult, searchMs: number, reply: WireResult, answerMs: number): Reply {
  const answer: WireAnswer | null = reply.answer;
  const cited = new Map((answer?.citations ?? []).map((citation) => [citation.marker, citation]));
  const claims = (answer?.claims ?? []).map((claim) => ({ ...claim, cited: claim.citations.flatMap((marker) => cited.get(marker) ?? []) }));
  const first = claims[0]?.cited[0];
  const confidence = Math.max(0, ...(reply.trace.rounds ?? []).map(({ best }) => best ?? 0));
  return {
    status: answer?.status ?? "none",
    answered: claims.length > 0 && answer?.status !== "abstained",
    faithfulness: answer?.nli_faithfulness ?? null,
    sureness: claims[0]?.answers ?? confidence,
    claims: claims.map(({ score, answers = null, cited: own }) => ({ score, answers, quotes: own.map(({ quote }) => quote) })),
    first: first === undefined ? null : { quote: first.quote, marked: markedIn(first), path: first.path ?? [] },
    hits: search.hits.map(hitOf),
    searchMs,
    answerMs,
    warnings: reply.trace.warnings,
  };
}

/** Marks count in the Unit's text, as `quote_start` does. */
function markedIn({ quote, quote_start, mark_start, mark_end }: WireCitation): string {
  if (mark_start === undefined || mark_start === null || mark_end === undefined || mark_end === null) return quote;
  return quote.slice(mark_start - quote_start, mark_end - quote_start);
}

function hitOf({ text, metadata, locator }: WireHit): Reply["hits"][number] {
  const page = metadata?.page ?? locator?.page;
  return {
    text: text ?? "",
    file: typeof metadata?.file_name === "string" ? metadata.file_name : null,
    page: typeof page === "number" ? page : null,
  };
}

export function judge(question: SetQuestion, reply: Reply): Judged {
  const { id, q } = question;
  const nothing = { top1: 0, top5: 0, cited: 0, firstRight: false, markRight: false, pageTop5: false };
  if (question.absent) return { ...reply, id, q, ...nothing, needs: null, absent: true, claimsRight: reply.claims.map(() => false) };
  const { gold, page, needs } = question;
  const quotes = reply.claims.flatMap((claim) => claim.quotes);
  const firstRight = reply.first !== null && holds(gold, reply.first.quote);
  return {
    ...reply,
    id,
    q,
    needs,
    absent: false,
    top1: placesShare(
      gold,
      reply.hits.slice(0, 1).map(({ text }) => text),
    ),
    top5: placesShare(
      gold,
      reply.hits.slice(0, 5).map(({ text }) => text),
    ),
    cited: placesShare(gold, quotes.filter(isShort)),
    firstRight,
    markRight: firstRight && reply.first !== null && holds(gold, reply.first.marked),
    pageTop5: reply.hits.slice(0, 5).some((hit) => isPage(page, hit)),
    claimsRight: reply.claims.map((claim) => claim.quotes.some((quote) => holds(gold, quote))),
  };
}

function isShort(quote: string): boolean {
  return quote.trim().split(/\s+/).length <= QUOTE_MAX_WORDS;
}

function holds(gold: Gold, quote: string): boolean {
  return isShort(quote) && places(gold, quote).some(Boolean);
}

/** The share of the places that some of the texts has, 0-1. */
export function placesShare(gold: Gold, texts: readonly string[]): number {
  const found = texts.map((text) => places(gold, text));
  return gold.filter((_, place) => found.some((one) => one[place])).length / gold.length;
}

/** `page` names a file, or several parted by blanks; `name.pdf#12` is the twelfth page of one. */
function isPage(page: string, hit: Reply["hits"][number]): boolean {
  return page.split(" ").some((one) => {
    const [name, number] = one.split("#");
    return hit.file?.split("/").at(-1) === name && (number === undefined || hit.page === Number(number));
  });
}
