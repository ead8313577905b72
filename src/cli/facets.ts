/** Facets of a search as a person reads them. */
import type { Facet } from "../domain/facet.ts";
import type { Colours } from "./colours.ts";
import { count, counted, printable } from "./format.ts";

const INDENT = "    ";
const VALUES_SHOWN = 10;

/** Each field with its most frequent values below it, behind their counts. */
export function facetsText(facets: Readonly<Record<string, Facet>>, colours: Colours): string {
  return Object.entries(facets)
    .map(([field, facet]) => `\n${facetLines(field, facet, colours).join("\n")}\n`)
    .join("");
}

function facetLines(field: string, { values, exact }: Facet, { strong, faint }: Colours): string[] {
  const shown = values.slice(0, VALUES_SHOWN);
  const rest = values.length - shown.length;
  const width = Math.max(...shown.map((each) => count(each.count).length));
  const head = `${strong(printable(field))}${exact ? "" : faint(", at least: not every match was counted")}`;
  if (shown.length === 0) return [head, `${INDENT}no match that was counted has it`];
  return [
    head,
    ...shown.map((each) => `${INDENT}${faint(count(each.count).padStart(width))}  ${printable(String(each.value))}`),
    ...(rest === 0 ? [] : [`${INDENT}${faint(`and ${counted(rest, "more value")}: --json has them`)}`]),
  ];
}
