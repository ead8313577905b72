/** What a question asks for by its very name: options, operators, identifiers, codes. What is said of another one does not answer it. */
import type { Unit } from "../../domain/unit.ts";
import { contentWords, leansBack, quantities } from "../../language/language.ts";
import { literals } from "../../text/literals.ts";
import type { Quotable } from "./quotables.ts";

/**
 * A literal that names one thing: an option or operator, or an identifier with a joint. Compounds (`drive-end`) have other
 * spellings, and so have places of files (`.bashrc`, `/etc/fstab`), which texts write with and without what stands before them.
 */
const NAME = /^[^\p{L}\p{N}.~/]|_|::|\p{L}{3}\.\p{L}{2}/u;
const NUMBER = /^[-+]?[\d.]+$/;

/** The identifiers, options and operators that a text names, and the files at the ends of its paths. */
export function namesIn(text: string): string[] {
  const named = [...literals(text)].filter(({ term, strict, loose }) => (strict || (!loose && NAME.test(term))) && !NUMBER.test(term));
  return named.flatMap(({ term }) => (/\p{L}\/\p{L}/u.test(term) ? [term, term.slice(term.lastIndexOf("/") + 1)] : [term]));
}

/** Whether path and text of a Unit hold one of `names`, or none is asked for: what is said of `-X` does not answer what is asked of `-x`. */
export function holdsName({ path, text }: Unit, names: readonly string[]): boolean {
  return names.length === 0 || holdsOne([...(path ?? []), text ?? ""].join("\n"), names);
}

/** Whether the path of a Unit has one of `names`. */
export function isUnder({ path }: Unit, names: readonly string[]): boolean {
  return names.length > 0 && holdsOne((path ?? []).join("\n"), names);
}

function holdsOne(text: string, names: readonly string[]): boolean {
  return namesIn(text).some((name) => names.includes(name));
}

/**
 * The items of a Unit that may be about one of `names`. A sentence without a name is about what the one before it is about; an item
 * that is about others of the same form alone is left out, if the Unit does not stand under the name as a whole.
 */
export function aboutNames<T extends Quotable>(items: readonly T[], names: readonly string[]): T[] {
  const unit = items[0]?.candidate.unit;
  if (unit === undefined || names.length === 0 || isUnder(unit, names) || !items.some(({ said }) => holdsOne(said, names))) return [...items];
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

const NUMBER_ALONE = /^[^\p{L}\p{N}]*\d+[^\p{L}\p{N}]*$/u;
/** A number behind a noun near the beginning: `Exit code 141 means`. */
const NUMBER_OF = /^[\p{L}\s]{0,40}?(\p{L}+)[\s:#]+[^\p{L}\p{N}\s]*\d+(?![\p{L}\p{N}]|[.,]\d)/u;

/** Whether an item is of another number than each code that is asked for: what it stands under, its row or its beginning has one in that place, and the Unit nowhere the code's. */
export function isOfAnother({ kind, text, candidate: { unit } }: Quotable, codes: readonly Code[]): boolean {
  if (codes.length === 0) return false;
  const term = unit.path?.at(-1) ?? "";
  const keys = [term, ...(kind === "row" || kind === "list" ? [keyOf(kind, text)] : [])];
  const alone = keys.some((key) => NUMBER_ALONE.test(key));
  const nouns = [term, text].flatMap((place) => contentWords(NUMBER_OF.exec(place)?.[1] ?? ""));
  if (!codes.every(({ noun }) => alone || nouns.includes(noun))) return false;
  const numbers = new Set(quantities([...(unit.path ?? []), unit.text ?? ""].join("\n")).map(({ value }) => value));
  return codes.every(({ value }) => !numbers.has(value));
}

/** The first cell of a row without its header, or what stands before the first colon or dash of a list item. */
function keyOf(kind: "row" | "list", text: string): string {
  const [first = ""] = kind === "row" ? text.split(" | ") : text.split(/[:=–—]|\s-\s/);
  return kind === "row" ? first.slice(first.indexOf(": ") + 1) : first;
}
