/** How fast the pipelines are beside their bare models on the same inputs: for `strata bench`, in processes of its own. */
import { assert } from "../base/fault.ts";
import { PAGE_RENDER_SIDE_PIXELS } from "../base/limits.ts";
import type { Picture, SourceFile } from "../domain/media.ts";
import { graphRuns } from "../inference/onnx.ts";
import { unpackAssets } from "../runtime/assets.ts";
import { provideAddons, selfCommand } from "../runtime/native.ts";
import { extractSound } from "./audio/extract.ts";
import { type AudioModels, createAudioModels } from "./audio/models.ts";
import { previewPdf } from "./document/pdf-pages.ts";
import { decodePicture } from "./image/decode.ts";
import { ocrBlocks } from "./image/extract.ts";
import { createImageModels } from "./image/models.ts";
import type { ImageModels } from "./models.ts";
import { MEASURE_ARGUMENT } from "./sandbox/protocol.ts";

/**
 * `classify`: labels and embedding. `ocr`: blocks of text. `picture`: both, as for a picture file. `layout`: the regions.
 * All of them of a picture file, or of the first page of a PDF as it is drawn for OCR. `sound`: everything that becomes of
 * a sound file, its decoding included.
 */
export type Measured = "classify" | "ocr" | "picture" | "layout" | "sound";

export interface MeasureTask {
  what: Measured;
  file: SourceFile;
  rounds: number;
}

export interface Measurement {
  rounds: number;
  /** ms of all rounds: by the pipeline, and by its graphs alone on the inputs that the pipeline gave them. */
  pipelineMs: number;
  bareMs: number;
  /** ms of decoding the picture or drawing the page once, with the decoder started; 0 for sound. */
  decodeMs: number;
  /** Runs of graphs in one round. */
  graphRuns: number;
}

/** As `measure`, in a process of its own. `runtimeDir`: as unpackAssets. Errors: when the process fails; it says why on stderr. */
export async function measureApart(runtimeDir: string, task: MeasureTask): Promise<Measurement> {
  const child = Bun.spawn([...selfCommand(MEASURE_ARGUMENT), JSON.stringify({ runtimeDir, task })], { stdin: "ignore", stderr: "inherit" });
  return (await child.stdout.json()) as Measurement;
}

/** The process that `measureApart` starts. */
export async function measureMain([argument = ""]: readonly string[]): Promise<number> {
  const { runtimeDir, task } = JSON.parse(argument) as { runtimeDir: string; task: MeasureTask };
  provideAddons((await unpackAssets(runtimeDir)).addons);
  await Bun.write(Bun.stdout, JSON.stringify(await measure(task, createImageModels(), createAudioModels())));
  return 0;
}

/** The first round, which opens the models, records their inputs and does not count. Errors: those of the file and of the models. */
export async function measure({ what, file, rounds }: MeasureTask, imageModels: ImageModels, audioModels: AudioModels): Promise<Measurement> {
  const { picture, decodeMs } = what === "sound" ? { picture: null, decodeMs: 0 } : await decoded(file);
  const pipeline = () =>
    picture === null ? Array.fromAsync(extractSound(file, audioModels, 0)) : PIPELINES[what as PicturePipeline](picture, imageModels);
  const runs = await graphRuns(pipeline);
  assert(runs.length > 0, "what is measured asks a model");
  const bare = async () => {
    for (const run of runs) await run();
  };
  let [pipelineMs, bareMs] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    // Each goes first in turn, so that a drift of the machine cancels.
    if (round % 2 === 1) bareMs += await ms(bare);
    pipelineMs += await ms(pipeline);
    if (round % 2 === 0) bareMs += await ms(bare);
  }
  return { rounds, pipelineMs, bareMs, decodeMs, graphRuns: runs.length };
}

type PicturePipeline = Exclude<Measured, "sound">;
const PIPELINES: Record<PicturePipeline, (picture: Picture, models: ImageModels) => Promise<unknown>> = {
  classify: (picture, models) => models.classify(picture),
  ocr: ocrBlocks,
  picture: async (picture, models) => [await models.classify(picture), await ocrBlocks(picture, models)],
  layout: (picture, models) => models.layout(picture),
};

async function ms(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The first time starts the decoder; the second is measured. */
async function decoded(file: SourceFile): Promise<{ picture: Picture; decodeMs: number }> {
  const bytes = await Bun.file(file.path).bytes();
  const decode = () => (file.format.kind === "picture" ? decodePicture(bytes, file.format.mime) : previewPdf(file, null, PAGE_RENDER_SIDE_PIXELS));
  const picture = await decode();
  return { picture, decodeMs: await ms(decode) };
}
