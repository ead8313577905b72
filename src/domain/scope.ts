import { SCOPE_MAX_SEGMENTS, SCOPE_SEGMENT_MAX_CHARS } from "../base/limits.ts";
import type { Plane } from "./plane.ts";

/** As a requested or active scope: every scope that the principal may use. As a grant: every scope. */
export const ALL_SCOPES = "*";

/** A row of the scope registry, as `GET /v1/scopes` shows it. `created_at` in ms. */
export interface ScopeEntry {
  scope: string;
  namespace: string;
  parent: string | null;
  planes: Plane[];
  read_only_agents: boolean;
  created_at: number;
}

/** The scope of Units whose caller names none and has the active scope `*`. */
export const DEFAULT_SCOPE = "default";

const SEGMENT = new RegExp(`^[A-Za-z0-9._-]{1,${SCOPE_SEGMENT_MAX_CHARS}}$`);
export const SCOPE_RULE = `1-${SCOPE_MAX_SEGMENTS} segments of letters, digits, ".", "_" or "-" (at most ${SCOPE_SEGMENT_MAX_CHARS} each, none "." or ".."), joined by "/"`;

/** True for a well-formed path. `.` and `..` are no segments, since file systems and URLs resolve them. */
export function isScopePath(path: string): boolean {
  const segments = path.split("/");
  return segments.length <= SCOPE_MAX_SEGMENTS && segments.every((segment) => SEGMENT.test(segment) && segment !== "." && segment !== "..");
}

/** True when a grant on `grant` covers `path`: the path itself or anything below it. */
export function covers(grant: string, path: string): boolean {
  return grant === ALL_SCOPES || path === grant || path.startsWith(`${grant}/`);
}

export function parentScope(path: string): string | null {
  const cut = path.lastIndexOf("/");
  return cut < 0 ? null : path.slice(0, cut);
}

/** The path and its ancestors, the shortest first. */
export function lineage(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}
