/** Files in: each kind beside its bare models on the same inputs, and searches beside jobs. */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { SourceFile } from "../../domain/media.ts";
import {
  decodePicture,
  encodePicture,
  HAS_MEDIA_MODELS,
  type Measured,
  type Measurement,
  measureApart,
  mediaModelFile,
  runtimeDirectory,
} from "../../app/bench.ts";
import { questions, sentences } from "./corpus.ts";
import { type Figure, slowdown, timed } from "./measure.ts";
import { drawnPicture, linesOf, logText, numberedJpeg, repeatedWav, textPdf } from "./media-files.ts";
import type { Stand } from "./stand.ts";

const TOP_K = 10;
const BARE_SHARE_MIN = 0.8;
/** The bar for pictures is one for two cores. */
const PICTURE_PROCESSES = Math.min(2, availableParallelism());
const PICTURES_MIN_PER_SECOND = 40;
const PICTURE_SIZES = [
  { name: "12 megapixels", width: 4_000, height: 3_000 },
  { name: "2 megapixels", width: 1_632, height: 1_224 },
];
const PICTURE_ROUNDS = 40;
const WHOLE_ROUNDS = 4;
const PAGE_LINES = 50;
const PAGE_MAX_MS = 6_000;
const PAGE_ROUNDS = 2;
const LAYOUT_ROUNDS = 10;
/** The fixture's length: 16 kHz, 16 bits, one channel. */
const WAV_BYTES_PER_MS = 32;
const SPEECH_COPIES = 6;
const SPEECH_ROUNDS = 2;
const SPEECH_MAX_PERCENT = 10;
const PDF_PAGES = 300;
const PDF_PAGES_MIN_PER_SECOND = 30;
const LOG_LINES = 300_000;
/** One more than there are workers, so that none waits for an upload. */
const UPLOADING_CLIENTS = availableParallelism() + 1;

/** `folder` is made for the files. `queries`: searches while nothing else runs, and as many beside jobs. */
export async function benchMedia(stand: Stand, folder: string, queries: number, onPart: (part: string) => void): Promise<Figure[]> {
  mkdirSync(folder, { recursive: true });
  const bench = new MediaBench(stand, folder);
  onPart("documents and logs");
  const figures = [await bench.textPages(), await bench.logLines()];
  if (!HAS_MEDIA_MODELS) return [...figures, { name: "pictures, speech, OCR, layout, search beside jobs", value: null, unit: "" }];
  onPart("pictures");
  for (const size of PICTURE_SIZES) figures.push(...(await bench.pictures(size)));
  onPart("pages");
  figures.push(...(await bench.pages()));
  onPart("speech");
  figures.push(...(await bench.speech()));
  onPart("searches beside jobs");
  return [...figures, ...(await bench.searches(queries))];
}

class MediaBench {
  constructor(
    private readonly stand: Stand,
    private readonly folder: string,
  ) {}

  /** The text layer of a PDF becomes chunks and pages. */
  async textPages(): Promise<Figure> {
    const lines = linesOf(await sentences());
    const at = (index: number) => lines[index % lines.length] ?? "";
    const pages = Array.from({ length: PDF_PAGES }, (_, page) => Array.from({ length: PAGE_LINES }, (_, line) => at(page * PAGE_LINES + line)));
    await this.extracted(await this.file("short.pdf", textPdf(pages.slice(0, 1))));
    const rate = (PDF_PAGES * 1_000) / (await this.extracted(await this.file("text.pdf", textPdf(pages))));
    const bar = { text: `at least ${PDF_PAGES_MIN_PER_SECOND} pages/s`, met: rate >= PDF_PAGES_MIN_PER_SECOND };
    return { name: "text PDF, before embedding", value: rate, unit: "pages/s", bar };
  }

  /** Lines become templates. */
  async logLines(): Promise<Figure> {
    const ms = await this.extracted(await this.file("system.log", Buffer.from(logText(LOG_LINES))));
    return { name: "log, before embedding", value: (LOG_LINES * 1_000) / ms, unit: "lines/s" };
  }

  /** In as many processes as there are cores, up to two. */
  async pictures({ name, width, height }: (typeof PICTURE_SIZES)[number]): Promise<Figure[]> {
    const file = await this.file(`${width}.jpg`, await encodePicture(drawnPicture(width, height)));
    const each = (what: Measured, rounds: number) => Promise.all(Array.from({ length: PICTURE_PROCESSES }, () => this.measured(what, file, rounds)));
    return pictureFigures(name, await each("classify", PICTURE_ROUNDS), await each("picture", WHOLE_ROUNDS));
  }

  /** Text and layout of a page that is drawn from a PDF as a scan would be. */
  async pages(): Promise<Figure[]> {
    const file = await this.file("page.pdf", textPdf([linesOf(await sentences()).slice(0, PAGE_LINES)]));
    const ocr = await this.measured("ocr", file, PAGE_ROUNDS);
    // The detector once, and the recogniser for each line.
    if (ocr.graphRuns <= PAGE_LINES) throw new Error(`of ${PAGE_LINES} lines OCR found ${ocr.graphRuns - 1}`);
    return [...pageFigures(ocr), besideBare("layout", "pages/s", 1, await this.measured("layout", file, LAYOUT_ROUNDS))];
  }

  async speech(): Promise<Figure[]> {
    const wav = await mediaModelFile("whisper-tiny-en", "fixture/jfk.wav");
    const bytes = repeatedWav(wav, SPEECH_COPIES);
    const file = await this.file("speech.wav", bytes);
    const measured = await this.measured("sound", file, SPEECH_ROUNDS);
    // Opens the models in the process that the upload takes.
    await this.extracted(file);
    const start = performance.now();
    await this.stand.put("speech.wav", bytes);
    return speechFigures(bytes.length / WAV_BYTES_PER_MS, measured, performance.now() - start);
  }

  /** Searches without rerank, alone and while clients send files all the time: before, meanwhile and after. */
  async searches(queries: number): Promise<Figure[]> {
    const half = Math.ceil(queries / 2);
    const plain = await questions(4 * half, queries + 3);
    const find = (q: string) => this.stand.post("admin", "/v1/search", { q, top_k: TOP_K });
    const before = await timed(plain.slice(0, half), 1, find);
    const uploads = await this.uploading();
    const beside = await timed(plain.slice(half, 3 * half), 1, find);
    const files = await uploads.stop();
    const after = await timed(plain.slice(3 * half), 1, find);
    return [
      slowdown("hybrid while files are taken in, p50", [...before.each, ...after.each], beside.each),
      { name: "files taken in meanwhile: speech of 11 s, pages", value: (files * 1_000) / beside.total, unit: "files/s" },
    ];
  }

  /** Keeps every worker busy with speech and scanned pages in turn; resolves when it does. `stop` gives the files that were taken in since. */
  private async uploading(): Promise<{ stop(): Promise<number> }> {
    const wav = await mediaModelFile("whisper-tiny-en", "fixture/jfk.wav");
    const page = await encodePicture(await decodePicture(await mediaModelFile("ppocr", "fixture/page.png"), "image/png"));
    let next = 1;
    let done = 0;
    let going = true;
    const send = async () => {
      const number = next++;
      await (number % 2 === 0
        ? this.stand.put(`${number}.wav`, repeatedWav(wav, 1, number))
        : this.stand.put(`${number}.jpg`, numberedJpeg(page, number)));
      done += 1;
    };
    const goOn = async () => {
      while (going) await send();
    };
    const clients = Array.from({ length: UPLOADING_CLIENTS }, send).map((first) => ({ first, rest: first.then(goOn) }));
    await Promise.all(clients.map(({ first }) => first));
    const before = done;
    const stop = async () => {
      const files = done - before;
      going = false;
      await Promise.all(clients.map(({ rest }) => rest));
      return files;
    };
    return { stop };
  }

  private async file(name: string, bytes: Uint8Array): Promise<SourceFile> {
    const path = join(this.folder, name);
    writeFileSync(path, bytes);
    return { path, bytes: bytes.length, name, format: await this.stand.app.services.extractor.recognise(path, bytes.length, name) };
  }

  /** ms of reading the whole file in a process for it. */
  private async extracted(file: SourceFile): Promise<number> {
    const start = performance.now();
    let units = 0;
    for await (const part of this.stand.app.services.extractor.extract(file, 0)) units += part.units.length;
    if (units === 0) throw new Error(`nothing was found in ${file.name}`);
    return performance.now() - start;
  }

  private measured(what: Measured, file: SourceFile, rounds: number): Promise<Measurement> {
    return measureApart(runtimeDirectory(this.stand.app.data.root), { what, file, rounds });
  }
}

/** `scale`: what one round handles of `unit`. */
function besideBare(name: string, unit: string, scale: number, { rounds, pipelineMs, bareMs }: Measurement): Figure {
  const rate = (ms: number) => (scale * rounds * 1_000) / ms;
  return {
    name,
    value: rate(pipelineMs),
    unit,
    baseline: { name: "bare models", value: rate(bareMs) },
    bar: { text: `at least ${BARE_SHARE_MIN} of the bare models`, met: bareMs >= BARE_SHARE_MIN * pipelineMs },
  };
}

/**
 * `classified`: without OCR; `whole`: with it, which is what a picture takes, and what is held to all its bare models. Of
 * processes that worked side by side: their rates add up.
 */
export function pictureFigures(name: string, classified: readonly Measurement[], whole: readonly Measurement[]): Figure[] {
  const rate = (all: readonly Measurement[], of: (each: Measurement) => number) => all.reduce((sum, each) => sum + 1_000 / of(each), 0);
  const beside = (all: readonly Measurement[]) => ({
    value: rate(all, ({ pipelineMs, rounds }) => pipelineMs / rounds),
    bare: rate(all, ({ bareMs, rounds }) => bareMs / rounds),
  });
  const [classify, all] = [beside(classified), beside(whole)];
  const unit = "pictures/s";
  return [
    {
      name: `picture of ${name}, decoded, without OCR`,
      value: classify.value,
      unit,
      baseline: { name: "bare classifier", value: classify.bare },
      bar: { text: `at least ${PICTURES_MIN_PER_SECOND}/s`, met: classify.value >= PICTURES_MIN_PER_SECOND },
    },
    {
      name: `picture of ${name}, decoded, with OCR`,
      value: all.value,
      unit,
      baseline: { name: "bare models", value: all.bare },
      bar: { text: `at least ${BARE_SHARE_MIN} of the bare models`, met: all.value >= BARE_SHARE_MIN * all.bare },
    },
    { name: `JPEG of ${name}, decoding`, value: rate(classified, ({ decodeMs }) => decodeMs), unit },
  ];
}

export function pageFigures(read: Measurement): Figure[] {
  const pageMs = read.pipelineMs / read.rounds;
  return [
    {
      name: `OCR of a page of ${PAGE_LINES} lines`,
      value: pageMs,
      unit: "ms",
      bar: { text: `at most ${PAGE_MAX_MS / 1_000} s`, met: pageMs <= PAGE_MAX_MS },
    },
    besideBare("OCR", "lines/s", PAGE_LINES, read),
  ];
}

/** `productMs`: from the upload until its Units are searchable. */
export function speechFigures(lengthMs: number, measured: Measurement, productMs: number): Figure[] {
  const percent = (100 * productMs) / lengthMs;
  return [
    {
      name: `sound file of ${Math.round(lengthMs / 1_000)} s of speech, uploaded and searchable`,
      value: percent,
      unit: "% of its duration",
      bar: { text: `at most ${SPEECH_MAX_PERCENT} %`, met: percent <= SPEECH_MAX_PERCENT },
    },
    besideBare("speech", "s of sound/s", lengthMs / 1_000, measured),
  ];
}
