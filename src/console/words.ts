/** The service's names for things as people say them. */
import type { Modality, Perm, Plane } from "./types.ts";

export const PLANE_WORDS: Record<Plane, string> = { text: "Text", visual: "Pictures", audio: "Sound", doc_visual: "Pages" };

export const MODALITY_WORDS: Record<Modality, string> = {
  text: "Text",
  chunk: "Passage",
  caption: "Caption",
  ocr: "Text in a picture",
  asr: "Speech",
  image: "Picture",
  image_region: "Part of a picture",
  doc_page: "Page",
  video_shot: "Shot of a video",
  audio_utterance: "Sound",
  log_template: "Log pattern",
  detection: "Thing in a picture",
};

export const PERM_WORDS: Record<Perm, string> = { read: "read", write: "add and delete", admin: "administer" };
