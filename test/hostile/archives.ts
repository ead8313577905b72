/** Hostile DOCX files: ZIPs that lie about themselves, and XML that would reach out or grow. */
import { crc32, deflateRawSync } from "node:zlib";
import { makeDocx, paragraph } from "../unit/media/make-docx.ts";
import { bytesOf, cutTo, deflatedRun, le16, le32, noise, patched, type Piece, placeOf, repeated } from "./bytes.ts";
import { type HostileFile, refused, taken, UNSEEN } from "./case.ts";
import { lure } from "./lure.ts";
import { DOCX_TEXT, sampleDocx } from "./samples.ts";

const DAMAGED = /the file is damaged/;
const BOMB = /unpacks to more than is taken in/;
const read = { says: [DOCX_TEXT] };
const BODY = paragraph(DOCX_TEXT);
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const MAIN = "word/document.xml";

/** An entry of a ZIP. What it says of itself is what it is unless it is told otherwise. */
interface Entry {
  name: string;
  data?: Uint8Array;
  /** Deflated already. */
  packed?: Uint8Array;
  crc?: number;
  size?: number;
  packedSize?: number;
  method?: number;
  flags?: number;
  /** Where the directory says that it begins. */
  offset?: number;
}

function fields({ name, data = Buffer.from(""), packed, crc, size, packedSize, method = 8, flags = 0 }: Entry): {
  head: number[];
  body: Uint8Array;
  name: string;
} {
  const body = packed ?? (method === 8 ? deflateRawSync(data) : data);
  const head = [
    ...le16(20),
    ...le16(flags),
    ...le16(method),
    ...le32(0),
    ...le32(crc ?? crc32(data)),
    ...le32(packedSize ?? body.length),
    ...le32(size ?? data.length),
  ];
  return { head: [...head, ...le16(name.length), ...le16(0)], body, name };
}

/** A ZIP of these entries. `count`: how many it says there are. */
function zip(entries: readonly Entry[], { count = entries.length, lead = new Uint8Array() as Uint8Array } = {}): Uint8Array {
  const parts: Uint8Array[] = [lead];
  const directory: Uint8Array[] = [];
  let at = lead.length;
  for (const entry of entries) {
    const { head, body, name } = fields(entry);
    directory.push(bytesOf("PK\x01\x02", le16(20), head, le16(0), le16(0), le16(0), le32(0), le32(entry.offset ?? at), name));
    const local = bytesOf("PK\x03\x04", head, name, body);
    parts.push(local);
    at += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  return bytesOf(...parts, ...directory, "PK\x05\x06", le16(0), le16(0), le16(count), le16(count), le32(size), le32(at), le16(0));
}

const TYPES: Entry = { name: "[Content_Types].xml", data: Buffer.from("<Types/>") };
const xml = (body: string, prologue = "") =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${prologue}<w:document ${W}><w:body>${body}</w:body></w:document>`);
const main = (body: string, prologue = ""): Entry => ({ name: MAIN, data: xml(body, prologue) });
const docx = (...entries: Entry[]) => zip([TYPES, ...entries]);

const packedRun = (mebibytes: number) => deflatedRun(mebibytes, " ");

const SIZES: HostileFile[] = [
  ["DOCX: one part of 400 MB in 400 KB", "a.docx", () => docx({ name: MAIN, packed: packedRun(400), size: 400 * 1_048_576 }), refused(BOMB)],
  [
    "DOCX: one part of 400 MB that says it has 10 bytes",
    "a.docx",
    () => docx({ name: MAIN, packed: packedRun(400), size: 10, crc: 0 }),
    refused(BOMB),
  ],
  [
    "DOCX: one paragraph of 100 MB",
    "a.docx",
    () => docx(main(`<w:p><w:r><w:t>${DOCX_TEXT}</w:t></w:r></w:p>${" ".repeat(100_000_000)}`)),
    taken("chunk", read),
  ],
  [
    "DOCX: parts of 100 MB each that are more together",
    "a.docx",
    () =>
      docx(
        { ...main(BODY) },
        ...["styles", "footnotes", "endnotes"].map((name) => ({
          name: `word/${name}.xml`,
          data: bytesOf("<w:x>", Buffer.alloc(100_000_000, " "), "</w:x>"),
        })),
      ),
    refused(BOMB),
  ],
  [
    "DOCX: 20,000 parts",
    "a.docx",
    () => docx(main(BODY), ...Array.from({ length: 20_000 }, (_, at) => ({ name: `word/media/${at}.png` }))),
    refused(BOMB),
  ],
  ["DOCX: says it has 65,535 parts", "a.docx", () => zip([TYPES, main(BODY)], { count: 65_535 }), refused(BOMB)],
  [
    "DOCX: an archive in an archive in an archive",
    "a.docx",
    () => {
      let inner = zip([{ name: "0", packed: packedRun(64), size: 64 * 1_048_576 }]);
      for (let depth = 1; depth < 8; depth += 1) inner = zip(Array.from({ length: 8 }, (_, at) => ({ name: `${depth}-${at}.zip`, data: inner })));
      return docx(main(BODY), { name: "word/embeddings/all.zip", data: inner });
    },
    taken("chunk", read),
  ],
  [
    "DOCX: 200 names for the same 8 MB",
    "a.docx",
    () => {
      const shared = fields({ name: "word/media/0", packed: packedRun(8), size: 8 * 1_048_576 });
      const offset = 0;
      const lead = bytesOf("PK\x03\x04", shared.head, shared.name, shared.body);
      return zip(
        [
          TYPES,
          main(BODY),
          ...Array.from({ length: 200 }, (_, at) => ({
            name: `word/media/${at}`,
            packed: new Uint8Array(),
            packedSize: shared.body.length,
            size: 8 * 1_048_576,
            offset,
          })),
        ],
        { lead },
      );
    },
    taken("chunk", read),
  ],
  [
    "DOCX: a part that is the archive itself",
    "a.docx",
    () => zip([TYPES, { name: MAIN, method: 0, data: Buffer.from(""), packedSize: 100_000, size: 100_000, offset: 0 }]),
    refused(DAMAGED),
  ],
  ["DOCX: a main part that says it has 4 GiB", "a.docx", () => docx({ ...main(BODY), size: 0xffffffff, packedSize: 0xffffffff }), refused(DAMAGED)],
  ["DOCX: a checksum that is wrong", "a.docx", () => docx({ ...main(BODY), crc: 1 }), refused(DAMAGED)],
  ["DOCX: a method that there is not", "a.docx", () => docx({ ...main(BODY), packed: noise(99), method: 99 }), refused(DAMAGED)],
  ["DOCX: a main part of noise", "a.docx", () => docx({ name: MAIN, packed: noise(5_000), size: 5_000, crc: 0 }), refused(DAMAGED)],
  ["DOCX: a part behind the end", "a.docx", () => docx({ ...main(BODY), offset: 0xfffffff0 }), refused(DAMAGED)],
  ["DOCX: encrypted", "a.docx", () => docx({ ...main(BODY), flags: 1 }), refused(/encrypted: remove its password/)],
  ["DOCX: two main parts", "a.docx", () => docx(main(BODY), main(paragraph(UNSEEN))), taken("chunk", read)],
];

const PLACES: HostileFile[] = [
  [
    "DOCX: parts whose names lead out of it",
    "a.docx",
    () =>
      docx(
        main(BODY),
        ...[`../../../../../..${lure.folder}/out`, `${lure.folder}/out`, "C:\\out", "..\\..\\out"].map((name) => ({
          name,
          data: Buffer.from(UNSEEN),
        })),
      ),
    taken("chunk", read),
  ],
  ["DOCX: without a main part", "a.docx", () => bytesOf(docx({ name: "word/other.xml", data: xml(BODY) }), ""), refused(/damaged|unpack it/)],
  ["DOCX: its end alone", "a.docx", () => bytesOf("PK\x05\x06", new Uint8Array(18)), refused(/ZIP archive is not taken in/)],
  ["DOCX: cut to 10 %", "a.docx", () => cutTo(sampleDocx(), 0.1), refused(/damaged|ZIP archive/)],
  ["DOCX: cut to 50 %", "a.docx", () => cutTo(sampleDocx(), 0.5), refused(/damaged|ZIP archive/)],
  ["DOCX: cut to 90 %", "a.docx", () => cutTo(sampleDocx(), 0.9), refused(DAMAGED)],
  ["DOCX: its directory is noise", "a.docx", () => patched(sampleDocx(), placeOf(sampleDocx(), "PK\x01\x02"), noise(40)), refused(DAMAGED)],
];

const relations = (type: string, target: string) =>
  Buffer.from(
    `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/></Relationships>`,
  );
const rels = (type: string, target: string): Entry => ({ name: "word/_rels/document.xml.rels", data: relations(type, target) });

/** Ten entities of which each is ten of the one before: 10^10 laughs. */
const LAUGHS = `<!DOCTYPE w [<!ENTITY l0 "ha">${Array.from({ length: 10 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join("")}]>`;

const REFERENCES: HostileFile[] = [
  [
    "DOCX: a template elsewhere",
    "a.docx",
    () => docx(main(BODY), { name: "word/_rels/settings.xml.rels", data: relations("attachedTemplate", lure.url("template.dotm")) }),
    taken("chunk", read),
  ],
  [
    "DOCX: a picture elsewhere",
    "a.docx",
    () =>
      docx(
        main(`${BODY}<w:p><w:r><w:drawing><a:blip r:link="r1" xmlns:a="a" xmlns:r="r"/></w:drawing></w:r></w:p>`),
        rels("image", lure.url("picture.png")),
      ),
    taken("chunk", read),
  ],
  [
    "DOCX: a part that is a document elsewhere",
    "a.docx",
    () => docx(main(`${BODY}<w:altChunk r:id="r1" xmlns:r="r"/>`), rels("aFChunk", lure.fileUrl)),
    taken("chunk", read),
  ],
  [
    "DOCX: a field that includes a file",
    "a.docx",
    () =>
      docx(
        main(
          `${BODY}<w:p><w:fldSimple w:instr="INCLUDETEXT &quot;${lure.file}&quot;"/><w:r><w:instrText>DDEAUTO cmd "/c ${UNSEEN}"</w:instrText></w:r></w:p>`,
        ),
      ),
    taken("chunk", read),
  ],
  [
    "DOCX: an entity that is a file",
    "a.docx",
    () => docx(main(`${BODY}${paragraph("and &e; here")}`, `<!DOCTYPE w [<!ENTITY e SYSTEM "${lure.fileUrl}">]>`)),
    taken("chunk", read),
  ],
  [
    "DOCX: an entity that is an address, and a DTD at another",
    "a.docx",
    () =>
      docx(
        main(
          `${BODY}${paragraph("&e;")}`,
          `<!DOCTYPE w SYSTEM "${lure.url("evil.dtd")}" [<!ENTITY % p SYSTEM "${lure.url("parameter")}">%p;<!ENTITY e SYSTEM "${lure.url("entity")}">]>`,
        ),
      ),
    taken("chunk", read),
  ],
  ["DOCX: a billion laughs", "a.docx", () => docx(main(`${BODY}${paragraph("&l10;")}`, LAUGHS)), taken("chunk", read)],
  [
    "DOCX: a hundred thousand references to one long entity",
    "a.docx",
    () => docx(main(`${BODY}<w:p><w:r><w:t>${"&x;".repeat(100_000)}</w:t></w:r></w:p>`, `<!DOCTYPE w [<!ENTITY x "${"x".repeat(100_000)}">]>`)),
    taken("chunk", read),
  ],
  [
    "DOCX: a document that includes another",
    "a.docx",
    () => docx(main(`${BODY}<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${lure.fileUrl}" parse="text"/>`)),
    taken("chunk", read),
  ],
  [
    "DOCX: a style sheet for its XML",
    "a.docx",
    () => docx(main(BODY, `<?xml-stylesheet type="text/xsl" href="${lure.url("style.xsl")}"?>`)),
    taken("chunk", read),
  ],
  [
    "DOCX: macros and an embedded program",
    "a.docm",
    () =>
      docx(
        main(BODY),
        { name: "word/vbaProject.bin", data: Buffer.from(`Sub AutoOpen() ${UNSEEN}`) },
        { name: "word/embeddings/oleObject1.bin", data: Buffer.from(`MZ${UNSEEN}`) },
      ),
    taken("chunk", read),
  ],
];

const TEXT: HostileFile[] = [
  [
    "DOCX: 100,000 elements within each other",
    "a.docx",
    () => docx(main(`${"<w:sdt>".repeat(100_000)}${BODY}`)),
    refused(/more than 10000 elements within each other/),
  ],
  ["DOCX: 5,000 tables within each other", "a.docx", () => docx(main(`${BODY}${"<w:tbl><w:tr><w:tc>".repeat(3_000)}${BODY}`)), taken("chunk", read)],
  [
    "DOCX: a tag with an attribute of 40 MB",
    "a.docx",
    () => docx({ name: MAIN, data: bytesOf("<w:document><w:p w:x='", Buffer.alloc(40_000_000, "x"), "'/>") }),
    refused(/a tag or comment that does not end/),
  ],
  [
    "DOCX: a million attributes",
    "a.docx",
    () => docx(main(`<w:p ${Array.from({ length: 500_000 }, (_, at) => `a${at}="" `).join("")}/>${BODY}`)),
    taken("chunk", read),
  ],
  [
    "DOCX: a paragraph of nothing but control characters",
    "a.docx",
    () => docx(main(`${BODY}${paragraph("&#0;&#1;&#xd800;&#xffffffff;\0\x01")}`)),
    taken("chunk", read),
  ],
  [
    "DOCX: XML in UTF-16 that is cut",
    "a.docx",
    () => docx({ name: MAIN, data: bytesOf([0xff, 0xfe], Buffer.from(xml(BODY).toString(), "utf16le"), [0]) }),
    taken("chunk", read),
  ],
  [
    "DOCX: XML that is none",
    "a.docx",
    () => docx({ name: MAIN, data: repeated("<<<>>>&&&;;;]]>", 10_000) as Uint8Array }),
    taken("", { notes: /no text/ }),
  ],
  ["DOCX: no text", "a.docx", () => makeDocx({ body: "" }), taken("", { notes: /no text/ })],
];

export const ARCHIVES: HostileFile[] = [...SIZES, ...PLACES, ...REFERENCES, ...TEXT];
export { docx, main, type Piece, zip };
