/** Sound files as Units: parts, times, resuming, waveforms. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ExtractedPart, Picture } from "../../../src/domain/media.ts";
import { createAudioModels } from "../../../src/media/audio/models.ts";
import { SAMPLE_RATE_HZ } from "../../../src/media/models.ts";
import { extractSound, classifySound, previewSound } from "../../../src/media/audio/extract.ts";
import { type SoundSegment, soundSegments } from "../../../src/media/audio/segments.ts";
import { recorded } from "../../support/recorded.ts";
import { faultOf, joined, soundFolder, sourceFile, wav } from "./sound-files.ts";

// A test runs models: seconds, on a machine that does nothing else.
setDefaultTimeout(60_000);

const folder = await soundFolder();
const { path } = folder;
const audioModels = createAudioModels();
const SAID = recorded("speech/said.flac");
/** 5 s of silence, a sentence, 20 s of a tone, the sentence, 25 s of noise: more than a minute. */
const MIXED = recorded("speech/mixed.mp3");

afterAll(() => folder.remove());

async function parts(file: string, from = 0): Promise<ExtractedPart[]> {
  const found: ExtractedPart[] = [];
  for await (const part of extractSound(sourceFile(file), audioModels, from)) found.push(part);
  return found;
}

const range = (locator: ExtractedPart["units"][number]["locator"]) => {
  if (locator?.kind !== "time_range") throw new Error("a sound has times");
  return { from: locator.t_start_ms, to: locator.t_end_ms };
};

describe("extraction", () => {
  test("speech with its times, and everything by what it sounds like", async () => {
    const found = await parts(MIXED);
    const units = found.flatMap(({ units: some }) => some);
    const speech = units.filter(({ modality }) => modality === "asr");
    const sounds = units.filter(({ modality }) => modality === "audio_utterance");
    expect(speech.map(({ text }) => text).join(" ")).toMatch(
      /send the report to the office before noon on Friday.*send the report to the office before noon on Friday/i,
    );
    expect(Math.abs(range(speech[0]?.locator ?? null).from - 5_000)).toBeLessThan(400);
    for (const { metadata, features } of speech) expect({ language: metadata.language, features }).toEqual({ language: "en", features: null });

    // One after another without a gap, at most 10 s each.
    let end = 0;
    for (const { locator, features, text, metadata } of sounds) {
      const { from, to } = range(locator);
      expect(from).toBe(end);
      expect(to - from).toBeLessThanOrEqual(10_000);
      expect(metadata.duration_ms).toBe(to - from);
      expect(text).toBeNull();
      expect(features?.embedding.length).toBe(1_024);
      end = to;
    }
    const labelsAt = (ms: number) => sounds.find(({ locator }) => range(locator).from <= ms && range(locator).to > ms)?.metadata.labels;
    expect(labelsAt(22_000)).toContain("Sine wave");
    expect(labelsAt(end - 4_000)).toContain("White noise");
    expect(found.at(-1)?.progress).toBe(1);
    expect(found.map(({ part }) => part)).toEqual([...found.keys()]);
    expect(found.length).toBeGreaterThan(1);
    expect(found.flatMap(({ notes }) => notes)).toEqual([]);
  });

  test("from part k on, it gives exactly the parts from k on", async () => {
    const all = await parts(MIXED);
    for (const from of [1, all.length - 1, all.length]) expect(Bun.deepEquals(await parts(MIXED, from), all.slice(from))).toBe(true);
  });

  test("a short sound is one Unit; silence is no speech", async () => {
    const [only, ...more] = await parts(recorded("sound/silent.flac"));
    expect(more).toEqual([]);
    expect(only?.units.map(({ modality, locator }) => [modality, range(locator)])).toEqual([["audio_utterance", { from: 0, to: 400 }]]);
  });

  test("what is no sound is a fault", async () => {
    await Bun.write(path("text.mp3"), "This is no sound at all. ".repeat(1_000));
    for (const work of [
      parts(path("text.mp3")),
      classifySound(sourceFile(path("text.mp3")), audioModels),
      previewSound(sourceFile(path("text.mp3")), null, 480),
    ])
      expect(await faultOf(work)).toMatch(/no sound/);
  });

  test("a sound is most like itself in another format", async () => {
    const vectors = await Promise.all([SAID, MIXED].map(async (file) => (await classifySound(sourceFile(file), audioModels)).embedding));
    const query = (await classifySound(sourceFile(recorded("speech/said.mp3")), audioModels)).embedding;
    const [same = 0, other = 0] = vectors.map((vector) => vector.reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0));
    expect(same).toBeGreaterThan(0.95);
    expect(other).toBeLessThan(same - 0.05);
  });
});

describe("segments", () => {
  async function cut(sound: Float32Array, piece: number): Promise<SoundSegment[]> {
    async function* pieces() {
      for (let at = 0; at < sound.length; at += piece) yield sound.subarray(at, at + piece);
    }
    const found: SoundSegment[] = [];
    for await (const segment of soundSegments(pieces())) found.push(segment);
    return found;
  }
  const seconds = (count: number, fill: (at: number) => number) => Float32Array.from({ length: count * SAMPLE_RATE_HZ }, (_, at) => fill(at));

  test.each([1, 29, 30, 31, 39, 40, 41, 45, 100])("of %d s are whole, at most 30 s, and none is a scrap", async (length) => {
    const found = await cut(
      seconds(length, (at) => Math.sin(at)),
      7_919,
    );
    expect(found.reduce((sum, { samples }) => sum + samples.length, 0)).toBe(length * SAMPLE_RATE_HZ);
    expect(found.map(({ last }) => last)).toEqual(found.map((_, index) => index === found.length - 1));
    let start = 0;
    for (const segment of found) {
      expect(segment.start).toBe(start);
      expect(segment.samples.length).toBeLessThanOrEqual(30 * SAMPLE_RATE_HZ);
      expect(segment.samples.length).toBeGreaterThanOrEqual(Math.min(length, 10) * SAMPLE_RATE_HZ);
      start += segment.samples.length;
    }
  });

  test("are cut where it is quiet, whatever the pieces are", async () => {
    const sound = seconds(60, (at) => (at > 24 * SAMPLE_RATE_HZ && at < 24.5 * SAMPLE_RATE_HZ ? 0 : Math.sin(at / 3)));
    const found = await cut(sound, 16_384);
    expect(found[0]?.samples.length).toBeGreaterThan(24 * SAMPLE_RATE_HZ);
    expect(found[0]?.samples.length).toBeLessThan(24.5 * SAMPLE_RATE_HZ);
    for (const piece of [333, 100_000, sound.length]) expect(Bun.deepEquals(await cut(sound, piece), found)).toBe(true);
  });

  test("are cut as late as can be where every moment is as quiet", async () => {
    const [first] = await cut(
      seconds(45, () => 0),
      16_384,
    );
    expect(first?.samples.length).toBe(29.9 * SAMPLE_RATE_HZ);
  });

  test("are cut in the middle of the quietest fifth of a second, to a hundredth", async () => {
    const middle = 23.456;
    const sound = seconds(60, (at) => Math.sin(at / 3) * Math.min(1, Math.abs(at / SAMPLE_RATE_HZ - middle) + 0.01));
    const [first] = await cut(sound, 16_384);
    expect(Math.abs((first?.samples.length ?? 0) / SAMPLE_RATE_HZ - middle)).toBeLessThan(0.0101);
  });
});

describe("the waveform", () => {
  /** Share of the picture that is ink, by columns from `from` to `to` (0-1). */
  function ink({ width, height, data }: Picture, from: number, to: number): number {
    let inked = 0;
    const columns = [Math.floor(from * width), Math.floor(to * width)] as const;
    for (let y = 0; y < height; y++) for (let x = columns[0]; x < columns[1]; x++) if ((data[(y * width + x) * 3] ?? 255) < 100) inked++;
    return inked / height / (columns[1] - columns[0]);
  }

  test("shows silence thin and sound thick, in the range that is asked for", async () => {
    const file = sourceFile(MIXED);
    const whole = await previewSound(file, null, 2_000);
    expect([whole.width, whole.height, whole.data.length]).toEqual([480, 120, 480 * 120 * 3]);
    expect(ink(whole, 0, 0.05)).toBeLessThan(0.03);
    expect(ink(whole, 0.7, 0.95)).toBeGreaterThan(0.2);
    const silent = await previewSound(file, { kind: "time_range", t_start_ms: 1_000, t_end_ms: 4_000 }, 100);
    expect([silent.width, silent.height]).toEqual([100, 25]);
    expect(ink(silent, 0, 1)).toBeLessThan(0.05);
    const behind = await previewSound(file, { kind: "time_range", t_start_ms: 9_000_000, t_end_ms: 9_000_000 }, 100);
    expect(behind.width).toBe(100);
  });

  test("begins in the middle of a file without decoding all before it, at the right moment", async () => {
    // Silence but for one second of a tone from 40 s on.
    const silence = (seconds: number) => new Float32Array(seconds * SAMPLE_RATE_HZ);
    const tone = Float32Array.from({ length: SAMPLE_RATE_HZ }, (_, at) => 0.5 * Math.sin(at));
    await Bun.write(path("click.wav"), wav(joined(silence(40), tone, silence(19))));
    const packed = ["click.mp3", "click.flac", "click-vorbis.ogg", "click-opus.ogg"].map((name) => recorded(`sound/${name}`));
    for (const file of [path("click.wav"), ...packed]) {
      const picture = await previewSound(sourceFile(file), { kind: "time_range", t_start_ms: 38_000, t_end_ms: 42_000 }, 400);
      expect(ink(picture, 0, 0.48)).toBeLessThan(0.05);
      expect(ink(picture, 0.52, 0.73)).toBeGreaterThan(0.8);
      expect(ink(picture, 0.77, 1)).toBeLessThan(0.05);
    }
  });
});
