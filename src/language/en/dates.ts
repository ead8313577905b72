/** Calendar dates, which chrono-node reads, and times of day. */
import { Chrono, configuration, type ParsedResult } from "chrono-node/en";
import type { Span } from "../../base/span.ts";
import { sentences } from "../../text/sentences.ts";
import { matchAt } from "./numbers.ts";

export interface DateParts {
  year?: number;
  month?: number;
  day?: number;
}

export interface DateFound extends Span {
  date: DateParts;
  /** What the date is when the month stands first, where that is another one ("03/04/2019"): nobody knows which is meant. */
  monthFirst?: DateParts;
}

/** Without chrono's refiners, which merge dates with the times beside them. */
function readerOf(dayFirst: boolean): Chrono {
  return new Chrono({ parsers: configuration.createCasualConfiguration(dayFirst).parsers, refiners: [] });
}
const DAY_FIRST = readerOf(true);
const MONTH_FIRST = readerOf(false);

const MONTH_NAMED = /(?<!\p{L})(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)/iu;
const IN_DIGITS = /\d[-/.]\d/;
/** What depends on the day on which it is read: "today", "in May next year", "at the end of the month". */
const RELATIVE = /casual|relative|EndOf/i;
/** "May" and "March", which are also verbs, are months behind a preposition alone. */
const PREPARED = /(?:^|\s)(?:in|of|since|until|by|early|late|mid|last|next|from|to|during) $/i;

/** The dates of `text`, by where they begin. Each sentence is read by itself, since chrono's time grows with the square of its text. */
export function datesIn(text: string): Map<number, DateFound> {
  const found = new Map<number, DateFound>();
  for (const { start, end } of sentences(text)) {
    const sentence = text.slice(start, end);
    if (!IN_DIGITS.test(sentence) && !MONTH_NAMED.test(sentence)) continue;
    const others = IN_DIGITS.test(sentence) ? new Map(MONTH_FIRST.parse(sentence).map((one) => [one.index, one])) : null;
    let free = 0;
    for (const one of DAY_FIRST.parse(sentence).toSorted((a, b) => a.index - b.index || b.text.length - a.text.length)) {
      if (one.index < free || !isDate(one, sentence)) continue;
      free = one.index + one.text.length;
      for (const date of datesOf(one, others?.get(one.index)))
        found.set(start + date.start, { ...date, start: start + date.start, end: start + date.end });
    }
  }
  return found;
}

/** False for a time, a fraction ("5/8"), a month that may be a word, and what is relative. */
function isDate({ start, text, index }: ParsedResult, sentence: string): boolean {
  if (!start.isCertain("month") || [...start.tags()].some((tag) => RELATIVE.test(tag))) return false;
  if (/^[.,:]\d/.test(sentence.slice(index + text.length))) return false;
  if (!/\p{L}/u.test(text)) return start.isCertain("year");
  if (start.isCertain("day") || start.isCertain("year")) return true;
  if (!/^\p{Lu}/u.test(text) || (text.length < 4 && text !== "May")) return false;
  return !/^(?:May|March)$/.test(text) || PREPARED.test(sentence.slice(Math.max(0, index - 8), index));
}

/** One date, or the two of a range ("24 to 26 March"). */
function datesOf(one: ParsedResult, other: ParsedResult | undefined): DateFound[] {
  const [lead] = /^(?:on\s+)?/i.exec(one.text) ?? [""];
  const start = one.index + lead.length;
  // An ISO date may go on with its time.
  const end = start + (/^\d{4}-\d\d-\d\dT/.test(one.text) ? 11 : one.text.length - lead.length);
  const date = partsOf(one.start);
  if (one.end !== null && one.end !== undefined) {
    const second = start + Math.max(1, one.text.slice(lead.length).search(/(?<=\D)\d/));
    const [first = ""] = /^\d{1,2}(?:st|nd|rd|th)?/i.exec(one.text.slice(lead.length)) ?? [];
    if (first !== "" && second > start)
      return [
        { start, end: start + first.length, date },
        { start: second, end, date: partsOf(one.end) },
      ];
  }
  const monthFirst = other === undefined ? date : partsOf(other.start);
  const ambiguous = (["year", "month", "day"] as const).some((part) => date[part] !== monthFirst[part]);
  return [{ start, end, date, ...(ambiguous ? { monthFirst } : {}) }];
}

function partsOf(components: ParsedResult["start"]): DateParts {
  const parts = (["year", "month", "day"] as const).flatMap((part) => (components.isCertain(part) ? [[part, components.get(part)]] : []));
  return Object.fromEntries(parts);
}

const HALF = "[ \\u00a0\\u202f]?([ap])\\.?m(?:\\.|(?![\\p{L}\\p{N}]))";
const CLOCK = new RegExp(`([01]?\\d|2[0-4]):([0-5]\\d)(?::([0-5]\\d)(\\.\\d+)?)?(?![\\d:])(?:${HALF})?`, "iuy");
const HOUR = new RegExp(`(1[0-2]|[1-9])${HALF}`, "iuy");
const O_CLOCK = /(1[0-2]|[1-9]) o['’]clock/iy;

/** The time of day that begins at `at`, in minutes since midnight, and where it ends. */
export function clockAt(text: string, at: number): { minutes: number; end: number } | null {
  const clock = matchAt(CLOCK, text, at);
  const [found, half] = clock === null ? [matchAt(HOUR, text, at), 2] : [clock, 5];
  if (found === null) {
    const sharp = matchAt(O_CLOCK, text, at);
    return sharp === null ? null : { minutes: 60 * Number(sharp[1]), end: at + sharp[0].length };
  }
  const minutes = clock === null ? 0 : Number(clock[2]) + (Number(clock[3] ?? 0) + Number(clock[4] ?? 0)) / 60;
  const noon = found[half]?.toLowerCase();
  const hour = noon === undefined ? Number(found[1]) : (Number(found[1]) % 12) + (noon === "p" ? 12 : 0);
  return { minutes: 60 * hour + minutes, end: at + found[0].length };
}
