import { SCOPE_MAX_SEGMENTS, SCOPE_SEGMENT_MAX_CHARS } from "../base/limits.ts";
import type { Plane } from "./plane.ts";

/** All scopes that a principal may use; never wider than its grants. */
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

const PATH = new RegExp(`^[A-Za-z0-9._-]{1,${SCOPE_SEGMENT_MAX_CHARS}}(/[A-Za-z0-9._-]{1,${SCOPE_SEGMENT_MAX_CHARS}}){0,${SCOPE_MAX_SEGMENTS - 1}}$`);
export const SCOPE_RULE = `1-${SCOPE_MAX_SEGMENTS} segments of letters, digits, ".", "_" or "-" (at most ${SCOPE_SEGMENT_MAX_CHARS} each), joined by "/"`;

export function isScopePath(path: string): boolean {
  return PATH.test(path);
}

/** True when a grant on `grant` covers `path`: the path itself or anything below it. */
export function covers(grant: string, path: string): boolean {
  return grant === ALL_SCOPES || path === grant || path.startsWith(`${grant}/`);
}

export function parentScope(path: string): string | null {
  const cut = path.lastIndexOf("/");
  return cut < 0 ? null : path.slice(0, cut);
}

/** The path and its ancestors, from the root down. */
export function lineage(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}
