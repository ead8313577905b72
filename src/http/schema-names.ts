/** The schemas that have names in the OpenAPI document, and so in every client that is made of it. */
import type { TObject, TSchema } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import { assert } from "../base/fault.ts";
import { answer } from "../core/answer/answer.ts";
import { listAudit } from "../core/audit/list.ts";
import { verifyAudit } from "../core/audit/verify.ts";
import { seedDemo } from "../core/demo/seed-demo.ts";
import { acceptFile } from "../core/files/accept.ts";
import { FileFields } from "../core/files/facts.ts";
import { getFile } from "../core/files/get.ts";
import { reread } from "../core/files/reread.ts";
import { JobBody } from "../core/jobs/schema.ts";
import type { AnyOperation } from "../core/operation.ts";
import { Context, describe, ErrorBody, LOCATORS, Locator, Metadata, Modality, oneOf, Plane, Removed, UnitBody } from "../core/schema.ts";
import { listScopes } from "../core/scopes/list.ts";
import { Answer, found, HitBody } from "../core/search/query.ts";
import { search } from "../core/search/search.ts";
import { similar } from "../core/search/similar.ts";
import { closeSession } from "../core/sessions/close.ts";
import { openSession } from "../core/sessions/open.ts";
import { getHealth } from "../core/stats/health.ts";
import { catalogStats } from "../core/stats/stats.ts";
import { tokens } from "../core/tokens/list.ts";
import { TokenBody, TokenCreated, TokenEntry } from "../core/tokens/schema.ts";
import { ingest } from "../core/units/ingest.ts";
import { LineStatus } from "../core/units/ingest-lines.ts";
import { listUnits } from "../core/units/list.ts";
import { PERMS } from "../domain/principal.ts";
import { TIERS } from "../domain/tier.ts";
import type { NamedSchema } from "./components.ts";
import type { Route } from "./routes.ts";

/** A file as the body of a request. */
export const Bytes = Type.String({ format: "binary" });
export const FileForm = Type.Object({ file: describe(Bytes, "The file, with its name."), ...Type.Partial(FileFields).properties });

function inputOf({ name, input }: AnyOperation): TSchema {
  assert(input !== null, `${name} has an input`);
  return input;
}

function outputOf({ name, output }: AnyOperation): TSchema {
  assert(output !== null, `${name} has an output`);
  return output;
}

/** The schema of what a list holds that is a member of an object. */
function itemsOf(schema: TSchema, member: string): TSchema {
  const list = (schema as TObject).properties[member];
  assert(list?.items !== undefined, `${member} is a list`);
  return list.items as TSchema;
}

const QUESTION = "why did turbine 7 stop?";
const UNIT = {
  text: "Turbine 7 stopped at 04:12 after its main bearing overheated.",
  modality: "chunk",
  scope: "harbour/ops",
  doc_id: "report-7",
  path: ["Night report", "Turbines"],
  metadata: { shift: "night" },
};

/** By hand: what occurs in several places, and bodies whose names say more than that of their operation. */
export const SCHEMA_NAMES: Readonly<Record<string, NamedSchema>> = {
  Error: { schema: ErrorBody, description: "Body of every refusal: its code, what is wrong in words, and the HTTP status once more." },
  ErrorCode: { schema: ErrorBody.properties.error, description: "What a refusal is for programs." },
  Plane: { schema: Plane, description: "What of a source a Unit stands for, and is searched with: its text, what is seen, what is heard, a page." },
  Modality: { schema: Modality, description: "What a Unit was made of. Its plane follows from it, unless it is given." },
  Perm: { schema: oneOf(PERMS), description: "What a principal may do." },
  Tier: { schema: oneOf(TIERS), description: "What a namespace has subscribed to." },
  Locator: { schema: Locator, description: "The part of its source that a Unit is." },
  TimeRange: { schema: LOCATORS.time_range, description: "Milliseconds from the start of a sound or film." },
  BoundingBox: { schema: LOCATORS.bbox, description: "A box on a picture or page, as shares of its width and height from the top left." },
  CharSpan: { schema: LOCATORS.char_span, description: "UTF-16 code units of a text, from 0; the end is excluded." },
  LineRange: { schema: LOCATORS.line_range, description: "Lines of a text or log, from 1; the end is included." },
  Metadata: { schema: Metadata, description: "Facts about a Unit or file, for filters: a flat object." },

  Unit: { schema: UnitBody, description: "The smallest thing that is stored, searched and cited." },
  UnitPage: { schema: outputOf(listUnits), description: "A page of Units; `next_cursor` is the `cursor` of the next one, null behind the last." },
  UnitDraft: { schema: itemsOf(inputOf(ingest), "units"), description: "A Unit to store. It has a text, a source or both." },
  IngestRequest: { schema: inputOf(ingest), description: "A batch of Units, stored whole or not at all.", examples: [{ units: [UNIT] }] },
  IngestResult: { schema: outputOf(ingest), description: "What became of each Unit of a batch that is durable and searchable." },
  IngestedUnit: { schema: itemsOf(outputOf(ingest), "units"), description: "What became of one Unit of a batch." },
  LineStatus: { schema: LineStatus, description: "What became of one line of a stream of Units: its Unit, or why it was refused." },
  Removed: { schema: Removed, description: "How many were removed." },

  Context: { schema: Context, description: "Who asks, and what for: principal, scopes and permissions as they were resolved." },
  Principal: { schema: Context.properties.principal, description: "Who a token or session stands for." },
  Scope: { schema: itemsOf(outputOf(listScopes), "scopes"), description: "A registered scope: a partition of a namespace, named by a path." },
  ScopeList: { schema: outputOf(listScopes), description: "Registered scopes that the caller may use." },

  SearchQuery: { schema: inputOf(search), description: "What is looked for.", examples: [{ q: QUESTION, top_k: 5 }] },
  AnswerQuery: { schema: inputOf(answer), description: "A query that wants an answer.", examples: [{ q: QUESTION, answer: true }] },
  SimilarQuery: { schema: inputOf(similar), description: "A Unit to compare with, and which Units to compare." },
  SearchResult: { schema: outputOf(search), description: "Hits, best first; an answer, if the query wants one and the tier has it." },
  AnswerResult: { schema: outputOf(answer), description: "An answer, with the hits that it was looked for in." },
  SimilarResult: { schema: outputOf(similar), description: "The most similar Units, best first." },
  Hit: { schema: HitBody, description: "A Unit with its place among what was found." },
  SimilarHit: { schema: itemsOf(outputOf(similar), "hits"), description: "A Unit with its likeness to the example." },
  Scores: { schema: HitBody.properties.scores, description: "What the score of a hit is made of." },
  LegScore: {
    schema: itemsOf(HitBody.properties.scores, "legs"),
    description: "The place of a Unit in one leg. `raw` is null where it is withheld.",
  },
  Explanation: { schema: HitBody.properties.explain, description: "What the rank of a hit comes from; only where the query asks for it." },
  Span: { schema: HitBody.properties.highlights.items, description: "A part of a text, as offsets in UTF-16 code units; the end is excluded." },
  ScoredSpan: { schema: HitBody.properties.evidence.items, description: "A part of a text with its relevance to the query, 0-1." },
  Answer: { schema: Answer, description: "Sentences of Units, each with its source and how sure it is." },
  AnswerStatus: { schema: Answer.properties.status, description: "`abstained`: nothing that the caller may read answers the question." },
  Claim: {
    schema: Answer.properties.claims.items,
    description:
      "A statement of the answer's text. `score`: probability that what is cited supports it, null where no verifier reads the language; `answers`: probability that it answers the question.",
  },
  Citation: {
    schema: Answer.properties.citations.items,
    description: "Where a claim stands: the quote with its neighbours, and in it, marked, what answers. All offsets count in the Unit's text.",
  },
  Trace: { schema: found.trace, description: "How the query was worked on, with times in milliseconds and what was left out." },

  File: { schema: outputOf(getFile), description: "A stored file." },
  FileUpload: { schema: FileForm, description: "A file as a form, with what is said of its Units." },
  FileAccepted: { schema: outputOf(acceptFile), description: "A file that is durable, and the job that reads it." },
  Job: { schema: JobBody, description: "Reading one file. `progress` is 0-1." },
  RereadRequest: { schema: inputOf(reread), description: "Which stored files to read again." },
  RereadResult: { schema: outputOf(reread), description: "Files that are read again, and those that are not and why." },

  AuditRow: {
    schema: itemsOf(outputOf(listAudit), "rows"),
    description: "A row of the audit chain. Who did what to what is null for a reader who may not know it; the hashes are for everybody.",
  },
  AuditPage: {
    schema: outputOf(listAudit),
    description: "Rows, newest first; `next_cursor` is the `cursor` of the next page, null behind the last.",
  },
  AuditReport: { schema: outputOf(verifyAudit), description: "Whether the chain is intact; if not, the first row that breaks it, and why." },

  Health: { schema: outputOf(getHealth), description: "State of the service." },
  CatalogStats: { schema: outputOf(catalogStats), description: "Counts over what the caller may read, per plane." },
  PlaneStats: {
    schema: itemsOf(outputOf(catalogStats), "planes"),
    description: "One plane: its model, its vectors, and how many of them are indexed.",
  },
  SeedResult: { schema: outputOf(seedDemo), description: "What the demo has: namespaces, principals, scopes, tokens and counts." },

  SessionRequest: { schema: inputOf(openSession), description: "The API token to exchange for a session cookie." },
  Session: { schema: outputOf(openSession), description: "Whom the session cookie stands for, and until when." },
  SessionEnded: { schema: outputOf(closeSession), description: "Whether there was a session to end." },
  TokenRequest: {
    schema: TokenBody,
    description: "A token to make, with its principal where that is new.",
    examples: [{ name: "importer", principal_id: "importer", perms: ["read", "write"], scopes: ["harbour"] }],
  },
  TokenCreated: { schema: TokenCreated, description: "A new token, with its secret this once." },
  Token: { schema: TokenEntry, description: "A token without its secret." },
  TokenList: { schema: outputOf(tokens), description: "Tokens, live and revoked, without their secrets." },
};

/** Those by hand, and after its operation every other body. */
export function schemaNames(routes: readonly Route[]): Record<string, NamedSchema> {
  const known = new Set(Object.values(SCHEMA_NAMES).map(({ schema }) => JSON.stringify(schema)));
  const bodies = routes.flatMap(({ operation: { name, summary, input, output }, jsonMaxBytes }): [string, TSchema | null, string][] => {
    const words = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return [
      [`${words}Request`, jsonMaxBytes === undefined ? null : input, summary],
      [`${words}Result`, output, summary],
    ];
  });
  const named = bodies.flatMap(([name, schema, description]): [string, NamedSchema][] => {
    const shape = JSON.stringify(schema);
    if (schema === null || known.has(shape)) return [];
    known.add(shape);
    return [[name, { schema, description }]];
  });
  return { ...SCHEMA_NAMES, ...Object.fromEntries(named) };
}
