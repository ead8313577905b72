/** The bookmarks of a PDF, which name its headings. */
import { HEADING_MAX_CHARS, PDF_BOOKMARKS_MAX, PDF_BOOKMARKS_MAX_DEPTH } from "../../base/limits.ts";
import { type Pdfium, utf16, withMemory } from "./pdfium.ts";

export interface Bookmark {
  title: string;
  /** Index of the page that it leads to. */
  page: number;
  /** 1 is outermost. */
  depth: number;
}

/** The bookmarks of a document that lead to its pages, in order: PDF_BOOKMARKS_MAX at most, since those of a damaged file may lead in circles. */
export function bookmarksOf(engine: Pdfium, document: number): Bookmark[] {
  const { calls } = engine;
  const capacity = HEADING_MAX_CHARS * 8;
  return withMemory(engine, capacity, (at) => {
    const found: Bookmark[] = [];
    let seen = 0;
    const children = (parent: number, depth: number) => {
      for (let mark = calls._FPDFBookmark_GetFirstChild(document, parent); mark !== 0; mark = calls._FPDFBookmark_GetNextSibling(document, mark)) {
        seen += 1;
        if (seen > PDF_BOOKMARKS_MAX) return;
        const length = calls._FPDFBookmark_GetTitle(mark, at, capacity);
        const target = calls._FPDFBookmark_GetDest(document, mark);
        const page = target === 0 ? -1 : calls._FPDFDest_GetDestPageIndex(document, target);
        if (page >= 0 && length > 2 && length <= capacity) found.push({ title: utf16(engine, at, length / 2 - 1), page, depth });
        if (depth < PDF_BOOKMARKS_MAX_DEPTH) children(mark, depth + 1);
      }
    };
    children(0, 1);
    return found;
  });
}

/** The bookmarks by their pages, to be found by the headings that they name. */
export class Bookmarks {
  private readonly depths: ReadonlyMap<string, number[]>;

  constructor(bookmarks: readonly Bookmark[]) {
    const named = bookmarks.filter(({ title }) => bare(title) !== "");
    const byHeading = Map.groupBy(named, ({ title, page }) => `${page} ${bare(title)}`);
    this.depths = new Map(Array.from(byHeading, ([heading, alike]) => [heading, alike.map(({ depth }) => depth)]));
  }

  get empty(): boolean {
    return this.depths.size === 0;
  }

  /** How deep the heading with this text on this page lies; null when no bookmark names it. `numbered`: how deep its number says, which tells a chapter from a section of the same name. */
  depthOf(page: number, text: string, numbered: number | null): number | null {
    const depths = this.depths.get(`${page} ${bare(text)}`);
    return (numbered !== null && depths?.includes(numbered) ? numbered : depths?.[0]) ?? null;
  }
}

const NUMBER = /^(?:(?:chapter|appendix|part|section)\s+)?(?:\d{1,3}|[ivx]+|[a-z])(?:\.\d{1,3})*[.:]?\s+(?=\S)/i;

/** A heading without its number, and without signs, accents and case, which differ between bookmark and page. */
export function bare(text: string): string {
  return text
    .trim()
    .replace(NUMBER, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
