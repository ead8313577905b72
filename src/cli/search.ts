import { TOP_K_MAX } from "../base/limits.ts";
import { MODES } from "../domain/query.ts";
import type { Colours } from "./colours.ts";
import { defineCommand, type FlagTable, type FlagValues, list, toggle, UsageError, value } from "./command.ts";
import { facetsText } from "./facets.ts";
import { numberOf, oneOf, wholeNumber } from "./flags.ts";
import { counted, locatorText, markedSnippet, pathText, printable } from "./format.ts";
import { ASKER, FOCUS, fileNameOf, hiddenText, type Look, runQuery, type SearchBody } from "./query.ts";

type HitBody = SearchBody["hits"][number];

const GROUPINGS = ["doc_id"] as const;
const LEGS = ["vector", "fulltext", "labels"] as const;
const INDENT = "    ";

/** How hits are ranked. */
const RANKING = {
  mode: value("MODE", "by meaning and words, or by one of them", { default: "hybrid", choices: MODES }),
  "group-by": value("FIELD", "the best Unit of each document", { choices: GROUPINGS }),
  "group-size": value("N", "with --group-by, so many Units of each document at most", { default: "1" }),
  diversity: value("NUMBER", "how much hits that are like ones before them fall behind, 0 to 1", { default: "0" }),
  weight: list("LEG=NUMBER", `what a place in a leg is worth, ${LEGS.join(", ")}; 0 leaves the leg out`, { default: "1 each" }),
  rerank: toggle("have the best candidates read once more with the query (Pro and Enterprise)"),
} as const satisfies FlagTable;

export const search = defineCommand({
  purpose:
    "Searches by meaning (vectors) and by words (full text) at once, over all four planes, and prints the best Units with the passage that \
matched. Straight on a data directory it searches as the operator, who may read everything, or as a principal with --as; a server that holds the directory and runs with --demo is asked as the demo's reader. Quotes inside QUERY \
make a phrase; everything else is words.",
  operands: [{ name: "QUERY", help: "what to look for" }],
  flags: {
    ...FOCUS,
    ...RANKING,
    facet: list("FIELD", "count the matches by their values of this field: modality, doc_id, metadata.turbine …"),
    explain: toggle("say why each hit stands where it stands"),
    ...ASKER,
  },
  examples: [
    ["what the demo's reader may find", 'strata search "why did turbine 7 stop?" --as demo-reader'],
    [
      "by words alone, as JSON, from a server",
      "strata search '\"grease line\"' --mode fulltext --json --url http://127.0.0.1:4700 --token-file token.txt",
    ],
    [
      "of each document two hits, and how many matches each kind of Unit has",
      "strata search grease --group-by doc_id --group-size 2 --facet modality",
    ],
    ["hits that differ from each other, of one shift", `strata search grease --diversity 0.3 --filters '{"metadata.shift": "night"}'`],
  ],
  run: (context, flags, [q = ""]) => runQuery(context, "search", flags, { q, ...rankingOf(flags), ...shownOf(flags) }, resultText),
});

/** Members of the body that say how hits are ranked. Errors: UsageError. */
function rankingOf(flags: FlagValues<typeof RANKING>): Record<string, unknown> {
  const { mode, diversity, weight, rerank } = flags;
  const [field, size] = [flags["group-by"], flags["group-size"]];
  if (size !== undefined && field === undefined) throw new UsageError("--group-size goes with --group-by: of what are there so many?");
  return {
    ...(mode === undefined ? {} : { mode: oneOf("mode", mode, MODES) }),
    ...(field === undefined ? {} : { group_by: oneOf("group-by", field, GROUPINGS) }),
    ...(size === undefined ? {} : { group_size: wholeNumber("group-size", size, TOP_K_MAX, 1) }),
    ...(diversity === undefined ? {} : { diversity: numberOf("diversity", diversity) }),
    ...(weight.length === 0 ? {} : { weights: Object.fromEntries(weight.map(weightOf)) }),
    ...(rerank ? { rerank: true } : {}),
  };
}

/** `fulltext=2`. Errors: UsageError. */
function weightOf(text: string): [leg: string, weight: number] {
  const [leg = "", number] = text.split("=");
  if (number === undefined) throw new UsageError(`--weight must look like fulltext=2; it is "${text}"`);
  return [oneOf("weight", leg, LEGS), numberOf("weight", number)];
}

/** Members of the body that say what is told beside the hits. */
function shownOf({ facet, explain }: { facet: string[]; explain: boolean }): Record<string, unknown> {
  return { ...(facet.length === 0 ? {} : { facets: facet }), ...(explain ? { explain: true } : {}) };
}

/** The hits as a person reads them, then how many the ACL hides. */
export function resultText(found: SearchBody, { colours }: Look): string {
  const hits = found.hits.map((hit) => hitText(hit, colours)).join("\n");
  const explained = found.hits.some((hit) => hit.explain !== undefined) ? traceText(found) : "";
  const number = hits === "" ? "no Unit found" : `${hits}\n${counted(found.hits.length, "hit")}`;
  return `${number}\n${hiddenText(found.hidden_by_acl)}${facetsText(found.facets ?? {}, colours)}${colours.faint(explained)}`;
}

function hitText(hit: HitBody, { faint, match, strong }: Colours): string {
  const place = [hit.scope, fileNameOf(hit) ?? hit.doc_id, hit.path && pathText(hit.path), hit.locator && locatorText(hit.locator)]
    .filter((part) => part !== undefined)
    .map(printable);
  const rank = faint(`${String(hit.rank).padStart(2)}  ${hit.score.toFixed(4)}`);
  const head = `${rank}  ${strong(`${hit.modality}/${hit.plane}`)}  ${place.join("  ")}`;
  const shown = hit.snippet === null || hit.text === undefined ? null : markedSnippet(hit.text, hit.snippet, hit.highlights, match);
  const lines = [head, `${INDENT}${shown ?? printable(seenIn(hit))}`, ...(hit.explain ? explainLines(hit).map(faint) : [])];
  return lines.map((line) => `${line}\n`).join("");
}

/** What stands for the text of a Unit that has none: its labels, or where it comes from. */
function seenIn({ metadata, source_uri }: HitBody): string {
  return Array.isArray(metadata?.labels) ? `(${metadata.labels.join(", ")})` : (source_uri ?? "");
}

function explainLines({ scores, explain }: HitBody): string[] {
  const legs = scores.legs.map(({ leg, rank, raw }) => {
    const part = explain?.fusion.find((each) => each.leg === leg)?.contribution;
    return `${INDENT}${leg} rank ${rank}${raw === null ? "" : `, raw ${raw.toFixed(4)}`}${part === undefined ? "" : `, adds ${part.toFixed(4)}`}`;
  });
  const terms = explain?.terms ?? [];
  return terms.length === 0 ? legs : [...legs, `${INDENT}words ${terms.map(printable).join(", ")}`];
}

function traceText({ trace }: SearchBody): string {
  const stages = trace.stages.map(({ name, ms, in: taken, out }) => `${INDENT}${name} ${ms.toFixed(1)} ms, ${taken} in, ${out} out\n`);
  return `${trace.total_ms.toFixed(1)} ms in all, ${trace.fusion.method} with k = ${trace.fusion.k}\n${stages.join("")}`;
}
