/** Video files, through ffmpeg: shots with a key frame each, the text in it, and the sound track. */
import { Fault } from "../base/fault.ts";
import { KEY_FRAME_MAX_SIDE_PIXELS, PICTURE_LABELS_MAX, PREVIEW_MAX_SIDE_PIXELS } from "../base/limits.ts";
import type { Locator } from "../domain/locator.ts";
import type { Content, ExtractedPart, ExtractedUnit, Extraction, Picture, SourceFile } from "../domain/media.ts";
import { probeVideo, type VideoFacts, type VideoSource, videoFrameAt, videoFrames, videoSound, WITHOUT_FFMPEG } from "../engine/decode/ffmpeg.ts";
import type { Ears } from "./hearing/ears.ts";
import type { Eyes } from "./senses.ts";
import { SHOT_FRAME, type Shot, shotsOf } from "./shots.ts";
import { hearSamples, soundUnits } from "./sound.ts";
import { textBlocks } from "./vision/blocks.ts";
import { labelName } from "./vision/labels.ts";

/** From this score on the classifier's label is said of a shot: half of what is above it is right. */
const LABEL_SEEN = 0.1;
/** Of what the container promises: less is worth a word. */
const WHOLE_SHARE = 0.9;
const CUT_SHORT = "the video holds less than it promises: what is there was taken in";
const NO_SOUND = "the sound track cannot be decoded and was left out";
const NO_PICTURES = "the pictures cannot be decoded and were left out";
/** The share of the work that the sound track is, where there are pictures too. */
const SOUND_SHARE = 0.3;
const PROGRESS_BEFORE_END = 0.99;

function sourceOf(file: SourceFile, ffmpeg: string | null): VideoSource {
  if (ffmpeg === null) throw new Fault("unavailable", WITHOUT_FFMPEG);
  return { ffmpeg, path: file.path };
}

async function labelNames({ labels }: Content): Promise<string[]> {
  const seen = labels.filter(({ score }) => score >= LABEL_SEEN).slice(0, PICTURE_LABELS_MAX);
  return Promise.all(seen.map(({ label }) => labelName(label)));
}

/** How far a text is the same when a title stands through several shots. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").trim();
}

function ratio(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Reads the shots of one video, one after another: text that stood in the shot before is not given again. */
class ShotReader {
  #before = new Set<string>();

  constructor(
    private readonly source: VideoSource,
    private readonly eyes: Eyes,
  ) {}

  /** The Units of a shot: the shot itself by its key frame, and the blocks of text in it. None if there is no picture. */
  async units({ startMs, endMs }: Shot): Promise<ExtractedUnit[]> {
    const keyMs = Math.round((startMs + endMs) / 2);
    const picture = await videoFrameAt(this.source, keyMs, KEY_FRAME_MAX_SIDE_PIXELS);
    if (picture === null) return [];
    const locator: Locator = { kind: "time_range", t_start_ms: startMs, t_end_ms: endMs };
    const content = await this.eyes.see(picture);
    const labels = await labelNames(content);
    const facts = { key_frame_ms: keyMs, width: picture.width, height: picture.height };
    const metadata = labels.length > 0 ? { labels, ...facts } : facts;
    return [{ modality: "video_shot", text: null, locator, metadata, content }, ...(await this.#texts(picture, locator, keyMs))];
  }

  async #texts(picture: Picture, locator: Locator, keyMs: number): Promise<ExtractedUnit[]> {
    const blocks = textBlocks(await this.eyes.read(picture), picture);
    const fresh = blocks.filter(({ text }) => !this.#before.has(folded(text)));
    this.#before = new Set(blocks.map(({ text }) => folded(text)));
    return fresh.map(({ text, confidence, box: { x, y, w, h } }) => ({
      modality: "ocr",
      text,
      locator,
      metadata: { x: ratio(x), y: ratio(y), w: ratio(w), h: ratio(h), confidence: Math.round(confidence * 1_000) / 1_000, key_frame_ms: keyMs },
      content: null,
    }));
  }
}

/** What is done of a file, 0-1, when `ms` of it are, in the share of the work from `from` to `to`. */
function progressAt(ms: number, { durationMs }: VideoFacts, from: number, to: number): number {
  const done = durationMs === null || durationMs === 0 ? 0 : Math.min(1, ms / durationMs);
  return Math.min(PROGRESS_BEFORE_END, from + (to - from) * done);
}

/** The sound track, as the first parts. */
async function* soundParts({ source, facts, ears, from }: Work): AsyncGenerator<ExtractedPart> {
  const share = facts.picture === null ? 1 : SOUND_SHARE;
  for await (const { part, units, endMs, last } of soundUnits(videoSound(source), ears, from)) {
    const whole = last && facts.picture === null;
    const notes = whole ? lengthNotes(endMs, facts) : [];
    yield { part, progress: whole ? 1 : progressAt(endMs, facts, 0, share), stage: "sound", units, notes };
  }
}

/** The shots, as the parts from `first` on. */
async function* shotParts({ source, facts, eyes, from }: Work, first: number): AsyncGenerator<ExtractedPart> {
  const share = facts.hasSound ? SOUND_SHARE : 0;
  const reader = new ShotReader(source, eyes);
  let part = first;
  for await (const { shot, last } of withLast(shotsOf(videoFrames(source, SHOT_FRAME)))) {
    // The one before the first that is wanted is read too: its text is not given again.
    const units = part >= from - 1 ? await reader.units(shot) : [];
    const notes = last ? lengthNotes(shot.endMs, facts) : [];
    yield { part: part++, progress: last ? 1 : progressAt(shot.endMs, facts, share, 1), stage: "shots", units, notes };
  }
}

/** Each shot, and whether it is the last. */
async function* withLast(shots: AsyncIterable<Shot>): AsyncGenerator<{ shot: Shot; last: boolean }> {
  let held: Shot | null = null;
  for await (const shot of shots) {
    if (held !== null) yield { shot: held, last: false };
    held = shot;
  }
  if (held !== null) yield { shot: held, last: true };
}

/** A note if much less is there than the container promises. */
function lengthNotes(endMs: number, { durationMs }: VideoFacts): string[] {
  return durationMs !== null && endMs < durationMs * WHOLE_SHARE ? [CUT_SHORT] : [];
}

interface Work {
  source: VideoSource;
  facts: VideoFacts;
  eyes: Eyes;
  ears: Ears;
  from: number;
}

/**
 * The Units of a video file: those of its sound track, which is the smaller work, and then for each shot a `video_shot`
 * with what its middle picture shows, and the text in that picture. `ffmpegPath`: of `findFfmpeg`. Errors: Fault
 * `unavailable` without ffmpeg; Fault `bad_request` about the file, also after parts were given.
 */
export async function* extractVideo(file: SourceFile, eyes: Eyes, ears: Ears, ffmpegPath: string | null, from: number): Extraction {
  const source = sourceOf(file, ffmpegPath);
  const facts = await probeVideo(source);
  const work = { source, facts, eyes, ears, from };
  let parts = 0;
  if (facts.hasSound) {
    for await (const part of soundParts(work)) {
      parts++;
      if (part.part >= from) yield part;
    }
  }
  const sound = parts;
  if (facts.picture !== null) {
    for await (const part of shotParts(work, sound)) {
      const notes = parts === sound && facts.hasSound && sound === 0 ? [NO_SOUND, ...part.notes] : part.notes;
      parts++;
      if (part.part >= from) yield { ...part, notes };
    }
  }
  if (parts === 0) throw new Fault("bad_request", "the video cannot be decoded: it is damaged, cut short or encrypted");
  if (facts.picture !== null && parts === sound) yield { part: parts, progress: 1, stage: "shots", units: [], notes: [NO_PICTURES] };
}

/**
 * The picture in the middle of a time range, or of the whole video, at most `maxSide` pixels long. Errors: those of
 * `extractVideo`; Fault `bad_request` when there is no picture at that time.
 */
export async function previewVideo(file: SourceFile, locator: Locator | null, ffmpegPath: string | null, maxSide: number): Promise<Picture> {
  const source = sourceOf(file, ffmpegPath);
  const { durationMs } = await probeVideo(source);
  const { t_start_ms: startMs, t_end_ms: endMs } = locator?.kind === "time_range" ? locator : { t_start_ms: 0, t_end_ms: durationMs ?? 0 };
  const picture = await videoFrameAt(source, Math.round((startMs + endMs) / 2), Math.min(maxSide, PREVIEW_MAX_SIDE_PIXELS));
  if (picture === null) throw new Fault("bad_request", "the video has no picture at that time");
  return picture;
}

/** What is heard in the first minute of a video's sound track. Errors: those of `extractVideo`; Fault `bad_request` without one. */
export async function hearVideo(file: SourceFile, ears: Ears, ffmpegPath: string | null): Promise<Content> {
  const source = sourceOf(file, ffmpegPath);
  await probeVideo(source);
  return hearSamples(videoSound(source), ears);
}
