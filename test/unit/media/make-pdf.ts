/** Writes PDFs by hand: pages of PDF operators, a font, pictures, and the oldest encryption. */
import { createHash } from "node:crypto";

export interface MadePage {
  /** PDF operators. */
  content: string;
  /** Points. */
  size?: [number, number];
  rotate?: number;
  /** A JPEG, drawn by the operator `/Im Do`. */
  jpeg?: { bytes: Uint8Array; width: number; height: number; grey?: boolean };
  /** Operators of a font whose glyphs are named by nothing that has a Unicode: see `UNMAPPED_FONT`. */
  font?: string;
}

const HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
const COURIER = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>";
const HELVETICA_BOLD = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>";
/** Every code is a glyph without a name that says what it is. */
export const UNMAPPED_FONT = `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [32 ${Array.from({ length: 90 }, (_, at) => `/g${at}`).join(" ")}] >> >>`;

/** Operators that set `lines` one below the other. `font`: F is Helvetica, B its bold, C Courier. */
export function setLines(lines: readonly string[], { x = 72, y = 770, size = 11, leading = 14, font = "F" } = {}): string {
  const shown = lines.map((line) => `(${line.replace(/([()\\])/g, "\\$1")}) Tj T*`);
  return `BT /${font} ${size} Tf ${leading} TL ${x} ${y} Td ${shown.join("\n")} ET`;
}

interface Written {
  /** Body of the object, and a stream in Latin-1 after it. */
  head: string;
  stream?: string;
}

/** A PDF of these pages. `password` encrypts it (RC4, 40 bits). */
export function makePdf(pages: readonly MadePage[], { title = "", password = "" } = {}): Uint8Array {
  const objects: Written[] = [{ head: "<< /Type /Catalog /Pages 2 0 R >>" }, { head: "" }];
  const add = (object: Written) => objects.push(object);
  const font = add({ head: HELVETICA });
  const kids = pages.map(({ content, size = [595, 842], rotate = 0, jpeg, font: own }) => {
    const stream = add({ head: `<< /Length ${content.length} >>`, stream: content });
    const pageFont = own === undefined ? font : add({ head: own });
    const image = jpeg === undefined ? "" : `/XObject << /Im ${add(imageObject(jpeg))} 0 R >>`;
    return add({
      head: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size.join(" ")}] /Rotate ${rotate} /Contents ${stream} 0 R /Resources << /Font << /F ${pageFont} 0 R /B ${HELVETICA_BOLD} /C ${COURIER} >> ${image} >> >>`,
    });
  });
  objects[1] = { head: `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(" ")}] /Count ${kids.length} >>` };
  const info = add({ head: `<< /Title (${password === "" ? title : ""}) >>` });
  return written(objects, info, password);
}

/** A PDF of one page, with resources and objects (5, 6 …) as they stand, in Latin-1; an object may have a stream. */
export function makeRawPdf({ content, resources = "", catalog = "", pages = "/Kids [3 0 R] /Count 1", objects = [] }: RawParts): Uint8Array {
  const head = `/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F ${HELVETICA} >> ${resources} >>`;
  const all: Written[] = [
    { head: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>` },
    { head: `<< /Type /Pages ${pages} >>` },
    { head: `<< ${head} >>` },
    { head: `<< /Length ${content.length} >>`, stream: content },
    ...objects.map(({ head: own, stream }) => (stream === undefined ? { head: own } : { head: `<< ${own} /Length ${stream.length} >>`, stream })),
  ];
  all.push({ head: "<< >>" });
  return written(all, all.length, "");
}

export interface RawParts {
  content: string;
  resources?: string;
  catalog?: string;
  pages?: string;
  objects?: Written[];
}

function imageObject({ bytes, width, height, grey = false }: NonNullable<MadePage["jpeg"]>): Written {
  return {
    head: `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /${grey ? "DeviceGray" : "DeviceRGB"} /BitsPerComponent 8 /Filter /DCTDecode /Length ${bytes.length} >>`,
    stream: Buffer.from(bytes).toString("latin1"),
  };
}

function written(objects: readonly Written[], info: number, password: string): Uint8Array {
  const id = "0123456789abcdef";
  const lock = password === "" ? null : encryption(password, id);
  const parts = ["%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const put = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach(({ head, stream }, index) => {
    offsets.push(length);
    const body = stream === undefined ? "" : `\nstream\n${lock === null ? stream : lock.stream(stream, index + 1)}\nendstream`;
    put(`${index + 1} 0 obj\n${head}${body}\nendobj\n`);
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = `/Size ${objects.length + 1} /Root 1 0 R /Info ${info} 0 R /ID [(${id}) (${id})] ${lock?.dictionary ?? ""}`;
  put(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< ${trailer} >>\nstartxref\n${length}\n%%EOF\n`);
  return Buffer.from(parts.join(""), "latin1");
}

const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const PERMISSIONS = -4;

/** The standard security handler, revision 2 (PDF 32000-1, 7.6.3). */
function encryption(password: string, id: string): { dictionary: string; stream(text: string, object: number): string } {
  const md5 = (...parts: (Buffer | string)[]) =>
    createHash("md5")
      .update(Buffer.concat(parts.map((part) => Buffer.from(part as string, "latin1"))))
      .digest();
  const padded = Buffer.concat([Buffer.from(password, "latin1"), PADDING]).subarray(0, 32);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(padded, owner, permissions, id).subarray(0, 5);
  const hex = (bytes: Buffer) => `<${bytes.toString("hex")}>`;
  return {
    dictionary: `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(rc4(key, PADDING))} /P ${PERMISSIONS} >>`,
    stream: (text, object) => {
      const objectKey = md5(key, Buffer.from([object & 255, (object >> 8) & 255, object >> 16, 0, 0])).subarray(0, 10);
      return rc4(objectKey, Buffer.from(text, "latin1")).toString("latin1");
    },
  };
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const swap = (one: number, two: number) => {
    [state[one], state[two]] = [state[two] ?? 0, state[one] ?? 0];
  };
  for (let at = 0, mixed = 0; at < 256; at += 1) {
    mixed = (mixed + (state[at] ?? 0) + (key[at % key.length] ?? 0)) & 255;
    swap(at, mixed);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + (state[i] ?? 0)) & 255;
      swap(i, j);
      return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0);
    }),
  );
}
