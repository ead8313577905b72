/** The Units of sound files: recognised speech with its times, and labels and embeddings of ten seconds each. */
import { SOUND_PREVIEW_MAX_MS } from "../../base/limits.ts";
import type { Locator } from "../../domain/locator.ts";
import type { Features, ExtractedUnit, Extraction, Picture, SourceFile } from "../../domain/media.ts";
import { decodeSound } from "./decode.ts";
import type { SoundWatch } from "./decoder.ts";
import { shownLabels } from "../labels.ts";
import type { AudioModels } from "./models.ts";
import { SAMPLE_RATE_HZ, SAMPLES_PER_MS, type Samples } from "../models.ts";
import { type SoundSegment, soundSegments } from "./segments.ts";
import { Peaks } from "./waveform.ts";

/**
 * The longest sound of one `audio_utterance`: a segment is cut into equal parts of at most ten seconds. The features are
 * means over a part, so an event of a few seconds in a long sound keeps its weight.
 */
const UTTERANCE_MAX_SAMPLES = 10 * SAMPLE_RATE_HZ;
/** Similarity compares the first minute: decoding and classifying hours would not change the order. */
const SIMILAR_SAMPLES = 60 * SAMPLE_RATE_HZ;
/** The most progress before the last part. */
export const PROGRESS_BEFORE_END = 0.99;

function ms(samples: number): number {
  return Math.round(samples / SAMPLES_PER_MS);
}

function timeRange(startMs: number, endMs: number): Locator {
  return { kind: "time_range", t_start_ms: startMs, t_end_ms: endMs };
}

async function speechUnits(segment: SoundSegment, audioModels: AudioModels): Promise<ExtractedUnit[]> {
  const offset = ms(segment.start);
  const speech = await audioModels.transcribe(segment.samples);
  return speech.map(({ startMs, endMs, text, confidence }) => ({
    modality: "asr",
    path: [],
    text,
    locator: timeRange(offset + startMs, offset + endMs),
    metadata: { confidence: Math.round(confidence * 1_000) / 1_000, language: "en" },
    features: null,
  }));
}

async function utteranceUnits(segment: SoundSegment, audioModels: AudioModels): Promise<ExtractedUnit[]> {
  const { length } = segment.samples;
  const count = Math.ceil(length / UTTERANCE_MAX_SAMPLES);
  const units: ExtractedUnit[] = [];
  for (let part = 0; part < count; part++) {
    const from = Math.round((part * length) / count);
    const to = Math.round(((part + 1) * length) / count);
    const features = await audioModels.classify(segment.samples.subarray(from, to));
    const labels = await shownLabels(features);
    const [startMs, endMs] = [ms(segment.start + from), ms(segment.start + to)];
    const metadata = { ...(labels.length > 0 ? { labels } : {}), duration_ms: endMs - startMs };
    units.push({ modality: "audio_utterance", path: [], text: null, locator: timeRange(startMs, endMs), metadata, features });
  }
  return units;
}

/** One part of the work on a sound, wherever the sound comes from. */
export interface SoundPart {
  part: number;
  units: ExtractedUnit[];
  /** Where its segment ends. */
  endMs: number;
  last: boolean;
}

/**
 * The Units of `sound` (16 kHz mono), a part for each segment of at most 30 s: `asr` for speech, `audio_utterance`
 * for sound events. Parts before `from` are cut, which their successors depend on, but not run through the models: they
 * have no Units.
 */
export async function* soundUnits(sound: AsyncIterable<Samples>, audioModels: AudioModels, from: number): AsyncGenerator<SoundPart> {
  let part = 0;
  for await (const segment of soundSegments(sound)) {
    const units = part < from ? [] : [...(await speechUnits(segment, audioModels)), ...(await utteranceUnits(segment, audioModels))];
    yield { part: part++, units, endMs: ms(segment.start + segment.samples.length), last: segment.last };
  }
}

/** The Units of a sound file. Errors: Fault `bad_request` about the file, also after parts were given. */
export async function* extractSound(file: SourceFile, audioModels: AudioModels, from: number): Extraction {
  const watch: SoundWatch = { readBytes: 0, notes: [] };
  let noted = 0;
  for await (const { part, units, last } of soundUnits(decodeSound(file, watch), audioModels, from)) {
    if (part < from) continue;
    const progress = last ? 1 : Math.min(PROGRESS_BEFORE_END, watch.readBytes / file.bytes);
    yield { part, progress, stage: "sound", units, notes: watch.notes.slice(noted) };
    noted = watch.notes.length;
  }
}

/** Features of a sound file, by its first minute, to find similar sounds by. Errors: those of `extractSound`. */
export async function classifySound(file: SourceFile, audioModels: AudioModels): Promise<Features> {
  const samples = new Float32Array(SIMILAR_SAMPLES);
  let used = 0;
  for await (const piece of decodeSound(file)) {
    const part = piece.subarray(0, SIMILAR_SAMPLES - used);
    samples.set(part, used);
    used += part.length;
    if (used === SIMILAR_SAMPLES) break;
  }
  return audioModels.classify(samples.subarray(0, used));
}

/**
 * The waveform of a time range, or of the whole, up to ten minutes of it: two colours, four times as wide as high and at
 * most `maxSide` wide, scaled to the loudest moment. Errors: those of `extractSound`.
 */
export async function previewSound(file: SourceFile, locator: Locator | null, maxSide: number): Promise<Picture> {
  const range = locator?.kind === "time_range" ? locator : { t_start_ms: 0, t_end_ms: SOUND_PREVIEW_MAX_MS };
  const start = range.t_start_ms * SAMPLES_PER_MS;
  const end = Math.min(range.t_end_ms, range.t_start_ms + SOUND_PREVIEW_MAX_MS) * SAMPLES_PER_MS;
  const watch: SoundWatch = { readBytes: 0, notes: [], wantedMs: range.t_start_ms };
  const peaks = new Peaks();
  let at: number | null = null;
  for await (const piece of decodeSound(file, watch)) {
    at ??= Math.round((watch.begunMs ?? 0) * SAMPLES_PER_MS);
    if (at + piece.length > start) peaks.add(piece.subarray(Math.max(0, start - at), Math.max(0, end - at)));
    at += piece.length;
    if (at >= end) break;
  }
  return peaks.draw(maxSide);
}
