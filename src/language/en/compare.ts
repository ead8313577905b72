/** Compares the quantities of a claim with those of the text that it cites. */
import type { DateParts } from "./dates.ts";
import { type Quantity, quantities } from "./quantities.ts";
import { contentWords, coverage } from "./words.ts";

export interface QuantityComparison {
  /** Quantities of the claim that the premise has no equal of. */
  missing: Quantity[];
  /** Those of them for which the premise has one of the same kind, unit and noun, but another value. */
  conflicting: { claim: Quantity; premise: Quantity }[];
}

/** Quantities of a claim beyond this count as missing, which bounds the pairs that are compared. */
const QUANTITIES_MAX = 200;
/** How far, as a share of the value, a quantity may be from one that the claim calls approximate ("about 90"). */
const ABOUT_TOLERANCE = 0.1;
/** Relative difference between equal values that went through a unit's factor. */
const ROUNDING = 1e-9;
const BEFORE_CHARS = 28;
const ABOUT = /(?:^|[^\p{L}])(?:about|roughly|around|approximately|approx\.?|nearly|almost|some|circa|ca\.|~|≈|close to)\s*$/iu;
const AT_LEAST = /(?:(?:^|[^\p{L}])(?:more than|over|at least|above|greater than|exceed(?:s|ed|ing)?|no(?:t)? (?:less|fewer) than)|[≥>]=?)\s*$/iu;
const AT_MOST = /(?:(?:^|[^\p{L}])(?<!no |not )(?:up to|at most|less than|fewer than|under|below|no(?:t)? more than)|[≤<]=?)\s*$/iu;
const NO_MORE = /no(?:t)? more than\s*$/i;

type Bound = "equal" | "about" | "least" | "most";

/** Compares the quantities of `claim` with those of `premise`; spans point into the text that each stands in. */
export function compareQuantities(claim: string, premise: string): QuantityComparison {
  const there = quantities(premise);
  const found = quantities(claim);
  const unread = found.splice(QUANTITIES_MAX);
  const missing = found.filter((wanted) => {
    const how = bound(claim, wanted);
    const counted = thingCounted(claim, wanted);
    const measured = (one: Quantity) => one.unit !== null && counted !== null && coverage(counted, premise) < 1;
    return !there.some((one) => supports(one, wanted, how) && !measured(one)) && !inPieces(wanted, there);
  });
  const nouns = missing.some(isPlain) ? there.map((one) => (isPlain(one) ? nounsAfter(premise, one) : [])) : [];
  const conflicting = missing.flatMap((wanted) => {
    const counted = new Set(nounsAfter(claim, wanted));
    const other = there.find((one, index) => comparable(wanted, one) && (!isPlain(wanted) || nouns[index]?.some((noun) => counted.has(noun))));
    return other === undefined ? [] : [{ claim: wanted, premise: other }];
  });
  return { missing: [...missing, ...unread], conflicting };
}

/** What a bare number counts: the word right behind it ("12 barrels"). Null without one, and for any other quantity. */
function thingCounted(text: string, { kind, unit, end }: Quantity): string | null {
  if (kind !== "number" || unit !== null) return null;
  const word = /^\s+([\p{Ll}]{3,})(?![\p{L}\p{N}])/u.exec(text.slice(end, end + 40))?.[1] ?? "";
  return contentWords(word).length === 0 ? null : word;
}

/** True for a date with a year that the premise has in two pieces: day and month in one place, the year in another. */
function inPieces({ date }: Quantity, there: readonly Quantity[]): boolean {
  if (date?.year === undefined || date.month === undefined) return false;
  const { year, month, day } = date;
  const without = (one: Quantity) => one.date?.year === undefined && one.date?.month === month && (day === undefined || one.date?.day === day);
  return there.some(without) && there.some((one) => one.date?.year === year && (one.date.month ?? month) === month);
}

function bound(text: string, { start }: Quantity): Bound {
  const before = text.slice(Math.max(0, start - BEFORE_CHARS), start);
  if (ABOUT.test(before)) return "about";
  if (NO_MORE.test(before)) return "most";
  if (AT_LEAST.test(before)) return "least";
  return AT_MOST.test(before) ? "most" : "equal";
}

/** True when the premise's quantity supports the claim's. */
function supports(one: Quantity, wanted: Quantity, how: Bound): boolean {
  if (wanted.date !== undefined && one.date !== undefined) return readings(wanted).some((date) => readings(one).some((other) => fits(date, other)));
  const counts = (kind: string) => kind === "number" || kind === "label" || kind === "date";
  // A number without a unit, or a year that may be a number, equals one that is written the same.
  if (counts(wanted.kind) && counts(one.kind) && (wanted.unit === null || one.kind === "label") && wanted.kind !== "label") {
    if (one.stated === wanted.stated && (one.unit === null || wanted.unit === null)) return true;
  }
  if (wanted.kind !== one.kind || !sameUnit(wanted, one)) return false;
  if (wanted.kind === "time" && Number.isInteger(wanted.value) && Math.floor(one.value) === wanted.value) return true;
  if (near(one.value, wanted.value, ROUNDING)) return true;
  if (wanted.kind === "label" || wanted.kind === "ordinal") return false;
  if (how === "about") return wanted.kind === "time" ? Math.abs(one.value - wanted.value) <= 10 : near(one.value, wanted.value, ABOUT_TOLERANCE);
  return (how === "least" && one.value > wanted.value) || (how === "most" && one.value < wanted.value);
}

function near(a: number, b: number, share: number): boolean {
  return Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b));
}

/** A label's name may be cut to its initial (T7 is turbine 7), and degrees may be of either scale. */
function sameUnit(a: Quantity, b: Quantity): boolean {
  if (a.unit === b.unit) return true;
  if (a.unit === null || b.unit === null) return false;
  if (a.unit === "°" || b.unit === "°") return a.unit.startsWith("°") && b.unit.startsWith("°");
  if (a.kind !== "label") return false;
  return (a.unit.length === 1 && b.unit.startsWith(a.unit)) || (b.unit.length === 1 && a.unit.startsWith(b.unit));
}

/** What a date may mean. */
function readings({ date, monthFirst }: Quantity): DateParts[] {
  return [date ?? [], monthFirst ?? []].flat();
}

/** Every part of the wanted date stands in the other one. */
function fits(wanted: DateParts, other: DateParts): boolean {
  return (["year", "month", "day"] as const).every((part) => wanted[part] === undefined || wanted[part] === other[part]);
}

/** Of the same kind and unit; dates, if a part that both have differs in whatever reading. */
function comparable(wanted: Quantity, one: Quantity): boolean {
  if (wanted.kind !== one.kind) return false;
  if (wanted.date === undefined || one.date === undefined) return sameUnit(wanted, one);
  return readings(wanted).every((date) => readings(one).every((other) => differs(date, other)));
}

function differs(a: DateParts, b: DateParts): boolean {
  return (["year", "month", "day"] as const).some((part) => a[part] !== undefined && b[part] !== undefined && a[part] !== b[part]);
}

/** Two bare counts conflict only if they count the same thing; an ordinal likewise. */
function isPlain({ kind, unit }: Quantity): boolean {
  return (kind === "number" && unit === null) || kind === "ordinal";
}

function nounsAfter(text: string, { end }: Quantity): string[] {
  return contentWords(/^[^.;:!?]*/.exec(text.slice(end, end + 40))?.[0] ?? "").slice(0, 2);
}
