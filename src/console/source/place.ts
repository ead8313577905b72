/** Where a Unit comes from, in words and as what can be asked for. */
import { clock, count } from "../format.ts";
import type { IconName } from "../ui/index.ts";
import type { Citation, Locator, Modality, Span, Unit } from "../types.ts";

/** What hits, citations and Units have in common. */
export type Sourced = Pick<Unit, "unit_id" | "modality" | "plane" | "scope"> & {
  doc_id?: string | null;
  source_uri?: string | null;
  locator?: Locator | null;
  path?: string[];
  mime?: string;
  metadata?: Unit["metadata"];
};

const FILE_URI = /^strata:\/\/files\/(f_[a-z0-9]+)$/;

/** The file that a Unit was read from; null for one that was ingested without a file. */
export function fileOf({ source_uri }: { source_uri?: string | null | undefined }): string | null {
  return FILE_URI.exec(source_uri ?? "")?.[1] ?? null;
}

/** What the source is called: its file's name, its document's id, or the end of where it came from. */
export function nameOf({ metadata, doc_id, source_uri, unit_id }: Sourced): string {
  const file = metadata?.file_name;
  if (typeof file === "string") return file;
  const uri = fileOf({ source_uri }) === null ? source_uri : null;
  return doc_id ?? uri?.split("/").at(-1) ?? unit_id;
}

/** Page of a document, from 1; null where there is none. */
export function pageOf({ locator, metadata }: Sourced): number | null {
  if (locator?.kind === "bbox" && locator.page !== undefined) return locator.page;
  return typeof metadata?.page === "number" ? metadata.page : null;
}

/** Where in the source: `page 4`, `0:12–0:18`, `lines 36–46`; null when the Unit is all of it, or is a passage of a text. */
export function placeIn(sourced: Sourced): string | null {
  const { locator } = sourced;
  if (locator?.kind === "time_range") return `${clock(locator.t_start_ms)}–${clock(locator.t_end_ms)}`;
  if (locator?.kind === "line_range") {
    const { start, end } = locator;
    return start === end ? `line ${count(start)}` : `lines ${count(start)}–${count(end)}`;
  }
  const page = pageOf(sourced);
  return page === null ? null : `page ${page}`;
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The part of its picture that a Unit is, each side 0-1 of the whole; null when it is all of it. Of a video's frame it stands in the metadata. */
export function boxOf({ locator, metadata }: Sourced): Box | null {
  const from = locator?.kind === "bbox" ? locator : metadata;
  const { x, y, w, h } = (from ?? {}) as Record<string, unknown>;
  if (typeof x !== "number" || typeof y !== "number" || typeof w !== "number" || typeof h !== "number") return null;
  return w >= 1 && h >= 1 ? null : { x, y, w, h };
}

/** How a source is shown. */
export type Kind = "picture" | "page" | "sound" | "video" | "log" | "text";

const KIND_OF_MODALITY: Partial<Record<Modality, Kind>> = {
  image: "picture",
  image_region: "picture",
  detection: "picture",
  caption: "picture",
  ocr: "picture",
  doc_page: "page",
  asr: "sound",
  audio_utterance: "sound",
  video_shot: "video",
  log_template: "log",
};

export function kindOf({ mime = "", modality, metadata }: Sourced): Kind {
  if (mime.startsWith("video/")) return "video";
  if (mime.startsWith("audio/")) return "sound";
  if (metadata?.text_source === "log") return "log";
  if (mime === "application/pdf") return modality === "chunk" ? "text" : "page";
  if (mime.startsWith("image/")) return "picture";
  return KIND_OF_MODALITY[modality] ?? "text";
}

export const KIND_ICONS: Record<Kind, IconName> = { picture: "image", page: "page", sound: "sound", video: "video", log: "log", text: "text" };

/** True when the service can show a picture of the Unit. */
export function hasPicture(sourced: Sourced): boolean {
  if (fileOf(sourced) === null) return false;
  const kind = kindOf(sourced);
  return kind === "picture" || kind === "page" || kind === "video" || sourced.mime === "application/pdf";
}

/** The words of a citation that answer, as a span of its Unit's text. */
export function markOf({ mark_start, mark_end }: Citation): Span {
  return { start: mark_start, end: mark_end };
}
