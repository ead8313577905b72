/** How fast the pipelines are beside their bare models on the same inputs: for `strata bench`. */
import { assert } from "../base/fault.ts";
import { PAGE_RENDER_SIDE_PIXELS } from "../base/limits.ts";
import type { Picture, SourceFile } from "../domain/media.ts";
import { openPdf } from "./document/pdf.ts";
import { decodePicture } from "./image/decode.ts";
import { type GraphRun, graphRuns } from "../inference/onnx.ts";
import type { AudioModels } from "./audio/models.ts";
import { ocrBlocks, shownLabels } from "./image/extract.ts";
import type { ImageModels } from "./models.ts";
import { extractSound } from "./audio/extract.ts";

/**
 * `see`: labels and embedding. `read`: blocks of text. `picture`: both, which is what becomes of a picture file. `regions`:
 * the layout. All of them of a picture file, or of the first page of a PDF as it is drawn for OCR. `listen`: everything
 * that becomes of a sound file, its decoding included.
 */
export type Measured = "see" | "read" | "picture" | "regions" | "listen";

export interface Measurement {
  rounds: number;
  /** ms of all rounds: by the pipeline, and by its graphs alone on the inputs that the pipeline gave them. */
  pipelineMs: number;
  bareMs: number;
  /** ms of decoding the picture or drawing the page once, with the decoder started; 0 for sound. */
  decodeMs: number;
  /** Runs of graphs in one round. */
  graphRuns: number;
  /** Labels, blocks of text, regions or Units that were found. */
  found: number;
}

interface Subject {
  decodeMs: number;
  /** One round of the pipeline: gives how much was found. */
  work(): Promise<number>;
}

/** One round opens the models and notes down what they were given; `rounds` rounds count. Errors: those of the file and of the models. */
export async function measure(
  { what, file, rounds }: { what: Measured; file: SourceFile; rounds: number },
  imageModels: ImageModels,
  audioModels: AudioModels,
): Promise<Measurement> {
  const { decodeMs, work } = await subjectOf(what, file, imageModels, audioModels);
  let found = 0;
  const pipeline = async () => {
    found = await work();
  };
  const runs = await graphRuns(pipeline);
  assert(runs.length > 0, "what is measured asks a model");
  const bare = () => replay(runs);
  let [pipelineMs, bareMs] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    // Each goes first in turn, so that a drift of the machine cancels.
    if (round % 2 === 1) bareMs += await ms(bare);
    pipelineMs += await ms(pipeline);
    if (round % 2 === 0) bareMs += await ms(bare);
  }
  return { rounds, pipelineMs, bareMs, decodeMs, graphRuns: runs.length, found };
}

async function replay(runs: readonly GraphRun[]): Promise<void> {
  for (const run of runs) await run();
}

async function ms(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function subjectOf(what: Measured, file: SourceFile, imageModels: ImageModels, audioModels: AudioModels): Promise<Subject> {
  if (what === "listen") return { decodeMs: 0, work: () => listened(file, audioModels) };
  const { picture, decodeMs } = await decoded(file);
  return { decodeMs, work: () => looked(what, picture, imageModels) };
}

async function looked(what: Exclude<Measured, "listen">, picture: Picture, imageModels: ImageModels): Promise<number> {
  switch (what) {
    case "see":
      return (await shownLabels(await imageModels.classify(picture))).length;
    case "read":
      return (await ocrBlocks(picture, imageModels)).length;
    case "picture":
      return (await looked("see", picture, imageModels)) + (await looked("read", picture, imageModels));
    case "regions":
      return (await imageModels.layout(picture)).length;
  }
}

/** The first time starts the decoder; the second is measured. */
async function decoded(file: SourceFile): Promise<{ picture: Picture; decodeMs: number }> {
  const bytes = await Bun.file(file.path).bytes();
  const decode = () => (file.format.kind === "picture" ? decodePicture(bytes, file.format.mime) : firstPage(file));
  let picture = await decode();
  const decodeMs = await ms(async () => {
    picture = await decode();
  });
  return { picture, decodeMs };
}

async function firstPage(file: SourceFile): Promise<Picture> {
  const pdf = await openPdf(file.path, file.bytes);
  try {
    const page = pdf.page(0);
    assert(page !== null, "the page that is measured is whole");
    try {
      return page.render(PAGE_RENDER_SIDE_PIXELS);
    } finally {
      page.close();
    }
  } finally {
    pdf.close();
  }
}

async function listened(file: SourceFile, audioModels: AudioModels): Promise<number> {
  let units = 0;
  for await (const part of extractSound(file, audioModels, 0)) units += part.units.length;
  return units;
}
