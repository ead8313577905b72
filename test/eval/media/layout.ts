/** Figures and tables of pages, by where they were drawn. */
import type { Box } from "../../../src/domain/media.ts";
import { type MadePage, makePdf, setLines } from "../../unit/media/make-pdf.ts";
import { figure, table } from "../report.ts";
import type { Stand } from "../stand.ts";
import { between, chance } from "./chance.ts";
import { type MadeFile, takeIn, type WireUnit } from "./door.ts";
import { arc, BLACK, BLUE, circle, each, GREEN, lines, ORANGE, type Point, polygon, rect, RED, SKY, text, towards, WHITE, YELLOW } from "./pen.ts";
import type { Part } from "./report.ts";
import { sentencesOf } from "./words.ts";

const WIDTH = 595;
const HEIGHT = 842;
const LEFT = 60;
const FULL = WIDTH - 2 * LEFT;
const SIZE = 11;
const LEADING = 15;
const OVERLAP_MIN = 0.5;
const PAGES = 10;

type RegionKind = "figure" | "table";

/** What is drawn in a rectangle of points, from the bottom left. */
type DrawRegion = (x: number, y: number, w: number, h: number, seed: number) => string;

const bars: DrawRegion = (x, y, w, h, seed) => {
  const next = chance(seed);
  const wide = (w - 50) / 8;
  return [
    lines(
      [
        [x + 30, y + h],
        [x + 30, y + 20],
        [x + w, y + 20],
      ] as Point[],
      BLACK,
      1.5,
    ),
    ...each(8, (at) => rect(x + 38 + at * wide, y + 20, wide * 0.7, (h - 40) * (0.2 + 0.8 * next()), { fill: at % 2 === 0 ? BLUE : ORANGE })),
    ...each(8, (at) => text(String(2018 + at), x + 36 + at * wide, y + 6, 8)),
    ...each(5, (at) => text(String(at * 25), x + 6, y + 20 + (at * (h - 40)) / 4, 8)),
  ].join("");
};

const curves: DrawRegion = (x, y, w, h, seed) => {
  const next = chance(seed);
  const [slow, fast] = [1 + next(), 3 + 2 * next()];
  const curve = (of: (t: number) => number) => each(40, (at) => [x + 30 + ((w - 40) * at) / 39, y + 25 + (h - 40) * of(at / 39)] as const);
  return [
    rect(x + 30, y + 25, w - 40, h - 35, { line: BLACK, width: 1 }),
    ...each(4, (at) =>
      lines(
        [
          [x + 30, y + 25 + ((at + 1) * (h - 35)) / 5],
          [x + w - 10, y + 25 + ((at + 1) * (h - 35)) / 5],
        ] as Point[],
        [0.8, 0.8, 0.8],
        0.6,
      ),
    ),
    lines(
      curve((t) => 0.5 + 0.4 * Math.sin(slow * 6 * t)),
      RED,
      2,
    ),
    lines(
      curve((t) => 0.5 + 0.3 * Math.cos(fast * 4 * t)),
      GREEN,
      2,
    ),
    ...each(6, (at) => text(String(at * 10), x + 28 + ((w - 40) * at) / 5.2, y + 8, 8)),
    ...each(5, (at) => text((at / 4).toFixed(2), x + 4, y + 25 + ((h - 40) * at) / 4.2, 8)),
  ].join("");
};

const scene: DrawRegion = (x, y, w, h) =>
  [
    rect(x, y, w, h, { fill: SKY }),
    polygon(
      [
        [x, y],
        [x, y + h * 0.3],
        [x + w * 0.3, y + h * 0.7],
        [x + w * 0.55, y + h * 0.35],
        [x + w * 0.8, y + h * 0.6],
        [x + w, y + h * 0.25],
        [x + w, y],
      ] as Point[],
      { fill: GREEN },
    ),
    circle(x + w * 0.8, y + h * 0.8, h * 0.1, { fill: YELLOW }),
    polygon(arc(x + w * 0.35, y + h * 0.12, w * 0.2, h * 0.08, 180, 360), { fill: RED }),
    polygon(
      [
        [x + w * 0.35, y + h * 0.14],
        [x + w * 0.35, y + h * 0.4],
        [x + w * 0.48, y + h * 0.18],
      ] as Point[],
      { fill: WHITE },
    ),
  ].join("");

const pie: DrawRegion = (x, y, w, h) => {
  const [cx, cy, r] = [x + w / 2, y + h / 2, Math.min(w, h) / 2 - 4];
  const cuts = [0, 80, 150, 235, 300, 360];
  return cuts
    .slice(1)
    .map((to, at) => {
      const from = cuts[at] ?? 0;
      const [tx, ty] = towards(cx, cy, r * 0.6, (from + to) / 2);
      return (
        polygon([[cx, cy], ...arc(cx, cy, r, r, from, to)] as Point[], {
          fill: [BLUE, ORANGE, GREEN, RED, YELLOW][at] ?? BLUE,
          line: WHITE,
          width: 1,
        }) + text(`${Math.round((to - from) / 3.6)} %`, tx - 10, ty - 3, 9)
      );
    })
    .join("");
};

function cells(x: number, y: number, w: number, h: number, seed: number): string {
  const next = chance(seed);
  const heads = ["Pump", "Pressure", "Flow", "Hours", "State"];
  return each(6, (row) =>
    heads.map((head, column) => {
      const value = column === 4 ? (next() < 0.8 ? "running" : "stopped") : column === 0 ? `P-${10 + row}` : String(between(next, 10, 990));
      return text(row === 0 ? head : value, x + 8 + (column * w) / 5, y + h - 15 - (row * h) / 6, 10);
    }),
  )
    .flat()
    .join("");
}

const ruled: DrawRegion = (x, y, w, h, seed) =>
  [
    ...each(7, (row) =>
      lines(
        [
          [x, y + (row * h) / 6],
          [x + w, y + (row * h) / 6],
        ] as Point[],
        BLACK,
        0.8,
      ),
    ),
    ...each(6, (column) =>
      lines(
        [
          [x + (column * w) / 5, y],
          [x + (column * w) / 5, y + h],
        ] as Point[],
        BLACK,
        0.8,
      ),
    ),
    cells(x, y, w, h, seed),
  ].join("");

/** Rules above and below the head and at the end alone, as books have them. */
const booked: DrawRegion = (x, y, w, h, seed) =>
  [
    ...[0, 5 / 6, 1].map((at) =>
      lines(
        [
          [x, y + at * h],
          [x + w, y + at * h],
        ] as Point[],
        BLACK,
        at === 5 / 6 ? 0.6 : 1.2,
      ),
    ),
    cells(x, y, w, h, seed),
  ].join("");

const FIGURES = [bars, curves, scene, pie];
const TABLES = [ruled, booked];

interface DrawnRegion {
  kind: RegionKind;
  box: Box;
}

interface Sheet {
  page: MadePage;
  regions: DrawnRegion[];
}

/** From points at the bottom left to ratios from the top left. */
function boxOf(x: number, y: number, w: number, h: number): Box {
  return { x: x / WIDTH, y: 1 - (y + h) / HEIGHT, w: w / WIDTH, h: h / HEIGHT };
}

/** Text, a figure or table with its caption, text, the other with its caption, text: in one column. */
function sheet(seed: number): Sheet {
  const words = sentencesOf(seed).join(" ").split(" ");
  const parts: string[] = [];
  const regions: DrawnRegion[] = [];
  let y = 790;
  const say = (count: number) => {
    const said: string[] = [];
    for (; said.length < count; ) {
      let line = words.shift() ?? "";
      while (line.length + (words[0]?.length ?? 99) < 84 && words.length > 0) line += ` ${words.shift()}`;
      said.push(line);
    }
    parts.push(setLines(said, { x: LEFT, y, size: SIZE, leading: LEADING }));
    y -= count * LEADING + 14;
  };
  const put = (kind: RegionKind, draw: DrawRegion, w: number, h: number, number: number) => {
    const x = LEFT + (FULL - w) / 2;
    const title = `${kind === "figure" ? "Figure" : "Table"} ${number}. ${words.splice(0, 7).join(" ")}`;
    const caption = () => {
      parts.push(text(title, LEFT + 60, y, 10));
      y -= 20;
    };
    if (kind === "table") caption();
    y -= h - SIZE;
    parts.push(draw(x, y, w, h, seed));
    regions.push({ kind, box: boxOf(x, y, w, h) });
    y -= 18;
    if (kind === "figure") caption();
    y -= 8;
  };
  const figureOf = () => put("figure", FIGURES[seed % FIGURES.length] ?? bars, seed % 2 === 0 ? 300 : 400, 170, seed + 1);
  const tableOf = () => put("table", TABLES[seed % TABLES.length] ?? ruled, 380, 120, seed + 1);
  const order = seed % 3 === 0 ? [tableOf, figureOf] : [figureOf, tableOf];
  say(7);
  order[0]?.();
  say(6);
  order[1]?.();
  say(5);
  return { page: { content: parts.join("\n") }, regions };
}

interface Found {
  file: string;
  kind: RegionKind;
  box: Box;
}

function overlap(a: Box, b: Box): number {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return w <= 0 || h <= 0 ? 0 : (w * h) / (a.w * a.h + b.w * b.h - w * h);
}

function regionsOf(file: string, units: readonly WireUnit[]): Found[] {
  return units.flatMap(({ modality, locator, metadata }) =>
    modality === "image_region" && locator?.kind === "bbox" ? [{ file, kind: metadata.region as RegionKind, box: locator }] : [],
  );
}

export async function layout(stand: Stand): Promise<Part> {
  const sheets = Array.from({ length: PAGES }, (_, seed) => ({ name: `layout-${seed}.pdf`, ...sheet(seed) }));
  const files: MadeFile[] = sheets.map(({ name, page }) => ({ name, bytes: makePdf([page]) }));
  const { units } = await takeIn(stand, "layout", files);
  const found = sheets.flatMap(({ name }) => regionsOf(name, units.get(name) ?? []));
  const drawn: Found[] = sheets.flatMap(({ name, regions }) => regions.map((region) => ({ file: name, ...region })));
  const same = (one: Found, other: Found) => one.file === other.file && one.kind === other.kind && overlap(one.box, other.box) >= OVERLAP_MIN;
  const rows = (["figure", "table"] as const).map((kind) => {
    const [own, wanted] = [found.filter((one) => one.kind === kind), drawn.filter((one) => one.kind === kind)];
    const right = own.filter((one) => wanted.some((other) => same(one, other))).length;
    const hit = wanted.filter((one) => own.some((other) => same(one, other))).length;
    return { kind, drawn: wanted.length, found: own.length, precision: right / Math.max(1, own.length), recall: hit / Math.max(1, wanted.length) };
  });
  const all = {
    precision: found.filter((one) => drawn.some((other) => same(one, other))).length / Math.max(1, found.length),
    recall: drawn.filter((one) => found.some((other) => same(one, other))).length / drawn.length,
  };
  return {
    title: "Figures and tables",
    text: table(
      ["region", "drawn", "found", "precision", "recall"],
      rows.map(({ kind, drawn: count, found: got, precision, recall }) => [kind, String(count), String(got), figure(precision), figure(recall)]),
    ),
    lines: [
      { measured: "figures and tables found, precision at IoU 0.5", value: figure(all.precision), card: "" },
      { measured: "figures and tables found, recall at IoU 0.5", value: figure(all.recall), card: "1.0 (its own three pages, all regions)" },
    ],
    figures: { regions: rows, all },
    bars: [],
  };
}
