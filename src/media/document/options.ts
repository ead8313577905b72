/** Lists of options in plain text, each with its meaning beside or below it, as programs print their usage. */
import { columnsOf, indentOf, type Line } from "./lines.ts";

/** `column`: where the meaning of the option begins beside it; null where it stands below. */
export interface OptionEntry {
  lines: readonly Line[];
  term: string;
  column: number | null;
}

export interface OptionList {
  /** Lines above the first option. */
  lead: readonly Line[];
  entries: OptionEntry[];
}

const OPTION = /^\s*(?:-{1,2}|\+)[\w?#@]/;
const BESIDE = /^(\s*)(\S(?:.*?\S)?)(\s{2,}|\t+)\S/;
const OPTIONS_MIN = 2;
const OPTION_MAX_CHARS = 80;
const MEANT_MIN_SHARE = 0.6;

export function isOption({ text }: Line): boolean {
  return OPTION.test(text);
}

/** The options of a paragraph; null where it lists none. */
export function optionsOf(paragraph: readonly Line[]): OptionList | null {
  const from = paragraph.findIndex(isOption);
  if (from === -1) return null;
  const lines = paragraph.slice(from);
  const column = columnOf(lines);
  const begins = lines.flatMap((line, at) => (isOption(line) && indentOf(line) < column ? [at] : []));
  if (begins.length < OPTIONS_MIN) return null;
  const entries = begins.map((at, index) => entryOf(lines.slice(at, begins[index + 1]), column));
  const meant = entries.filter((entry) => entry.column !== null || entry.lines.length > 1).length;
  const fits = entries.every(
    ({ term, lines: [first, ...rest] }) => term.length <= OPTION_MAX_CHARS && rest.every((line) => indentOf(line) > indentOf(first)),
  );
  return fits && meant >= entries.length * MEANT_MIN_SHARE ? { lead: paragraph.slice(0, from), entries } : null;
}

/** Where meanings begin: beside most options, else below the first one. */
function columnOf(lines: readonly Line[]): number {
  const columns = lines.filter(isOption).flatMap((line) => BESIDE.exec(columnsOf(line))?.slice(1, 4).join("").length ?? []);
  const counted = [...Map.groupBy(columns, (column) => column)].sort(([, one], [, two]) => two.length - one.length);
  const below = indentOf(lines[1]);
  return counted[0]?.[0] ?? (below > indentOf(lines[0]) ? below : Number.POSITIVE_INFINITY);
}

function entryOf(lines: readonly Line[], usual: number): OptionEntry {
  const text = lines[0] === undefined ? "" : columnsOf(lines[0]);
  const beside = BESIDE.exec(text);
  if (beside !== null) return { lines, term: beside[2] ?? "", column: beside.slice(1, 4).join("").length };
  // An option that is as long as the column leaves one blank.
  if (/\s/.test(text[usual - 1] ?? "") && /\S/.test(text[usual] ?? " ")) return { lines, term: text.slice(0, usual).trim(), column: usual };
  return { lines, term: text.trim(), column: null };
}
