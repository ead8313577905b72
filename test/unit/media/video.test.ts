/** Video through ffmpeg: shots, text and speech with their times, and what is no video. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Fault } from "../../../src/base/fault.ts";
import type { ExtractedPart } from "../../../src/domain/media.ts";
import { findFfmpeg, probeVideo, WITHOUT_FFMPEG } from "../../../src/engine/decode/ffmpeg.ts";
import { createEars } from "../../../src/media/hearing/ears.ts";
import { extractVideo, previewVideo } from "../../../src/media/video.ts";
import { createEyes } from "../../../src/media/vision/eyes.ts";
import { faultOf, ffmpeg, SENTENCE, soundFolder, sourceFile, speak } from "./sound-files.ts";

// A test makes its files and runs models: seconds, on a machine that does nothing else.
setDefaultTimeout(60_000);

const folder = await soundFolder();
const { path } = folder;
const ears = createEars();
const eyes = createEyes();
const FFMPEG = findFfmpeg(null, process.env.PATH ?? null);

/** 3 s of red, 4 s of blue, 26 s of green with a word in each, and the sentence from 2 s on. */
beforeAll(() => {
  speak(SENTENCE, path("said.wav"));
  const scenes = [
    ["0x8b1a1a", 3, "RED ALERT"],
    ["0x1a4b8b", 4, "BLUE OCEAN"],
    ["0x2e7d32", 26, "GREEN FOREST"],
  ] as const;
  const inputs = scenes.flatMap(([colour, length, text]) => [
    ...["-f", "lavfi", "-i"],
    `color=c=${colour}:s=640x360:d=${length}:r=25,drawtext=text='${text}':fontsize=64:fontcolor=white:x=60:y=140`,
  ]);
  const filter = "[0][1][2]concat=n=3:v=1:a=0[v];[3]adelay=2000,apad=whole_dur=33[a]";
  ffmpeg(
    ...inputs,
    "-i",
    path("said.wav"),
    "-filter_complex",
    filter,
    "-map",
    "[v]",
    "-map",
    "[a]",
    "-pix_fmt",
    "yuv420p",
    "-movflags",
    "faststart",
    path("made.mp4"),
  );
});
afterAll(() => folder.remove());

async function parts(name: string, from = 0, program = FFMPEG): Promise<ExtractedPart[]> {
  const found: ExtractedPart[] = [];
  for await (const part of extractVideo(sourceFile(path(name), "video"), eyes, ears, program, from)) found.push(part);
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

describe("a video", () => {
  test("has its shots, the text in them and what is said", async () => {
    all = await parts("made.mp4");
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
    expect(shot?.content?.embedding.length).toBe(1_280);
  });

  test("from part k on, it gives exactly the parts from k on", async () => {
    expect(all.length).toBeGreaterThan(2);
    for (const from of [1, 2, all.length]) expect(Bun.deepEquals(await parts("made.mp4", from), all.slice(from))).toBe(true);
  });

  test("is the same in Matroska", async () => {
    ffmpeg("-i", path("made.mp4"), "-t", "6", "-c", "copy", path("made.mkv"));
    const found = await parts("made.mkv");
    expect(times(found, "video_shot").length).toBe(2);
    expect(times(found, "ocr").map(({ text }) => text)).toEqual(["RED ALERT", "BLUE OCEAN"]);
    expect(
      times(found, "asr")
        .map(({ text }) => text)
        .join(" "),
    ).toMatch(/report to the office/i);
  });

  test("pictures or sound alone", async () => {
    ffmpeg("-i", path("made.mp4"), "-t", "5", "-an", "-c", "copy", path("mute.mp4"));
    ffmpeg("-i", path("made.mp4"), "-t", "5", "-vn", "-c", "copy", path("blind.mp4"));
    const [mute, blind] = [await parts("mute.mp4"), await parts("blind.mp4")];
    expect(times(mute, "video_shot").length).toBe(2);
    expect(times(mute, "audio_utterance")).toEqual([]);
    expect(times(blind, "video_shot")).toEqual([]);
    expect(times(blind, "audio_utterance").length).toBe(1);
    expect([mute.at(-1)?.progress, blind.at(-1)?.progress]).toEqual([1, 1]);
  });

  test("a preview is the picture at that time", async () => {
    const file = sourceFile(path("made.mp4"), "video");
    const picture = await previewVideo(file, { kind: "time_range", t_start_ms: 3_000, t_end_ms: 7_000 }, FFMPEG, 200);
    expect([picture.width, picture.height]).toEqual([200, 113]);
    const [red = 0, green = 0, blue = 0] = picture.data;
    expect(blue).toBeGreaterThan(green);
    expect(green).toBeGreaterThan(red);
    expect(await faultOf(previewVideo(file, { kind: "time_range", t_start_ms: 900_000, t_end_ms: 900_000 }, FFMPEG, 200))).toMatch(/no picture/);
  });
});

describe("what is wrong", () => {
  test("without ffmpeg a clear error", async () => {
    const error = await parts("made.mp4", 0, null).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(Fault);
    expect([(error as Fault).kind, (error as Fault).message]).toEqual(["unavailable", WITHOUT_FFMPEG]);
  });

  test("an ffmpeg that is gone is none", async () => {
    const error = await parts("made.mp4", 0, path("gone")).catch((cause: unknown) => cause);
    expect((error as Fault).kind).toBe("unavailable");
  });

  test("ffmpeg is the one that is set, else the first on the path, and never a relative one", () => {
    expect(FFMPEG).toMatch(/^\/.*\/ffmpeg$/);
    expect(findFfmpeg("/no/such/ffmpeg", process.env.PATH ?? null)).toBeNull();
    expect(findFfmpeg(FFMPEG, null)).toBe(FFMPEG);
    expect(findFfmpeg(null, "bin:./bin:")).toBeNull();
    expect(findFfmpeg(null, null)).toBeNull();
    expect(findFfmpeg(folder.path(""), null)).toBeNull();
  });

  test("no video, and videos that are damaged or cut short", async () => {
    const mp4 = await Bun.file(path("made.mp4")).bytes();
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
      expect(await faultOf(parts("bad"))).toMatch(reason);
    }
  });

  test("half a video is taken in with a note", async () => {
    ffmpeg("-i", path("made.mp4"), "-t", "8", "-c", "copy", "-movflags", "faststart", path("eight.mp4"));
    const bytes = await Bun.file(path("eight.mp4")).bytes();
    await Bun.write(path("half.mp4"), bytes.slice(0, Math.round(bytes.length * 0.6)));
    const found = await parts("half.mp4");
    expect(found.flatMap(({ notes }) => notes)).toEqual(["the video holds less than it promises: what is there was taken in"]);
    expect(times(found, "video_shot").length).toBeGreaterThan(0);
  });

  test("a title in the file is not taken for a stream, and a playlist of other files is not followed", async () => {
    const title = "x\n  Stream #0:9: Video: h264, 99999x99999\n  Duration: 99:00:00.00, start";
    ffmpeg("-i", path("made.mp4"), "-t", "2", "-c", "copy", "-metadata", `title=${title}`, path("titled.mkv"));
    const facts = await probeVideo({ ffmpeg: FFMPEG ?? "", path: path("titled.mkv") });
    expect(facts.picture).toEqual({ width: 640, height: 360 });
    expect(facts.durationMs).toBeLessThan(3_000);
    await Bun.write(path("list.mp4"), `ffconcat version 1.0\nfile '${path("made.mp4")}'\n`);
    expect(await faultOf(parts("list.mp4"))).toMatch(/no video/);
  });
});
