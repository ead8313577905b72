/** Tools, bottles and furniture, drawn. */
import {
  arc,
  BLACK,
  BLUE,
  BROWN,
  type Colour,
  circle,
  DARK,
  type Drawing,
  each,
  ellipse,
  GREEN,
  GREY,
  LIGHT,
  lines,
  ORANGE,
  picture,
  type Point,
  points,
  polygon,
  rect,
  RED,
  TAN,
  text,
  towards,
  turned,
  WHITE,
  YELLOW,
} from "./pen.ts";

const wall: Colour = [0.9, 0.88, 0.82];

export const TOOLS_AND_ROOMS: readonly Drawing[] = [
  {
    label: "umbrella",
    everyday: "red umbrella in the rain",
    riddles: ["keeps you dry in the rain"],
    content: () =>
      picture(
        [0.72, 0.8, 0.88],
        lines([[240, 330], [240, 70], ...arc(215, 70, 25, 25, 0, -180)] as Point[], BROWN, 9),
        polygon([...arc(240, 170, 180, 150, 0, 180), ...each(5, (at) => arc(96 + at * 72, 170, 36, 22, 180, 0)).flat()] as Point[], {
          fill: RED,
          line: [0.5, 0.05, 0.05],
          width: 3,
        }),
        ...[132, 204, 276, 348].map((x) =>
          lines(
            [
              [240, 320],
              [x, 170],
            ] as Point[],
            [0.5, 0.05, 0.05],
            2,
          ),
        ),
      ),
  },
  {
    label: "rule",
    everyday: "wooden ruler",
    riddles: ["to measure how long something is in centimetres"],
    content: () =>
      picture(
        [0.92, 0.9, 0.87],
        rect(15, 130, 450, 90, { fill: [0.95, 0.82, 0.45], line: BROWN, width: 2 }),
        ...each(101, (at) =>
          lines(
            [
              [30 + at * 4.2, 220],
              [30 + at * 4.2, at % 10 === 0 ? 180 : at % 5 === 0 ? 192 : 202],
            ] as Point[],
            BLACK,
            1.4,
          ),
        ),
        ...each(11, (at) => text(String(at), 26 + at * 42, 158, 18)),
      ),
  },
  {
    label: "safety pin",
    everyday: "pin for fastening cloth",
    riddles: ["holds two pieces of cloth together"],
    content: () =>
      picture(
        [0.35, 0.45, 0.6],
        turned(
          20,
          240,
          180,
          lines(points("95,205 330,205"), LIGHT, 8),
          lines(points("110,160 360,165"), LIGHT, 7),
          circle(98, 182, 24, { line: LIGHT, width: 7 }),
          polygon([...arc(355, 185, 42, 34, -90, 90), [325, 219], [325, 151]] as Point[], { fill: GREY, line: LIGHT, width: 4 }),
        ),
      ),
  },
  {
    label: "magnetic compass",
    everyday: "compass needle pointing north",
    riddles: ["which way is north"],
    content: () =>
      picture(
        TAN,
        circle(240, 180, 160, { fill: [0.8, 0.62, 0.2], line: BROWN, width: 5 }),
        circle(240, 180, 138, { fill: [0.97, 0.95, 0.88], line: BROWN, width: 3 }),
        ...each(72, (at) =>
          lines([towards(240, 180, 132, at * 5), towards(240, 180, at % 9 === 0 ? 112 : 123, at * 5)], BLACK, at % 9 === 0 ? 4 : 1.5),
        ),
        text("N", 229, 262, 32),
        text("S", 230, 75, 32),
        text("E", 325, 169, 32),
        text("W", 126, 169, 32),
        turned(-32, 240, 180, polygon(points("240,280 256,180 224,180"), { fill: RED }), polygon(points("240,80 256,180 224,180"), { fill: DARK })),
        circle(240, 180, 9, { fill: [0.8, 0.62, 0.2], line: BLACK, width: 2 }),
      ),
  },
  {
    label: "abacus",
    everyday: "counting frame with beads",
    riddles: ["beads on rods for counting"],
    content: () =>
      picture(
        wall,
        rect(50, 30, 380, 300, { line: BROWN, width: 20 }),
        ...each(6, (row) => {
          const y = 65 + row * 46;
          const fill = ([RED, BLUE, YELLOW, GREEN, ORANGE, [0.5, 0.2, 0.6]] as const)[row] ?? RED;
          const gap = 60 + ((row * 37) % 90);
          return [
            lines(
              [
                [60, y],
                [420, y],
              ] as Point[],
              DARK,
              4,
            ),
            ...each(10, (at) => ellipse(82 + at * 25 + (at > row ? gap : 0), y, 11, 18, { fill, line: BLACK, width: 1.5 })),
          ].join("");
        }),
      ),
  },
  {
    label: "screwdriver",
    everyday: "screwdriver with a red handle",
    riddles: ["a tool for tightening screws"],
    content: () =>
      picture(
        LIGHT,
        turned(
          -30,
          240,
          180,
          polygon(points("30,150 170,142 190,160 190,200 170,218 30,210 20,180"), { fill: [0.9, 0.2, 0.1], line: BLACK, width: 2 }),
          ...each(4, (at) =>
            lines(
              [
                [45, 160 + at * 13],
                [165, 160 + at * 13],
              ] as Point[],
              [0.6, 0.1, 0.05],
              3,
            ),
          ),
          rect(190, 172, 220, 16, { fill: GREY, line: DARK, width: 1 }),
          polygon(points("410,172 450,166 450,194 410,188"), { fill: DARK }),
        ),
      ),
  },
  {
    label: "hammer",
    everyday: "hammer from the toolbox",
    riddles: ["to drive in nails"],
    content: () =>
      picture(
        [0.93, 0.92, 0.9],
        turned(
          35,
          240,
          180,
          rect(226, 10, 28, 250, { fill: TAN, line: BROWN, width: 2 }),
          polygon(points("170,250 305,250 305,310 240,312 170,300"), { fill: DARK, line: BLACK, width: 2 }),
          rect(300, 244, 34, 72, { fill: GREY, line: BLACK, width: 2 }),
          polygon(points("172,300 172,252 110,232 125,262"), { fill: DARK, line: BLACK, width: 2 }),
        ),
      ),
  },
  {
    label: "dumbbell",
    also: ["barbell"],
    everyday: "weights from the gym",
    riddles: ["weights to train your arms with"],
    content: () =>
      picture(
        [0.85, 0.85, 0.83],
        turned(
          15,
          240,
          180,
          rect(120, 168, 240, 24, { fill: GREY, line: DARK, width: 2 }),
          ...[70, 360].map((x) =>
            polygon(
              [
                [x, 120],
                [x + 50, 105],
                [x + 50, 255],
                [x, 240],
              ] as Point[],
              { fill: [0.12, 0.12, 0.13], line: BLACK, width: 3 },
            ),
          ),
          ...[115, 335].map((x) => rect(x, 125, 30, 110, { fill: [0.2, 0.2, 0.22], line: BLACK, width: 3 })),
        ),
      ),
  },
  {
    label: "television",
    also: ["monitor", "screen"],
    everyday: "flat screen TV",
    riddles: ["a film in the living room"],
    content: () =>
      picture(
        wall,
        rect(60, 70, 360, 240, { fill: BLACK, line: DARK, width: 4 }),
        rect(74, 88, 332, 208, { fill: [0.3, 0.62, 0.92] }),
        polygon(points("74,88 74,160 180,220 290,130 406,190 406,88"), { fill: GREEN }),
        circle(340, 250, 22, { fill: YELLOW }),
        rect(210, 45, 60, 26, { fill: BLACK }),
        rect(150, 34, 180, 13, { fill: BLACK }),
      ),
  },
  {
    label: "bookcase",
    also: ["library", "bookshop"],
    everyday: "bookshelf full of books",
    riddles: ["shelves full of novels"],
    content: () =>
      picture(
        wall,
        rect(60, 15, 360, 335, { fill: [0.42, 0.26, 0.13], line: [0.3, 0.18, 0.08], width: 8 }),
        ...each(4, (shelf) => {
          const y = 28 + shelf * 80;
          let x = 75;
          return each(17, (at) => {
            const wide = 14 + ((at * 7 + shelf * 5) % 10);
            const book = rect(x, y, wide, 48 + ((at * 11 + shelf * 3) % 18), {
              fill: ([RED, BLUE, GREEN, TAN, DARK, YELLOW, ORANGE, WHITE] as const)[(at * 5 + shelf * 3) % 8],
              line: BLACK,
              width: 1,
            });
            x += wide + 1;
            return x < 410 ? book : "";
          }).join("");
        }),
        ...each(3, (shelf) => rect(64, 100 + shelf * 80, 352, 7, { fill: [0.3, 0.18, 0.08] })),
      ),
  },
  {
    label: "wine bottle",
    also: ["red wine", "beer bottle"],
    everyday: "bottle of red wine",
    riddles: ["something red to drink with dinner"],
    content: () =>
      picture(
        [0.95, 0.93, 0.88],
        polygon(points("195,15 285,15 285,190 258,235 258,320 222,320 222,235 195,190"), { fill: [0.1, 0.22, 0.12], line: BLACK, width: 2 }),
        rect(219, 290, 42, 55, { fill: [0.5, 0.06, 0.1] }),
        rect(196, 60, 88, 90, { fill: [0.96, 0.93, 0.82] }),
        rect(205, 120, 70, 10, { fill: [0.5, 0.06, 0.1] }),
        rect(203, 170, 8, 130, { fill: [0.3, 0.45, 0.32] }),
      ),
  },
];
