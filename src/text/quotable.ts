/** The items of a text as they can be quoted: each with the words that are marked with it, said with it and quoted around it. */
import { QUOTE_MAX_WORDS } from "../base/limits.ts";
import type { Span } from "../base/span.ts";
import { definitionStart, type Item, itemsOf, wordCount } from "./items.ts";

/** How an item is shown. */
export interface Shown {
  /** The words of the quote that answer: the item, with what it cannot be read without and the neighbours that are as likely. */
  mark: Span;
  /** The mark as it is said in an answer: a list or code with the sentence that leads to it. */
  said: string;
  /** The item with its neighbours, which can be read alone: at most QUOTE_MAX_WORDS. */
  quote: Span;
}

/** An item: `start` and `end` are its span in the whole text, `text` what stands there. */
export interface QuotableItem extends Span, Shown {
  kind: Item["kind"];
  text: string;
  /** Its place among the items of the text, from 0. */
  index: number;
  /** The sentence that leads to it; "" when there is none. */
  lead: string;
  /** The list or code that it is of, from the sentence that leads to it; null when there is none, or its quote does not reach the item. */
  list: Shown | null;
  /** True for the first of at least OPENING_ITEMS items. */
  opening: boolean;
}

const OPENING_ITEMS = 4;

/** Tells whether a sentence is only understood with the one before it. */
type Leans = (sentence: string) => boolean;

/** The items of a text below `path`, in order, without those that announce something and are followed by nothing of it. */
export function quotableItems(text: string, path: readonly string[], leans: Leans): QuotableItem[] {
  const items = itemsOf(text, definitionStart(text, path));
  const shown = items.map((_, index) => shownAs(text, items, index, leans));
  const shownFrom = new Map(items.map(({ start }, index) => [start, shown[index]]));
  return items.flatMap((item, index): QuotableItem[] => {
    const { start, end, kind } = item;
    const own = text.slice(start, end);
    const is = shown[index] as Shown;
    if (announces(item, own) && ledBy(text, items, index).every((one) => one.end > is.quote.end)) return [];
    const lead = item.lead === null ? "" : text.slice(item.lead.start, item.lead.end);
    const list = item.lead === null ? undefined : shownFrom.get(item.lead.start);
    const opening = index === 0 && items.length >= OPENING_ITEMS;
    const reached = list !== undefined && end <= list.quote.end ? list : null;
    return [{ start, end, kind, text: own, index, lead, ...is, list: reached, opening }];
  });
}

function shownAs(text: string, items: readonly Item[], index: number, leans: Leans): Shown {
  const item = items[index] as Item;
  const quote = quoteAround(text, items, index);
  const led = ledBy(text, items, index).filter(({ end }) => end <= quote.end);
  const lead = item.lead === null ? "" : `${text.slice(item.lead.start, item.lead.end)} `;
  return { quote, mark: markIn(text, items, index, quote, leans), said: lead + said(text, item) + listed(led.map((one) => said(text, one))) };
}

/** Behind the sentence that leads to them. */
function listed(said: readonly string[]): string {
  return said.map((one, index) => (index === 0 || /[.,;:!?]$/.test(said[index - 1] ?? "") ? ` ${one}` : `; ${one}`)).join("");
}

function announces({ kind }: Item, text: string): boolean {
  return (kind === "sentence" || kind === "list") && /[:：]$/.test(text);
}

/** The list or code that a sentence leads to; behind a colon else the rows that follow, or the one item. */
function ledBy(text: string, items: readonly Item[], index: number): Item[] {
  const own = items[index] as Item;
  const following = (belongs: (one: Item) => boolean) => {
    let end = index + 1;
    while (items[end] !== undefined && belongs(items[end] as Item)) end += 1;
    return items.slice(index + 1, end);
  };
  const led = following(({ lead }) => lead?.start === own.start);
  if (led.length > 0 || !announces(own, text.slice(own.start, own.end))) return led;
  const rows = following(({ kind }) => kind === "row");
  return rows.length > 0 ? rows : items.slice(index + 1, index + 2);
}

/**
 * An item with what it leads to and what it goes on from, as far as its quote has them: the list, code or line that a sentence
 * announces, the sentence that it leans on or that leans on it, and the defined term that it is the first to speak of.
 */
function markIn(text: string, items: readonly Item[], index: number, quote: Span, leans: Leans): Span {
  const inQuote = items.filter(({ start, end }) => start >= quote.start && end <= quote.end);
  const textOf = ({ start, end }: Item) => text.slice(start, end);
  const continues = (one: Item) => one.kind === "sentence" && (/^\p{Ll}/u.test(textOf(one)) || leans(textOf(one)));
  const own = items[index] as Item;
  const [before, after] = [inQuote.filter(({ end }) => end <= own.start), inQuote.filter(({ start }) => start >= own.end)];
  let [first, last] = [own, own];
  if (continues(own)) first = before.at(-1) ?? own;
  for (const next of after) {
    if (next.lead?.start !== own.start && !/[:：]$/.test(textOf(last)) && (last !== own || !continues(next))) break;
    last = next;
  }
  const term = first === items[0] && text.slice(quote.start, first.start).includes("\n");
  return { start: term ? quote.start : first.start, end: last.end };
}

/**
 * The item with its neighbours, what follows first, as long as they have at most QUOTE_MAX_WORDS together; with the lines of
 * the defined term, when it reaches the first item behind them.
 */
function quoteAround(text: string, items: readonly Item[], index: number): Span {
  const fits = (start: number, end: number) => wordCount(text.slice(start, end)) <= QUOTE_MAX_WORDS;
  const { start, end } = items[index] as Item;
  const quote = { start, end };
  let [before, after] = [index - 1, index + 1];
  // What it leads to comes first of all.
  for (const led of ledBy(text, items, index)) {
    if (!fits(start, led.end)) break;
    quote.end = led.end;
    after = items.indexOf(led) + 1;
  }
  for (let grown = true; grown; ) {
    const [next, previous] = [items[after], items[before]];
    grown = false;
    if (next !== undefined && fits(quote.start, next.end)) {
      quote.end = next.end;
      after += 1;
      grown = true;
    }
    const from = previous?.start ?? (before === -1 ? text.length - text.trimStart().length : quote.start);
    if (from < quote.start && fits(from, quote.end)) {
      quote.start = from;
      before -= 1;
      grown = true;
    }
  }
  return quote;
}

/** The cells of a row are parted by bars in a Unit's text. */
function said(text: string, { start, end, kind }: Item): string {
  const own = text.slice(start, end);
  return kind === "row" ? own.replaceAll(" | ", "; ") : own;
}
