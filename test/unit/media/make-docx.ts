/** Writes small DOCX files: the parts that carry text, as Word lays them out. */
import { strToU8, type Zippable, zipSync } from "fflate";

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

export function paragraph(text: string, style = ""): string {
  const properties = style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function table(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => row.map((cell) => `<w:tc><w:tcPr/>${paragraph(cell)}</w:tc>`).join("");
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl>`;
}

export interface DocxParts {
  body: string;
  footnotes?: string;
  styles?: string;
  title?: string;
  extra?: Zippable;
}

export function makeDocx({ body, footnotes, styles, title, extra }: DocxParts): Uint8Array {
  const xml = (root: string, inner: string) =>
    strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${root} ${NAMESPACES}>${inner}</${root}>`);
  return zipSync({
    "[Content_Types].xml": strToU8('<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    "word/document.xml": xml("w:document", `<w:body>${body}</w:body>`),
    ...(footnotes === undefined ? {} : { "word/footnotes.xml": xml("w:footnotes", footnotes) }),
    ...(styles === undefined ? {} : { "word/styles.xml": xml("w:styles", styles) }),
    ...(title === undefined
      ? {}
      : {
          "docProps/core.xml": strToU8(
            `<?xml version="1.0"?><cp:coreProperties xmlns:cp="a" xmlns:dc="b"><dc:title>${title}</dc:title></cp:coreProperties>`,
          ),
        }),
    ...extra,
  });
}
