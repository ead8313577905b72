import type { Static } from "@sinclair/typebox";
import { Fault } from "../base/fault.ts";
import { TOP_K_DEFAULT, TOP_K_MAX } from "../base/limits.ts";
import { PLANES } from "../domain/plane.ts";
import { MODES } from "../domain/query.ts";
import { parseQuery } from "../http/requests.ts";
import type { SearchResponse } from "../http/schemas.ts";
import { withBackend } from "./backend.ts";
import { defineCommand, EXIT, UsageError } from "./command.ts";
import { DEFAULT_NAMESPACE, JSON_OUTPUT, NAMESPACE_FLAG, namespaceOf, oneOf, SCOPE, scopeOf, TARGET, targetOf, wholeNumber } from "./flags.ts";
import { counted, json, locatorText, markedSnippet, printable } from "./format.ts";

export type SearchBody = Static<typeof SearchResponse>;
type HitBody = SearchBody["hits"][number];

const INDENT = "    ";

export const search = defineCommand({
  purpose:
    "Searches by meaning (vectors) and by words (full text) at once, over all four planes, and prints the best Units with the passage that \
matched. Straight on a data directory it searches as the operator, who may read everything, or as a principal with --as. Quotes inside QUERY \
make a phrase; everything else is words.",
  operands: [{ name: "QUERY", help: "what to look for" }],
  flags: {
    scope: { ...SCOPE, default: "the caller's active scope" },
    "top-k": {
      kind: "value",
      placeholder: "N",
      help: `hits at most, up to ${TOP_K_MAX}`,
      default: String(TOP_K_DEFAULT),
    },
    mode: {
      kind: "value",
      placeholder: "MODE",
      help: MODES.join(", "),
      default: "hybrid",
    },
    plane: {
      kind: "list",
      placeholder: "PLANE",
      help: `only this plane: ${PLANES.join(", ")}`,
    },
    filters: {
      kind: "value",
      placeholder: "JSON",
      help: 'filter, such as {"metadata.turbine": 7}',
    },
    "group-by": {
      kind: "value",
      placeholder: "doc_id",
      help: "the best Unit of each document",
    },
    explain: {
      kind: "switch",
      help: "say why each hit stands where it stands",
    },
    namespace: NAMESPACE_FLAG,
    as: {
      kind: "value",
      placeholder: "PRINCIPAL",
      help: "search as this principal of the data directory",
    },
    ...TARGET,
    ...JSON_OUTPUT,
  },
  examples: [
    {
      about: "what the demo's reader may find",
      call: 'strata search "why did turbine 7 stop?" --as demo-reader',
    },
    {
      about: "by words alone, as JSON, from a server",
      call: "strata search '\"grease line\"' --mode fulltext --json --url http://127.0.0.1:4700 --token $TOKEN",
    },
  ],
  async run(context, flags, [q = ""]) {
    const target = targetOf(flags, context.env);
    if (flags.as !== undefined && target.kind === "server")
      throw new UsageError("--as goes with a data directory; a server knows who asks by the token");
    const scope = scopeOf(flags.scope);
    const body = queryBody(q, flags);
    const named = flags.namespace === undefined ? null : namespaceOf(flags.namespace);
    const namespace = named ?? (target.kind === "data" ? DEFAULT_NAMESPACE : null);
    const options = { namespace, as: flags.as ?? null };
    const found = (await withBackend(context, target, options, (backend) => backend.call("search", { body, scope }))) as SearchBody;
    const { stdout, stderr } = context.io;
    stdout.write(flags.json ? json(found) : resultText(found, stdout.isTerminal));
    if (!flags.json) for (const warning of found.trace.warnings) stderr.write(`warning: ${warning}\n`);
    return EXIT.done;
  },
});

interface QueryFlags {
  "top-k": string | undefined;
  mode: string | undefined;
  plane: string[];
  filters: string | undefined;
  "group-by": string | undefined;
  explain: boolean;
}

/** The body of POST /v1/search. Errors: UsageError that names the flag, before anything is opened. */
function queryBody(q: string, flags: QueryFlags): Record<string, unknown> {
  const body = {
    q,
    top_k: wholeNumber("top-k", flags["top-k"], TOP_K_MAX, TOP_K_DEFAULT),
    ...(flags.mode === undefined ? {} : { mode: oneOf("mode", flags.mode, MODES) }),
    ...(flags.plane.length === 0 ? {} : { planes: flags.plane.map((plane) => oneOf("plane", plane, PLANES)) }),
    ...(flags.filters === undefined ? {} : { filters: filtersOf(flags.filters) }),
    ...(flags["group-by"] === undefined ? {} : { group_by: oneOf("group-by", flags["group-by"], ["doc_id"]) }),
    ...(flags.explain ? { explain: true } : {}),
  };
  try {
    // The widest tier: what a narrower one leaves out is a warning of the search itself.
    parseQuery(body, "enterprise");
  } catch (error) {
    throw error instanceof Fault ? new UsageError(error.message.replace(/^\/q: /, "QUERY ").replace(/^\/filters/, "--filters ")) : error;
  }
  return body;
}

function filtersOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--filters must be JSON, such as '{"modality": "asr"}'`);
  }
}

/** The hits as a person reads them, then how many the ACL hides. */
export function resultText(found: SearchBody, bold: boolean): string {
  const hits = found.hits.map((hit) => hitText(hit, bold)).join("\n");
  const { hidden_by_acl } = found;
  const hidden = `hidden_by_acl ${hidden_by_acl}${hidden_by_acl === 0 ? "" : ": of the best matches, that many are not for this caller"}`;
  const explained = found.hits.some((hit) => hit.explain !== undefined) ? traceText(found) : "";
  return `${hits === "" ? "no Unit found" : `${hits}\n${counted(found.hits.length, "hit")}`}\n${hidden}\n${explained}`;
}

function hitText(hit: HitBody, bold: boolean): string {
  const place = [hit.scope, hit.doc_id, hit.locator && locatorText(hit.locator)].filter((part) => part !== undefined).map(printable);
  const head = `${String(hit.rank).padStart(2)}  ${hit.score.toFixed(4)}  ${hit.modality}/${hit.plane}  ${place.join("  ")}`;
  const shown = hit.snippet === null || hit.text === undefined ? null : markedSnippet(hit.text, hit.snippet, hit.highlights, bold);
  const lines = [head, `${INDENT}${shown ?? printable(hit.source_uri ?? "")}`, ...(hit.explain ? explainLines(hit) : [])];
  return lines.map((line) => `${line}\n`).join("");
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
