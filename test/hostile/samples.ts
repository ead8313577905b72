/** Small valid files of each format, to be broken: made once, by ffmpeg where a format takes an encoder. */
import { join } from "node:path";
import { temporaryDirectory } from "../support/scratch.ts";
import { makeDocx, paragraph } from "../unit/media/make-docx.ts";
import { makePdf, setLines } from "../unit/media/make-pdf.ts";

const folder = temporaryDirectory();
const PICTURE = "testsrc2=size=96x64:rate=1";
const TONE = "sine=frequency=440:duration=2:sample_rate=16000";
const FILM = ["-f", "lavfi", "-i", "testsrc2=size=320x256:rate=8:duration=2", "-f", "lavfi", "-i", TONE, "-shortest", "-threads", "1"];
const still = (...args: string[]) => ["-f", "lavfi", "-i", PICTURE, "-frames:v", "1", ...args];
const sound = (...args: string[]) => ["-f", "lavfi", "-i", TONE, ...args];

const RECIPES = {
  "a.png": still(),
  "a.jpg": still("-q:v", "2"),
  "a.gif": still(),
  "a.bmp": still(),
  "a.tiff": still(),
  "a.webp": still("-lossless", "1"),
  "a.wav": sound(),
  "a.mp3": sound("-b:a", "64k"),
  "a.flac": sound(),
  "vorbis.ogg": sound("-c:a", "libvorbis"),
  "opus.ogg": sound("-c:a", "libopus"),
  "a.mp4": [...FILM, "-c:v", "mpeg4", "-g", "4"],
  "fragments.mp4": [...FILM, "-c:v", "mpeg4", "-g", "4", "-movflags", "frag_keyframe+empty_moov"],
  "a.mkv": [...FILM, "-c:v", "mpeg4", "-g", "4"],
  "live.mkv": [...FILM, "-c:v", "mpeg4", "-g", "4", "-live", "1"],
  "raw.mkv": ["-f", "lavfi", "-i", "testsrc2=size=320x256:rate=1:duration=2", "-c:v", "rawvideo", "-pix_fmt", "yuv420p"],
  "a.webm": [...FILM, "-c:v", "libvpx", "-deadline", "realtime"],
} as const;

type Encoded = keyof typeof RECIPES;

const made = new Map<Encoded, Promise<Uint8Array>>();

async function encode(name: Encoded): Promise<Uint8Array> {
  const path = join(folder, name);
  const args = ["-nostdin", "-v", "error", "-y", ...RECIPES[name], "-map_metadata", "-1", "-fflags", "+bitexact", path];
  const { exited, stderr } = Bun.spawn(["ffmpeg", ...args], { stderr: "pipe" });
  if ((await exited) !== 0) throw new Error(`ffmpeg made no ${name}: ${await new Response(stderr).text()}`);
  return Bun.file(path).bytes();
}

/** A valid file of that name, the same each time. */
export function sample(name: Encoded): Promise<Uint8Array> {
  const known = made.get(name) ?? encode(name);
  made.set(name, known);
  return known;
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

/** One valid file of each format, by the name that it is sent with. */
export async function goodFiles(): Promise<[string, Uint8Array][]> {
  const encoded = [
    "a.png",
    "a.jpg",
    "a.gif",
    "a.bmp",
    "a.tiff",
    "a.webp",
    "a.wav",
    "a.mp3",
    "a.flac",
    "vorbis.ogg",
    "opus.ogg",
    "a.mp4",
    "a.mkv",
    "a.webm",
  ] as const;
  const made = await Promise.all(encoded.map(async (name): Promise<[string, Uint8Array]> => [name, await sample(name)]));
  const page = "<!doctype html><title>Tides</title><p>High water is at noon on the first of May.";
  const log = Array.from({ length: 20 }, (_, at) => `2026-08-01T10:00:${10 + at} INFO pump ${at} started`).join("\n");
  const texts: [string, string][] = [
    ["page.html", page],
    ["notes.md", "# Tides\n\nLow water is at six."],
    ["notes.txt", "The harbour is closed on Sundays."],
    ["pump.log", log],
  ];
  return [...made, ["a.pdf", samplePdf()], ["a.docx", sampleDocx()], ...texts.map(([name, text]): [string, Uint8Array] => [name, Buffer.from(text)])];
}
