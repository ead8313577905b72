/** What `strata bench` measures files with: the files that it makes, the runs that it notes down, and its figures. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { FIGURE_HEADINGS, type Figure, figureRow } from "../../../src/cli/bench/measure.ts";
import { pageFigures, pictureFigures, speechFigures } from "../../../src/cli/bench/media.ts";
import { drawnPicture, LOG_TEMPLATES, linesOf, logText, numberedJpeg, repeatedWav, textPdf } from "../../../src/cli/bench/media-files.ts";
import { runCli } from "../../../src/cli/run.ts";
import { openPdf } from "../../../src/media/document/pdf.ts";
import { decodePicture, encodePicture } from "../../../src/media/image/decode.ts";
import { decodeSound } from "../../../src/media/audio/decode.ts";
import { mediaModelFile } from "../../../src/runtime/media-models.ts";
import { type GraphOutput, graphRuns } from "../../../src/inference/onnx.ts";
import { createAudioModels } from "../../../src/media/audio/models.ts";
import { extractLog } from "../../../src/media/log/extract.ts";
import { type Measurement, measure } from "../../../src/media/bench.ts";
import { createImageModels } from "../../../src/media/image/models.ts";
import { openDetector } from "../../../src/media/image/ocr/detect.ts";
import { NO_MODELS, sniffedFile, unitsOf } from "./files.ts";

// Models run here, on machines that may be busy.
setDefaultTimeout(60_000);

const LINES = Array.from({ length: 50 }, (_, index) => `Line ${index + 1} of the page (with brackets) says \\ and goes on to the right margin.`);
const speech = () => mediaModelFile("whisper-tiny-en", "fixture/jfk.wav");

async function samplesOf(wav: Uint8Array): Promise<number[]> {
  const samples: number[] = [];
  for await (const piece of decodeSound(await sniffedFile(wav, "speech.wav"))) samples.push(...piece);
  return samples;
}

describe("made files", () => {
  test("lines are ASCII, no longer than a page is wide, and keep their words", () => {
    const text = ["The tide – they say – turns at noon.", "Nothing else moves ".repeat(40)];
    const lines = linesOf(text);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(84);
    expect(lines.join(" ")).toBe(text.join(" ").replaceAll("–", "").split(/\s+/).join(" ").trim());
    expect(linesOf([])).toEqual([]);
  });

  test("a PDF holds its pages and every line of them, inside the paper", async () => {
    const source = await sniffedFile(textPdf([LINES, LINES.slice(0, 2)]), "page.pdf");
    const pdf = await openPdf(source.path, source.bytes);
    try {
      expect(pdf.pages).toBe(2);
      const page = pdf.page(0);
      expect(
        page?.text
          .trim()
          .split("\n")
          .map((line) => line.trim()),
      ).toEqual(LINES);
      expect(page?.textIn({ x: 0, y: 0, w: 1, h: 1 }).trim().split("\n").length).toBe(LINES.length);
      page?.close();
      const second = pdf.page(1);
      expect(second?.text).toContain(LINES[1] ?? "");
      second?.close();
    } finally {
      pdf.close();
    }
  });

  test("a drawn picture is the same in every run, and as hard to decode as a photo", async () => {
    const picture = drawnPicture(640, 480);
    expect(picture.data).toEqual(drawnPicture(640, 480).data);
    const bitsPerPixel = ((await encodePicture(picture)).length * 8) / (640 * 480);
    expect(bitsPerPixel).toBeGreaterThan(0.8);
    expect(bitsPerPixel).toBeLessThan(4);
  });

  test("a numbered JPEG has other bytes and the same pixels", async () => {
    const jpeg = await encodePicture(drawnPicture(64, 48));
    const [one, two] = [numberedJpeg(jpeg, 1), numberedJpeg(jpeg, 2_000)];
    expect(one).not.toEqual(two);
    expect((await decodePicture(two, "image/jpeg")).data).toEqual((await decodePicture(jpeg, "image/jpeg")).data);
  });

  test("speech is repeated sample by sample, and numbered in its last", async () => {
    const wav = await speech();
    const once = await samplesOf(wav);
    const copy = repeatedWav(wav, 2, 7);
    const twice = await samplesOf(copy);
    expect(twice.length).toBe(2 * once.length);
    expect(twice.slice(once.length, -1)).toEqual(once.slice(0, -1));
    expect(twice.at(-1)).toBe(7 / 32_768);
    expect(wav).toEqual(await speech());
  });

  test("a log has the templates that it was made from, and all its lines", async () => {
    const source = await sniffedFile(logText(3_000), "system.log");
    expect(source.format.kind).toBe("log");
    const units = (await unitsOf(extractLog(source, 0))).filter(({ modality }) => modality === "log_template");
    expect(units.length).toBe(LOG_TEMPLATES);
    expect(units.reduce((sum, { metadata }) => sum + Number(metadata.count), 0)).toBe(3_000);
  });
});

describe("runs of graphs", () => {
  test("are noted down in order and give the same again", async () => {
    const detector = await openDetector();
    const pictures = [drawnPicture(64, 64), drawnPicture(96, 64)];
    const maps: Float32Array[] = [];
    const runs = await graphRuns(async () => {
      for (const picture of pictures) maps.push((await detector.map(picture)).probabilities);
    });
    await detector.map(pictures[0] as (typeof pictures)[0]);
    const again: (GraphOutput["data"] | undefined)[] = [];
    for (const run of runs) again.push((await run()).prob?.data);
    expect(again).toEqual(maps);
  });

  test("are noted down for one piece of work at a time, and after a failure for the next", async () => {
    await expect(graphRuns(() => graphRuns(async () => {}))).rejects.toThrow("one piece of work");
    await expect(graphRuns(() => Promise.reject(new Error("no file")))).rejects.toThrow("no file");
    expect(await graphRuns(async () => {})).toEqual([]);
  });
});

describe("a measurement", () => {
  const imageModels = createImageModels();
  const audioModels = createAudioModels();
  const page = () => sniffedFile(textPdf([LINES.slice(0, 3)]), "page.pdf");

  test("of a picture asks the classifier once a round", async () => {
    const jpeg = await sniffedFile(await encodePicture(drawnPicture(320, 240)), "drawn.jpg");
    const { rounds, graphRuns, pipelineMs, bareMs, decodeMs } = await measure({ what: "classify", file: jpeg, rounds: 2 }, imageModels, audioModels);
    expect({ rounds, graphRuns }).toEqual({ rounds: 2, graphRuns: 1 });
    for (const ms of [pipelineMs, bareMs, decodeMs]) expect(ms).toBeGreaterThan(0);
  });

  test("of a whole picture asks classifier and detector", async () => {
    const { graphRuns } = await measure({ what: "picture", file: await page(), rounds: 1 }, imageModels, audioModels);
    expect(graphRuns).toBe(1 + 1 + 3);
  });

  test("of a page asks the detector once and the recogniser for each line", async () => {
    const { graphRuns } = await measure({ what: "ocr", file: await page(), rounds: 1 }, imageModels, audioModels);
    expect(graphRuns).toBe(1 + 3);
  });

  test("of a page's layout asks for its regions", async () => {
    const { graphRuns } = await measure({ what: "layout", file: await page(), rounds: 1 }, imageModels, audioModels);
    expect(graphRuns).toBe(1);
  });

  test("of speech takes the whole file, with its speech and its sound events", async () => {
    const { graphRuns, decodeMs } = await measure(
      { what: "sound", file: await sniffedFile(await speech(), "speech.wav"), rounds: 1 },
      imageModels,
      audioModels,
    );
    // Voice, speech (two graphs and one for each word) and sound events (two).
    expect(graphRuns).toBeGreaterThan(20);
    expect(decodeMs).toBe(0);
  });

  test("of what asks no model is refused", async () => {
    const noModels = { ...NO_MODELS, layout: async () => [] };
    await expect(measure({ what: "layout", file: await page(), rounds: 1 }, noModels, audioModels)).rejects.toThrow("asks a model");
  });
});

describe("figures", () => {
  const measured = (pipelineMs: number, bareMs: number): Measurement => ({ rounds: 10, pipelineMs, bareMs, decodeMs: 100, graphRuns: 60 });
  const bars = (figures: Figure[]) => figures.map(({ bar }) => bar?.met ?? null);

  test("rates of pictures add up over processes", () => {
    const [classified, whole, decoded] = pictureFigures(
      "12 megapixels",
      [measured(400, 340), measured(500, 425)],
      [measured(5_000, 4_500), measured(5_000, 4_500)],
    );
    expect(classified).toMatchObject({ value: 45, bar: { met: true } });
    expect(classified?.baseline?.value).toBeCloseTo(10 / 0.34 + 10 / 0.425);
    expect(whole).toMatchObject({ value: 4, bar: { met: true } });
    expect(decoded?.value).toBe(20);
  });

  test("pictures are held to a rate without OCR, and to a share of their bare models with it", () => {
    const [slow, heavy, good] = [measured(600, 590), measured(400, 300), measured(400, 390)].map((one) => [one, one]);
    expect(bars(pictureFigures("p", slow ?? [], good ?? []))).toEqual([false, true, null]);
    expect(bars(pictureFigures("p", heavy ?? [], good ?? []))).toEqual([true, true, null]);
    expect(bars(pictureFigures("p", good ?? [], heavy ?? []))).toEqual([true, false, null]);
  });

  test("pages are held to 6 s and to 0.8 of the bare models", () => {
    expect(bars(pageFigures(measured(60_000, 48_000)))).toEqual([true, true]);
    expect(bars(pageFigures(measured(60_100, 47_000)))).toEqual([false, false]);
    expect(pageFigures(measured(20_000, 18_000))[1]).toMatchObject({ value: 25, unit: "lines/s" });
  });

  test("speech is held to a tenth of its duration", () => {
    expect(bars(speechFigures(60_000, measured(20_000, 18_000), 6_000))).toEqual([true, true]);
    expect(bars(speechFigures(60_000, measured(20_000, 15_000), 6_100))).toEqual([false, false]);
    expect(speechFigures(60_000, measured(20_000, 15_000), 3_000)[0]?.value).toBe(5);
  });

  test("a row tells the ratio and the bar, and what was left out", () => {
    const row = figureRow({
      name: "OCR",
      value: 9,
      unit: "lines/s",
      baseline: { name: "bare", value: 10 },
      bar: { text: "at least 0.8", met: true },
    });
    expect(row).toEqual(["OCR", "9.0 lines/s", "10.0 lines/s (bare)", "0.90", "at least 0.8: met"]);
    expect(row.length).toBe(FIGURE_HEADINGS.length);
    expect(figureRow({ name: "OCR", value: null, unit: "" })).toEqual(["OCR", "left out: not in this build"]);
  });

  test("a part that there is not is named with those that there are", async () => {
    const said: string[] = [];
    const sink = { isTerminal: false, write: (text: string) => void said.push(text) };
    const io = { stdin: async function* () {}, stdout: sink, stderr: sink };
    const status = await runCli(["bench", "--part", "video"], { io, env: {}, interruption: () => new AbortController().signal });
    expect(status).toBe(2);
    expect(said.join("")).toContain(
      "--part must be one of search, audit, media, vectors, words, answer, similar, demo, ingest, start, namespaces, million",
    );
  });
});
