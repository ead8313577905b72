/** Hostile PDFs: structures without end, little that stands for a lot, and everything in one that acts. */
import { deflateSync } from "node:zlib";
import { makePdf, makeRawPdf, setLines } from "../unit/media/make-pdf.ts";
import { bytesOf, cutTo, noise, placeOf, zlibRun } from "./bytes.ts";
import { type HostileFile, refused, taken, UNSEEN } from "./case.ts";
import { lure } from "./lure.ts";
import { PDF_TEXT, samplePdf } from "./samples.ts";

const DAMAGED = /the PDF is damaged|has no pages/;
const MEMORY = /more memory/;
const LINES = [PDF_TEXT, "Nobody is to run what this file carries."];
const WORDS = setLines(LINES);
const read = { says: [PDF_TEXT] };

/** The page of words, with this in its catalog and these objects (5, 6 …) beside. */
function acting(catalog: string, objects: { head: string; stream?: string }[] = []): () => Uint8Array {
  return () => makeRawPdf({ content: WORDS, catalog, objects });
}

/** A page that draws nothing but `operators`, with these resources and objects. */
function drawing(operators: string, resources: string, objects: { head: string; stream?: string }[] = []): () => Uint8Array {
  return () => makeRawPdf({ content: operators, resources, objects });
}

const form = (stream: string, resources = "") => ({
  head: `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << ${resources} >>`,
  stream,
});
const packed = (bytes: Uint8Array) => deflateSync(bytes).toString("latin1");

/** Forms (5 …) of which each draws the next `times` times. */
function formTower(levels: number, times: number): () => Uint8Array {
  const objects = Array.from({ length: levels }, (_, at) =>
    at === levels - 1 ? form("0 0 9 9 re f") : form("/X Do ".repeat(times), `/XObject << /X ${6 + at} 0 R >>`),
  );
  return drawing("/X Do", "/XObject << /X 5 0 R >>", objects);
}

/** A page tree in which `levels` nodes have the next one `times` times. */
function pageTower(levels: number, times: number): () => Uint8Array {
  const kids = (at: number) => `/Kids [${`${at} 0 R `.repeat(times)}]`;
  const objects = Array.from({ length: levels }, (_, at) => ({
    head: `<< /Type /Pages /Parent 2 0 R /Count ${times ** (levels - at)} ${kids(at === levels - 1 ? 3 : 6 + at)} >>`,
  }));
  return () => makeRawPdf({ content: WORDS, pages: `${kids(5)} /Count ${times ** (levels + 1)}`, objects });
}

const TREES: HostileFile[] = [
  [
    "PDF: says 1,000,000 pages",
    "a.pdf",
    () => makeRawPdf({ content: WORDS, pages: "/Kids [3 0 R] /Count 1000000" }),
    refused(/1,000,000 pages: at most 2,000/),
  ],
  ["PDF: 1,000,000 pages by naming one again and again", "a.pdf", pageTower(2, 100), refused(/1,000,000 pages: at most 2,000/)],
  ["PDF: a page tree of 100 levels that doubles at each", "a.pdf", pageTower(100, 2), refused(/damaged|no pages|pages: at most/)],
  ["PDF: 2,500 pages", "a.pdf", () => makePdf(Array.from({ length: 2_500 }, () => ({ content: "" }))), refused(/2,500 pages: at most 2,000/)],
  ["PDF: -1 pages", "a.pdf", () => makeRawPdf({ content: WORDS, pages: "/Kids [3 0 R] /Count -1" }), taken("chunk doc_page", read)],
  [
    "PDF: 500 pages of which none is there",
    "a.pdf",
    () => makeRawPdf({ content: WORDS, pages: "/Kids [] /Count 500" }),
    refused(/none of its pages|no pages/),
  ],
  [
    "PDF: a page tree that holds itself",
    "a.pdf",
    () => makeRawPdf({ content: WORDS, pages: "/Kids [2 0 R] /Count 3" }),
    refused(/none of its pages|no pages|damaged/),
  ],
  [
    "PDF: a page tree that holds itself before its page",
    "a.pdf",
    () => makeRawPdf({ content: WORDS, pages: "/Kids [2 0 R 3 0 R] /Count 2 /Parent 2 0 R" }),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: outlines that lead to themselves",
    "a.pdf",
    acting("/Outlines 5 0 R", [{ head: "<< /First 5 0 R /Last 5 0 R /Next 5 0 R /Parent 5 0 R /Title (x) /Count 999999 >>" }]),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: names that lead to themselves",
    "a.pdf",
    acting("/Names << /Dests 5 0 R /EmbeddedFiles 5 0 R /JavaScript 5 0 R >>", [{ head: "<< /Kids [5 0 R 5 0 R] >>" }]),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: a cross-reference that leads to itself",
    "a.pdf",
    () => {
      const text = Buffer.from(makeRawPdf({ content: WORDS })).toString("latin1");
      const start = /startxref\n(\d+)/.exec(text)?.[1];
      return Buffer.from(text.replace("trailer\n<<", `trailer\n<< /Prev ${start} /XRefStm ${start}`), "latin1");
    },
    taken("chunk doc_page", read),
  ],
  ["PDF: a length that leads to itself", "a.pdf", () => rewritten(`/Length ${WORDS.length}`, "/Length 4 0 R"), taken("chunk doc_page", read)],
  ["PDF: arrays 100,000 deep", "a.pdf", acting("/Deep 5 0 R", [{ head: "[".repeat(100_000) }]), taken("chunk doc_page", read)],
  ["PDF: arrays 100,000 deep in a page", "a.pdf", () => makeRawPdf({ content: `${WORDS} ${"[".repeat(100_000)} TJ` }), taken("chunk doc_page", read)],
  [
    "PDF: dictionaries 100,000 deep in a page",
    "a.pdf",
    () => makeRawPdf({ content: `${WORDS} /P ${"<</A".repeat(100_000)} BDC` }),
    taken("chunk doc_page", read),
  ],
  ["PDF: 200,000 saved states", "a.pdf", () => makeRawPdf({ content: `${"q ".repeat(200_000)} ${WORDS}` }), taken("chunk doc_page", read)],
];

const FORMS: HostileFile[] = [
  [
    "PDF: a form that draws itself",
    "a.pdf",
    drawing("/X Do", "/XObject << /X 5 0 R >>", [form("0 0 9 9 re f /X Do", "/XObject << /X 5 0 R >>")]),
    taken("doc_page"),
  ],
  [
    "PDF: two forms that draw each other",
    "a.pdf",
    drawing(`${WORDS} /X Do`, "/XObject << /X 5 0 R >>", [form("/X Do", "/XObject << /X 6 0 R >>"), form("/X Do", "/XObject << /X 5 0 R >>")]),
    taken("chunk doc_page", read),
  ],
  ["PDF: forms in forms, 10 levels of 10", "a.pdf", formTower(10, 10), refused(/memory|headway|damaged/)],
  [
    "PDF: a glyph that draws itself",
    "a.pdf",
    drawing(`BT /T 20 Tf 72 700 Td (a) Tj ET ${WORDS}`, "/Font << /T 5 0 R >>", [
      {
        head: "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << /a 6 0 R >> /Resources << /Font << /T 5 0 R >> >> >>",
      },
      { head: "", stream: "BT /T 20 Tf (aaaa) Tj ET" },
    ]),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: a pattern that paints itself, in steps of nothing",
    "a.pdf",
    drawing(`/Pattern cs /P scn 0 0 595 842 re f ${WORDS}`, "/Pattern << /P 5 0 R >>", [
      {
        head: "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.0001 /YStep 0.0001 /Resources << /Pattern << /P 5 0 R >> >>",
        stream: "/Pattern cs /P scn 0 0 1 1 re f",
      },
    ]),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: a mask that masks itself",
    "a.pdf",
    drawing(`/G gs ${WORDS}`, "/ExtGState << /G 5 0 R >>", [
      { head: "<< /Type /ExtGState /SMask << /S /Luminosity /G 6 0 R >> >>" },
      {
        head: "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Group << /S /Transparency >> /Resources << /ExtGState << /G 5 0 R >> >>",
        stream: "/G gs 0 0 9 9 re f",
      },
    ]),
    taken("chunk doc_page", read),
  ],
];

const BOMBS: HostileFile[] = [
  ["PDF: a content stream of 200 MB of blanks in 200 KB", "a.pdf", () => paged(run(200, " ")), taken("", { notes: /blank/ })],
  ["PDF: a content stream of 1 GB in 1 MB", "a.pdf", () => paged(run(1_000, " ")), refused(MEMORY)],
  ["PDF: a million rectangles", "a.pdf", () => paged(run(14, "0 0 9 9 re f ")), taken("doc_page")],
  [
    "PDF: a picture of 60,000 × 60,000",
    "a.pdf",
    drawing(`${WORDS} /I Do`, "/XObject << /I 5 0 R >>", [
      { head: "/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace /DeviceRGB", stream: "x" },
    ]),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: a picture of 30,000 × 30,000 of one bit in 120 KB",
    "a.pdf",
    drawing(`595 0 0 842 0 0 cm /I Do ${WORDS}`, "/XObject << /I 5 0 R >>", [
      {
        head: "/Type /XObject /Subtype /Image /Width 30000 /Height 30000 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /FlateDecode",
        stream: packed(Buffer.alloc(30_000 * 3_750)),
      },
    ]),
    taken("chunk doc_page image_region", read),
  ],
  ["PDF: a page of 10^9 points", "a.pdf", () => sized("0 0 1000000000 1000000000"), taken("chunk doc_page", read)],
  ["PDF: a page of no size", "a.pdf", () => sized("5 5 5 5"), taken("chunk doc_page", read)],
  ["PDF: a page of a size that is no number", "a.pdf", () => sized("0 0 nan 1e999"), taken("chunk doc_page", read)],
  [
    "PDF: 1,000 filters one after the other",
    "a.pdf",
    () => rewritten("<< /Length", `<< /Filter [${"/ASCIIHexDecode ".repeat(1_000)}] /Length`),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: a predictor of 2^31-1 columns",
    "a.pdf",
    () =>
      rewritten(
        "<< /Length",
        "<< /Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 2147483647 /Colors 32 >> /Length",
        packed(Buffer.from(WORDS)),
      ),
    taken("", { notes: /blank/ }),
  ],
  [
    "PDF: 100,000 annotations",
    "a.pdf",
    () =>
      rewritten(
        "/Type /Page /Parent",
        `/Annots [${`<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (${lure.url("link")}) >> >> `.repeat(100_000)}] /Type /Page /Parent`,
      ),
    taken("chunk doc_page", read),
  ],
];

const run = (mebibytes: number, fill: string) => Buffer.from(zlibRun(mebibytes, fill)).toString("latin1");

/** A page (5) whose content (6) is a deflated stream. */
function paged(stream: string): Uint8Array {
  const page = { head: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R >>" };
  return makeRawPdf({ content: "", pages: "/Kids [5 0 R] /Count 1", objects: [page, { head: "/Filter /FlateDecode", stream }] });
}

/** The page of words, with `from` replaced in what is written. */
function rewritten(from: string, to: string, content = WORDS): Uint8Array {
  return Buffer.from(
    Buffer.from(makeRawPdf({ content }))
      .toString("latin1")
      .replace(from, () => to),
    "latin1",
  );
}

const sized = (box: string) => rewritten("0 0 595 842", box);

const action = (type: string, more: string) => `/OpenAction << /S /${type} ${more} >>`;

const ACTS: HostileFile[] = [
  [
    "PDF: JavaScript when it opens",
    "a.pdf",
    acting(action("JavaScript", `/JS (app.launchURL\\("${lure.url("js")}"\\); ${UNSEEN})`)),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: JavaScript at every event",
    "a.pdf",
    acting(`/AA << /WC 5 0 R /DS 5 0 R /WP 5 0 R >> /Names << /JavaScript << /Names [(a) 5 0 R] >> >>`, [
      { head: `<< /S /JavaScript /JS (while\\(true\\);${UNSEEN}) /Next 5 0 R >>` },
    ]),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: launches a program",
    "a.pdf",
    acting(action("Launch", `/F (/bin/sh) /Win << /F (cmd.exe) /P (/c echo x > ${lure.folder}/launched) >>`)),
    taken("chunk doc_page", read),
  ],
  ["PDF: opens an address", "a.pdf", acting(action("URI", `/URI (${lure.url("uri")})`)), taken("chunk doc_page", read)],
  [
    "PDF: goes to a document elsewhere",
    "a.pdf",
    acting(action("GoToR", `/F << /FS /URL /F (${lure.url("remote.pdf")}) >> /D [0 /Fit]`)),
    taken("chunk doc_page", read),
  ],
  ["PDF: sends a form", "a.pdf", acting(action("SubmitForm", `/F << /FS /URL /F (${lure.url("form")}) >>`)), taken("chunk doc_page", read)],
  ["PDF: imports data of this machine", "a.pdf", acting(action("ImportData", `/F (${lure.file})`)), taken("chunk doc_page", read)],
  [
    "PDF: embeds files",
    "a.pdf",
    acting("/Names << /EmbeddedFiles << /Names [(evil.exe) << /Type /Filespec /F (../../evil.exe) /EF << /F 5 0 R >> >>] >> >>", [
      { head: "/Type /EmbeddedFile", stream: `MZ ${UNSEEN}` },
    ]),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: a form of XFA that loads a document",
    "a.pdf",
    acting("/AcroForm << /Fields [] /XFA 5 0 R >>", [
      {
        head: "",
        stream: `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "${lure.fileUrl}">]><xdp:xdp xmlns:xdp="x"><template>${UNSEEN}&e;</template></xdp:xdp>`,
      },
    ]),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: content that is a file elsewhere",
    "a.pdf",
    () => rewritten("<< /Length", `<< /F (${lure.file}) /FFilter /ASCIIHexDecode /Length`),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: a picture that is a file elsewhere",
    "a.pdf",
    drawing(`${WORDS} /I Do`, "/XObject << /I 5 0 R >>", [
      {
        head: `/Type /XObject /Subtype /Image /Width 9 /Height 9 /BitsPerComponent 8 /ColorSpace /DeviceRGB /F << /FS /URL /F (${lure.url("picture")}) >>`,
        stream: "x",
      },
    ]),
    taken("chunk doc_page", read),
  ],
  [
    "PDF: media that play by themselves",
    "a.pdf",
    acting("/OpenAction << /S /Rendition /OP 0 /R << /S /MR /C << /S /MCD /D << /FS /URL /F (http://127.0.0.1/x) >> >> >> >>"),
    taken("chunk doc_page", read),
  ],
];

const BROKEN: HostileFile[] = [
  ["PDF: header only", "a.pdf", () => bytesOf("%PDF-1.7\n"), refused(DAMAGED)],
  ["PDF: cut to 10 %", "a.pdf", () => cutTo(samplePdf(), 0.1), refused(DAMAGED)],
  ["PDF: cut to 50 %", "a.pdf", () => cutTo(samplePdf(), 0.5), refused(DAMAGED)],
  ["PDF: cut to 90 %", "a.pdf", () => cutTo(samplePdf(), 0.9), refused(DAMAGED)],
  ["PDF: cut behind its pages", "a.pdf", () => samplePdf().subarray(0, placeOf(samplePdf(), "xref\n0")), refused(DAMAGED)],
  ["PDF: encrypted", "a.pdf", () => makePdf([{ content: WORDS }], { password: "sesame" }), refused(/encrypted: remove its password/)],
  [
    "PDF: encrypted by a handler that nobody knows",
    "a.pdf",
    () =>
      Buffer.from(
        Buffer.from(makePdf([{ content: WORDS }], { password: "x" }))
          .toString("latin1")
          .replace("/Filter /Standard", "/Filter /Strange0"),
        "latin1",
      ),
    refused(/encrypted/),
  ],
  ["PDF: noise behind a header", "a.pdf", () => bytesOf("%PDF-1.4\n", noise(200_000)), refused(DAMAGED)],
  ["PDF: a trailer that leads nowhere", "a.pdf", () => bytesOf("%PDF-1.4\ntrailer << /Root 9 0 R >>\nstartxref\n99999999\n%%EOF"), refused(DAMAGED)],
  ["PDF: a million objects of which none is whole", "a.pdf", () => bytesOf("%PDF-1.4\n", "1 0 obj\n".repeat(1_000_000)), refused(DAMAGED)],
];

export const PDFS: HostileFile[] = [...BROKEN, ...TREES, ...FORMS, ...BOMBS, ...ACTS];
