/** What the service sends and takes, by the names of the OpenAPI document. */
import type { Schemas } from "../client/client.ts";

export type Plane = Schemas["Plane"];
export type Modality = Schemas["Modality"];
export type Perm = Schemas["Perm"];
export type Span = Schemas["Span"];
export type Locator = Schemas["Locator"];
export type Unit = Schemas["Unit"];
/** Of a search, or of a search by example. */
export type Hit = Schemas["Hit"] & Partial<Pick<Schemas["SimilarHit"], "near_duplicate">>;
export type Context = Schemas["Context"];
export type Trace = Schemas["Trace"];
/** Of a search, or of a search by example. */
export type SearchResult = Omit<Schemas["SearchResult"], "hits" | "answer"> & { hits: Hit[] };
export type Facet = NonNullable<SearchResult["facets"]>[string];
export type Answer = Schemas["Answer"];
export type Claim = Schemas["Claim"];
export type Citation = Schemas["Citation"];
export type Verdict = NonNullable<Claim["verdict"]>;
export type ScopeEntry = Schemas["Scope"];
export type MetadataValue = Schemas["Metadata"][string];

export const PLANES: readonly Plane[] = ["text", "visual", "audio", "doc_visual"];
export const MODALITIES: readonly Modality[] = [
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
];
