/** Calls that keep house: files and their jobs, Units, scopes, the audit chain, the state of the service, tokens. Errors: as `request`. */
import { call, type Query, signalled } from "./api.ts";
import type { Context, MetadataValue, Perm, Plane, Unit } from "./types.ts";

const part = encodeURIComponent;
/** All that the principal may use: for things that are asked for by their id. */
const ANYWHERE = "*";

export const JOB_STATES = ["queued", "running", "done", "failed"] as const;

export interface Job {
  id: string;
  file_id: string;
  state: (typeof JOB_STATES)[number];
  stage: string;
  /** 0-1. */
  progress: number;
  counts: { units: number; created: number };
  /** What was left out and why. */
  notes: string[];
  error: { error: string; detail: string } | null;
}

/** A file that was taken in. */
export interface Accepted {
  file_id: string;
  job: Job;
}

export interface StoredFile {
  file_id: string;
  doc_id: string;
  name: string;
  kind: string;
  mime: string;
  bytes: number;
  scope: string;
  acl_owner: string;
  acl_groups: string[];
  metadata?: Record<string, MetadataValue>;
  unit_count: number;
  job: Job | null;
  created_at: number;
}

export interface FilesPage {
  files: StoredFile[];
  next_cursor: number | null;
}

export interface UnitsPage {
  units: Unit[];
  hidden_by_acl: number;
  context: Context;
  next_cursor: number | null;
}

export interface AuditRow {
  seq: number;
  ts: number;
  /** Null where the caller may not know who did what to what. */
  principal_id: string | null;
  action: string;
  outcome: "ok" | "denied" | "error";
  scope: string | null;
  target: string | null;
  detail: Record<string, string | number | boolean | null> | null;
  prev_hash: string;
  row_hash: string;
}

export interface AuditPage {
  rows: AuditRow[];
  next_cursor: number | null;
}

export interface VerificationReport {
  namespace: string;
  intact: boolean;
  checked: number;
  head_seq: number;
  head_hash: string;
  break_at: number | null;
  reason: string | null;
}

export interface Health {
  status: "ok" | "degraded" | "down";
  version: string;
  time: string;
  bindings: { catalog: string; vector_index: string[]; object_store: string; key_value: string; inference: boolean };
}

interface Vectors {
  model: string;
  dims: number;
  metric: string;
  vectors: number;
}

export interface PlaneStats extends Vectors {
  plane: Plane;
  indexed: number;
  lag: number;
  /** Units that an index cannot take. */
  quarantined?: number;
  /** What is seen or heard, beside the text. */
  content?: Vectors;
  health: "green" | "yellow" | "red";
}

export interface CatalogStats {
  namespace: string;
  language?: string;
  scope: string;
  planes: PlaneStats[];
  queries_per_day: number;
  storage: { object_store_gb: number; catalog_rows: number; vectors: number };
}

export interface Model {
  name: string;
  task: string;
  dims: number | null;
  licence: string;
  bytes: number;
  included: boolean;
}

export interface Token {
  id: string;
  name: string;
  principal_id: string;
  perms: Perm[];
  scopes: string[];
  groups: string[];
  read_only: boolean;
  created_at: number;
  seeded: boolean;
  revoked_at: number | null;
}

/** A token to make; what a principal has that exists already is left out. */
export interface NewToken {
  name: string;
  principal_id: string;
  perms?: Perm[];
  scopes?: string[];
  groups?: string[];
  read_only?: boolean;
}

export const operations = {
  files: (query: Query, signal?: AbortSignal) => call<FilesPage>("GET", "/v1/files", { query, ...signalled(signal) }),
  /** With the ids of its Units that the caller may read. */
  file: (id: string, signal?: AbortSignal) =>
    call<{ name: string; units: string[] }>("GET", `/v1/files/${part(id)}`, { scope: ANYWHERE, ...signalled(signal) }),
  removeFile: (id: string) => call<{ removed: number }>("DELETE", `/v1/files/${part(id)}`, { scope: ANYWHERE }),
  job: (id: string) => call<Job>("GET", `/v1/jobs/${part(id)}`, { scope: ANYWHERE }),
  units: (query: Query, signal?: AbortSignal) => call<UnitsPage>("GET", "/v1/units", { query, ...signalled(signal) }),
  removeUnit: (id: string) => call<{ removed: number }>("DELETE", `/v1/units/${part(id)}`, { scope: ANYWHERE }),
  /** Slashes of the path stand as they are. */
  removeScope: (path: string) => call<{ removed: number }>("DELETE", `/v1/scopes/${path.split("/").map(part).join("/")}`),
  audit: (cursor: number, signal?: AbortSignal) => call<AuditPage>("GET", "/v1/audit", { query: { limit: 50, cursor }, ...signalled(signal) }),
  verify: (signal?: AbortSignal) => call<VerificationReport>("GET", "/v1/audit/verify", signalled(signal)),
  health: (signal?: AbortSignal) => call<Health>("GET", "/v1/health", signalled(signal)),
  stats: (signal?: AbortSignal) => call<CatalogStats>("GET", "/v1/catalog/stats", signalled(signal)),
  models: (signal?: AbortSignal) => call<{ models: Model[] }>("GET", "/v1/models", signalled(signal)),
  tokens: (signal?: AbortSignal) => call<{ tokens: Token[] }>("GET", "/v1/admin/tokens", signalled(signal)),
  createToken: (json: NewToken) => call<Token & { token: string }>("POST", "/v1/admin/tokens", { json }),
  revokeToken: (id: string) => call<Token>("DELETE", `/v1/admin/tokens/${part(id)}`),
};
