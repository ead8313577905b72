/** Prose for pages: sentences of the demo's Units, which are the project's own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chance, shuffled } from "./chance.ts";

const DEMO = join(import.meta.dir, "../../../data/demo.ndjson");
/** What the standard fonts of PDF and of the models both have. */
const PRINTABLE = /^[\x20-\x7e]+$/;
const SENTENCE_MIN_CHARS = 30;

/** Units of the demo as `POST /v1/ingest` takes them, in the scope of the request. */
export function demoUnits(): Record<string, unknown>[] {
  const lines = readFileSync(DEMO, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => ({ ...JSON.parse(line), scope: undefined, acl_groups: undefined }));
}

const sentences: readonly string[] = (() => {
  const prose = demoUnits().filter(({ modality }) => modality === "text" || modality === "chunk");
  const all = prose.flatMap(({ text }) => String(text).split(/(?<=[.!?])\s+/));
  const clean = all.map((sentence) => sentence.replace(/\s+/g, " ").trim());
  return [...new Set(clean)].filter((sentence) => sentence.length >= SENTENCE_MIN_CHARS && PRINTABLE.test(sentence));
})();

/** All sentences, in an order of the seed's. */
export function sentencesOf(seed: number): string[] {
  return shuffled(chance(seed), sentences);
}
