/** Calendar dates and times of day. */
import { matchAt } from "./numbers.ts";

export interface DateParts {
  year?: number;
  month?: number;
  day?: number;
}

const MONTHS = "january february march april may june july august september october november december".split(" ");
const MONTH =
  "(jan(?:uary|\\.)?|feb(?:ruary|\\.)?|mar(?:ch|\\.)?|apr(?:il|\\.)?|may|june?|july?|aug(?:ust|\\.)?|sept?(?:ember|\\.)?|oct(?:ober|\\.)?|nov(?:ember|\\.)?|dec(?:ember|\\.)?)(?![\\p{L}\\p{N}])";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(1\\d{3}|20\\d{2}|2100)(?![\\p{L}\\p{N}]|[.,]\\d)";
const ISO = /(\d{4})-(\d\d)-(\d\d)(?:T(?=\d\d:)|(?!\d))/y;
const NUMERIC = /(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d\d)(?![\d/.]*\d)/y;
const DAY_FIRST = new RegExp(`${DAY} (?:of )?${MONTH}(?:,? ${YEAR})?`, "iuy");
/** The first of two days that share a month: "24 to 26 March". */
const DAY_SHARED = new RegExp(`${DAY}(?= ?(?:to|and|or|–|-|/) ?\\d{1,2}(?:st|nd|rd|th)? ${MONTH})`, "iuy");
const MONTH_FIRST = new RegExp(`${MONTH} ${DAY}(?![\\p{L}\\p{N}:]|[.,]\\d)(?:,? ${YEAR})?`, "iuy");
const MONTH_YEAR = new RegExp(`${MONTH},? ${YEAR}`, "iuy");
const MONTH_ALONE = new RegExp(MONTH, "uiy");

/** The date that begins at `at`, and where it ends. */
export function dateAt(text: string, at: number): { date: DateParts; end: number } | null {
  const digit = /\d/.test(text[at] ?? "");
  return digit ? (iso(text, at) ?? numeric(text, at) ?? dayFirst(text, at)) : (monthFirst(text, at) ?? monthAlone(text, at));
}

function dated(found: RegExpExecArray, year: string | undefined, month: number, day: string | undefined): { date: DateParts; end: number } | null {
  if (month < 1 || month > 12 || (day !== undefined && (Number(day) < 1 || Number(day) > 31))) return null;
  const date: DateParts = { month };
  if (year !== undefined) date.year = Number(year);
  if (day !== undefined) date.day = Number(day);
  return { date, end: found.index + found[0].length };
}

function monthOf(name = ""): number {
  return 1 + MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3).toLowerCase()));
}

function iso(text: string, at: number) {
  const found = matchAt(ISO, text, at);
  return found === null ? null : dated(found, found[1], Number(found[2]), found[3]);
}

/** Day first, unless only the other order is a date; two-digit parts throughout where dots stand between. */
function numeric(text: string, at: number) {
  const found = matchAt(NUMERIC, text, at);
  if (found === null || (found[2] === "." && (found[1]?.length !== 2 || found[3]?.length !== 2))) return null;
  const year = found[4]?.length === 2 ? `20${found[4]}` : found[4];
  const swapped = Number(found[3]) > 12;
  return dated(found, year, Number(swapped ? found[1] : found[3]), swapped ? found[3] : found[1]);
}

function dayFirst(text: string, at: number) {
  const whole = matchAt(DAY_FIRST, text, at);
  if (whole !== null) return dated(whole, whole[3], monthOf(whole[2]), whole[1]);
  const shared = matchAt(DAY_SHARED, text, at);
  return shared === null ? null : dated(shared, undefined, monthOf(shared[2]), shared[1]);
}

function monthFirst(text: string, at: number) {
  const withYear = matchAt(MONTH_YEAR, text, at);
  if (withYear !== null) return dated(withYear, withYear[2], monthOf(withYear[1]), undefined);
  const withDay = matchAt(MONTH_FIRST, text, at);
  return withDay === null ? null : dated(withDay, withDay[3], monthOf(withDay[1]), withDay[2]);
}

/** A month without day and year. "May" and "March", which are also verbs, count only after a preposition. */
function monthAlone(text: string, at: number) {
  const found = matchAt(MONTH_ALONE, text, at);
  if (found === null || !/^\p{Lu}/u.test(found[0]) || found[0].replace(".", "").length < 4 !== /^may$/i.test(found[0])) return null;
  const prepared = /(?:^|\s)(?:in|of|since|until|by|early|late|mid|last|next|from|to|during) $/i.test(text.slice(Math.max(0, at - 8), at));
  return /^(?:may|march)$/i.test(found[0]) && !prepared ? null : dated(found, undefined, monthOf(found[1]), undefined);
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
