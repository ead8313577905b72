/** Plain text in blocks by its layout, each a slice of the file. */
import { BLOCK_MAX_CHARS } from "../../base/limits.ts";
import type { Block } from "./blocks.ts";
import { LayoutReader } from "./layout-reader.ts";
import { isBlank, type Line, LineWriter, linesOf } from "./lines.ts";
import { PlainHeadings } from "./plain-headings.ts";
import type { Paragraph } from "./plain-layout.ts";
import { withoutRunning } from "./running-lines.ts";

interface Parted {
  /** Blank lines above. */
  blank: Line[];
  paragraph: Line[];
}

/** The blocks of a text. */
export function* plainBlocks(pieces: Iterable<string>): Generator<Block> {
  const writer = new LineWriter();
  const reader = new LayoutReader(writer);
  const headings = new PlainHeadings();
  let prior: Paragraph | null = null;
  const write = ({ blank, paragraph }: Parted, next: Paragraph | null) => {
    writer.skip(blank);
    reader.paragraph(paragraph, next, headings.of(paragraph, next, prior));
    prior = paragraph;
  };
  let held: Parted | null = null;
  for (const next of paragraphsOf(withoutRunning(linesOf(pieces)))) {
    if (held !== null) write(held, next.paragraph);
    yield* writer.take();
    held = next;
  }
  if (held !== null) write(held, null);
  yield* writer.take();
}

/** Lines without a blank one or a form feed between them, with the blank lines above; a paragraph beyond BLOCK_MAX_CHARS in several. */
function* paragraphsOf(lines: Iterable<Line>): Generator<Parted> {
  let held: Parted = { blank: [], paragraph: [] };
  let chars = 0;
  for (const line of lines) {
    if (isBlank(line) || line.text.startsWith("\f") ? held.paragraph.length > 0 : chars > BLOCK_MAX_CHARS) {
      yield held;
      held = { blank: [], paragraph: [] };
      chars = 0;
    }
    if (isBlank(line)) {
      // Of many blank lines a few tell as much.
      if (held.blank.length < 1_000) held.blank.push(line);
    } else {
      held.paragraph.push(line);
      chars += line.text.length;
    }
  }
  if (held.paragraph.length > 0) yield held;
}
