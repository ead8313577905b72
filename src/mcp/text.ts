/** Results as an assistant reads them; the whole of each goes beside it as structured content. */
import type { Static } from "@sinclair/typebox";
import type { AnswerResult } from "../core/answer/answer.ts";
import type { listScopes } from "../core/scopes/list.ts";
import type { SearchResult } from "../core/search/search.ts";
import type { IngestResult } from "../core/units/ingest.ts";

type Found = Pick<Static<typeof SearchResult>, "hits" | "hidden_by_acl" | "trace">;
type Answered = Static<typeof AnswerResult>;
type Scopes = Awaited<ReturnType<(typeof listScopes)["run"]>>;

/** Where something stands: of a hit or a citation. */
interface Place {
  unit_id: string;
  scope: string;
  modality: string;
  doc_id?: string | null;
  path?: readonly string[];
  locator?: object | null;
}

function placeText({ unit_id, scope, modality, doc_id, path, locator }: Place): string {
  const parts = [unit_id, modality, scope, doc_id, path?.join(" > "), locator && JSON.stringify(locator)];
  return parts.filter((part) => typeof part === "string" && part !== "").join(" | ");
}

function notes({ hidden_by_acl, trace }: Pick<Found, "hidden_by_acl" | "trace">): string[] {
  const hidden = hidden_by_acl === 0 ? [] : [`Of the best matches, ${hidden_by_acl} are hidden from this caller.`];
  return [...hidden, ...trace.warnings.map((warning) => `Warning: ${warning}`)];
}

export function hitsText(found: Found): string {
  const hits = found.hits.map((hit) => `${hit.rank}. ${placeText(hit)}\n${hit.snippet ?? hit.source_uri ?? "(no text)"}`);
  return [...(hits.length === 0 ? ["No Unit was found."] : hits), ...notes(found)].join("\n\n");
}

export function answerText({ answer, ...found }: Answered): string {
  const { text, status, citations } = answer;
  const said = status === "abstained" ? "No answer: nothing that this caller may read answers the question well enough." : text;
  const cited = citations.map((citation) => `[${citation.marker}] ${placeText(citation)}\n"${citation.quote}"`);
  return [said, ...cited, ...notes(found)].join("\n\n");
}

export function unitText(unit: Place & { text?: string }): string {
  return [placeText(unit), unit.text ?? "(no text)"].join("\n\n");
}

export function scopesText({ scopes }: Scopes): string {
  return scopes.length === 0 ? "There is no scope that this caller may use." : scopes.map(({ scope }) => scope).join("\n");
}

export function ingestText({ ingested, created, updated, unchanged, units }: IngestResult): string {
  const ids = units.map(({ unit_id, status }) => `${unit_id} ${status}`);
  return [`${ingested} Units: ${created} created, ${updated} updated, ${unchanged} unchanged.`, ...ids].join("\n");
}
