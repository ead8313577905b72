import { base32, canonicalJson, sha256 } from "../base/hash.ts";
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

/** A Unit as it is shown: members without a value are left out. */
export function shownUnit(unit: Unit): Record<string, unknown> {
  const { uid: _uid, version: _version, classId: _classId, ...shown } = unit;
  const kept = Object.entries(shown).filter(([name, value]) => value !== null || name === "content_sha256");
  return Object.fromEntries(kept);
}
