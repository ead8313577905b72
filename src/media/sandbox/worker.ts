/**
 * A media process: it runs decoders and models on files, one task at a time, and ends with the service. Tasks may hold its
 * thread for long, since it serves nothing else.
 */
import { assert, Fault } from "../../base/fault.ts";
import type { ExtractedPart, Extraction, Features, SourceFile } from "../../domain/media.ts";
import type { Preview, PreviewOf } from "../../domain/port/extractor.ts";
import type { Ffmpeg } from "../video/ffmpeg.ts";
import { pictureDecoderFailed } from "../image/decode.ts";
import { endWithParent, provideAddons, yieldToOtherProcesses } from "../../runtime/native.ts";
import { extractPdf, previewPdf } from "../document/pdf-pages.ts";
import { extractProse } from "../document/prose.ts";
import { createAudioModels } from "../audio/models.ts";
import { extractLog } from "../log/extract.ts";
import { extractPicture, previewPicture, classifyPicture, thumbnail } from "../image/extract.ts";
import { selfTestAudio } from "../selftest/audio.ts";
import { selfTestImage } from "../selftest/image.ts";
import { parentTransport, serve } from "../../runtime/rpc.ts";
import type { MediaCalls, MediaSetup } from "./protocol.ts";
import { extractSound, classifySound, previewSound } from "../audio/extract.ts";
import { extractVideo, previewVideo } from "../video/extract.ts";
import { createImageModels } from "../image/models.ts";

const imageModels = createImageModels();
const audioModels = createAudioModels();
const PDF_MIME = "application/pdf";
let ffmpeg: Ffmpeg | null = null;
let parts: Extraction | null = null;

function setup(options: MediaSetup): void {
  endWithParent();
  yieldToOtherProcesses(options.nice);
  provideAddons(options.addons);
  ffmpeg = options.ffmpeg;
}

function partsOf(file: SourceFile, from: number): Extraction {
  switch (file.format.kind) {
    case "picture":
      return extractPicture(file, imageModels, from);
    case "document":
      return file.format.mime === PDF_MIME ? extractPdf(file, imageModels, from) : extractProse(file, from);
    case "sound":
      return extractSound(file, audioModels, from);
    case "video":
      return extractVideo(file, imageModels, audioModels, ffmpeg, from);
    case "log":
      return extractLog(file, from);
  }
}

/** Null for what has no pages and makes no picture: text and logs. Errors: those of the previews of each kind. */
export async function previewOf(file: SourceFile, { locator, maxSide }: PreviewOf): Promise<Preview | null> {
  switch (file.format.kind) {
    case "picture":
      return previewPicture(file, locator, maxSide);
    case "document":
      return file.format.mime === PDF_MIME ? thumbnail(await previewPdf(file, locator, maxSide), maxSide) : null;
    case "sound":
      return thumbnail(await previewSound(file, locator, maxSide), maxSide);
    case "video":
      return thumbnail(await previewVideo(file, locator, ffmpeg, maxSide), maxSide);
    case "log":
      return null;
  }
}

async function describe(file: SourceFile): Promise<Features> {
  if (file.format.kind === "picture") return classifyPicture(file, imageModels);
  if (file.format.kind === "sound") return classifySound(file, audioModels);
  throw new Fault("bad_request", `send a picture or a sound to compare with; this is a ${file.format.kind} file`);
}

async function next(): Promise<ExtractedPart | null> {
  assert(parts !== null, "extract comes before next");
  const { value, done } = await parts.next();
  return done ? null : value;
}

const calls: MediaCalls = {
  setup,
  extract(file, from) {
    parts = partsOf(file, from);
    return next();
  },
  next,
  preview: previewOf,
  describe,
  selfTest: async () => [...(await selfTestImage()), ...(await selfTestAudio())],
  // After a trap the decoder's memory is in an unknown state: the next file gets a new process.
  usable: () => !pictureDecoderFailed(),
};

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

/** Serves the parent process until it disconnects. */
export function mediaMain(): Promise<number> {
  serve<MediaCalls>(parentTransport, calls, { faultOf });
  return new Promise((resolve) => process.on("disconnect", () => resolve(0)));
}
