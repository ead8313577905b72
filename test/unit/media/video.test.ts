/** Video through ffmpeg: shots, text and speech with their times, and what is no video. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { Fault } from "../../../src/base/fault.ts";
import { FFMPEG_MAX_BYTES } from "../../../src/base/limits.ts";
import type { ExtractedPart } from "../../../src/domain/media.ts";
import { findFfmpeg, probeVideo, WITHOUT_FFMPEG } from "../../../src/media/video/ffmpeg.ts";
import { createAudioModels } from "../../../src/media/audio/models.ts";
import { extractVideo, previewVideo } from "../../../src/media/video/extract.ts";
import { createImageModels } from "../../../src/media/image/models.ts";
import { FFMPEG, recorded, recordedBytes, withoutFfmpeg } from "../../support/recorded.ts";
import { faultOf, soundFolder, sourceFile } from "./sound-files.ts";

// A test runs models: seconds, on a machine that does nothing else.
setDefaultTimeout(60_000);

const folder = await soundFolder();
const { path } = folder;
const audioModels = createAudioModels();
const imageModels = createImageModels();
/** 3 s of red, 4 s of blue, 26 s of green with words in each, and a sentence from 2 s on. */
const MADE = recorded("video/made.mp4");

afterAll(() => folder.remove());

const PROGRAM = FFMPEG === null ? null : { path: FFMPEG, maxBytes: FFMPEG_MAX_BYTES };

async function parts(file: string, from = 0, program = PROGRAM): Promise<ExtractedPart[]> {
  const found: ExtractedPart[] = [];
  for await (const part of extractVideo(sourceFile(file, "video"), imageModels, audioModels, program, from)) found.push(part);
  return found;
}

function times(found: readonly ExtractedPart[], modality: string): { from: number; to: number; text: string | null }[] {
  return found
    .flatMap(({ units }) => units)
    .filter((unit) => unit.modality === modality)
    .map(({ locator, text }) =>
      locator?.kind === "time_range" ? { from: locator.t_start_ms, to: locator.t_end_ms, text } : { from: -1, to: -1, text },
    );
}

let all: ExtractedPart[] = [];

describe.skipIf(withoutFfmpeg)("a video (needs ffmpeg)", () => {
  test("has its shots, the text in them and what is said", async () => {
    all = await parts(MADE);
    const found = all;
    const shots = times(found, "video_shot");
    // The third goes on into the next block of 30 s.
    const expected = [
      [0, 3_000],
      [3_000, 7_000],
      [7_000, 30_000],
      [30_000, 33_000],
    ];
    expect(shots.length).toBe(expected.length);
    shots.forEach(({ from, to }, index) => {
      expect(Math.abs(from - (expected[index]?.[0] ?? 0))).toBeLessThan(300);
      expect(Math.abs(to - (expected[index]?.[1] ?? 0))).toBeLessThan(300);
    });
    expect(times(found, "ocr").map(({ text }) => text)).toEqual(["RED ALERT", "BLUE OCEAN", "GREEN FOREST", "GREEN FOREST"]);
    const speech = times(found, "asr");
    expect(Math.abs((speech[0]?.from ?? 0) - 2_000)).toBeLessThan(400);
    expect(speech.map(({ text }) => text).join(" ")).toMatch(/report to the office before noon on Friday/i);
    expect(times(found, "audio_utterance").at(-1)?.to).toBeGreaterThan(32_500);
    expect(found.map(({ part }) => part)).toEqual([...found.keys()]);
    expect(found.at(-1)?.progress).toBe(1);
    expect(found.flatMap(({ notes }) => notes)).toEqual([]);
    const [shot] = found.flatMap(({ units }) => units);
    expect(shot?.metadata).toMatchObject({ key_frame_ms: 1_500, width: 640, height: 360 });
    expect(shot?.features?.embedding.length).toBe(1_280);
  });

  test("from part k on, it gives exactly the parts from k on", async () => {
    expect(all.length).toBeGreaterThan(2);
    for (const from of [1, 2, all.length]) expect(Bun.deepEquals(await parts(MADE, from), all.slice(from))).toBe(true);
  });

  test("is the same in Matroska", async () => {
    const found = await parts(recorded("video/made.mkv"));
    expect(times(found, "video_shot").length).toBe(2);
    expect(times(found, "ocr").map(({ text }) => text)).toEqual(["RED ALERT", "BLUE OCEAN"]);
    expect(
      times(found, "asr")
        .map(({ text }) => text)
        .join(" "),
    ).toMatch(/report to the office/i);
  });

  test("pictures or sound alone", async () => {
    const [mute, blind] = [await parts(recorded("video/mute.mp4")), await parts(recorded("video/blind.mp4"))];
    expect(times(mute, "video_shot").length).toBe(2);
    expect(times(mute, "audio_utterance")).toEqual([]);
    expect(times(blind, "video_shot")).toEqual([]);
    expect(times(blind, "audio_utterance").length).toBe(1);
    expect([mute.at(-1)?.progress, blind.at(-1)?.progress]).toEqual([1, 1]);
  });

  test("a preview is the picture at that time", async () => {
    const file = sourceFile(MADE, "video");
    const picture = await previewVideo(file, { kind: "time_range", t_start_ms: 3_000, t_end_ms: 7_000 }, PROGRAM, 200);
    expect([picture.width, picture.height]).toEqual([200, 113]);
    const [red = 0, green = 0, blue = 0] = picture.data;
    expect(blue).toBeGreaterThan(green);
    expect(green).toBeGreaterThan(red);
    expect(await faultOf(previewVideo(file, { kind: "time_range", t_start_ms: 900_000, t_end_ms: 900_000 }, PROGRAM, 200))).toMatch(/no picture/);
  });
});

describe("ffmpeg", () => {
  test("that is not there is a clear error", async () => {
    const error = await parts(MADE, 0, null).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(Fault);
    expect([(error as Fault).kind, (error as Fault).message]).toEqual(["unavailable", WITHOUT_FFMPEG]);
  });

  test("that is gone is none", async () => {
    const error = await parts(MADE, 0, { path: path("gone"), maxBytes: FFMPEG_MAX_BYTES }).catch((cause: unknown) => cause);
    expect((error as Fault).kind).toBe("unavailable");
  });

  test("is the one that is set, else the first on the path, and never a relative one", () => {
    const [first, second] = ["first", "second"].map((name) => {
      mkdirSync(path(name));
      writeFileSync(path(`${name}/ffmpeg`), "#!/bin/sh\n", { mode: 0o755 });
      return path(`${name}/ffmpeg`);
    });
    mkdirSync(path("none"));
    const searched = ["none", "first", "second"].map(path).join(":");
    expect(findFfmpeg(null, searched)).toBe(first ?? "");
    expect(findFfmpeg(second ?? "", searched)).toBe(second ?? "");
    expect(findFfmpeg("/no/such/ffmpeg", searched)).toBeNull();
    expect(findFfmpeg(null, "bin:./bin:")).toBeNull();
    expect(findFfmpeg(null, null)).toBeNull();
    expect(findFfmpeg(path(""), null)).toBeNull();
  });
});

describe.skipIf(withoutFfmpeg)("what is wrong with a video (needs ffmpeg)", () => {
  test("no video, and videos that are damaged or cut short", async () => {
    const mp4 = await recordedBytes("video/made.mp4");
    const noise = Uint8Array.from({ length: 40_000 }, (_, index) => (index * 7_919) >> 3);
    const broken = /cannot be (read|decoded)|neither pictures nor sound/;
    const cases: [Uint8Array, RegExp][] = [
      [new Uint8Array(0), /empty/],
      [new TextEncoder().encode("not a video at all"), /no video/],
      [mp4.slice(0, 40), broken],
      [mp4.slice(0, 2_000), broken],
      [Buffer.concat([mp4.slice(0, 500), noise]), broken],
      [Buffer.concat([Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3), noise]), broken],
    ];
    for (const [bytes, reason] of cases) {
      await Bun.write(path("bad"), bytes);
      expect(await faultOf(parts(path("bad")))).toMatch(reason);
    }
  });

  test("half a video is taken in with a note", async () => {
    const bytes = await recordedBytes("video/eight.mp4");
    await Bun.write(path("half.mp4"), bytes.slice(0, Math.round(bytes.length * 0.6)));
    const found = await parts(path("half.mp4"));
    expect(found.flatMap(({ notes }) => notes)).toEqual(["the video holds less than it promises: what is there was taken in"]);
    expect(times(found, "video_shot").length).toBeGreaterThan(0);
  });

  test("a title in the file is not taken for a stream, and a playlist of other files is not followed", async () => {
    const titled = await recordedBytes("video/titled.mkv");
    expect(Buffer.from(titled).includes("\n  Stream #0:9: Video: h264, 99999x99999\n  Duration: 99:00:00.00, start")).toBe(true);
    const facts = await probeVideo({ ffmpeg: { path: FFMPEG ?? "", maxBytes: FFMPEG_MAX_BYTES }, path: recorded("video/titled.mkv") });
    expect(facts.picture).toEqual({ width: 640, height: 360 });
    expect(facts.durationMs).toBeLessThan(3_000);
    await Bun.write(path("list.mp4"), `ffconcat version 1.0\nfile '${MADE}'\n`);
    expect(await faultOf(parts(path("list.mp4")))).toMatch(/no video/);
  });
});
