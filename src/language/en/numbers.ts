/** Numbers written in digits or in words. */

const VALUES = new Map<string, number>(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen`
    .split(" ")
    .map((word, value): [string, number] => [word, value])
    .concat("twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, index): [string, number] => [word, 20 + 10 * index])),
);
const SCALES = new Map([
  ["dozen", 12],
  ["hundred", 100],
  ["thousand", 1e3],
  ["million", 1e6],
  ["mn", 1e6],
  ["billion", 1e9],
  ["bn", 1e9],
  ["trillion", 1e12],
]);
const ORDINALS = new Map<string, number>(
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth
  eighteenth nineteenth twentieth`
    .split(/\s+/)
    .map((word, index): [string, number] => [word, index + 1]),
);
ORDINALS.set("thirtieth", 30);

const FRACTIONS = "½¼¾⅓⅔⅛⅜⅝⅞";
const FRACTION_VALUES = [1 / 2, 1 / 4, 3 / 4, 1 / 3, 2 / 3, 1 / 8, 3 / 8, 5 / 8, 7 / 8];
const DIGITS = new RegExp(`(?:(\\d{1,3}(?:[,\\u00a0\\u2009\\u202f]\\d{3})+(?!\\d)|\\d+)(\\.\\d+)?)?([${FRACTIONS}])?`, "y");
const SCALE_AFTER = /[ \u00a0\u2009\u202f-]?(dozen|hundred|thousand|million|billion|trillion|mn|bn|k)(?![\p{L}\p{N}])/iuy;
const NEXT_WORD = /(?:[ \u00a0]+|-)?([A-Za-z]{2,10})(?![\p{L}\p{N}])/uy;
/** The longest number in words that anyone writes. */
const NUMBER_MAX_WORDS = 16;

/** The match of a sticky pattern at `at`. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export interface NumberAt {
  value: number;
  end: number;
  ordinal: boolean;
  /** Four digits and nothing else, as years are written. */
  bare: boolean;
}

/** The number in digits at `at`, with its scale ("18.4 million", "1.2k") and its ordinal ending. */
export function digitsAt(text: string, at: number): NumberAt | null {
  const [whole = "", digits = "", decimals = "", fraction = ""] = matchAt(DIGITS, text, at) ?? [];
  if (whole === "") return null;
  const plain = Number(digits.replace(/\D/g, "") + decimals) + (fraction === "" ? 0 : (FRACTION_VALUES[FRACTIONS.indexOf(fraction)] ?? 0));
  const end = at + whole.length;
  if (decimals === "" && /^(?:st|nd|rd|th)(?![\p{L}\p{N}])/iu.test(text.slice(end, end + 3)))
    return { value: plain, end: end + 2, ordinal: true, bare: false };
  const scaled = scaleAt(text, end);
  return { value: round(plain * scaled.factor), end: scaled.end, ordinal: false, bare: /^\d{4}$/.test(whole) && scaled.end === end };
}

/** Scale words after a number, and the "k" that is written onto it. */
function scaleAt(text: string, at: number): { factor: number; end: number } {
  let [factor, end] = [1, at];
  for (let count = 0; count < 3; count += 1) {
    const [whole = "", name = ""] = matchAt(SCALE_AFTER, text, end) ?? [];
    if (whole === "" || (name.toLowerCase() === "k" && whole !== "k")) break;
    factor *= name === "k" ? 1e3 : (SCALES.get(name.toLowerCase()) ?? 1);
    end += whole.length;
  }
  return { factor, end };
}

/** The number in words at `at`: "twenty-five", "two hundred and six", "a dozen", "eleven point eight", "twenty-first". */
export function numberWordsAt(text: string, at: number): NumberAt | null {
  let [total, group, last, count, end] = [0, 0, 0, 0, at];
  for (let step = 0; step < NUMBER_MAX_WORDS; step += 1) {
    const next = wordAt(text, end);
    if (next === null) break;
    const word = next.word === "and" && last >= 100 ? wordAt(text, next.end) : next;
    const scale = SCALES.get(word?.word ?? "");
    const value = VALUES.get(word?.word ?? "") ?? ORDINALS.get(word?.word ?? "");
    if (word === null || (word !== next && value === undefined)) break;
    if (scale !== undefined && (count > 0 || word.word === "dozen" || alone(text, at))) {
      if (scale > 100) [total, group] = [total + Math.max(group, total === 0 ? 1 : 0) * scale, 0];
      else group = Math.max(group, 1) * scale;
      last = scale;
    } else if (value !== undefined && (count === 0 || last >= 100 || (last >= 20 && last < 100 && value < 10 && value > 0))) {
      group += value;
      last = value;
      if (ORDINALS.has(word.word)) return { value: total + group, end: word.end, ordinal: true, bare: false };
    } else break;
    [count, end] = [count + 1, word.end];
  }
  if (count === 0) return null;
  const decimals = pointAt(text, end);
  return { value: total + group + decimals.value, end: decimals.end, ordinal: false, bare: false };
}

/** "A hundred" is a number, "hundreds" and "the hundred" are not. */
function alone(text: string, at: number): boolean {
  return /(?:^|[^\p{L}])an? $/iu.test(text.slice(Math.max(0, at - 4), at));
}

function pointAt(text: string, at: number): { value: number; end: number } {
  let [digits, end] = ["", at];
  const point = wordAt(text, at);
  for (let next = point?.word === "point" ? wordAt(text, point.end) : null; next !== null && digits.length < 8; next = wordAt(text, end)) {
    const value = VALUES.get(next.word);
    if (value === undefined || value > 9) break;
    [digits, end] = [digits + value, next.end];
  }
  return digits === "" ? { value: 0, end: at } : { value: Number(`0.${digits}`), end };
}

function wordAt(text: string, at: number): { word: string; end: number } | null {
  const [whole = "", word = ""] = matchAt(NEXT_WORD, text, at) ?? [];
  return word === "" ? null : { word: word.toLowerCase(), end: at + whole.length };
}

/** Takes the noise of binary fractions out of a product. */
export function round(value: number): number {
  return Number(value.toPrecision(12));
}
