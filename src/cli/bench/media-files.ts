/** Files to measure on, made here and the same in every run: drawn pictures, written pages and logs, repeated speech. */
import type { Picture } from "../../domain/media.ts";
import { random } from "./corpus.ts";

const LATIN1 = "latin1";
/** Points: A4, with lines of OCR_FONT_POINTS from top to bottom. */
const PAGE = { width: 595, height: 842, left: 60, top: 790, leading: 15, font: 10 };
const LINE_CHARS = 84;
const SHAPES = 24;
/** A little of what a camera's sensor adds: without it a JPEG of a drawing decodes faster than any photo. */
const GRAIN = 12;

/** Text in lines of at most LINE_CHARS: printable ASCII, which every font shows. */
export function linesOf(sentences: readonly string[]): string[] {
  const text = sentences
    .join(" ")
    .replaceAll(/[^\x20-\x7e]+/g, "")
    .trim();
  const words = text === "" ? [] : text.split(/\s+/);
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > LINE_CHARS) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** A PDF of pages of lines in Helvetica. At most 50 lines fit on a page. */
export function textPdf(pages: readonly (readonly string[])[]): Uint8Array {
  const first = 4;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${first + 2 * index} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...pages.flatMap((lines, index) => {
      const content = shown(lines);
      const box = `/MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << /F 3 0 R >> >>`;
      return [
        `<< /Type /Page /Parent 2 0 R ${box} /Contents ${first + 2 * index + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return Buffer.from(numberedObjects(objects), LATIN1);
}

/** Operators that set `lines` one below the other. */
function shown(lines: readonly string[]): string {
  const text = lines.map((line) => `(${line.replaceAll(/[()\\]/g, "\\$&")}) Tj T*`).join("\n");
  return `BT /F ${PAGE.font} Tf ${PAGE.leading} TL ${PAGE.left} ${PAGE.top} Td\n${text}\nET`;
}

function numberedObjects(objects: readonly string[]): string {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  return `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}

/** A landscape of sorts: slow shades, shapes with edges, and grain. */
export function drawnPicture(width: number, height: number): Picture {
  const next = random(width);
  const data = new Uint8Array(width * height * 3);
  let grain = 1;
  for (let y = 0, at = 0; y < height; y += 1) {
    const sky = 120 + 100 * Math.cos((3 * y) / height);
    for (let x = 0; x < width; x += 1, at += 3) {
      // Xorshift: a call of random() for each of 12 million pixels takes too long.
      grain ^= grain << 13;
      grain ^= grain >>> 17;
      grain ^= grain << 5;
      const light = sky + (30 * x) / width + (grain & (GRAIN - 1));
      data[at] = light * 0.8;
      data[at + 1] = light * 0.9;
      data[at + 2] = light;
    }
  }
  for (let shape = 0; shape < SHAPES; shape += 1) drawDisc({ width, height, data }, next);
  return { width, height, data };
}

function drawDisc({ width, height, data }: Picture, next: () => number): void {
  const radius = Math.round((0.02 + 0.08 * next()) * Math.min(width, height));
  const [middleX, middleY] = [Math.round(next() * width), Math.round(next() * height)];
  const colour = [next(), next(), next()].map((share) => Math.round(share * 255));
  for (let y = Math.max(0, middleY - radius); y < Math.min(height, middleY + radius); y += 1) {
    const half = Math.round(Math.sqrt(radius ** 2 - (y - middleY) ** 2));
    for (let x = Math.max(0, middleX - half); x < Math.min(width, middleX + half); x += 1) data.set(colour, (y * width + x) * 3);
  }
}

/** `jpeg` with its number in a comment, which no pixel depends on: other bytes, and so another file. */
export function numberedJpeg(jpeg: Uint8Array, number: number): Uint8Array {
  const start = 2;
  const text = Buffer.from(String(number), LATIN1);
  const length = text.length + 2;
  return Buffer.concat([jpeg.subarray(0, start), Uint8Array.of(0xff, 0xfe, length >> 8, length & 0xff), text, jpeg.subarray(start)]);
}

const WAV_HEADER_BYTES = 44;

/** A WAV of 16 bits with the plain header of 44 bytes, `times` times after itself, and the number of the copy in its last sample. */
export function repeatedWav(wav: Uint8Array, times: number, number = 0): Uint8Array {
  const sound = wav.subarray(WAV_HEADER_BYTES);
  const copy = Buffer.alloc(WAV_HEADER_BYTES + times * sound.length);
  copy.set(wav.subarray(0, WAV_HEADER_BYTES));
  for (let index = 0; index < times; index += 1) copy.set(sound, WAV_HEADER_BYTES + index * sound.length);
  copy.writeUInt32LE(copy.length - 8, 4);
  copy.writeUInt32LE(times * sound.length, WAV_HEADER_BYTES - 4);
  copy.writeInt16LE(number, copy.length - 2);
  return copy;
}

/** Each stands in LOG_TEMPLATES once; what is between braces changes from line to line. */
const LOG_MESSAGES: readonly ((next: () => number) => string)[] = [
  (next) =>
    `sshd[${whole(next, 9_999)}]: Accepted publickey for operator from 10.0.${whole(next, 255)}.${whole(next, 255)} port ${whole(next, 60_000)}`,
  (next) => `kernel: eth${whole(next, 3)}: link up, ${whole(next, 4) * 1_000} Mbps, full duplex`,
  (next) => `pump-control[812]: pressure of tank ${whole(next, 40)} is ${whole(next, 900)} kPa, valve opened to ${whole(next, 100)} %`,
  (next) => `backup[77]: wrote ${whole(next, 1e9)} bytes to /var/backup/${whole(next, 1e6)}.tar in ${whole(next, 90)} s`,
  (next) => `http[4410]: GET /v1/units/u_${whole(next, 1e9).toString(36)} answered 200 in ${whole(next, 400)} ms`,
  (next) => `cron[${whole(next, 9_999)}]: job rotate-logs finished with status ${whole(next, 2)}`,
];
export const LOG_TEMPLATES = LOG_MESSAGES.length;

function whole(next: () => number, below: number): number {
  return Math.floor(next() * below);
}

/** Lines of a system log, one a second. */
export function logText(lines: number): string {
  const next = random(lines);
  const start = Date.UTC(2024, 0, 1);
  return Array.from({ length: lines }, (_, index) => {
    const message = LOG_MESSAGES[whole(next, LOG_TEMPLATES)]?.(next) ?? "";
    return `${new Date(start + index * 1_000).toISOString()} harbour-1 ${message}\n`;
  }).join("");
}
