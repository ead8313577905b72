/** Small valid files of each format, to be broken: recorded ones, and documents that are made here. */
import { recordedBytes } from "../support/recorded.ts";
import { makeDocx, paragraph } from "../unit/media/make-docx.ts";
import { makePdf, setLines } from "../unit/media/make-pdf.ts";

const PICTURES_AND_SOUNDS = ["a.png", "a.jpg", "a.gif", "a.bmp", "a.tiff", "a.webp", "a.wav", "a.mp3", "a.flac", "vorbis.ogg", "opus.ogg"] as const;
const FILMS = ["a.mp4", "a.mkv", "a.webm"] as const;
type Recorded = (typeof PICTURES_AND_SOUNDS)[number] | (typeof FILMS)[number] | "fragments.mp4" | "live.mkv" | "raw.mkv";

/** A valid file of that name, the same each time. */
export function sample(name: Recorded): Promise<Uint8Array> {
  return recordedBytes(`sample/${name}`);
}

export const PDF_TEXT = "The ferry to the outer islands leaves at seven in the morning.";

export function samplePdf(pages = 2): Uint8Array {
  return makePdf(
    Array.from({ length: pages }, (_, at) => ({ content: setLines([PDF_TEXT, `This is page ${at + 1} of the timetable.`]) })),
    { title: "Timetable" },
  );
}

export const DOCX_TEXT = "The lighthouse keeper counted forty ships before noon.";

export function sampleDocx(): Uint8Array {
  return makeDocx({ body: paragraph(DOCX_TEXT) + paragraph("He wrote them all down."), title: "Log of the keeper" });
}

async function named(names: readonly Recorded[]): Promise<[string, Uint8Array][]> {
  return Promise.all(names.map(async (name): Promise<[string, Uint8Array]> => [name, await sample(name)]));
}

/** Films of each format, by the name that they are sent with: they need ffmpeg to be read. */
export function goodFilms(): Promise<[string, Uint8Array][]> {
  return named(FILMS);
}

/** One valid file of each other format, by the name that it is sent with. */
export async function goodFiles(): Promise<[string, Uint8Array][]> {
  const page = "<!doctype html><title>Tides</title><p>High water is at noon on the first of May.";
  const log = Array.from({ length: 20 }, (_, at) => `2026-08-01T10:00:${10 + at} INFO pump ${at} started`).join("\n");
  const texts: [string, string][] = [
    ["page.html", page],
    ["notes.md", "# Tides\n\nLow water is at six."],
    ["notes.txt", "The harbour is closed on Sundays."],
    ["pump.log", log],
    ["tides.csv", "time,level\n12:00,4.5\n"],
    ["tides.jsonl", '{"time":"12:00","level":4.5}\n'],
  ];
  const documents: [string, Uint8Array][] = [
    ["a.pdf", samplePdf()],
    ["a.docx", sampleDocx()],
  ];
  return [...(await named(PICTURES_AND_SOUNDS)), ...documents, ...texts.map(([name, text]): [string, Uint8Array] => [name, Buffer.from(text)])];
}
