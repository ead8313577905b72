/** What the service sends, as far as the console shows it. */

export const PLANES = ["text", "visual", "audio", "doc_visual"] as const;
export type Plane = (typeof PLANES)[number];
export const MODALITIES = [
  "text",
  "chunk",
  "caption",
  "ocr",
  "asr",
  "image",
  "image_region",
  "doc_page",
  "video_shot",
  "audio_utterance",
  "log_template",
  "detection",
] as const;
export type Modality = (typeof MODALITIES)[number];
export type Perm = "read" | "write" | "admin";

export interface Span {
  start: number;
  end: number;
}

export type Locator =
  | { kind: "time_range"; t_start_ms: number; t_end_ms: number }
  | { kind: "bbox"; page?: number; x: number; y: number; w: number; h: number }
  | { kind: "char_span"; start: number; end: number }
  | { kind: "line_range"; start: number; end: number };

export type MetadataValue = string | number | boolean | string[];

export interface Unit {
  unit_id: string;
  text?: string;
  modality: Modality;
  plane: Plane;
  namespace: string;
  scope: string;
  source_uri?: string;
  mime?: string;
  locator?: Locator;
  doc_id?: string;
  path?: string[];
  acl_owner: string;
  acl_groups: string[];
  metadata?: Record<string, MetadataValue>;
  content_sha256: string | null;
  created_at: number;
  updated_at: number;
}

export interface Hit extends Unit {
  rank: number;
  score: number;
  scores: { fused: number; rerank: number | null; legs: { leg: string; rank: number; raw: number | null }[] };
  snippet: string | null;
  highlights: Span[];
  evidence?: (Span & { score: number })[];
  explain?: { fusion: { leg: string; rank: number; contribution: number }[]; window: Span | null; terms: string[] };
  near_duplicate?: boolean;
}

export interface Context {
  principal: { principal_id: string; namespace: string; read_only: boolean; groups: string[] };
  active_scope: string;
  requested_scope: string;
  effective_scopes: string[];
  allowed_scopes: string[];
  perms: Perm[];
  folders_visible: number;
  folders_total: number;
}

export interface TraceRound {
  round: number;
  queries: string[];
  candidates: number;
  scored: number;
  best: number | null;
  ms: number;
  outcome: string;
}

export interface Trace {
  total_ms: number;
  stages: { name: string; ms: number; in: number; out: number }[];
  fusion: { method: string; k: number };
  planes: Plane[];
  warnings: string[];
  rounds?: TraceRound[];
}

export interface Facet {
  values: { value: string | number | boolean; count: number }[];
  exact: boolean;
}

export interface SearchResult {
  hits: Hit[];
  answer: Answer | null;
  hidden_by_acl: number;
  trace: Trace;
  context: Context;
  facets?: Record<string, Facet>;
}

export type Verdict = "entailed" | "neutral" | "contradicted";

export interface Claim extends Span {
  verdict: Verdict | null;
  score: number | null;
  answers: number;
  citations: number[];
}

export interface Citation {
  marker: number;
  unit_id: string;
  doc_id: string | null;
  path?: string[];
  scope: string;
  modality: Modality;
  plane: Plane;
  source_uri: string | null;
  locator: Locator | null;
  quote: string;
  quote_start: number;
  quote_end: number;
  mark_start: number;
  mark_end: number;
}

export interface Answer {
  text: string;
  status: "answered" | "partial" | "abstained";
  nli_faithfulness: number | null;
  claims: Claim[];
  citations: Citation[];
  iterations: number;
  model: string;
}

export interface ScopeEntry {
  scope: string;
  namespace: string;
  parent: string | null;
  planes: Plane[];
  read_only_agents: boolean;
  created_at: number;
}
