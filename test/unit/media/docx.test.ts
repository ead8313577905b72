import { expect, test } from "bun:test";
import { type Zippable, zipSync } from "fflate";
import { ARCHIVE_ENTRY_MAX_BYTES } from "../../../src/base/limits.ts";
import { extractProse } from "../../../src/media/document/prose.ts";
import { DOCX_MIME } from "../../../src/media/format.ts";
import { file, partsOf, refusal, unitsOf } from "./files.ts";
import { makeDocx, paragraph, table } from "./make-docx.ts";

const FORMAT = { kind: "document", mime: DOCX_MIME } as const;
const extract = (bytes: Uint8Array) => extractProse(file(bytes, "a.docx", FORMAT), 0);
const textOf = async (bytes: Uint8Array) => (await unitsOf(extract(bytes))).map(({ text }) => text).join("\n\n");

const STYLES = `<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Outline"><w:name w:val="Mine"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>`;

test("paragraphs, rows and footnotes, in order", async () => {
  const body = [
    paragraph("A &amp; B, “quoted”", "berschrift1"),
    paragraph("First  paragraph."),
    table([
      ["Name", "Age"],
      ["Ann", "41"],
    ]),
    "<w:p><w:r><w:t>Tab</w:t><w:tab/><w:t>stop</w:t><w:br/><w:t>next line, co</w:t><w:softHyphen/><w:t>operate</w:t></w:r></w:p>",
  ].join("");
  const footnotes = `<w:footnote w:type="separator" w:id="-1">${paragraph("RULE")}</w:footnote><w:footnote w:id="1">${paragraph("A note.")}</w:footnote>`;
  expect(await textOf(makeDocx({ body, footnotes, styles: STYLES }))).toBe(
    "First paragraph.\n\n| Name | Age\n| Ann | 41\n\nTab stop\nnext line, cooperate\n\nA note.",
  );
});

test("headings by the style's English name, by its outline level and by its id; the title from the properties", async () => {
  const long = "The crane lifted the rotor over the pier. ".repeat(12);
  const body = ["berschrift1", "Outline", "Heading2"].map((style) => paragraph(`On ${style}`, style) + paragraph(long)).join("");
  const units = await unitsOf(extract(makeDocx({ body, styles: STYLES, title: "Pier &amp; Crane" })));
  expect(units.map(({ path, metadata }) => [path, metadata])).toEqual([
    [["Pier & Crane", "On berschrift1"], { title: "Pier & Crane" }],
    [["Pier & Crane", "On berschrift1", "On Outline"], { title: "Pier & Crane" }],
    [["Pier & Crane", "On berschrift1", "On Heading2"], { title: "Pier & Crane" }],
  ]);
});

test("lists with their marks, tables with their headers and caption, code by its style", async () => {
  const styles = `<w:style w:styleId="Bildtitel"><w:name w:val="caption"/></w:style><w:style w:styleId="Kode"><w:name w:val="Source Code"/></w:style>`;
  const numbering = `<w:numbering><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl>
    </w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>`;
  const item = (level: number, text: string) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="3"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const rows = table([
    ["Name", "Age"],
    ["Ann", "41"],
  ]).replace("<w:tbl>", '<w:tbl><w:tblPr><w:tblLook w:firstRow="1"/></w:tblPr>');
  const body = [
    paragraph("Do this:"),
    item(0, "Look"),
    item(1, "left"),
    item(0, "Go"),
    paragraph("go --now", "Kode"),
    paragraph("Table 1", "Bildtitel"),
    rows,
    paragraph("Figure 1", "Bildtitel"),
  ].join("");
  const units = await unitsOf(extract(makeDocx({ body, styles, extra: { "word/numbering.xml": Buffer.from(numbering) } })));
  expect(units.map(({ path, text }) => [path, text])).toEqual([
    [[], "Do this:\n1. Look\n  - left\n2. Go\n    go --now"],
    [["Table 1"], "| Name: Ann | Age: 41"],
    [[], "Figure 1"],
  ]);
});

test("what is not shown is not read: fields, deletions, hidden text, the older twin of a drawing", async () => {
  const body = `<w:p><w:r><w:instrText>HYPERLINK "https://example.org"</w:instrText></w:r><w:r><w:t>seen</w:t></w:r>
    <w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>
    <w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t xml:space="preserve"> too</w:t></w:r></w:p>
    <mc:AlternateContent><mc:Choice>${paragraph("choice")}</mc:Choice><mc:Fallback>${paragraph("fallback")}</mc:Fallback></mc:AlternateContent>`;
  expect(await textOf(makeDocx({ body }))).toBe("seen too\n\nchoice");
});

test("relationships and embedded archives are never read", async () => {
  const relationships =
    '<Relationships><Relationship Type="attachedTemplate" Target="https://example.org/evil.dotm" TargetMode="External"/></Relationships>';
  const extra: Zippable = {
    "word/_rels/document.xml.rels": Buffer.from(relationships),
    "word/embeddings/a.zip": zipSync({ "a.txt": new Uint8Array(1_000) }),
  };
  expect(await textOf(makeDocx({ body: paragraph("text"), extra }))).toBe("text");
});

test("entities of a document type do not multiply", async () => {
  const xml = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;">]><w:document><w:body>${paragraph("x&b;y")}</w:body></w:document>`;
  const bytes = makeDocx({ body: "", extra: { "word/document.xml": Buffer.from(xml) } });
  expect(await textOf(bytes)).not.toContain("haha");
});

/** A DOCX whose main part inflates to `bytes`. */
function bomb(bytes: number): Uint8Array {
  return makeDocx({ body: "", extra: { "word/document.xml": [new Uint8Array(bytes).fill(32), { level: 6 }] } });
}

test("a part that inflates beyond the limit is refused while it inflates", async () => {
  const bytes = bomb(ARCHIVE_ENTRY_MAX_BYTES + 1);
  expect(bytes.length).toBeLessThan(400_000);
  // The directory promises 4 bytes.
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 0; at < bytes.length - 46; at += 1) if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 4, true);
  expect(await refusal(() => partsOf(extract(bytes)))).toMatch(/unpacks to more than .*128 MiB/);
}, 20_000);

test("cut, damaged and encrypted files are refused, at every place", async () => {
  const whole = makeDocx({ body: paragraph("text ".repeat(500)), styles: STYLES });
  for (let cut = 1; cut < whole.length; cut += 97) expect(await refusal(() => partsOf(extract(whole.slice(0, cut))))).toMatch(/damaged/);
  const encrypted = whole.slice();
  const view = new DataView(encrypted.buffer);
  for (let at = 0; at < encrypted.length - 46; at += 1) if (view.getUint32(at, true) === 0x02014b50) view.setUint16(at + 8, 1, true);
  expect(await refusal(() => partsOf(extract(encrypted)))).toContain("remove its password");
});

test("any damaged byte gives text or a clear refusal", async () => {
  const whole = makeDocx({ body: paragraph("text ".repeat(50)) });
  for (let at = 0; at < whole.length; at += 3) {
    const broken = whole.slice();
    broken[at] = (broken[at] ?? 0) ^ 0x55;
    const outcome = await unitsOf(extract(broken)).catch((error) => error);
    expect(Array.isArray(outcome) || outcome.kind === "bad_request", `byte ${at}: ${outcome}`).toBe(true);
  }
});

test("a document without text says so", async () => {
  expect(await partsOf(extract(makeDocx({ body: paragraph(" ") })))).toEqual([
    { part: 0, progress: 1, stage: "text", units: [], notes: ["the document has no text"] },
  ]);
});
