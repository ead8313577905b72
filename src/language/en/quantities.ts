/** Numbers, measures, money, dates, times and numbered names in a text. */
import type { Span } from "../../base/span.ts";
import { clockAt, type DateFound, type DateParts, datesIn } from "./dates.ts";
import { digitsAt, matchAt, type NumberAt, numberWordsAt, round } from "./numbers.ts";
import { type UnitOfMeasure, unitAt, unitNamed } from "./units.ts";
import { isStopWord } from "./words.ts";

export interface Quantity extends Span {
  /** A label is the number of a named thing: turbine 7, IL-6. */
  kind: "number" | "percent" | "money" | "time" | "date" | "ordinal" | "label";
  /** In the base unit; minutes since midnight for a time, the year, month or day for a date. */
  value: number;
  /** The number as it is written, before its unit is applied. */
  stated: number;
  /** The base unit, the currency, or the name that a label belongs to; null without one. */
  unit: string | null;
  date?: DateParts;
  /** The other reading of an ambiguous date, the month first. */
  monthFirst?: DateParts;
}

/** Where a quantity may begin: a run of letters and digits, or a currency sign. */
const RUN = /[\p{L}\p{M}\p{N}_]+|[$£€]/gu;
const CODE = /[\p{L}\p{N}]{1,32}(?:-[\p{L}\p{N}]{1,32}){0,6}/uy;
const VERSION = /v?\d+(?:\.\d+){2,}/iy;
const HEX = /0x[\da-f]+/iy;
const DECADE = /(1\d|20)\d0['’]?s(?![\p{L}\p{N}])/uy;
/** A noun that is counted by the number before it. */
const COUNTED = /^ (?:people|men|women|children|\p{Ll}+s(?<!\b(?:is|was|has|does)))(?!\p{L})/u;
/** Prefixes of a number that make no name of it. */
const PLAIN_PREFIX = /^(?:mid|late|early|post|pre|since|circa|sub|over|under|non)-/i;
/** Nouns that a number names, also without a capital; any other noun is named by a number when it has one ("Turbine 7"). */
const NAMED = new Set(
  `unit type phase figure fig table chapter section line page step stage class grade version room item rule no nr article appendix annex part
  paragraph clause level channel zone group track row column port sample sheet`.split(/\s+/),
);

/** The quantities of `text` in order; spans are UTF-16 offsets and do not overlap. */
export function quantities(text: string): Quantity[] {
  const found: Quantity[] = [];
  let free = 0;
  const dates = datesIn(text);
  const runs = new RegExp(RUN);
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    const inDigits = /^[\p{Nd}$£€½¼¾⅓⅔⅛⅜⅝⅞]/u.test(run[0]);
    const dated = dates.get(run.index);
    const item = dated !== undefined ? fromDate(dated) : inDigits ? fromDigits(text, run.index, free) : fromWord(text, run.index, run[0]);
    if (item === null) continue;
    free = item.end;
    runs.lastIndex = free;
    if (item.quantity === null || !Number.isFinite(item.quantity.value)) continue;
    shareUnit(text, found.at(-1), item.quantity, item.unit ?? null);
    found.push(item.quantity);
  }
  return found;
}

/** What was read at a place of the text, up to `end`. */
interface Reading {
  end: number;
  /** Null for what is no quantity: a version, a code. */
  quantity: Quantity | null;
  unit?: UnitOfMeasure;
}

function reading(kind: Quantity["kind"], value: number, unit: string | null, start: number, end: number): Reading {
  return { end, quantity: { kind, value, stated: value, unit, start, end } };
}

function fromDate(found: DateFound): Reading {
  const { year, month, day } = found.date;
  const value = year ?? month ?? day ?? 0;
  return { end: found.end, quantity: { kind: "date", value, stated: value, unit: null, ...found } };
}

/** Two numbers of a range or pair share the unit of the second: "4-5 km", "between 3 and 5 kW". */
function shareUnit(text: string, first: Quantity | undefined, second: Quantity, unit: UnitOfMeasure | null): void {
  if (unit === null || first?.kind !== "number" || first.unit !== null || second.start - first.end > 6) return;
  if (!/^\s?(?:-|–|to|and|or)\s?$/.test(text.slice(first.end, second.start))) return;
  first.kind = unit.kind;
  first.unit = unit.base;
  first.value = round(first.stated * unit.factor);
}

function passed(pattern: RegExp, text: string, at: number): Reading | null {
  const found = matchAt(pattern, text, at);
  return found === null ? null : { end: at + found[0].length, quantity: null };
}

function fromDigits(text: string, at: number, free: number): Reading | null {
  const clock = clockAt(text, at);
  if (clock !== null) return reading("time", clock.minutes, null, at, clock.end);
  const skipped = passed(VERSION, text, at) ?? passed(HEX, text, at);
  if (skipped !== null) return skipped;
  const decade = passed(DECADE, text, at);
  if (decade !== null) return fromDate({ date: { year: Number(text.slice(at, at + 4)) }, start: at, end: decade.end });
  if (/[$£€]/.test(text[at] ?? "")) return money(text, at, at + 1, text[at] ?? "");
  const number = digitsAt(text, at);
  return number === null ? null : measured(text, signed(text, at, free), number);
}

/** Where the number begins with its sign or its leading point, if that is what stands before it. */
function signed(text: string, at: number, free: number): { start: number; at: number; sign: number; point: boolean } {
  const point = at > free && text[at - 1] === "." && !/[\p{L}\p{N}.)]/u.test(text[at - 2] ?? "");
  const first = point ? at - 1 : at;
  const minus = first > free && /[-−]/.test(text[first - 1] ?? "") && (first < 2 || /[\s([=:,]/.test(text[first - 2] ?? ""));
  return { start: minus ? first - 1 : first, at, sign: minus ? -1 : 1, point };
}

function measured(text: string, place: ReturnType<typeof signed>, number: NumberAt): Reading {
  const { start } = place;
  if (number.ordinal) return reading("ordinal", number.value, null, start, number.end);
  const stated = place.sign * (place.point ? Number(`0.${text.slice(place.at, number.end).replace(/\D/g, "")}`) : number.value);
  const measure = unitAt(text, number.end);
  if (measure !== null) {
    const value = round(stated * measure.unit.factor);
    return {
      end: measure.end,
      unit: measure.unit,
      quantity: { kind: measure.unit.kind, value, stated, unit: measure.unit.base, start, end: measure.end },
    };
  }
  const name = Number.isInteger(stated) && stated >= 0 && !place.point && stated < 1e9 ? nameBefore(text, start, number.end) : null;
  if (/\p{L}/u.test(text[number.end] ?? "")) return passed(CODE, text, place.at) ?? { end: number.end, quantity: null };
  if (name !== null) return reading("label", stated, name, start, number.end);
  const year = number.bare && stated >= 1000 && stated <= 2100 && !COUNTED.test(text.slice(number.end, number.end + 24));
  return year ? fromDate({ date: { year: stated }, start, end: number.end }) : reading("number", stated, null, start, number.end);
}

/** The word that a number belongs to as its name ("Turbine 7"), lower-cased. */
function nameBefore(text: string, start: number, end: number): string | null {
  const left = text.slice(Math.max(0, start - 32), start);
  const match = /(^|[^\p{L}\p{N}])(\p{L}[\p{L}'’]*)(\.? |\.|-)$/u.exec(left);
  const word = match?.[2] ?? "";
  const lower = word.toLowerCase().replace(/['’]s$/, "");
  if (word === "" || isStopWord(lower) !== (lower === "no") || unitNamed(word)?.kind === "money") return null;
  const singular = lower.replace(/s$/, "");
  if (NAMED.has(lower) || NAMED.has(singular)) return NAMED.has(lower) ? lower : singular;
  if (!/^\p{Lu}/u.test(word) || match?.[3]?.startsWith(".") || numberWordsAt(word, 0) !== null) return null;
  if (/^(?:\d{4})$/.test(text.slice(start, end))) return null;
  const opens = /^\s*$|[.!?:\n]["'”’)]*\s*$/.test(left.slice(0, (match?.index ?? 0) + (match?.[1]?.length ?? 0)));
  return opens && COUNTED.test(text.slice(end, end + 24)) ? null : lower;
}

function fromWord(text: string, at: number, run: string): Reading | null {
  if (run.length > 64) return null;
  const version = /^v\d/i.test(run) ? passed(VERSION, text, at) : null;
  if (version !== null) return version;
  const code = text[at + run.length] === "-" || /\p{Nd}/u.test(run) ? codeAt(text, at) : null;
  if (code !== null) return code;
  if (/^(?:eur|usd|gbp|us)$/i.test(run)) return prefixed(text, at, at + run.length, run);
  if (/^(?:noon|midnight)$/i.test(run)) return reading("time", /noon/i.test(run) ? 720 : 0, null, at, at + run.length);
  const number = numberWordsAt(text, at);
  if (number === null) return null;
  const hour = /^ o['’]clock/i.exec(text.slice(number.end, number.end + 8));
  if (hour !== null && number.value <= 12) return reading("time", 60 * number.value, null, at, number.end + hour[0].length);
  const measure = measured(text, { start: at, at, sign: 1, point: false }, number);
  // "One" alone is most often a pronoun.
  const pronoun = run.toLowerCase() === "one" && measure.end === at + 3 && measure.quantity?.kind === "number";
  return pronoun ? { end: measure.end, quantity: null } : measure;
}

/** IL-6, T7 and VE-7-02 are names; H2O and VA-23148-K are words. */
function codeAt(text: string, at: number): Reading | null {
  const code = matchAt(CODE, text, at)?.[0] ?? "";
  if (!/\p{Nd}/u.test(code) || PLAIN_PREFIX.test(code) || code.length > 64) return null;
  const [, name = "", digits = ""] = /^(.*?\D)(\d{1,9})$/.exec(code) ?? [];
  if (name === "") return { end: at + code.length, quantity: null };
  return reading("label", Number(digits), name.replace(/-$/, "").toLowerCase(), at, at + code.length);
}

/** "EUR 86,400", "US$ 5". */
function prefixed(text: string, at: number, end: number, name: string): Reading | null {
  const gap = /^(?:\$|(?<!us)) ?(?=\d)/i.exec(text.slice(end, end + 3))?.[0];
  return gap === undefined ? null : money(text, at, end + gap.length, /^us$/i.test(name) ? "usd" : name);
}

function money(text: string, start: number, at: number, name: string): Reading | null {
  const from = /[ \u00a0]/.test(text[at] ?? "") ? at + 1 : at;
  const number = digitsAt(text, from);
  const unit = unitNamed(name);
  if (number === null || unit === null) return null;
  const millions = /^m(?![\p{L}\p{N}])/iu.test(text.slice(number.end, number.end + 2));
  const end = millions ? number.end + 1 : number.end;
  return reading("money", round(number.value * (millions ? 1e6 : 1)), unit.base, start, end);
}
