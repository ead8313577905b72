/** The four retrieval planes and the twelve modalities, with the plane each modality defaults to. */
export const PLANES = ["text", "visual", "audio", "doc_visual"] as const;
export type Plane = (typeof PLANES)[number];

const DEFAULT_PLANE = {
  text: "text",
  chunk: "text",
  caption: "text",
  ocr: "doc_visual",
  asr: "audio",
  image: "visual",
  image_region: "visual",
  doc_page: "doc_visual",
  video_shot: "visual",
  audio_utterance: "audio",
  log_template: "text",
  detection: "visual",
} as const satisfies Record<string, Plane>;

export type Modality = keyof typeof DEFAULT_PLANE;
export const MODALITIES = Object.keys(DEFAULT_PLANE) as Modality[];

export function defaultPlane(modality: Modality): Plane {
  return DEFAULT_PLANE[modality];
}
