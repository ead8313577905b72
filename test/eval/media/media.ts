/**
 * Files in: how well the product reads, hears, groups and finds what is in files that are made here and now, through
 * POST /v1/files, beside what the cards of the models say. The same in every run.
 */
import type { Bench } from "../bench.ts";
import type { Measured } from "../report.ts";
import { table } from "../report.ts";
import { findPictures } from "./find-pictures.ts";
import { findSounds } from "./find-sounds.ts";
import { layout } from "./layout.ts";
import { logs } from "./logs.ts";
import { pages } from "./pages.ts";
import { startPixels } from "./pixels.ts";
import type { Part } from "./report.ts";
import { similarPictures } from "./similar.ts";
import { speech } from "./speech.ts";

/** All of it. The tools that it needs are there (`checkTools`). */
export async function media(bench: Bench): Promise<Measured> {
  await startPixels();
  const { stand } = bench;
  const questions = bench.questions.questions.map(({ question }) => question);
  const parts: Record<string, () => Promise<Part>> = {
    pages: () => pages(stand),
    layout: () => layout(stand),
    speech: () => speech(stand),
    logs: () => logs(stand),
    pictures: () => findPictures(stand, questions),
    sounds: () => findSounds(stand, questions),
    similar: () => similarPictures(stand),
  };
  const done: [string, Part][] = [];
  for (const [name, measure] of Object.entries(parts)) {
    process.stderr.write(`-- ${name}\n`);
    done.push([name, await measure()]);
  }
  const lines = done.flatMap(([, part]) => part.lines);
  const all = table(
    ["measured", "value", "card"],
    lines.map(({ measured, value, card }) => [measured, value, card]),
  );
  const texts = done.map(([, { title, text }]) => `### ${title}\n\n${text}`);
  return {
    title: "Files",
    text: [all, ...texts].join("\n"),
    figures: Object.fromEntries(done.map(([name, { figures }]) => [name, figures])),
    bars: done.flatMap(([, part]) => part.bars),
  };
}
