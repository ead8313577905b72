/**
 * A media process: it runs decoders and models on files, one task at a time, and ends with the service. Tasks may hold its
 * thread for long, since it serves nothing else.
 */
import { Fault } from "../../base/fault.ts";
import type { Features, Extraction, Picture, SourceFile } from "../../domain/media.ts";
import type { Preview, PreviewOf } from "../../domain/port/extractor.ts";
import type { Ffmpeg } from "../video/ffmpeg.ts";
import { pictureDecoderFailed } from "../image/decode.ts";
import { endWithParent, provideAddons, yieldToOtherProcesses } from "../../runtime/native.ts";
import { extractDocument, previewDocument } from "../document/extract.ts";
import { createAudioModels } from "../audio/models.ts";
import { extractLog } from "../log/extract.ts";
import { extractPicture, previewPicture, classifyPicture, thumbnail } from "../image/extract.ts";
import { selfTestAudio } from "../selftest/audio.ts";
import { selfTestImage } from "../selftest/image.ts";
import type { FromMedia, MediaSetup, MediaTask, ToMedia } from "./protocol.ts";
import { extractSound, classifySound, previewSound } from "../audio/extract.ts";
import { extractVideo, previewVideo } from "../video/extract.ts";
import { createImageModels } from "../image/models.ts";

const imageModels = createImageModels();
const audioModels = createAudioModels();
let ffmpeg: Ffmpeg | null = null;
let running: { id: number; parts: Extraction | null } | null = null;

function send(message: FromMedia): void {
  process.send?.(message);
}

function setUp(setup: MediaSetup): void {
  endWithParent();
  yieldToOtherProcesses(setup.nice);
  provideAddons(setup.addons);
  ffmpeg = setup.ffmpeg;
  send({ kind: "ready" });
}

function partsOf(file: SourceFile, from: number): Extraction {
  switch (file.format.kind) {
    case "picture":
      return extractPicture(file, imageModels, from);
    case "document":
      return extractDocument(file, imageModels, from);
    case "sound":
      return extractSound(file, audioModels, from);
    case "video":
      return extractVideo(file, imageModels, audioModels, ffmpeg, from);
    case "log":
      return extractLog(file, from);
  }
}

async function previewOf(file: SourceFile, { locator, maxSide }: PreviewOf): Promise<Preview | null> {
  switch (file.format.kind) {
    case "picture":
      return previewPicture(file, locator, maxSide);
    case "document":
      return shown(await previewDocument(file, locator, maxSide), maxSide);
    case "sound":
      return shown(await previewSound(file, locator, maxSide), maxSide);
    case "video":
      return shown(await previewVideo(file, locator, ffmpeg, maxSide), maxSide);
    case "log":
      return null;
  }
}

async function shown(picture: Picture | null, maxSide: number): Promise<Preview | null> {
  return picture === null ? null : thumbnail(picture, maxSide);
}

async function describe(file: SourceFile): Promise<Features> {
  if (file.format.kind === "picture") return classifyPicture(await Bun.file(file.path).bytes(), file.format.mime, imageModels);
  if (file.format.kind === "sound") return classifySound(file, audioModels);
  throw new Fault("bad_request", `send a picture or a sound to compare with; this is a ${file.format.kind} file`);
}

async function start(id: number, task: MediaTask): Promise<void> {
  if (task.kind === "extract") {
    running = { id, parts: partsOf(task.file, task.from) };
    return next(id);
  }
  running = { id, parts: null };
  send({ kind: "value", id, value: await answerTo(task) });
}

async function answerTo(task: Exclude<MediaTask, { kind: "extract" }>): Promise<(FromMedia & { kind: "value" })["value"]> {
  switch (task.kind) {
    case "preview":
      return previewOf(task.file, task.of);
    case "describe":
      return describe(task.file);
    case "selfTest":
      return [...(await selfTestImage()), ...(await selfTestAudio())];
  }
}

async function next(id: number): Promise<void> {
  if (running?.id !== id || running.parts === null) return;
  const { value, done } = await running.parts.next();
  send({ kind: "part", id, part: done ? null : value });
}

function receive(message: ToMedia): Promise<void> | void {
  if (message.kind === "setup") return setUp(message.setup);
  const work = message.kind === "task" ? start(message.id, message.task) : next(message.id);
  return work.catch((error: unknown) => {
    send(failureOf(message.id, error));
  });
}

/** Error codes of a system that is short of files, memory, processes or disk. */
const SHORTAGES = ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "ENOSPC", "EDQUOT", "EIO"];

/** Messages of JavaScriptCore and onnxruntime when they are refused memory: the file needs too much, or the machine has too little. */
const NO_MEMORY = /out of memory|bad[_ ]alloc|failed to allocate memory/i;

/** The Fault for an error: a decoder's own error means a damaged file, unless the machine is short of something. The log gets the cause. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const short = SHORTAGES.includes((error as NodeJS.ErrnoException | null)?.code ?? "");
  if (short) return new Fault("unavailable", "the machine is short of files, memory or disk", { cause: error });
  const refused = error instanceof Error && NO_MEMORY.test(error.message);
  if (refused) return new Fault("bad_request", "the file needs more memory to be read than there is", { retry: "few", cause: error });
  return new Fault("bad_request", "the file is damaged: it cannot be read", { cause: error });
}

function failureOf(id: number, error: unknown): FromMedia {
  const { kind, retry, message, cause } = faultOf(error);
  const reason = cause === undefined ? null : String(cause instanceof Error ? (cause.stack ?? cause.message) : cause);
  // After a trap the decoder's memory is in an unknown state: the next file gets a new process.
  return { kind: "failed", id, fault: kind, retry, detail: message, reason, spent: pictureDecoderFailed() };
}

/** Serves the parent process until it disconnects. */
export function mediaMain(): Promise<number> {
  process.on("message", receive);
  return new Promise((resolve) => process.on("disconnect", () => resolve(0)));
}
