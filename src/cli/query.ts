/** What search and answer share: the flags that say what is looked for and as whom, the body, the call, and how the result is shown. */
import type { Static } from "@sinclair/typebox";
import { Fault } from "../base/fault.ts";
import { TOP_K_DEFAULT, TOP_K_MAX } from "../base/limits.ts";
import { PLANES } from "../domain/plane.ts";
import type { AnswerResult } from "../core/answer/answer.ts";
import { type ParsedQuery, parseAnswerQuery, parseQuery } from "../core/search/query.ts";
import type { SearchResult } from "../core/search/search.ts";
import type { Namespace } from "../domain/principal.ts";
import { type Colours, coloursOf } from "./colours.ts";
import { withBackend } from "./open-backend.ts";
import { type Context, EXIT, type ExitStatus, type FlagTable, type FlagValues, type Output, UsageError, list, value } from "./command.ts";
import { DEFAULT_NAMESPACE, JSON_OUTPUT, NAMESPACE_FLAG, namespaceOf, oneOf, SCOPE, scopeOf, TARGET, targetOf, wholeNumber } from "./flags.ts";
import { json, printable } from "./format.ts";

export type SearchBody = Static<typeof SearchResult>;
export type AnswerBody = Static<typeof AnswerResult>;

/** What is looked through. */
export const FOCUS = {
  scope: { ...SCOPE, default: "the caller's active scope" },
  "top-k": value("N", `Units at most, up to ${TOP_K_MAX}`, { default: String(TOP_K_DEFAULT) }),
  plane: list("PLANE", "only this plane", { choices: PLANES }),
  filters: value("JSON", 'only Units with these fields, such as {"metadata.turbine": 7}; docs/search.md has all of it'),
} as const satisfies FlagTable;

/** Who asks, and where. */
export const ASKER = {
  namespace: NAMESPACE_FLAG,
  as: value("PRINCIPAL", "ask as this principal of the data directory"),
  ...TARGET,
  ...JSON_OUTPUT,
} as const satisfies FlagTable;

type QueryFlags = FlagValues<typeof FOCUS & typeof ASKER>;

/** The routes that take a query, and what they answer with. */
interface QueryRoutes {
  search: SearchBody;
  answer: AnswerBody;
}

/** The check before anything is opened is of the query's form: what a tier or a language leaves out is said later. */
const ANYWHERE: Namespace = { namespace: "any", tier: "enterprise" };

/** How a result is shown. */
export interface Look extends Pick<Output, "columns"> {
  colours: Colours;
}

/** Members of the body whose flag is called otherwise. */
const FLAG_OF: Readonly<Record<string, string>> = { planes: "plane", facets: "facet", weights: "weight" };

/** How a query is checked before anything is opened, and what its words are called. */
const CHECKS: Record<keyof QueryRoutes, { operand: string; parse: (body: unknown, namespace: Namespace) => ParsedQuery }> = {
  search: { operand: "QUERY", parse: parseQuery },
  answer: { operand: "QUESTION", parse: parseAnswerQuery },
};

/**
 * Sends a query and prints what comes back: JSON on request, else as `textOf` tells it for stdout, with the
 * warnings on stderr. `more` goes into the body beside what the flags say. Errors: UsageError that names the
 * flag, before anything is opened; those of withBackend.
 */
export async function runQuery<R extends keyof QueryRoutes>(
  context: Context,
  route: R,
  flags: QueryFlags,
  more: { q: string } & Record<string, unknown>,
  textOf: (found: QueryRoutes[R], look: Look) => string,
): Promise<ExitStatus> {
  const target = targetOf(flags, context.env);
  if (flags.as !== undefined && target.kind === "server")
    throw new UsageError("--as goes with a data directory; a server knows who asks by the token");
  const request = { scope: scopeOf(flags.scope), input: queryBody(route, flags, more) };
  const named = flags.namespace === undefined ? null : namespaceOf(flags.namespace);
  const namespace = named ?? (target.kind === "data" ? DEFAULT_NAMESPACE : null);
  const options = { namespace, as: flags.as ?? null, demoReader: true };
  const found = (await withBackend(context, target, options, (backend) => backend.call(route, request))) as QueryRoutes[R];
  const { stdout, stderr } = context.io;
  const look = { ...stdout, colours: coloursOf(stdout, context.env) };
  stdout.write(flags.json ? json(found) : textOf(found, look));
  const { doubtful } = coloursOf(stderr, context.env);
  if (!flags.json) for (const warning of found.trace.warnings) stderr.write(`${doubtful("warning:")} ${printable(warning)}\n`);
  return EXIT.done;
}

function queryBody(route: keyof QueryRoutes, flags: QueryFlags, more: Record<string, unknown>): Record<string, unknown> {
  const body = {
    ...more,
    top_k: wholeNumber("top-k", flags["top-k"], TOP_K_MAX, TOP_K_DEFAULT),
    ...(flags.plane.length === 0 ? {} : { planes: flags.plane.map((plane) => oneOf("plane", plane, PLANES)) }),
    ...(flags.filters === undefined ? {} : { filters: filtersOf(flags.filters) }),
  };
  const { operand, parse } = CHECKS[route];
  try {
    // The widest tier: what a narrower one leaves out is a warning of the route itself.
    parse(body, ANYWHERE);
  } catch (error) {
    throw error instanceof Fault ? new UsageError(flagged(error.message, operand, body)) : error;
  }
  return body;
}

/** A message about a member of the body, with the flag in place of its JSON pointer: `/facets/0: …` is about `--facet FIELD`. */
function flagged(message: string, operand: string, body: Readonly<Record<string, unknown>>): string {
  const [, member = "", rest = "", detail = ""] = /^\/(\w+)(\/[^:]*)?: (.*)$/s.exec(message) ?? [];
  if (member === "") return message;
  if (member === "q") return `${operand} ${detail}`;
  if (member === "filters") return `--filters ${rest}${rest === "" ? "" : ": "}${detail}`;
  const list = body[member];
  const place = rest.slice(1);
  const given = place === "" ? "" : ` ${Array.isArray(list) ? list[Number(place)] : place}`;
  return `--${(FLAG_OF[member] ?? member).replaceAll("_", "-")}${given} ${detail}`;
}

function filtersOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--filters must be JSON, such as '{"modality": "asr"}'`);
  }
}

/** How many of the best matches the ACL hides, as a line. */
export function hiddenText(hidden: number): string {
  return `hidden_by_acl ${hidden}${hidden === 0 ? "" : ": of the best matches, that many are not for this caller"}\n`;
}

/** The name of the file that a Unit was made of. */
export function fileNameOf({ metadata }: Pick<SearchBody["hits"][number], "metadata">): string | undefined {
  return typeof metadata?.file_name === "string" ? metadata.file_name : undefined;
}
