/**
 * Video files, through ffmpeg: shots with a key frame each, the text in it, and the sound track.
 *
 * The pictures are processed in independent blocks of 30 s, a part each: interrupted work resumes by seeking to its block. A
 * shot that continues in the next block becomes two. The sound track follows, in parts of its own.
 */
import { Fault } from "../../base/fault.ts";
import { PREVIEW_MAX_SIDE_PIXELS, SHOT_MIN_MS, VIDEO_BLOCK_MS } from "../../base/limits.ts";
import type { Locator } from "../../domain/locator.ts";
import type { ExtractedPart, ExtractedUnit, Extraction, Picture, SourceFile } from "../../domain/media.ts";
import {
  type Ffmpeg,
  probeVideo,
  type VideoFacts,
  type VideoSource,
  type VideoSpan,
  videoFrames,
  videoPictureAt,
  videoPictures,
  videoSound,
  WITHOUT_FFMPEG,
} from "./ffmpeg.ts";
import type { AudioModels } from "../audio/models.ts";
import { ocrBlocks, ratio } from "../image/extract.ts";
import { shownLabels } from "../labels.ts";
import type { ImageModels } from "../models.ts";
import { SHOT_FRAME, type Shot, shotsOf } from "./shots.ts";
import { PROGRESS_BEFORE_END, soundUnits } from "../audio/extract.ts";

/** The share of the progress that stands for the sound track, where there are pictures too. */
const SOUND_SHARE = 0.3;
const FRAME_MS = 1_000 / SHOT_FRAME.rate;
/** With less than this share of the duration in the container, a part's notes say so. */
const WHOLE_SHARE = 0.9;
const CUT_SHORT = "the video holds less than it promises: what is there was taken in";
const NO_SOUND = "the sound track cannot be decoded and was left out";
const NO_PICTURES = "pictures that cannot be decoded were left out";

interface Work {
  source: VideoSource;
  facts: VideoFacts;
  imageModels: ImageModels;
  audioModels: AudioModels;
  from: number;
}

function sourceOf(file: SourceFile, ffmpeg: Ffmpeg | null): VideoSource {
  if (ffmpeg === null) throw new Fault("unavailable", WITHOUT_FFMPEG, { retry: "never" });
  return { ffmpeg, path: file.path };
}

/** The number of blocks. The last one includes a rest of less than SHOT_MIN_MS. */
function blockCount({ picture, durationMs }: VideoFacts): number {
  return picture === null ? 0 : Math.max(1, Math.ceil((durationMs - SHOT_MIN_MS) / VIDEO_BLOCK_MS));
}

/** The form in which texts of two shots are compared, to find a title that stays. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").trim();
}

/** A shot's time range, and its key frame, the middle one: its number in the block, and its time. */
interface TimedShot {
  locator: Locator;
  key: number;
  keyMs: number;
}

function timed({ first, behind }: Shot, { fromMs }: VideoSpan, durationMs: number): TimedShot {
  const key = Math.floor((first + behind) / 2);
  const [startMs, endMs] = [fromMs + first * FRAME_MS, fromMs + behind * FRAME_MS];
  const locator: Locator = { kind: "time_range", t_start_ms: startMs, t_end_ms: Math.max(startMs, Math.min(endMs, durationMs)) };
  return { locator, key, keyMs: fromMs + key * FRAME_MS };
}

async function shotUnit({ locator, keyMs }: TimedShot, picture: Picture, imageModels: ImageModels): Promise<ExtractedUnit> {
  const features = await imageModels.classify(picture);
  const labels = await shownLabels(features);
  const facts = { key_frame_ms: keyMs, width: picture.width, height: picture.height };
  return { modality: "video_shot", path: [], text: null, locator, metadata: { ...(labels.length > 0 && { labels }), ...facts }, features };
}

/** The blocks of text in a key frame that are not in `before`, the texts of the key frame before, which is then replaced. */
async function textUnits({ locator, keyMs }: TimedShot, picture: Picture, imageModels: ImageModels, before: Set<string>): Promise<ExtractedUnit[]> {
  const blocks = await ocrBlocks(picture, imageModels);
  const fresh = blocks.filter(({ text }) => !before.has(folded(text)));
  before.clear();
  for (const { text } of blocks) before.add(folded(text));
  return fresh.map(({ text, confidence, box: { x, y, w, h } }) => {
    const place = { x: ratio(x), y: ratio(y), w: ratio(w), h: ratio(h) };
    const metadata = { ...place, confidence: Math.round(confidence * 1_000) / 1_000, key_frame_ms: keyMs };
    return { modality: "ocr", path: [], text, locator, metadata, features: null };
  });
}

/** The Units of a block: each shot by its key frame, and the text in it that the shot before did not have. */
async function blockUnits({ source, facts, imageModels }: Work, span: VideoSpan): Promise<ExtractedUnit[]> {
  const shots = (await shotsOf(videoFrames(source, span))).map((shot) => timed(shot, span, facts.durationMs));
  if (shots.length === 0) return [];
  const units: ExtractedUnit[] = [];
  const before = new Set<string>();
  let index = 0;
  const keys = shots.map(({ key }) => key);
  for await (const picture of videoPictures(source, span, keys)) {
    const shot = shots[index++];
    if (shot !== undefined) units.push(await shotUnit(shot, picture, imageModels), ...(await textUnits(shot, picture, imageModels, before)));
  }
  return units;
}

/** The parts of the pictures, numbered from 0. */
async function* pictureParts(work: Work): AsyncGenerator<ExtractedPart> {
  const blocks = blockCount(work.facts);
  const share = work.facts.hasSound ? 1 - SOUND_SHARE : 1;
  for (let block = work.from; block < blocks; block++) {
    const last = block === blocks - 1;
    const lengthMs = last ? VIDEO_BLOCK_MS + SHOT_MIN_MS : VIDEO_BLOCK_MS;
    const units = await blockUnits(work, { fromMs: block * VIDEO_BLOCK_MS, lengthMs });
    const notes = [...(block === 0 ? lengthNotes(work.facts) : []), ...(units.length === 0 ? [NO_PICTURES] : [])];
    yield { part: block, progress: (share * (block + 1)) / blocks, stage: last && work.facts.hasSound ? "sound" : "shots", units, notes };
  }
}

/** The parts of the sound track, numbered behind those of the pictures. */
async function* soundParts({ source, facts, audioModels, from }: Work): AsyncGenerator<ExtractedPart> {
  const first = blockCount(facts);
  const before = first === 0 ? 0 : 1 - SOUND_SHARE;
  let next = 0;
  for await (const { part, units, endMs, last } of soundUnits(videoSound(source), audioModels, from - first)) {
    next = part + 1;
    if (first + part < from) continue;
    const done = facts.durationMs === 0 ? 1 : Math.min(1, endMs / facts.durationMs);
    const progress = last ? 1 : Math.min(PROGRESS_BEFORE_END, before + (1 - before) * done);
    yield { part: first + part, progress, stage: "sound", units, notes: first + part === 0 ? lengthNotes(facts) : [] };
  }
  if (next === 0 && first >= from) yield { part: first, progress: 1, stage: "sound", units: [], notes: [NO_SOUND] };
}

/** A note if the video is much shorter than its container says. */
function lengthNotes({ durationMs, promisedMs }: VideoFacts): string[] {
  return promisedMs !== null && durationMs < promisedMs * WHOLE_SHARE ? [CUT_SHORT] : [];
}

/**
 * The Units of a video file: for each shot a `video_shot` with the features of its key frame, and the `ocr` text in it, then
 * those of the sound track. `ffmpeg`: of `findFfmpeg`. Errors: Fault `unavailable` without ffmpeg;
 * Fault `bad_request` about the file, also after parts were given.
 */
export async function* extractVideo(
  file: SourceFile,
  imageModels: ImageModels,
  audioModels: AudioModels,
  ffmpeg: Ffmpeg | null,
  from: number,
): Extraction {
  const source = sourceOf(file, ffmpeg);
  const facts = await probeVideo(source);
  const work = { source, facts, imageModels, audioModels, from };
  let units = 0;
  for (const parts of [pictureParts(work), ...(facts.hasSound ? [soundParts(work)] : [])]) {
    for await (const part of parts) {
      units += part.units.length;
      yield part;
    }
  }
  if (units === 0 && from === 0) throw new Fault("bad_request", "the video cannot be decoded: it is damaged, cut short or encrypted");
}

/**
 * The picture in the middle of a time range, or of the whole video, at most `maxSide` pixels long. Errors: those of
 * `extractVideo`; Fault `bad_request` when there is no picture at that time.
 */
export async function previewVideo(file: SourceFile, locator: Locator | null, ffmpeg: Ffmpeg | null, maxSide: number): Promise<Picture> {
  const source = sourceOf(file, ffmpeg);
  const range = locator?.kind === "time_range" ? locator : { t_start_ms: 0, t_end_ms: (await probeVideo(source)).durationMs };
  const middle = Math.round((range.t_start_ms + range.t_end_ms) / 2);
  const picture = await videoPictureAt(source, middle, Math.max(1, Math.min(maxSide, PREVIEW_MAX_SIDE_PIXELS)));
  if (picture === null) throw new Fault("bad_request", "the video has no picture at that time");
  return picture;
}
