/**
 * Runs ffmpeg, which decodes video: a program that the operator installs. Its arguments are fixed here but for the path,
 * behind `file:`. It gets no shell, environment or input, no protocols but files and pipes, the demuxer that fits the first
 * bytes, one thread, and limits of time, memory and output.
 */
import { delimiter, isAbsolute, resolve } from "node:path";
import type { Subprocess } from "bun";
import { assert, Fault } from "../../base/fault.ts";
import {
  FFMPEG_ALLOCATION_MAX_BYTES,
  FFMPEG_CHECK_MS,
  FFMPEG_MESSAGES_MAX_BYTES,
  FFMPEG_STALL_MS,
  FFMPEG_WAIT_MAX_MS,
  KEY_FRAME_MAX_SIDE_PIXELS,
  PICTURE_MAX_PIXELS,
  VIDEO_MAX_MS,
} from "../../base/limits.ts";
import type { Picture } from "../../domain/media.ts";
import { residentBytes } from "../../runtime/memory.ts";
import { bound, EXIT_NOT_RUN } from "../../runtime/native.ts";
import { hasText } from "../audio/decoder.ts";
import { SHOT_FRAME } from "./shots.ts";

export const WITHOUT_FFMPEG = "video needs ffmpeg: install it (Debian: apt-get install ffmpeg) or set STRATA_FFMPEG to its path";

/**
 * The path of ffmpeg, or null. `setting`: the operator's path, without a fallback when it is no program. `path`: folders to
 * search, like the variable PATH; relative ones are skipped.
 */
export function findFfmpeg(setting: string | null, path: string | null): string | null {
  if (setting !== null && setting !== "") return Bun.which(resolve(setting)) === null ? null : setting;
  const folders = (path ?? "").split(delimiter).filter(isAbsolute);
  return Bun.which("ffmpeg", { PATH: folders.join(delimiter) });
}

/** The program, and how much memory it may take. */
export interface Ffmpeg {
  path: string;
  maxBytes: number;
}

/** A video file and the program that reads it. */
export interface VideoSource {
  ffmpeg: Ffmpeg;
  path: string;
}

/** ffmpeg's demuxer by the first bytes. Errors: Fault `bad_request` for anything else. */
async function containerOf(path: string): Promise<"mov" | "matroska"> {
  const head = await Bun.file(path).slice(0, 12).bytes();
  if (head.length === 0) throw badVideo("the file is empty");
  if (hasText(head, 4, "ftyp")) return "mov";
  if (hasText(head, 0, "\u001aE\u00df\u00a3")) return "matroska";
  throw badVideo("the file is no video that can be read: MP4, WebM and Matroska (MKV) are");
}

function badVideo(detail: string, cause?: unknown): Fault {
  return new Fault("bad_request", detail, { cause });
}

/** A time span of a video. */
export interface VideoSpan {
  fromMs: number;
  /** Infinite: to the end. */
  lengthMs: number;
}

const WHOLE: VideoSpan = { fromMs: 0, lengthMs: Number.POSITIVE_INFINITY };

/** The arguments up to the input. */
async function inputArguments({ ffmpeg, path }: VideoSource, level: "info" | "error", { fromMs, lengthMs }: VideoSpan): Promise<string[]> {
  const seconds = (ms: number) => (ms / 1_000).toFixed(3);
  return [
    ...["-nostdin", "-hide_banner", "-loglevel", level, "-max_alloc", String(Math.min(FFMPEG_ALLOCATION_MAX_BYTES, ffmpeg.maxBytes))],
    ...["-timelimit", String(FFMPEG_WAIT_MAX_MS / 1_000)],
    ...["-protocol_whitelist", "file,pipe", "-threads", "1", "-max_pixels", String(PICTURE_MAX_PIXELS)],
    ...(fromMs > 0 ? ["-ss", seconds(fromMs)] : []),
    ...(Number.isFinite(lengthMs) ? ["-t", seconds(lengthMs)] : []),
    ...["-f", await containerOf(path), "-i", `file:${resolve(path)}`],
  ];
}

const OUTPUT_ARGUMENTS = ["-threads", "1", "-filter_threads", "1", "-sn", "-dn", "-map_metadata", "-1"];

interface Run {
  output: AsyncGenerator<Uint8Array>;
  /** The beginning and the end of its stderr, once the output has ended. */
  messages(): string;
}

/** The beginning and the end of a stream, FFMPEG_MESSAGES_MAX_BYTES together. It is read to its end, so that the writer never waits. */
async function endsOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const most = FFMPEG_MESSAGES_MAX_BYTES / 2;
  let [head, tail] = [Buffer.alloc(0), Buffer.alloc(0)];
  for await (const piece of stream) {
    const more = piece.subarray(0, most - head.length);
    head = Buffer.concat([head, more]);
    tail = Buffer.from(Buffer.concat([tail, piece.subarray(more.length)]).subarray(-most));
  }
  return `${head}${tail}`;
}

/** Starts ffmpeg so that it ends with this process, even if that is killed. Errors: Fault `unavailable` when no process can be started. */
function spawn(ffmpeg: string, args: readonly string[]) {
  try {
    return Bun.spawn(bound(ffmpeg, args), { stdin: "ignore", stdout: "pipe", stderr: "pipe", env: {}, cwd: "/" });
  } catch (cause) {
    throw new Fault("unavailable", "ffmpeg cannot be started now", { cause });
  }
}

/** Errors: Fault `unavailable` when the program could not be run, or was killed from outside. */
function checkEnd({ exitCode, signalCode }: Subprocess): void {
  if (exitCode === EXIT_NOT_RUN) throw new Fault("unavailable", WITHOUT_FFMPEG, { retry: "never" });
  if (signalCode === "SIGKILL" || signalCode === "SIGTERM") throw new Fault("unavailable", "ffmpeg was ended from outside");
}

/** Starts ffmpeg when its output is first read. The output must be read to the end or returned from, or the process stays. */
function start(source: VideoSource, span: VideoSpan, outputArguments: readonly string[], level: "info" | "error" = "error"): Run {
  let messages = "";
  async function* output(): AsyncGenerator<Uint8Array> {
    const child = spawn(source.ffmpeg.path, [...(await inputArguments(source, level, span)), ...OUTPUT_ARGUMENTS, ...outputArguments]);
    let killedFor: string | null = null;
    const stop = (why: string) => {
      killedFor ??= why;
      child.kill("SIGKILL");
    };
    const memory = setInterval(() => {
      if ((residentBytes(child.pid) ?? 0) > source.ffmpeg.maxBytes) stop("the video needs more memory to decode than it may have");
    }, FFMPEG_CHECK_MS);
    const said = endsOf(child.stderr);
    const reader = child.stdout.getReader();
    let waitedMs = 0;
    try {
      for (;;) {
        const begun = performance.now();
        const stalled = setTimeout(() => stop("decoding the video takes too long"), Math.min(FFMPEG_STALL_MS, FFMPEG_WAIT_MAX_MS - waitedMs));
        const { done, value } = await reader.read().finally(() => clearTimeout(stalled));
        waitedMs += performance.now() - begun;
        if (done) break;
        yield value;
      }
      await child.exited;
      if (killedFor === null) checkEnd(child);
    } finally {
      clearInterval(memory);
      child.kill("SIGKILL");
      await child.exited;
      messages = await said;
    }
    if (killedFor !== null) throw badVideo(killedFor);
  }
  return { output: output(), messages: () => messages };
}

export interface VideoFacts {
  /** The end of the last packet. */
  durationMs: number;
  /** The duration in the container; null without one. */
  promisedMs: number | null;
  /** The size of the first video stream that is no cover picture; null without one. */
  picture: { width: number; height: number } | null;
  hasSound: boolean;
}

/**
 * Reads the streams and the length of a file from ffmpeg's messages while it copies all packets to nowhere, without
 * decoding. Lines are matched from their beginning: titles and comments of the file are printed too, indented. Errors: Fault
 * `bad_request` for a file that is no video, is damaged or over a limit.
 */
export async function probeVideo(source: VideoSource): Promise<VideoFacts> {
  const run = start(source, WHOLE, PASS_THROUGH, "info");
  for await (const piece of run.output) assert(piece.length >= 0, "ffmpeg without an output file prints nothing");
  const lines = run.messages().split(/[\r\n]+/);
  if (!lines.some((line) => line.startsWith("Input #0, "))) throw badVideo(UNREADABLE, run.messages());
  // The output's streams are listed behind the input's, in the same format.
  const output = lines.findIndex((line) => line.startsWith("Output #0, "));
  const streams = lines.slice(0, output < 0 ? lines.length : output).filter((line) => /^ {2}Stream #0:\d+/.test(line));
  const video = streams.find((line) => / Video: /.test(line) && !line.includes("(attached pic)"));
  const size = video === undefined ? null : /, (\d+)x(\d+)[ ,]/.exec(`${video},`);
  const times = lines.map((line) => clock(/^(?:frame|size)=.* time=(\d+):(\d\d):(\d\d)\.(\d\d) /.exec(line)) ?? 0);
  const lastMs = times.reduce((most, time) => Math.max(most, time), 0);
  const promisedMs = lines.reduce<number | null>((found, line) => found ?? clock(/^ {2}Duration: (\d+):(\d\d):(\d\d)\.(\d\d),/.exec(line)), null);
  // ffmpeg tells the start of the last packet; its length is known to the container only.
  const durationMs = promisedMs !== null && promisedMs - lastMs < LAST_PACKET_MAX_MS ? Math.max(promisedMs, lastMs) : lastMs;
  const picture = size === null ? null : { width: Number(size[1]), height: Number(size[2]) };
  const facts = { durationMs, promisedMs, picture, hasSound: streams.some((line) => / Audio: /.test(line)) };
  checkFacts(facts);
  return facts;
}

const LAST_PACKET_MAX_MS = 1_000;
const UNREADABLE = "the video cannot be read: it is damaged, cut short or encrypted";
/** Copies every packet of the first video and audio stream to nowhere, and tells the time of the last. */
const PASS_THROUGH = ["-stats", "-map", "0:V:0?", "-map", "0:a:0?", "-c", "copy", "-f", "null", "-"];

/** Milliseconds of hours, minutes, seconds and hundredths. */
function clock(match: RegExpExecArray | null): number | null {
  if (match === null) return null;
  const [hours = 0, minutes = 0, seconds = 0, hundredths = 0] = match.slice(1).map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + hundredths * 10;
}

function checkFacts({ durationMs, promisedMs, picture, hasSound }: VideoFacts): void {
  if (picture === null && !hasSound) throw badVideo("the file holds neither pictures nor sound that can be read");
  checkVideoLength(Math.max(durationMs, promisedMs ?? 0));
  if (picture !== null && picture.width * picture.height > PICTURE_MAX_PIXELS)
    throw badVideo(
      `the video has pictures of ${picture.width} × ${picture.height} pixels: at most ${PICTURE_MAX_PIXELS / 1_000_000} megapixels are taken in`,
    );
}

/** Errors: Fault `bad_request` when a video of `ms` is longer than may be. */
function checkVideoLength(ms: number): void {
  if (ms > VIDEO_MAX_MS) throw badVideo(`the video is longer than ${VIDEO_MAX_MS / 3_600_000} hours, the most that is taken in: split it`);
}

/** Cuts a stream into blocks of exactly `size` bytes; a shorter rest is dropped. A block is valid until the next. */
async function* blocksOf(stream: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const block = new Uint8Array(size);
  let used = 0;
  for await (const piece of stream) {
    for (let from = 0; from < piece.length; ) {
      const part = piece.subarray(from, from + size - used);
      block.set(part, used);
      from += part.length;
      used += part.length;
      if (used < size) continue;
      used = 0;
      yield block;
    }
  }
}

/**
 * The frames of a span as SHOT_FRAME samples them, scaled without regard to their shape: RGB, row by row. A frame is valid
 * until the next.
 */
export async function* videoFrames(source: VideoSource, span: VideoSpan): AsyncGenerator<Uint8Array> {
  const { rate, width, height } = SHOT_FRAME;
  const filter = `fps=${rate}:start_time=0,scale=${width}:${height}:flags=area`;
  const output = ["-map", "0:V:0", "-vf", filter, "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"];
  let left = (span.lengthMs / 1_000) * rate;
  for await (const frame of blocksOf(start(source, span, output).output, width * height * 3)) {
    if (left-- < 1) return;
    yield frame;
  }
}

/**
 * The frames of a span with these numbers among those that `videoFrames` gives (ascending, at most some dozens), their
 * longer side at most KEY_FRAME_MAX_SIDE_PIXELS. Fewer if the video ends before.
 */
export async function* videoPictures(source: VideoSource, span: VideoSpan, numbers: readonly number[]): AsyncGenerator<Picture> {
  const { rate } = SHOT_FRAME;
  const chosen = numbers.map((number) => `eq(n\\,${number})`).join("+");
  // New timestamps, one step apart: ffmpeg would repeat a frame to fill the time up to the next one.
  const filter = `fps=${rate}:start_time=0,select=${chosen},setpts=N/${rate}/TB,${fitting(KEY_FRAME_MAX_SIDE_PIXELS)}`;
  const output = ["-map", "0:V:0", "-frames:v", String(numbers.length), "-vf", filter, "-f", "image2pipe", "-c:v", "ppm", "pipe:1"];
  yield* parsePpm(start(source, span, output).output, KEY_FRAME_MAX_SIDE_PIXELS);
}

/** The frame at `ms`, its longer side at most `maxSide` pixels; null behind the end. */
export async function videoPictureAt(source: VideoSource, ms: number, maxSide: number): Promise<Picture | null> {
  const output = ["-map", "0:V:0", "-frames:v", "1", "-vf", fitting(maxSide), "-f", "image2pipe", "-c:v", "ppm", "pipe:1"];
  for await (const picture of parsePpm(start(source, { ...WHOLE, fromMs: ms }, output).output, maxSide)) return picture;
  return null;
}

function fitting(maxSide: number): string {
  return `scale=w='min(${maxSide},iw)':h='min(${maxSide},ih)':force_original_aspect_ratio=decrease`;
}

/** Room for the header of a PPM. */
const PPM_HEAD_BYTES = 4_096;

/** Binary PPMs of 8 bits one after another, as ffmpeg writes them. Errors: Fault `bad_request` for one that is larger than was asked for. */
async function* parsePpm(stream: AsyncIterable<Uint8Array>, maxSide: number): AsyncGenerator<Picture> {
  const bytes = new Uint8Array(maxSide * maxSide * 3 + PPM_HEAD_BYTES);
  let used = 0;
  for await (const piece of stream) {
    for (let from = 0; from < piece.length; ) {
      const part = piece.subarray(from, from + bytes.length - used);
      bytes.set(part, used);
      from += part.length;
      used += part.length;
      for (let image = ppmIn(bytes.subarray(0, used)); image !== null; image = ppmIn(bytes.subarray(0, used))) {
        yield image.picture;
        bytes.copyWithin(0, image.length, used);
        used -= image.length;
      }
      if (used === bytes.length) throw badVideo("the video gives larger pictures than were asked for");
    }
  }
}

/** The whole picture that `bytes` begin with, or null. */
function ppmIn(bytes: Uint8Array): { picture: Picture; length: number } | null {
  const head = /^P6\s(\d+)\s(\d+)\s255\s/.exec(new TextDecoder("latin1").decode(bytes.subarray(0, 64)));
  if (head === null) return null;
  const [width, height, from] = [Number(head[1]), Number(head[2]), head[0].length];
  const length = from + width * height * 3;
  return bytes.length < length ? null : { picture: { width, height, data: bytes.slice(from, length) }, length };
}

/** Samples of one piece of sound, at most. */
const SOUND_BLOCK_SAMPLES = 16_384;

/** The first sound track as 16 kHz mono, -1..1, from time 0 of the video on. */
export async function* videoSound(source: VideoSource): AsyncGenerator<Float32Array> {
  const output = ["-map", "0:a:0", "-af", "aresample=16000:async=1:first_pts=0", "-ac", "1", "-ar", "16000", "-f", "s16le", "pipe:1"];
  let rest = new Uint8Array(0);
  let samples = 0;
  for await (const piece of start(source, WHOLE, output).output) {
    const joined = new Uint8Array(rest.length + piece.length);
    joined.set(rest);
    joined.set(piece, rest.length);
    const whole = joined.length - (joined.length % 2);
    rest = joined.slice(whole);
    samples += whole / 2;
    checkVideoLength(samples / 16);
    const values = new Int16Array(joined.buffer, 0, whole / 2);
    for (let from = 0; from < values.length; from += SOUND_BLOCK_SAMPLES) {
      yield Float32Array.from(values.subarray(from, from + SOUND_BLOCK_SAMPLES), (value) => value / 32_768);
    }
  }
}
