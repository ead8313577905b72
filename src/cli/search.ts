import { MODES } from "../domain/query.ts";
import type { Colours } from "./colours.ts";
import { defineCommand, list, toggle, value } from "./command.ts";
import { facetsText } from "./facets.ts";
import { oneOf } from "./flags.ts";
import { counted, locatorText, markedSnippet, pathText, printable } from "./format.ts";
import { ASKER, FOCUS, fileNameOf, hiddenText, type Look, runQuery, type SearchBody } from "./query.ts";

type HitBody = SearchBody["hits"][number];

const GROUPINGS = ["doc_id"] as const;
const INDENT = "    ";

export const search = defineCommand({
  purpose:
    "Searches by meaning (vectors) and by words (full text) at once, over all four planes, and prints the best Units with the passage that \
matched. Straight on a data directory it searches as the operator, who may read everything, or as a principal with --as; a server that holds the directory and runs with --demo is asked as the demo's reader. Quotes inside QUERY \
make a phrase; everything else is words.",
  operands: [{ name: "QUERY", help: "what to look for" }],
  flags: {
    ...FOCUS,
    mode: value("MODE", "by meaning and words, or by one of them", { default: "hybrid", choices: MODES }),
    "group-by": value("FIELD", "the best Unit of each document", { choices: GROUPINGS }),
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
  ],
  async run(context, flags, [q = ""]) {
    const more = {
      q,
      ...(flags.mode === undefined ? {} : { mode: oneOf("mode", flags.mode, MODES) }),
      ...(flags["group-by"] === undefined ? {} : { group_by: oneOf("group-by", flags["group-by"], GROUPINGS) }),
      ...(flags.facet.length === 0 ? {} : { facets: flags.facet }),
      ...(flags.explain ? { explain: true } : {}),
    };
    return runQuery(context, "search", flags, more, resultText);
  },
});

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
