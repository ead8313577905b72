/** What a question asks for by its very name: options, operators, identifiers, codes. What is said of another one does not answer it. */
import { literals } from "../text/literals.ts";
import type { QuotableItem } from "../text/quotable.ts";
import { contentWords, leansBack, quantities } from "./language.ts";

/** A text and where it stands. */
interface Placed {
  text: string | null;
  path: readonly string[] | null;
}

/**
 * A literal that names one thing: an option or operator, or an identifier with a joint. Compounds (`drive-end`) have other
 * spellings, and so have places of files (`.bashrc`, `/etc/fstab`), which texts write with and without what stands before them.
 */
const NAME = /^[^\p{L}\p{N}.~/]|_|::|\p{L}{3}\.\p{L}{2}/u;
const NUMBER = /^[-+]?[\d.]+$/;

/** The identifiers, options and operators that a text names, and the files at the ends of its paths. */
export function namesIn(text: string): string[] {
  const named = [...literals(text)].filter(
    ({ term, strict, tailed, loose }) => (strict || tailed || (!loose && NAME.test(term))) && !NUMBER.test(term),
  );
  return named.flatMap(({ term }) => (/\p{L}\/\p{L}/u.test(term) ? [term, term.slice(term.lastIndexOf("/") + 1)] : [term]));
}

/** Whether path and text of a Unit hold one of `names`, or none is asked for: what is said of `-X` does not answer what is asked of `-x`. */
export function holdsName({ path, text }: Placed, names: readonly string[]): boolean {
  return names.length === 0 || holdsOne([...(path ?? []), text ?? ""].join("\n"), names);
}

/** Whether the path of a Unit has one of `names`. */
export function isUnder({ path }: Placed, names: readonly string[]): boolean {
  return names.length > 0 && holdsOne((path ?? []).join("\n"), names);
}

function holdsOne(text: string, names: readonly string[]): boolean {
  return namesIn(text).some((name) => names.includes(name));
}

/**
 * The items of a Unit that may be about one of `names`. A sentence without a name is about what the one before it is about; an item
 * that is about others of the same form alone is left out, if the Unit does not stand under the name as a whole.
 */
export function aboutNames<T extends QuotableItem>(items: readonly T[], unit: Placed, names: readonly string[]): T[] {
  if (names.length === 0 || isUnder(unit, names) || !items.some(({ said }) => holdsOne(said, names))) return [...items];
  const forms = new Set(names.map(formOf));
  let before: string[] = [];
  return items.filter(({ kind, lead, text }) => {
    const own = namesIn(`${lead}\n${text}`);
    const about = kind === "sentence" && (own.length === 0 || leansBack(text)) ? [...before, ...own] : own;
    before = about;
    return about.some((name) => names.includes(name)) || !about.some((name) => forms.has(formOf(name)));
  });
}

/** `--` of `--all`, `_` of `FETCH_HEAD`; "" for operators, and for what ends in symbols (`C#`, `C++`). */
function formOf(name: string): string {
  const symbols = /[^\p{L}\p{N}]+/u.exec(name)?.[0] ?? "";
  return name.endsWith(symbols) ? "" : symbols;
}

/** A number that names one thing of a kind, by the word before it ("exit code 77"). */
interface Code {
  noun: string;
  value: number;
}

/** The codes that a question names: whole numbers behind a noun, without a unit, and no date. */
export function codesIn(question: string): Code[] {
  return quantities(question).flatMap(({ kind, unit, value, start, end }) => {
    const plain = (kind === "number" && unit === null) || kind === "label";
    const noun = contentWords(/\p{L}+(?=\s+$)/u.exec(question.slice(0, start))?.[0] ?? "")[0];
    return plain && noun !== undefined && value !== null && /^\d+$/.test(question.slice(start, end)) ? [{ noun, value }] : [];
  });
}

const BEGINNING_CHARS = 60;
const NUMBER_ALONE = /^[^\p{L}\p{N}]*\d+[^\p{L}\p{N}]*$/u;
/** A number behind a noun, within the first characters: `Exit code 141 means`. */
const NUMBER_OF = /^[\p{L}\s]*?(\p{L}+)[\s:#]+[^\p{L}\p{N}\s]*\d+(?![\p{L}\p{N}]|[.,]\d)/u;

/**
 * The items of a Unit that may be about one of `codes`. Where the Unit nowhere has such a number, those are left out that have
 * another one in its place: in what they stand under or what leads to them, as the key of a row or list item, or at their beginning.
 */
export function aboutCodes<T extends QuotableItem>(items: readonly T[], { path, text }: Placed, codes: readonly Code[]): T[] {
  if (codes.length === 0) return [...items];
  const digits = [...(path ?? []), text ?? ""].join("\n").match(/\d+/g) ?? [];
  const held = new Set(digits.map(Number));
  if (codes.some(({ value }) => held.has(value))) return [...items];
  return items.filter((item) => {
    const places = [path?.at(-1) ?? "", item.lead, item.text];
    const nouns = places.flatMap((place) => contentWords(NUMBER_OF.exec(place.slice(0, BEGINNING_CHARS))?.[1] ?? ""));
    const keyed = [path?.at(-1) ?? "", keyOf(item)].some((key) => NUMBER_ALONE.test(key));
    return !keyed && !codes.some(({ noun }) => nouns.includes(noun));
  });
}

/** The first cell of a row without its header, what stands before the first colon or dash of a list item; "" of others. */
function keyOf({ kind, text }: QuotableItem): string {
  if (kind === "list") return text.split(/[:=–—]|\s-\s/, 1)[0] ?? "";
  const [first = ""] = kind === "row" ? text.split(" | ", 1) : [];
  return first.slice(first.indexOf(": ") + 1);
}
