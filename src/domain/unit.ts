import { base32, canonicalJson, sha256, sha256Hex } from "../base/hash.ts";
import { PATH_READ_MAX_CHARS } from "../base/limits.ts";
import type { Locator } from "./locator.ts";
import type { Modality, Plane } from "./plane.ts";

export type MetadataValue = string | number | boolean | string[];
export type Metadata = Record<string, MetadataValue>;

/** What makes a Unit itself: the members that `unit_id` is the hash of. Absent members are null. */
export interface UnitIdentity {
  namespace: string;
  scope: string;
  acl_owner: string;
  doc_id: string | null;
  /** Where it stands in its document, outermost first: title, headings, defined term, table caption. Null without one, never empty. */
  path: string[] | null;
  source_uri: string | null;
  locator: Locator | null;
  modality: Modality;
  plane: Plane;
  text: string | null;
}

/** A Unit ready to be stored: every default resolved, every member checked. */
export interface UnitDraft extends UnitIdentity {
  unit_id: string;
  acl_groups: string[];
  mime: string | null;
  metadata: Metadata | null;
}

/** A stored Unit. Times in ms since the epoch; `content_sha256` is the hash of its text, null without one. */
export interface Unit extends UnitDraft {
  /** The engines' key: a small integer of this namespace, never shown. */
  uid: number;
  /** Counts the updates; an engine row of another version is stale. */
  version: number;
  /** The access class: Units with the same scope, owner and groups share one. */
  classId: number;
  content_sha256: string | null;
  /** The key of its vectors (`vectorsKey`): the hash of what was embedded, path included, or `givenKey`; never shown. Null when nothing is embedded (`embeddedText`). */
  embeddedSha256: string | null;
  /** In how many windows its text was embedded; never shown. */
  windows: number;
  created_at: number;
  updated_at: number;
}

/**
 * `u_` and the base32 of the first 20 bytes of SHA-256 over the canonical JSON (RFC 8785) of the
 * identity, absent members as null; but `path` is a member only of a Unit that has one.
 */
export function unitId(identity: UnitIdentity): string {
  const { namespace, scope, acl_owner, doc_id, path, source_uri, locator, modality, plane, text } = identity;
  const members = { namespace, scope, acl_owner, doc_id, source_uri, locator, modality, plane, text };
  const canonical = canonicalJson(path === null ? members : { ...members, path });
  return `u_${base32(sha256(canonical).subarray(0, 20))}`;
}

const PATH_SEPARATOR = " > ";

/**
 * A text as models read it: behind its path, which is joined by " > " and ends with a line end. Of a path of more than
 * PATH_READ_MAX_CHARS its innermost parts are read; of a single part that is longer, its beginning.
 */
export function readText(path: readonly string[] | null, text: string): string {
  let read = (path ?? []).join(PATH_SEPARATOR);
  while (read.length > PATH_READ_MAX_CHARS && read.includes(PATH_SEPARATOR)) {
    read = read.slice(read.indexOf(PATH_SEPARATOR) + PATH_SEPARATOR.length);
  }
  return read === "" ? text : `${read.slice(0, PATH_READ_MAX_CHARS).toWellFormed()}\n${text}`;
}

/** The `text_source` of lines of a log. */
export const LOG_LINES = "log";

type Embedded = Pick<UnitDraft, "text" | "modality"> & { path: readonly string[] | null; metadata: Readonly<Metadata> | null };

/**
 * What is embedded of a Unit: its text with its path. Null without a text, and for what repeats other Units of its file,
 * which would take a second place beside them: a page, whose chunks have its text (`metadata.text_source` says where
 * reading it found the text), and lines of a log, whose templates say what they are about. Both are found by their words.
 */
export function embeddedText({ path, text, modality, metadata }: Embedded): string | null {
  const source = metadata?.text_source;
  const repeats = (modality === "doc_page" && source !== undefined) || (modality === "chunk" && source === LOG_LINES);
  return text === null || repeats ? null : readText(path, text);
}

/** The key of the vectors of a Unit: the SHA-256 of what is embedded; null when nothing is. That of a text without a path is its `content_sha256`. */
export function embeddedSha256(unit: Embedded): string | null {
  const text = embeddedText(unit);
  return text === null ? null : sha256Hex(text);
}

const GIVEN = "given:";

/** The key of a vector that came with its Unit. It is that of no text, so no other Unit is ever given this vector. */
export function givenKey(unit_id: string): string {
  return `${GIVEN}${unit_id}`;
}

/** True for a key that `givenKey` made. */
export function isGiven(key: string | null): boolean {
  return key?.startsWith(GIVEN) ?? false;
}

/** The key under which the vectors of a draft lie among `windows`: its own if it came with one, else that of what is embedded of it. */
export function vectorsKey(draft: Embedded & Pick<UnitDraft, "unit_id">, windows: ReadonlyMap<string, unknown>): string | null {
  const given = givenKey(draft.unit_id);
  return windows.has(given) ? given : embeddedSha256(draft);
}

/** A Unit as it is shown: members without a value are left out. */
export function shownUnit(unit: Unit): Record<string, unknown> {
  const { uid: _uid, version: _version, classId: _classId, embeddedSha256: _embedded, windows: _windows, ...shown } = unit;
  const kept = Object.entries(shown).filter(([name, value]) => value !== null || name === "content_sha256");
  return Object.fromEntries(kept);
}
