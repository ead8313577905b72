/** The audio models: their self-test, the rules of Whisper's output, and voice activity detection. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { shownLabels } from "../../../src/media/labels.ts";
import { createAudioModels } from "../../../src/media/audio/models.ts";
import { speechWindow } from "../../../src/media/audio/speech-window.ts";
import { speechSpans } from "../../../src/media/audio/vad.ts";
import { applyRules, best, type Generation, loopLength, probabilityOf, segmentsOf } from "../../../src/media/audio/whisper-rules.ts";
import { selfTestAudio } from "../../../src/media/selftest/audio.ts";
import { wordErrorRate } from "../../../src/media/selftest/check.ts";
import { recorded } from "../../support/recorded.ts";
import { decoded, joined, SENTENCE } from "./sound-files.ts";

// A test runs models: seconds, on a machine that does nothing else.
setDefaultTimeout(60_000);

const audioModels = createAudioModels();
let said = new Float32Array(0);

beforeAll(async () => {
  said = (await decoded(recorded("speech/said.flac"))).samples;
});

const silence = (seconds: number) => new Float32Array(seconds * 16_000);

test("every model gives what its fixture says", async () => {
  const checks = await selfTestAudio();
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(new Set(checks.map(({ model }) => model))).toEqual(new Set(["silero-vad", "yamnet", "whisper-tiny-en"]));
  expect(checks.length).toBe(10);
});

describe("voice activity", () => {
  test("spans open at 0.5, close below 0.35, bridge short pauses and keep a margin", () => {
    const frames = (...runs: [number, number][]) => Float32Array.from(runs.flatMap(([count, value]) => Array<number>(count).fill(value)));
    const spans = (...runs: [number, number][]) => speechSpans(frames(...runs), 512 * runs.reduce((sum, [count]) => sum + count, 0));
    expect(spans([50, 0.4])).toEqual([]);
    expect(spans([20, 0], [3, 0.9], [20, 0])).toEqual([]);
    expect(spans([20, 0], [5, 0.9], [5, 0.4], [40, 0])).toEqual([{ start: 20 * 512 - 3_200, end: 30 * 512 + 3_200 }]);
    expect(spans([20, 0], [5, 0.9], [8, 0.1], [5, 0.9], [30, 0]).length).toBe(1);
    expect(spans([20, 0], [5, 0.9], [40, 0.1], [5, 0.9], [30, 0]).length).toBe(2);
    expect(spans([5, 0.9])).toEqual([{ start: 0, end: 5 * 512 }]);
  });

  test("a window keeps short pauses, shortens long ones, and finds the way back", () => {
    const sound = Float32Array.from({ length: 20 * 16_000 }, (_, index) => index);
    const spans = [
      { start: 16_000, end: 32_000 },
      { start: 40_000, end: 56_000 },
      { start: 160_000, end: 176_000 },
    ];
    const { samples, startOf, endOf } = speechWindow(sound, spans);
    expect(samples.length).toBe(40_000 + 4_800 + 4_800 + 16_000);
    expect(startOf(0)).toBe(16_000);
    expect(startOf(1.25)).toBe(40_000);
    expect(endOf(1)).toBe(32_000);
    // In the first pause an end goes back to the speech, a start on to the next.
    expect(endOf(1.25)).toBe(32_000);
    expect(startOf((40_000 + 2_000) / 16_000)).toBe(160_000);
    expect(endOf((40_000 + 6_000) / 16_000)).toBe(56_000);
    expect(endOf(samples.length / 16_000)).toBe(176_000);
    for (const at of [0, 30_000, 50_000, 60_000]) expect(samples[at]).toBe(at < 44_800 ? 16_000 + at : 155_200 + at - 44_800);
  });
});

describe("the rules of the output", () => {
  const rules: Generation = {
    ...{ sot: 57, eot: 50, no_timestamps: 62, timestamp_begin: 63, no_speech: 61, seconds_per_timestamp: 0.5, max_initial_timestamp_index: 2 },
    ...{ suppress: [7], suppress_first: [8, 50], max_new_tokens: 100, layers: 1, heads: 1, head_size: 1, window_samples: 480_000 },
  };
  const allowed = (written: number[], logits: Record<number, number> = {}) => {
    const all = new Float32Array(80);
    for (const [id, logit] of Object.entries(logits)) all[Number(id)] = logit;
    applyRules(all, written, rules);
    return [...all.keys()].filter((id) => all[id] !== Number.NEGATIVE_INFINITY);
  };
  const text = { 3: 9 };

  test("first a timestamp, not too late", () => expect(allowed([])).toEqual([63, 64, 65]));
  test("after a start no timestamp, and never what is suppressed", () => {
    const ids = allowed([63], text);
    expect(ids.some((id) => id >= 63 || id === 62 || id === 7)).toBe(false);
    expect(ids).toContain(8);
  });
  test("a timestamp is later than the start", () => expect(allowed([65, 3], text).filter((id) => id >= 63)[0]).toBe(66));
  test("after an end its start or the end of it all, no text", () =>
    expect(allowed([63, 3, 66], { 66: 9 })).toEqual([66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79]));
  test("the end may follow an end", () => expect(allowed([63, 3, 66], { 50: 9 })).toContain(50));
  test("timestamps that outweigh the best word are taken", () => expect(allowed([63, 3], { 70: 5 }).every((id) => id >= 64)).toBe(true));

  test("probabilities are those of all that is allowed, the negligible aside", () => {
    const spread = Float32Array.from({ length: 51_864 }, (_, id) => 30 * Math.sin(id * 12.9898));
    spread.fill(Number.NEGATIVE_INFINITY, 100, 2_000);
    const flat = new Float32Array(51_864).fill(-3);
    for (const logits of [spread, flat, Float32Array.of(1, 2, 4, 4, 3)]) {
      const top = Math.max(...logits);
      const all = logits.reduce((sum, logit) => sum + Math.exp(logit - top), 0);
      const found = best(logits);
      expect(found.id).toBe(logits.indexOf(top));
      expect(Math.abs(found.logProbability + Math.log(all))).toBeLessThan(1e-6);
      for (const id of [0, 3, found.id]) {
        const probability = Math.exp((logits[id] ?? Number.NaN) - top) / all;
        expect(Math.abs(probabilityOf(logits, id) / probability - 1)).toBeLessThan(1e-6);
      }
    }
  });

  test("a loop of up to eight tokens is found, and no shorter repeat", () => {
    expect(loopLength([1, 2, 1, 2, 1, 2, 1, 2, 1, 2], 63)).toBe(8);
    expect(loopLength([9, 70, 1, 71, 1, 72, 1, 73, 1, 74, 1], 63)).toBe(8);
    expect(loopLength([1, 2, 1, 2, 1, 2, 1, 2], 63)).toBe(0);
    expect(loopLength([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 63)).toBe(9);
    expect(loopLength([1, 1, 1, 1, 1], 63)).toBe(0);
  });

  test("segments stand between two timestamps, the last may lack its end", () => {
    const tokens = [63, 1, 2, 65, 65, 3, 67, 69, 4].map((id) => ({ id, logProbability: 0 }));
    const spans = segmentsOf(tokens, rules, 9).map(({ start, end, tokens: said }) => [start, end, said.map(({ id }) => id)]);
    expect(spans).toEqual([
      [0, 1, [1, 2]],
      [1, 2, [3]],
      [3, 9, [4]],
    ]);
  });
});

describe("audio models", () => {
  test("a sentence is understood, and its times are those of the sound", async () => {
    const speech = await audioModels.transcribe(joined(silence(5), said, silence(4), said.subarray(0, 10)));
    expect(wordErrorRate(speech.map(({ text }) => text).join(" "), SENTENCE)).toBeLessThan(0.2);
    expect(Math.abs((speech[0]?.startMs ?? 0) - 5_000)).toBeLessThan(300);
    expect(Math.abs((speech.at(-1)?.endMs ?? 0) - 5_000 - said.length / 16)).toBeLessThan(600);
    for (const { confidence } of speech) expect(confidence).toBeGreaterThan(0.5);
  });

  test("the second of two sentences begins behind the pause", async () => {
    const pause = 6;
    const speech = await audioModels.transcribe(joined(said, silence(pause), said));
    const second = speech.filter(({ startMs }) => startMs > said.length / 16 + 1_000);
    expect(second.length).toBeGreaterThan(0);
    expect(Math.abs((second[0]?.startMs ?? 0) - (said.length / 16 + pause * 1_000))).toBeLessThan(400);
    expect(wordErrorRate(speech.map(({ text }) => text).join(" "), `${SENTENCE} ${SENTENCE}`)).toBeLessThan(0.25);
  });

  test("nobody speaks in silence, a tone and noise", async () => {
    const tone = Float32Array.from({ length: 160_000 }, (_, n) => 0.3 * Math.sin(n / 6));
    let state = 1;
    const noise = Float32Array.from({ length: 160_000 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return (state / 0x7fff_ffff - 0.5) * 0.4;
    });
    for (const sound of [silence(10), tone, noise]) expect(await audioModels.transcribe(sound)).toEqual([]);
  });

  test("a sound has labels, best first, and an embedding of length 1", async () => {
    const { labels, embedding, kind } = await audioModels.classify(said);
    expect(kind).toBe("sound");
    expect((await shownLabels({ kind, labels, embedding }))[0]).toBe("Speech");
    expect(labels.map(({ score }) => score)).toEqual(labels.map(({ score }) => score).sort((a, b) => b - a));
    expect(Math.min(...labels.map(({ score }) => score))).toBeGreaterThanOrEqual(0.002);
    expect(embedding.length).toBe(1_024);
    expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
  });

  test("one sample is enough", async () => {
    const one = new Float32Array(1);
    expect((await audioModels.classify(one)).embedding.length).toBe(1_024);
    expect(await audioModels.transcribe(one)).toEqual([]);
  });
});
