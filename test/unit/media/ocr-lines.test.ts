/** From probabilities to rectangles, and from lines to reading order and blocks. */
import { describe, expect, test } from "bun:test";
import type { Box } from "../../../src/domain/media.ts";
import type { QuarterTurns, OcrText } from "../../../src/media/models.ts";
import { textBlocks } from "../../../src/media/image/ocr/text-blocks.ts";
import { components, runEnds } from "../../../src/media/image/ocr/components.ts";
import { detectedLines } from "../../../src/media/image/ocr/detect.ts";
import { readingOrder } from "../../../src/media/image/ocr/reading-order.ts";
import { decoded, lineWidth } from "../../../src/media/image/ocr/recognise.ts";
import {
  type Corners,
  convexHull,
  cornerSides,
  holds,
  readingCorners,
  runsVertically,
  smallestRectangle,
} from "../../../src/media/image/ocr/rectangle.ts";
import { turnedBox, undone } from "../../../src/media/image/rotation.ts";

/** Probabilities drawn with `#` (1) and spaces (0). */
function drawn(...rows: string[]): { values: Float32Array; width: number; height: number } {
  return { values: Float32Array.from(rows.join(""), (mark) => (mark === "#" ? 1 : 0)), width: rows[0]?.length ?? 0, height: rows.length };
}

function round(corners: Corners): number[][] {
  return corners.map(({ x, y }) => [Math.round(x * 1e6) / 1e6, Math.round(y * 1e6) / 1e6]);
}

describe("components", () => {
  test("corners touch, and what meets further down is one", () => {
    const { values, ...size } = drawn("# # ", "# # ", " #  ", "   #");
    expect(components(values, { ...size, floor: 0.2 })).toEqual([
      [
        { y: 0, from: 0, to: 0 },
        { y: 0, from: 2, to: 2 },
        { y: 1, from: 0, to: 0 },
        { y: 1, from: 2, to: 2 },
        { y: 2, from: 1, to: 1 },
      ],
      [{ y: 3, from: 3, to: 3 }],
    ]);
  });

  test("a spiral is one, a ring and its inside are two", () => {
    const sizes = (...rows: string[]) => {
      const { values, ...size } = drawn(...rows);
      return components(values, { ...size, floor: 0.2 }).map((component) => component.reduce((sum, { from, to }) => sum + to - from + 1, 0));
    };
    expect(sizes("#######", "#     #", "# ### #", "# # # #", "#   # #", "##### #")).toEqual([27]);
    expect(sizes("#######", "#     #", "# ### #", "# # # #", "#     #", "#######")).toEqual([22, 5]);
  });

  test("nothing over the floor is nothing", () => {
    expect(components(new Float32Array(100).fill(0.2), { width: 10, height: 10, floor: 0.2 + 1e-6 })).toEqual([]);
  });

  test("the ends of runs are all a hull needs", () => {
    const ends = runEnds([{ y: 3, from: 2, to: 9 }]);
    expect(ends).toEqual([
      { x: 2, y: 3 },
      { x: 9, y: 3 },
    ]);
  });
});

describe("rectangles", () => {
  const turnedBy = (degrees: number, width: number, height: number) => {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    return [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
      [0, 0],
      [0.5, 0.2],
    ].map(([u = 0, v = 0]) => ({ x: 50 + (u * width * cos - v * height * sin) / 2, y: 40 + (u * width * sin + v * height * cos) / 2 }));
  };

  test("the hull leaves out what lies inside and on its edges", () => {
    const square = [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [2, 0],
      [2, 2],
      [4, 1],
    ].map(([x = 0, y = 0]) => ({ x, y }));
    expect(
      convexHull(square)
        .map(({ x, y }) => `${x},${y}`)
        .toSorted(),
    ).toEqual(["0,0", "0,4", "4,0", "4,4"]);
  });

  test("the smallest rectangle is found at any angle", () => {
    for (const degrees of [0, 7, 30, 44, 45, 61, 89, 90, 133, 179]) {
      const { width, height, centre } = smallestRectangle(turnedBy(degrees, 30, 8));
      expect(Math.max(width, height)).toBeCloseTo(30, 9);
      expect(Math.min(width, height)).toBeCloseTo(8, 9);
      expect([centre.x, centre.y].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([50, 40]);
    }
  });

  test("a point and a line have rectangles too", () => {
    expect(smallestRectangle([{ x: 3, y: 4 }])).toMatchObject({ width: 0, height: 0, centre: { x: 3, y: 4 } });
    const line = smallestRectangle([
      { x: 0, y: 0 },
      { x: 3, y: 4 },
    ]);
    expect([line.width, line.height].toSorted()[1]).toBeCloseTo(5, 12);
  });

  test("reading goes right along the flat side, and up along one that is 1.5 times as tall", () => {
    const flat = { centre: { x: 10, y: 10 }, along: { x: 1, y: 0 }, width: 8, height: 4 };
    expect(round(readingCorners(flat))).toEqual([
      [6, 8],
      [14, 8],
      [14, 12],
      [6, 12],
    ]);
    // The same rectangle, described by its other side.
    expect(round(readingCorners({ ...flat, along: { x: 0, y: 1 }, width: 4, height: 8 }))).toEqual([
      [6, 8],
      [14, 8],
      [14, 12],
      [6, 12],
    ]);
    expect(round(readingCorners({ ...flat, along: { x: -1, y: 0 } }))).toEqual([
      [6, 8],
      [14, 8],
      [14, 12],
      [6, 12],
    ]);
    const tall = readingCorners({ ...flat, width: 4, height: 6 });
    expect(round(tall)).toEqual([
      [8, 13],
      [8, 7],
      [12, 7],
      [12, 13],
    ]);
    expect([runsVertically(tall), cornerSides(tall)]).toEqual([true, { width: 6, height: 4 }]);
    expect(runsVertically(readingCorners({ ...flat, width: 4, height: 5.9 }))).toBe(false);
  });

  test("a margin counts as inside", () => {
    const rectangle = { centre: { x: 0, y: 0 }, along: { x: Math.SQRT1_2, y: Math.SQRT1_2 }, width: 10, height: 2 };
    expect([holds(rectangle, { x: 3.5, y: 3.5 }, 0), holds(rectangle, { x: 3.6, y: 3.6 }, 0), holds(rectangle, { x: 3.6, y: 3.6 }, 0.5)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(holds(rectangle, { x: 2, y: -2 }, 0.5)).toBe(false);
  });
});

describe("detected lines", () => {
  test("a bar becomes a widened line in pixels of the page; specks and faint marks do not", () => {
    const [width, height] = [64, 32];
    const probabilities = new Float32Array(width * height);
    const fill = (x0: number, y0: number, x1: number, y1: number, value: number) => {
      for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) probabilities[y * width + x] = value;
    };
    fill(10, 4, 50, 8, 0.9);
    fill(2, 20, 4, 22, 0.9);
    fill(20, 20, 50, 28, 0.3);
    const input = { width, height, data: new Uint8Array(0) };
    const found = detectedLines({ input, probabilities }, { width: 128, height: 96 });
    // 40 by 4 between pixel centres; widened by 40 * 4 * 1.4 / (2 * 44).
    const margin = (40 * 4 * 1.4) / 88;
    expect(found.length).toBe(1);
    expect(found[0]?.score).toBeCloseTo(0.9, 6);
    expect(round(found[0]?.corners as Corners)).toEqual(
      [
        [10 - margin, 4 - margin],
        [50 + margin, 4 - margin],
        [50 + margin, 8 + margin],
        [10 - margin, 8 + margin],
      ].map(([x = 0, y = 0]) => [Math.round(x * 2e6) / 1e6, Math.round(y * 3e6) / 1e6]),
    );
  });

  test("a line's width at 48 pixels, from 16 to 3,200", () => {
    const corners = (width: number, height: number): Corners => [
      { x: 0, y: 0 },
      { x: width, y: 0 },
      { x: width, y: height },
      { x: 0, y: height },
    ];
    expect([corners(100, 24), corners(101, 48), corners(2, 48), corners(9_000, 9)].map(lineWidth)).toEqual([200, 101, 16, 3_200]);
  });

  test("blanks and repeats are dropped, a repeat after a blank is not", () => {
    const keys = ["", "a", "b", " "];
    expect(decoded(Int32Array.of(0, 1, 1, 0, 1, 2, 3, 0), Float32Array.of(0, 0.8, 0.1, 0, 0.6, 1, 0.6, 0), keys)).toEqual({
      text: "aab",
      confidence: expect.closeTo(0.75, 6),
    });
    expect(decoded(Int32Array.of(0, 0), Float32Array.of(1, 1), keys)).toEqual({ text: "", confidence: 0 });
  });
});

/** `rows` of lines of 20 pixels with 30 between their tops, from (x, y) on. */
function column(x: number, y: number, rows: number, width: number): Box[] {
  return Array.from({ length: rows }, (_, row) => ({ x, y: y + row * 30, w: width, h: 20 }));
}

/** Indices of `boxes` in reading order, when they come in another. */
function orderOf(boxes: Box[]): number[] {
  const shuffled = boxes
    .map((box, index) => ({ box, index }))
    .sort((a, b) => ((a.index * 7 + 3) % 11) - ((b.index * 7 + 3) % 11) || b.index - a.index);
  return readingOrder(shuffled.map(({ box }) => box)).map((at) => shuffled[at]?.index ?? -1);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("reading order", () => {
  test("one column from the top, whatever order it comes in", () => {
    expect(orderOf(column(10, 10, 9, 300))).toEqual(upTo(9));
    expect(readingOrder([])).toEqual([]);
  });

  test("a heading over two columns: the heading, the left one, the right one", () => {
    expect(orderOf([{ x: 10, y: 0, w: 640, h: 20 }, ...column(10, 60, 6, 300), ...column(350, 60, 6, 300)])).toEqual(upTo(13));
  });

  test("columns of unlike rows", () => {
    expect(orderOf([...column(10, 60, 6, 300), ...column(350, 74, 5, 300)])).toEqual(upTo(11));
  });

  test("a table and a receipt stay in rows: their cells are narrow or few", () => {
    const table = upTo(5).flatMap((row) => [
      { x: 10, y: row * 30, w: 90, h: 20 },
      { x: 200, y: row * 30 + 3, w: 60, h: 20 },
      { x: 400, y: row * 30 - 3, w: 60, h: 20 },
    ]);
    expect(orderOf(table)).toEqual(upTo(15));
    const receipt = upTo(6).flatMap((row) => [
      { x: 10, y: row * 30, w: 220, h: 20 },
      { x: 500, y: row * 30, w: 60, h: 20 },
    ]);
    expect(orderOf(receipt)).toEqual(upTo(12));
  });
});

const PAGE = { width: 800, height: 1_000 };

function lines(boxes: [string, Box][], turn: QuarterTurns = 0): OcrText[] {
  return boxes.map(([text, { x, y, w, h }]) => ({
    text,
    confidence: 0.9,
    box: { x: x / PAGE.width, y: y / PAGE.height, w: w / PAGE.width, h: h / PAGE.height },
    ...(turn > 0 && { turn }),
  }));
}

describe("blocks", () => {
  const paragraph = (name: string, x: number, y: number): [string, Box][] => column(x, y, 3, 300).map((box, row) => [`${name}${row}`, box]);

  test("lines close below each other are one block, a gap parts", () => {
    const blocks = textBlocks(lines([...paragraph("a", 10, 10), ...paragraph("b", 10, 130)]), PAGE);
    expect(blocks.map(({ text }) => text)).toEqual(["a0\na1\na2", "b0\nb1\nb2"]);
    const { x, y, w, h } = blocks[0]?.box ?? { x: 0, y: 0, w: 0, h: 0 };
    expect([x * 800, y * 1_000, w * 800, h * 1_000].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([10, 10, 300, 80]);
  });

  test("columns part, even when their rows come in turn", () => {
    const rows = upTo(3).flatMap((row): [string, Box][] => [
      [`left${row}`, { x: 10, y: row * 30, w: 300, h: 20 }],
      [`right${row}`, { x: 400, y: row * 30, w: 300, h: 20 }],
    ]);
    expect(textBlocks(lines(rows), PAGE).map(({ text }) => text)).toEqual(["left0\nleft1\nleft2", "right0\nright1\nright2"]);
  });

  test("a row that was cut in two is one line, a heading of another size a block of its own", () => {
    const found = textBlocks(
      lines([
        ["Title", { x: 10, y: 0, w: 200, h: 50 }],
        ["one", { x: 10, y: 55, w: 100, h: 20 }],
        ["two", { x: 120, y: 56, w: 100, h: 20 }],
        ["three", { x: 10, y: 85, w: 300, h: 20 }],
      ]),
      PAGE,
    );
    expect(found.map(({ text }) => text)).toEqual(["Title", "one two\nthree"]);
  });

  test("confidence is that of the characters", () => {
    const [first, second] = lines([
      ["abc", { x: 10, y: 0, w: 100, h: 20 }],
      ["d", { x: 10, y: 25, w: 100, h: 20 }],
    ]) as [OcrText, OcrText];
    expect(textBlocks([first, { ...second, confidence: 0.5 }], PAGE)[0]?.confidence).toBeCloseTo(0.8, 12);
  });

  test("specks are left out, a Chinese character is not", () => {
    const far = (row: number): Box => ({ x: 10, y: row * 200, w: 100, h: 20 });
    expect(
      textBlocks(
        lines([
          ["-", far(0)],
          ["7", far(1)],
          ["..", far(2)],
          ["ab", far(3)],
          ["出", far(4)],
        ]),
        PAGE,
      ).map(({ text }) => text),
    ).toEqual(["ab", "出"]);
  });

  test("a turned page gives the blocks of the upright one, where they lie", () => {
    const upright = lines([...paragraph("a", 10, 10), ...paragraph("b", 10, 130), ...paragraph("c", 400, 10)]);
    const wanted = textBlocks(upright, PAGE);
    for (const turn of [1, 2, 3] as QuarterTurns[]) {
      const page = turn === 2 ? PAGE : { width: PAGE.height, height: PAGE.width };
      const given = upright.map((line) => ({ ...line, box: turnedBox(line.box, undone(turn)), turn }));
      const found = textBlocks(given, page);
      expect(found.map(({ text }) => text)).toEqual(wanted.map(({ text }) => text));
      for (const [index, { box }] of found.entries()) {
        const back = turnedBox(box, turn);
        for (const side of ["x", "y", "w", "h"] as const) expect(back[side]).toBeCloseTo(wanted[index]?.box[side] ?? Number.NaN, 9);
      }
    }
  });
});
