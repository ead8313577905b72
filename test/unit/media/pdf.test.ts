import { expect, test } from "bun:test";
import { DOCUMENT_MAX_PAGES, PICTURE_MAX_PIXELS } from "../../../src/base/limits.ts";
import type { Box, Picture } from "../../../src/domain/media.ts";
import { openPdf } from "../../../src/media/document/pdf.ts";
import { pdfium } from "../../../src/media/document/pdfium.ts";
import { decodePicture, encodePicture } from "../../../src/media/image/decode.ts";
import { mediaModelFile } from "../../../src/runtime/media-models.ts";
import { extractPdf, previewPdf } from "../../../src/media/document/pdf-pages.ts";
import type { ImageModels } from "../../../src/media/models.ts";
import { createImageModels } from "../../../src/media/image/models.ts";
import { isReadable } from "../../../src/media/document/text-layer.ts";
import { NO_MODELS, file, partsOf, refusal, spanned, unitsOf } from "./files.ts";
import { type MadePage, makePdf, makeRawPdf, type RawParts, setLines, UNMAPPED_FONT } from "./make-pdf.ts";

const FORMAT = { kind: "document", mime: "application/pdf" } as const;
const made = (pages: readonly MadePage[], options?: Parameters<typeof makePdf>[1]) => file(makePdf(pages, options), "a.pdf", FORMAT);
const prose = (page: number) =>
  Array.from({ length: 40 }, (_, line) => `Page ${page}, line ${line}: the crane lifted the rotor over the pier and set it down.`);
/** Boxes and lines that make a ruled table of 4 rows. */
const GRID = `1 w ${[500, 540, 580, 620, 660].map((y) => `72 ${y} m 500 ${y} l S`).join(" ")} ${[72, 280, 500].map((x) => `${x} 500 m ${x} 660 l S`).join(" ")}`;
const RED_PAGE = "1 0 0 rg 0 0 595 842 re f";

/** ImageModels that give `told`, and the pictures that each was given. */
function scriptedModels(told: { lines?: [string, Box][]; regions?: [string, Box][] } = {}) {
  const shown: Record<keyof ImageModels, Picture[]> = { classify: [], ocr: [], layout: [] };
  const imageModels: ImageModels = {
    classify: async (picture) => {
      shown.classify.push(picture);
      return { kind: "picture", labels: [{ label: 1, score: 0.5 }], embedding: new Float32Array(4) };
    },
    ocr: async (picture) => {
      shown.ocr.push(picture);
      return (told.lines ?? []).map(([text, box]) => ({ text, confidence: 0.9, box }));
    },
    layout: async (picture) => {
      shown.layout.push(picture);
      return (told.regions ?? []).map(([name, box]) => ({ class: name as never, score: 0.9, box }));
    },
  };
  return { imageModels, shown };
}

async function opened<T>(pages: readonly MadePage[], work: (pdf: Awaited<ReturnType<typeof openPdf>>) => T): Promise<T> {
  const { path, bytes } = made(pages);
  const pdf = await openPdf(path, bytes);
  try {
    return work(pdf);
  } finally {
    pdf.close();
  }
}

const textOf = (page: MadePage) =>
  opened([page], (pdf) => {
    const found = pdf.page(0);
    const text = found?.text;
    found?.close();
    return text;
  });

test("the layer: words that a line end divides are joined, columns one after the other, turned pages upright", async () => {
  expect(await textOf({ content: setLines(["A computer is hyphenated: hyphen-", "ated com-", "puter (well-", "Known)."]) })).toBe(
    "A computer is hyphenated: hyphenated computer (well-Known).",
  );
  const columns = `${setLines(["left one", "left two"], { x: 50 })} ${setLines(["right one", "right two"], { x: 320 })}`;
  expect(await textOf({ content: columns })).toBe("left one\nleft two\nright one\nright two");
  const turned = "BT /F 12 Tf 0 1 -1 0 100 100 Tm 14 TL (first line) Tj T* (second line) Tj ET";
  expect(await textOf({ content: turned, rotate: 90 })).toBe("first line\nsecond line");
});

test("a page as a picture: its colours, its crop, its sides and its turn", async () => {
  const halves = "1 0 0 rg 0 421 595 421 re f 0 0 1 rg 0 0 297.5 421 re f";
  const pixel = ({ data, width }: Picture, x: number, y: number) => [...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
  await opened(
    [{ content: halves }, { content: halves, rotate: 90 }, { content: RED_PAGE, size: [14_400, 14_400] }, { content: "", size: [14_400, 3] }],
    (pdf) => {
      const [upright, turned, huge, thin] = [0, 1, 2, 3].map((index) => pdf.page(index));
      const picture = upright?.render(842) as Picture;
      expect([picture.width, picture.height, picture.data.length]).toEqual([595, 842, 595 * 842 * 3]);
      expect([pixel(picture, 5, 5), pixel(picture, 5, 800), pixel(picture, 590, 800)]).toEqual([
        [255, 0, 0],
        [0, 0, 255],
        [255, 255, 255],
      ]);
      const crop = upright?.render(100, { x: 0.25, y: 0.5, w: 0.5, h: 0.5 }) as Picture;
      expect([crop.width, crop.height]).toEqual([71, 100]);
      expect([pixel(crop, 2, 50), pixel(crop, 69, 50)]).toEqual([
        [0, 0, 255],
        [255, 255, 255],
      ]);
      const side = turned?.render(842) as Picture;
      expect([side.width, side.height]).toEqual([842, 595]);
      expect(pixel(side, 5, 5)).toEqual([0, 0, 255]);
      const largest = huge?.render(1_000_000) as Picture;
      expect(largest.width * largest.height).toBeLessThanOrEqual(PICTURE_MAX_PIXELS * 1.001);
      expect(thin?.render(300)).toMatchObject({ width: 300, height: 1 });
      for (const page of [upright, turned, huge, thin]) page?.close();
    },
  );
});

test("text inside a box, on upright and turned pages", async () => {
  const content = `${setLines(["top line"], { y: 800 })} ${setLines(["bottom line"], { y: 40 })}`;
  await opened([{ content }, { content, rotate: 180 }], (pdf) => {
    const [upright, turned] = [pdf.page(0), pdf.page(1)];
    const [top, bottom] = [
      { x: 0, y: 0, w: 1, h: 0.2 },
      { x: 0, y: 0.8, w: 1, h: 0.2 },
    ];
    expect([upright?.textIn(top), upright?.textIn(bottom), turned?.textIn(top), turned?.textIn(bottom)]).toEqual([
      "top line",
      "bottom line",
      "bottom line",
      "top line",
    ]);
    upright?.close();
    turned?.close();
  });
});

test("a page of text: chunks into the layers joined, and the page, without any model", async () => {
  const pages = [1, 2, 3].map((page) => prose(page));
  const parts = await partsOf(
    extractPdf(
      made(
        pages.map((lines) => ({ content: setLines(lines) })),
        { title: "On Cranes" },
      ),
      NO_MODELS,
      0,
    ),
  );
  expect(parts.map(({ part, progress, stage, notes }) => [part, progress, stage, notes])).toEqual([
    [0, 1 / 3, "pages", []],
    [1, 2 / 3, "pages", []],
    [2, 1, "pages", []],
  ]);
  const whole = pages.map((lines) => lines.join("\n")).join("\f");
  parts.forEach(({ units }, index) => {
    const metadata = { page: index + 1, pages: 3, title: "On Cranes" };
    const chunks = units.filter(({ modality }) => modality === "chunk");
    expect(chunks.length).toBeGreaterThan(2);
    for (const unit of chunks) {
      expect(unit.metadata).toEqual(metadata);
      expect(spanned(whole, unit)?.replaceAll("\n", " ")).toBe(unit.text ?? "");
    }
    expect(units.filter(({ modality }) => modality !== "chunk")).toEqual([
      {
        modality: "doc_page",
        path: [],
        text: pages[index]?.join("\n") ?? "",
        locator: { kind: "bbox", page: index + 1, x: 0, y: 0, w: 1, h: 1 },
        metadata: { ...metadata, text_source: "layer" },
        features: null,
      },
    ]);
  });
});

/** The path of each chunk of a PDF, joined by " > ", and its text. */
async function chunksOf(...contents: string[]): Promise<[string, string | null][]> {
  const units = await unitsOf(extractPdf(made(contents.map((content) => ({ content }))), NO_MODELS, 0));
  return units.filter(({ modality }) => modality === "chunk").map(({ path, text }) => [path.join(" > "), text]);
}

test("headings by size and number, over the pages; running heads, page numbers and contents go", async () => {
  const page = (number: number, ...parts: string[]) =>
    [setLines([`The Cranes ${number}`], { y: 800 }), ...parts, setLines([String(number)], { y: 40 })].join(" ");
  const body = "The crane lifted the rotor over the pier and set";
  const chunks = await chunksOf(
    page(1, setLines(["1 Cranes"], { y: 740, size: 18 }), setLines([body, "it down without a sound."], { y: 700 })),
    page(2, setLines(["1.1 Hooks"], { y: 740, size: 14 }), setLines([body, "it down."], { y: 700 }), setLines(["Another one."], { y: 650 })),
    page(
      3,
      setLines(["It goes on."], { y: 740 }),
      setLines(["2 Rotors"], { y: 700, size: 18 }),
      setLines(["Hooks . . . . . . . 7", "They turn."], { y: 660 }),
    ),
  );
  expect(chunks).toEqual([
    ["1 Cranes", `${body} it down without a sound.`],
    ["1 Cranes > 1.1 Hooks", `${body} it down.\n\nAnother one.`],
    ["1 Cranes > 1.1 Hooks", "It goes on."],
    ["2 Rotors", "They turn."],
  ]);
});

test("a paragraph that runs over the end of a page is one, and a word that a hyphen divides there whole", async () => {
  const page = (number: number, ...lines: string[]) =>
    [setLines(["The Cranes"], { y: 800 }), setLines(lines, { y: 740 }), setLines([String(number)], { y: 40 })].join(" ");
  const units = await unitsOf(
    extractPdf(
      made(
        [
          page(1, "The crane lifted the rotor over the pier, which is mea-"),
          page(2, "sured every hour, and set it down", "without a sound. The rotor turned."),
          page(3, "This is another measured paragraph of the text,"),
          page(4, "Captain, and it goes on"),
          page(5, "overleaf."),
        ].map((content) => ({ content })),
      ),
      NO_MODELS,
      0,
    ),
  );
  expect(units.filter(({ modality }) => modality === "chunk").map(({ text, metadata }) => [metadata.page, text])).toEqual([
    [1, "The crane lifted the rotor over the pier, which is measured every hour, and set it down without a sound. The rotor turned."],
    [3, "This is another measured paragraph of the text, Captain, and it goes on"],
    [5, "overleaf."],
  ]);
  expect(units.filter(({ modality }) => modality === "doc_page")).toHaveLength(5);
});

test("terms above what is indented deeper, items, and columns one after the other", async () => {
  const [prose, deeper] = ["The options of the crane are these, and no others.", 130];
  const chunks = await chunksOf(
    [
      setLines([prose], { y: 760 }),
      setLines(["max_load (integer)"], { y: 730 }),
      setLines(["The greatest load.", "The default is ten."], { y: 716, x: deeper }),
      setLines(["min_load (integer)"], { y: 680 }),
      setLines(["The least load."], { y: 666, x: deeper }),
      setLines(["Do this:"], { y: 630 }),
      setLines(["- look left and right, then look", "at the hook"], { y: 610 }),
      setLines(["- go"], { y: 570 }),
      setLines(["The second column begins here."], { y: 760, x: 330 }),
    ].join(" "),
  );
  expect(chunks).toEqual([
    ["", prose],
    ["max_load (integer)", "max_load (integer)\nThe greatest load. The default is ten."],
    ["min_load (integer)", "min_load (integer)\nThe least load."],
    ["", "Do this:\n- look left and right, then look at the hook\n- go\n\nThe second column begins here."],
  ]);
});

test("hyphens at line ends go from words that the document divides, and stay in compounds and options", async () => {
  const text = (...lines: string[]) => textOf({ content: setLines(lines) });
  expect(await text("A pump told to --dry-", "run is well-", "known and state-of-the-", "art.")).toBe(
    "A pump told to --dry-run is well-known and state-of-the-art.",
  );
  expect(await text("A well-known experiment: the experi-", "ment is well-", "known, the war ended.")).toBe(
    "A well-known experiment: the experiment is well-known, the war ended.",
  );
  // A document that divides words: what it does not show elsewhere is one too, unless both parts are words.
  expect(await text("The blue experiment, a green one, the experi-", "ment in the har-", "bour, of blue-", "green colour.")).toBe(
    "The blue experiment, a green one, the experiment in the harbour, of blue-green colour.",
  );
});

test("a line where others have their running head is kept unless its text recurs", async () => {
  const page = (head: string, ...lines: string[]) => `${setLines([head], { y: 800 })} ${setLines(lines, { y: 760 })}`;
  const own = "The master key hangs behind the green door.";
  const chunks = await chunksOf(
    page(own, "The first page."),
    ...["two", "three", "four", "five"].map((name) => page("Annals of Kelp, volume seven", `Page ${name} says this.`)),
  );
  expect(chunks.map(([, text]) => text)).toEqual([
    `${own}\n\nThe first page.`,
    "Page two says this.",
    "Page three says this.",
    "Page four says this.",
    "Page five says this.",
  ]);
});

test("large headings of which the number alone differs are no running heads, small ones are", async () => {
  const names = ["one", "two", "three", "four", "five"];
  const page = (name: string, at: number, size: number) =>
    `${setLines([`Chapter ${at + 1}`], { y: 790, size })} ${setLines([`Boat ${name} comes in,`, `is ${name} times tied,`, `and ${name} bells ring.`], { y: 740 })}`;
  const paths = async (size: number) => (await chunksOf(...names.map((name, at) => page(name, at, size)))).map(([path]) => path);
  expect(await paths(20)).toEqual(["Chapter 1", "Chapter 2", "Chapter 3", "Chapter 4", "Chapter 5"]);
  expect(new Set(await paths(12))).toEqual(new Set([""]));
});

test("a large sign of a formula is no heading, nor are words that a bold line of a paragraph goes on with", async () => {
  const full = "The crane lifted the rotor over the pier and set it down, see the hook";
  const chunks = await chunksOf(
    [
      setLines(["Hooks"], { y: 770, size: 18 }),
      setLines(["abs(x) is the length of x:"], { y: 730 }),
      setLines(["p"], { y: 716, x: 205, size: 37 }),
      setLines(["a + b"], { y: 730, x: 227 }),
      setLines(["The load", "is light", full], { y: 700 }),
      setLines(["(page 51), the rope (page 142)"], { y: 658, font: "B" }),
    ].join(" "),
  );
  expect(chunks).toEqual([["Hooks", `abs(x) is the length of x: p a + b\n\nThe load is light ${full} (page 51), the rope (page 142)`]]);
});

test("bookmarks name headings and say how deep they lie, whatever their size", async () => {
  const content = [
    setLines(["4 Cranes"], { y: 780, size: 18 }),
    setLines(["Hooks"], { y: 740 }),
    setLines(["They hold the load,", "and they turn,", "day by day."], { y: 710 }),
    setLines(["Ropes"], { y: 640, size: 18 }),
    setLines(["They are long."], { y: 600 }),
  ].join(" ");
  const mark = (title: string, more: string) => ({ head: `<< /Title (${title}) /Dest [3 0 R /Fit] ${more} >>` });
  const read = async (last: string) => {
    const objects = [
      { head: "<< /Type /Outlines /First 6 0 R /Last 6 0 R >>" },
      mark("Cranes", "/Parent 5 0 R /First 7 0 R /Last 8 0 R"),
      mark("Hooks", "/Parent 6 0 R /Next 8 0 R"),
      mark("Ropes", `/Parent 6 0 R ${last}`),
    ];
    const bytes = makeRawPdf({ content, catalog: "/Outlines 5 0 R", objects });
    const units = await unitsOf(extractPdf(file(bytes, "a.pdf", FORMAT), NO_MODELS, 0));
    return units.filter(({ modality }) => modality === "chunk").map(({ path, text }) => [path.join(" > "), text]);
  };
  const told = [
    ["4 Cranes > Hooks", "They hold the load, and they turn, day by day."],
    ["4 Cranes > Ropes", "They are long."],
  ];
  expect(await read("")).toEqual(told);
  // Bookmarks that lead in a circle end.
  expect(await read("/Next 7 0 R /First 6 0 R")).toEqual(told);
});

test("a term and its definition on one line: the term ends where the lines below begin", async () => {
  const entry = (y: number, term: string, ...lines: string[]) => `${setLines([term], { y })} ${setLines(lines, { x: 130, y })}`;
  const chunks = await chunksOf(
    [
      setLines(["The options of the crane are these, and no others."], { y: 760 }),
      entry(730, "-x num", "Expand tabs when the load is shown, which", "is the usual thing", "of cranes."),
      entry(680, "-a", "All loads."),
    ].join(" "),
  );
  expect(chunks.slice(1)).toEqual([
    ["-x num", "-x num\nExpand tabs when the load is shown, which is the usual thing of cranes."],
    ["-a", "-a\nAll loads."],
  ]);
});

test("code and terms are told without space between the lines", async () => {
  const lines = ["The crane lifts the rotor over the pier while the tide is falling, which it does twice.", "Run this:"];
  const at = (line: number) => 770 - line * 14;
  const chunks = await chunksOf(
    [
      setLines(lines),
      setLines(["cranectl --section 1", "exit 141"], { x: 108, y: at(2), size: 10, font: "C" }),
      setLines(["It has these options:", "-v"], { y: at(4) }),
      setLines(["Prints more."], { x: 108, y: at(6) }),
      setLines(["-V"], { y: at(7) }),
      setLines(["Prints the version."], { x: 108, y: at(8) }),
    ].join(" "),
  );
  expect(chunks).toEqual([
    ["", `${lines.join(" ")}\n    cranectl --section 1\n    exit 141\n\nIt has these options:`],
    ["-v", "-v\nPrints more."],
    ["-V", "-V\nPrints the version."],
  ]);
});

test("what programs leave in the place of a title is none", async () => {
  for (const [title, path] of [
    ["\\(anonymous\\)", []],
    ["untitled", []],
    ["Anonymous Works", ["Anonymous Works"]],
  ] as const) {
    const units = await unitsOf(extractPdf(made([{ content: setLines(["The crane lifted."]) }], { title }), NO_MODELS, 0));
    expect(units[0]?.path).toEqual([...path]);
  }
});

test("work that was cut goes on with the same parts", async () => {
  const pdf = made([1, 2, 3, 4].map((page) => ({ content: setLines(prose(page)) })));
  const parts = await partsOf(extractPdf(pdf, NO_MODELS, 0));
  expect(await partsOf(extractPdf(pdf, NO_MODELS, 2))).toEqual(parts.slice(2));
  expect(await partsOf(extractPdf(pdf, NO_MODELS, 4))).toEqual([]);
});

test("a page whose font has no Unicode, and one that is a drawing, are read by OCR", async () => {
  const lines: [string, Box][] = [
    ["The crane lifted", { x: 0.1, y: 0.1, w: 0.5, h: 0.02 }],
    ["the rotor.", { x: 0.1, y: 0.13, w: 0.3, h: 0.02 }],
  ];
  const { imageModels, shown } = scriptedModels({ lines });
  const pages = [
    { content: `${setLines(prose(1))} 72 72 20 20 re f`, font: UNMAPPED_FONT },
    { content: `${RED_PAGE} 0 0 0 rg 100 100 200 200 re f` },
    { content: setLines(prose(3)) },
  ];
  const parts = await partsOf(extractPdf(made(pages), imageModels, 0));
  expect(shown.ocr.map(({ height }) => height)).toEqual([1_754, 1_754]);
  for (const index of [0, 1]) {
    const [chunk, page] = parts[index]?.units ?? [];
    expect(chunk).toMatchObject({ modality: "chunk", path: [], text: "The crane lifted\nthe rotor.", metadata: { page: index + 1 } });
    expect(chunk?.locator).toEqual({ kind: "bbox", page: index + 1, x: 0.1, y: 0.1, w: 0.5, h: expect.closeTo(0.05, 6) } as never);
    expect(page).toMatchObject({ modality: "doc_page", path: [], text: "The crane lifted\nthe rotor.", metadata: { text_source: "ocr" } });
  }
  // The layers of both count as empty.
  expect(parts[2]?.units[0]?.locator).toMatchObject({ kind: "char_span", start: 2 });
});

test("a scan that a program has dated is read by OCR; a picture beside text is not", async () => {
  const dated = setLines(["11/25/26, 4:26 PM   file:///scans/berth.html   Harbour office"], { y: 820 });
  const picture = "q 480 0 0 600 50 120 cm BI /W 2 /H 2 /CS /G /BPC 8 /F /AHx ID 00FF00FF> EI Q";
  const { imageModels, shown } = scriptedModels({
    lines: [["Forklift number 88 is out of order until the hydraulic pump is back from the yard.", { x: 0.1, y: 0.4, w: 0.5, h: 0.02 }]],
  });
  const parts = await partsOf(
    extractPdf(
      made([{ content: `${dated} ${picture}` }, { content: `${dated} ${picture} ${setLines(["Berth nine."], { y: 500 })}` }]),
      imageModels,
      0,
    ),
  );
  const texts = parts.map(({ units }) => units.filter(({ modality }) => modality === "chunk").map(({ text }) => text));
  expect(texts[0]).toEqual(["Forklift number 88 is out of order until the hydraulic pump is back from the yard."]);
  expect(texts[1]?.join("\n")).toContain("Berth nine.");
  expect(shown.ocr).toHaveLength(1);
});

test("a blank page is left out with a note, also one that is painted in one colour", async () => {
  const parts = await partsOf(
    extractPdf(made([{ content: "" }, { content: "1 1 1 rg 0 0 595 842 re f" }, { content: setLines(prose(3)) }]), NO_MODELS, 0),
  );
  expect(parts.map(({ units, notes }) => [units.length > 0, notes])).toEqual([
    [false, ["page 1 is blank and was left out"]],
    [false, ["page 2 is blank and was left out"]],
    [true, []],
  ]);
});

test("a page that shows something and says nothing is found by what it shows", async () => {
  const { imageModels, shown } = scriptedModels();
  const units = await unitsOf(extractPdf(made([{ content: "1 0 0 rg 100 100 200 200 re f" }]), imageModels, 0));
  expect(units).toMatchObject([{ modality: "doc_page", path: [], text: null, metadata: { page: 1 }, features: { kind: "picture" } }]);
  expect(shown.classify[0]?.height).toBe(1_754);
});

test("figures and tables: caption, words inside, features of figures; the layout model gets only pages with drawings", async () => {
  const cells = setLines(["Ann 41", "Bob 12"], { x: 80, y: 640, leading: 40 });
  const content = `${setLines(["Table 1: ages of the crew"], { y: 680 })} ${GRID} ${cells} ${setLines(prose(1).slice(0, 10), { y: 300 })}`;
  const table: Box = { x: 0.1, y: 0.2, w: 0.75, h: 0.21 };
  const regions: [string, Box][] = [
    ["table", table],
    ["table_caption", { x: 0.1, y: 0.175, w: 0.5, h: 0.02 }],
    ["figure", { x: 0.1, y: 0.7, w: 0.4, h: 0.2 }],
    ["figure_caption", { x: 0.6, y: 0.95, w: 0.2, h: 0.02 }],
    ["text", { x: 0, y: 0, w: 1, h: 1 }],
  ];
  const { imageModels, shown } = scriptedModels({ regions });
  const parts = await partsOf(extractPdf(made([{ content }, { content: `${setLines(prose(2))} 1 w 72 400 m 500 400 l S` }]), imageModels, 0));
  expect(shown.layout).toHaveLength(1);
  const found = parts.flatMap(({ units }) => units.filter(({ modality }) => modality === "image_region"));
  expect(found.map(({ text, metadata, features }) => [text, metadata.region, features === null])).toEqual([
    ["Table 1: ages of the crew\nAnn 41\nBob 12", "table", true],
    [null, "figure", false],
  ]);
  expect(found[0]?.locator).toEqual({ kind: "bbox", page: 1, ...table });
  expect(shown.classify.map(({ width, height }) => [width, height])).toEqual([[496, 351]]);
});

test("the words of a table that was read by OCR stand in its rows", async () => {
  const cell = (text: string, x: number, y: number): [string, Box] => [text, { x, y, w: 0.1, h: 0.02 }];
  const lines = [cell("Name", 0.2, 0.3), cell("Ann", 0.2, 0.34), cell("Age", 0.5, 0.302), cell("41", 0.5, 0.338), cell("below", 0.2, 0.7)];
  const { imageModels } = scriptedModels({ lines, regions: [["table", { x: 0.1, y: 0.25, w: 0.6, h: 0.2 }]] });
  const units = await unitsOf(extractPdf(made([{ content: "0 0 0 rg 100 100 200 200 re f" }]), imageModels, 0));
  expect(units.at(-1)).toMatchObject({ modality: "image_region", text: "Name | Age\nAnn | 41", metadata: { region: "table" } });
});

test("a scanned page, with the models: its words, its table and its figure", async () => {
  const picture = await decodePicture(await mediaModelFile("page-layout", "fixture/page.png"), "image/png");
  const jpeg = { bytes: await encodePicture(picture), width: picture.width, height: picture.height, grey: true };
  const units = await unitsOf(extractPdf(made([{ content: "q 595 0 0 842 0 0 cm /Im Do Q", jpeg }]), createImageModels(), 0));
  const page = units.find(({ modality }) => modality === "doc_page");
  expect(page?.metadata.text_source).toBe("ocr");
  for (const words of ["Landings in the Northern Harbour", "Every crate that leaves the quay carries a number", "Figure 1. Catch index by week"])
    expect(page?.text).toContain(words);
  const regions = units.filter(({ modality }) => modality === "image_region");
  expect(regions.map(({ metadata }) => metadata.region)).toEqual(["table", "figure"]);
  expect(regions[0]?.text).toContain("Table 1. Tonnes by boat and month\nBoat | Jan | Feb | Mar | Sum\nPetrel | 7.3 | 5.1 | 2.9 | 15.3");
  expect(regions[1]).toMatchObject({ text: "Figure 1. Catch index by week", features: { kind: "picture" } });
  expect(regions[1]?.features?.embedding).toHaveLength(1_280);
}, 60_000);

test("previews: the page, the box, the page of a place in the text, no page", async () => {
  const pdf = made([{ content: setLines(prose(1)) }, { content: setLines(prose(2)), size: [842, 595] }]);
  const [{ units: first } = { units: [] }, { units: second } = { units: [] }] = await partsOf(extractPdf(pdf, NO_MODELS, 0));
  const size = async (locator: Parameters<typeof previewPdf>[1]) => {
    const picture = await previewPdf(pdf, locator, 200);
    return [picture?.width, picture?.height];
  };
  expect(await size(null)).toEqual([141, 200]);
  expect(await size(first[0]?.locator ?? null)).toEqual([141, 200]);
  expect(await size(second[0]?.locator ?? null)).toEqual([200, 141]);
  expect(await size({ kind: "bbox", page: 2, x: 0, y: 0, w: 0.25, h: 1 })).toEqual([71, 200]);
  expect(await size({ kind: "bbox", page: 1, x: 0.5, y: 0.5, w: 0, h: 0 })).toEqual([141, 200]);
  const missing = await previewPdf(pdf, { kind: "bbox", page: 3, x: 0, y: 0, w: 1, h: 1 }, 200).catch((error) => error);
  expect(missing.kind).toBe("not_found");
});

test("encrypted, broken, empty and endless files are refused, each by what is wrong", async () => {
  const reason = (bytes: Uint8Array) => refusal(() => partsOf(extractPdf(file(bytes, "a.pdf", FORMAT), NO_MODELS, 0)));
  const page = { content: setLines(["secret"]) };
  expect(await reason(makePdf([page], { password: "hunter2" }))).toBe("the PDF is encrypted: remove its password");
  expect(await reason(makePdf([]))).toBe("the PDF has no pages");
  expect(await reason(makePdf([page]).slice(0, 300))).toContain("damaged");
  expect(await reason(Buffer.from("%PDF-1.7\nnothing"))).toContain("damaged");
  const many = Array.from({ length: DOCUMENT_MAX_PAGES + 1 }, () => ({ content: "" }));
  expect(await reason(makePdf(many))).toBe("the PDF has 2,001 pages: at most 2,000 are taken in");
  const lying = Buffer.from(
    Buffer.from(makePdf([page]))
      .toString("latin1")
      .replace("/Count 1", "/Count 1000000"),
    "latin1",
  );
  expect(await reason(lying)).toMatch(/damaged|1,000,000 pages/);
});

test("a picture of 60,000 by 60,000 inside a page takes neither the memory nor the process", async () => {
  const jpeg = { bytes: new Uint8Array(2_000).fill(0xff), width: 60_000, height: 60_000 };
  const { imageModels } = scriptedModels();
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const outcome = await partsOf(extractPdf(made([{ content: "q 595 0 0 842 0 0 cm /Im Do Q", jpeg }]), imageModels, 0)).catch((error) => error);
  expect(Array.isArray(outcome) || outcome.kind === "bad_request").toBe(true);
  // Its pixels are 10.8 GB.
  expect(process.memoryUsage.rss() - before).toBeLessThan(1e9);
});

test("any damaged byte gives pages or a clear refusal", async () => {
  const whole = makePdf([{ content: setLines(prose(1).slice(0, 3)) }, { content: RED_PAGE }]);
  const { imageModels } = scriptedModels();
  for (let at = 9; at < whole.length; at += 11) {
    const broken = whole.slice();
    broken[at] = (broken[at] ?? 0) ^ (1 << (at % 7));
    const outcome = await partsOf(extractPdf(file(broken, "a.pdf", FORMAT), imageModels, 0)).catch((error) => error);
    expect(Array.isArray(outcome) || outcome.kind === "bad_request", `byte ${at}: ${outcome}`).toBe(true);
  }
});

test("a thousand pages of text are a thousand parts, and no page of them is rendered", async () => {
  const pdf = made(Array.from({ length: 1_000 }, (_, page) => ({ content: setLines(prose(page)) })));
  expect(await partsOf(extractPdf(pdf, NO_MODELS, 0))).toHaveLength(1_000);
}, 40_000);

test("what is readable, and what is garbage", () => {
  const english = prose(1).join("\n");
  expect(isReadable(english, 0)).toBe(true);
  expect(isReadable("Inhalt ........................ 7\nStraße der Größe", 0)).toBe(true);
  expect(isReadable("日本語の文章です。これは読めます。", 0)).toBe(true);
  expect(isReadable("E = mc² + ∫ f(x) dx = 42", 0)).toBe(true);
  expect(isReadable("", 0)).toBe(false);
  expect(isReadable(english, 0.5)).toBe(false);
  expect(isReadable("\ue001\ue002\ue003 \ue004\ue005 ab", 0)).toBe(false);
  expect(isReadable("!\"#$%& '()*+ ,-./ :;<=> ?@[\\] ^_` {|}~".repeat(5), 0)).toBe(false);
  const shifted = english.replace(/[a-z]/g, (letter) => String.fromCharCode(97 + ((letter.charCodeAt(0) - 97 + 2) % 26)));
  expect(isReadable(shifted, 0)).toBe(false);
});

const FORM = "/Type /XObject /Subtype /Form /BBox [0 0 9 9]";
const HOSTILE: [string, RawParts, RegExp][] = [
  ["a page tree that is its own child", { content: "", pages: "/Kids [2 0 R 2 0 R] /Count 100" }, /^bad_request: .*none of its pages/],
  ["pages that are promised and not there", { content: "", pages: "/Kids [] /Count 1500" }, /^bad_request: .*none of its pages/],
  ["states saved without end", { content: "q ".repeat(1_000_000) }, /is blank/],
  ["arrays within arrays", { content: "[".repeat(1_000_000) }, /is blank/],
  [
    "a form that draws itself twice",
    {
      content: "/X Do",
      resources: "/XObject << /X 5 0 R >>",
      objects: [{ head: `${FORM} /Resources << /XObject << /X 5 0 R >> >>`, stream: "/X Do /X Do" }],
    },
    /^bad_request: .*more memory|is blank/,
  ],
];

for (const [what, parts, outcome] of HOSTILE) {
  test(`${what}: said clearly, and the next file is read`, async () => {
    const { imageModels } = scriptedModels();
    const said = await partsOf(extractPdf(file(makeRawPdf(parts), "a.pdf", FORMAT), imageModels, 0)).then(
      (found) => found.flatMap(({ notes }) => notes).join(),
      (error) => `${error.kind}: ${error.message}`,
    );
    expect(said).toMatch(outcome);
    expect(await textOf({ content: setLines(["still here"]) })).toBe("still here");
  }, 30_000);
}

test("scripts and addresses of a document are neither run nor followed", async () => {
  const catalog = "/OpenAction << /S /JavaScript /JS (while \\(true\\) {}) >> /AA << /WC << /S /URI /URI (http://127.0.0.1:9/) >> >>";
  const bytes = makeRawPdf({ content: setLines(["The crane lifted the rotor."]), catalog });
  const units = await unitsOf(extractPdf(file(bytes, "a.pdf", FORMAT), NO_MODELS, 0));
  expect(units.map(({ text }) => text)).toEqual(["The crane lifted the rotor.", "The crane lifted the rotor."]);
});

test("a document that cannot be opened anew is freed once", async () => {
  const source = made([{ content: setLines(prose(1)) }, { content: setLines(prose(2)) }]);
  const pdf = await openPdf(source.path, source.bytes);
  const engine = await pdfium();
  const { calls, bytes } = engine;
  const freed: number[] = [];
  const closed: number[] = [];
  const patched = {
    _FPDF_LoadMemDocument: () => 0,
    _free: (at: number) => void freed.push(at),
    _FPDF_CloseDocument: (document: number) => void closed.push(document),
  };
  Object.assign(engine, { calls: Object.assign(Object.create(calls), patched), bytes: () => ({ length: Number.MAX_SAFE_INTEGER }) });
  try {
    expect(() => pdf.page(1)).toThrow("damaged");
    pdf.close();
    pdf.close();
  } finally {
    Object.assign(engine, { calls, bytes });
  }
  expect(closed).toHaveLength(1);
  expect(freed).toHaveLength(1);
});
