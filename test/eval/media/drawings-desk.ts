/** Things on walls and desks, drawn. */
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

function clockFace(x: number, y: number, r: number): string[] {
  return [
    circle(x, y, r, { fill: WHITE, line: BLACK, width: 12 }),
    ...each(60, (at) => lines([towards(x, y, r * 0.9, at * 6), towards(x, y, r * (at % 5 === 0 ? 0.8 : 0.86), at * 6)], BLACK, at % 5 === 0 ? 5 : 2)),
    ...each(12, (at) => {
      const [tx, ty] = towards(x, y, r * 0.66, 90 - (at + 1) * 30);
      return text(String(at + 1), tx - (at > 8 ? r * 0.11 : r * 0.055), ty - r * 0.07, r * 0.2);
    }),
    lines([[x, y], towards(x, y, r * 0.45, 150)], BLACK, 9),
    lines([[x, y], towards(x, y, r * 0.68, 60)], BLACK, 6),
    circle(x, y, 8, { fill: BLACK }),
  ];
}

function segments(digit: string, x: number, y: number, size: number, fill: Colour): string[] {
  const lit = {
    "0": "abcdef",
    "1": "bc",
    "2": "abged",
    "3": "abgcd",
    "4": "fgbc",
    "5": "afgcd",
    "6": "afgedc",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
  };
  const bars: Record<string, [number, number, number, number]> = {
    a: [0.15, 1.9, 0.7, 0.14],
    b: [0.86, 1.05, 0.14, 0.85],
    c: [0.86, 0.1, 0.14, 0.85],
    d: [0.15, 0, 0.7, 0.14],
    e: [0, 0.1, 0.14, 0.85],
    f: [0, 1.05, 0.14, 0.85],
    g: [0.15, 0.95, 0.7, 0.14],
  };
  return [...(lit[digit as keyof typeof lit] ?? "")].map((name) => {
    const [bx, by, w, h] = bars[name] ?? [0, 0, 0, 0];
    return rect(x + bx * size, y + by * size, w * size, h * size, { fill });
  });
}

function keys(x: number, y: number, rows: number, columns: number, size: number, gap: number, fill: Colour): string[] {
  return each(rows * columns, (at) => rect(x + (at % columns) * (size + gap), y + Math.floor(at / columns) * (size + gap), size, size, { fill }));
}

export const CLOCKS_AND_DESKS: readonly Drawing[] = [
  {
    label: "wall clock",
    also: ["analog clock"],
    everyday: "a clock hanging on the wall",
    riddles: ["what time is it on the wall"],
    content: () => picture(wall, clockFace(240, 180, 150)),
  },
  {
    label: "digital clock",
    everyday: "alarm clock with red digits",
    riddles: ["red glowing numbers that show the hour"],
    content: () =>
      picture(
        DARK,
        rect(50, 90, 380, 190, { fill: BLACK, line: GREY, width: 6 }),
        ...["1", "2", "4", "8"].map((digit, at) => segments(digit, 85 + at * 82 + (at > 1 ? 24 : 0), 135, 54, [1, 0.15, 0.1])),
        rect(245, 165, 10, 10, { fill: [1, 0.15, 0.1] }),
        rect(245, 210, 10, 10, { fill: [1, 0.15, 0.1] }),
      ),
  },
  {
    label: "envelope",
    everyday: "letter in an envelope",
    riddles: ["a letter ready to be posted"],
    content: () =>
      picture(
        [0.75, 0.62, 0.5],
        rect(70, 80, 340, 210, { fill: [0.97, 0.95, 0.9], line: GREY, width: 2 }),
        lines(points("70,290 240,170 410,290"), GREY, 3),
        lines(points("70,80 190,205"), LIGHT, 2),
        lines(points("410,80 290,205"), LIGHT, 2),
      ),
  },
  {
    label: "crossword puzzle",
    everyday: "newspaper crossword",
    riddles: ["a word game from the newspaper"],
    content: () =>
      picture(
        WHITE,
        ...each(169, (at) => {
          const [column, row] = [at % 13, Math.floor(at / 13)];
          const dark = (column % 4 === 3 && row % 3 !== 1) || (row % 4 === 3 && column % 5 === 1) || (column * 7 + row * 5) % 17 === 0;
          return rect(84 + column * 24, 24 + row * 24, 24, 24, { fill: dark ? BLACK : WHITE, line: BLACK, width: 1 });
        }),
        ...each(26, (at) => text(String(at + 1), 86 + ((at * 5) % 13) * 24, 40 + Math.floor((at * 5) / 13) * 24, 8)),
      ),
  },
  {
    label: "jigsaw puzzle",
    everyday: "puzzle pieces",
    riddles: ["many pieces that fit together"],
    content: () =>
      picture(
        WHITE,
        ...each(24, (at) => {
          const [x, y] = [30 + (at % 6) * 70, 40 + Math.floor(at / 6) * 70];
          const fill = ([BLUE, GREEN, YELLOW, RED, ORANGE] as const)[(at * 3 + Math.floor(at / 6)) % 5];
          return [
            rect(x, y, 70, 70, { fill, line: BLACK, width: 2 }),
            circle(x + 70, y + 35, 13, { fill, line: BLACK, width: 2 }),
            circle(x + 35, y + 70, 13, { fill, line: BLACK, width: 2 }),
          ].join("");
        }),
      ),
  },
  {
    label: "maze",
    also: ["labyrinth"],
    everyday: "labyrinth drawing",
    riddles: ["find the way out"],
    content: () => {
      const cells = 14;
      const seen = new Set([0]);
      const open = new Set<string>();
      const walk = [0];
      for (let turn = 7; walk.length > 0; turn = (turn * 16807) % 2147483647) {
        const at = walk.at(-1) ?? 0;
        const next = [at - 1, at + 1, at - cells, at + cells].filter(
          (to) => to >= 0 && to < cells * cells && !seen.has(to) && (Math.abs(to - at) > 1 || Math.floor(to / cells) === Math.floor(at / cells)),
        );
        const to = next[turn % Math.max(1, next.length)];
        if (to === undefined) {
          walk.pop();
          continue;
        }
        seen.add(to);
        open.add(`${Math.min(at, to)}-${Math.max(at, to)}`);
        walk.push(to);
      }
      const size = 24;
      const walls = each(cells * cells, (at) => {
        const [x, y] = [72 + (at % cells) * size, 12 + Math.floor(at / cells) * size];
        const right =
          open.has(`${at}-${at + 1}`) && at % cells < cells - 1
            ? []
            : [
                lines(
                  [
                    [x + size, y],
                    [x + size, y + size],
                  ] as Point[],
                  BLACK,
                  4,
                ),
              ];
        const up = open.has(`${at}-${at + cells}`)
          ? []
          : [
              lines(
                [
                  [x, y + size],
                  [x + size, y + size],
                ] as Point[],
                BLACK,
                4,
              ),
            ];
        return [...right, ...up].join("");
      });
      return picture(WHITE, rect(72, 12, cells * size, cells * size, { line: BLACK, width: 5 }), walls);
    },
  },
  {
    label: "computer keyboard",
    also: ["typewriter keyboard", "space bar"],
    everyday: "PC keyboard",
    riddles: ["keys to type on"],
    content: () =>
      picture(
        [0.7, 0.62, 0.52],
        rect(20, 90, 440, 180, { fill: LIGHT, line: GREY, width: 3 }),
        keys(32, 145, 4, 14, 25, 4.5, WHITE),
        ...each(56, (at) =>
          text("QWERTYUIOPASDFGHJKLZXCVBNM1234"[at % 30] ?? "A", 40 + (at % 14) * 29.5, 152 + Math.floor(at / 14) * 29.5, 12, DARK),
        ),
        rect(32, 108, 60, 25, { fill: WHITE }),
        rect(100, 108, 240, 25, { fill: WHITE }),
        rect(348, 108, 92, 25, { fill: WHITE }),
      ),
  },
  {
    label: "laptop",
    also: ["notebook"],
    everyday: "notebook computer",
    riddles: ["a portable computer on a desk"],
    content: () =>
      picture(
        [0.8, 0.7, 0.55],
        polygon(points("110,120 370,120 370,310 110,310"), { fill: DARK }),
        rect(122, 132, 236, 166, { fill: [0.35, 0.6, 0.9] }),
        polygon(points("110,120 370,120 420,40 60,40"), { fill: GREY, line: DARK, width: 2 }),
        ...each(4, (row) => each(14, (at) => rect(116 + at * 18 - row * 4 + row * 0.4, 106 - row * 12, 15 + row * 0.5, 9, { fill: BLACK })).join("")),
        rect(200, 46, 80, 16, { fill: LIGHT, line: DARK, width: 1 }),
      ),
  },
  {
    label: "remote control",
    everyday: "TV remote",
    riddles: ["a thing to switch channels with"],
    content: () =>
      picture(
        [0.78, 0.72, 0.64],
        turned(
          -35,
          240,
          180,
          rect(185, 10, 110, 340, { fill: BLACK, line: DARK, width: 4 }),
          circle(210, 325, 10, { fill: RED }),
          ...each(24, (at) => rect(200 + (at % 3) * 28, 60 + Math.floor(at / 3) * 30, 20, 14, { fill: at % 7 === 0 ? BLUE : GREY })),
        ),
      ),
  },
  {
    label: "loudspeaker",
    everyday: "hi-fi speaker box",
    riddles: ["a box that plays music loudly"],
    content: () =>
      picture(
        LIGHT,
        rect(150, 15, 180, 330, { fill: [0.2, 0.16, 0.13], line: BLACK, width: 4 }),
        ...[
          [110, 78],
          [260, 42],
        ].map(([y = 0, r = 0]) =>
          [
            circle(240, y, r, { fill: GREY }),
            circle(240, y, r * 0.88, { fill: BLACK }),
            circle(240, y, r * 0.72, { fill: DARK }),
            circle(240, y, r * 0.3, { fill: GREY }),
          ].join(""),
        ),
      ),
  },
  {
    label: "cassette",
    everyday: "audio tape",
    riddles: ["an old tape with songs on it"],
    content: () =>
      picture(
        [0.85, 0.8, 0.7],
        rect(60, 70, 360, 220, { fill: [0.15, 0.15, 0.16], line: BLACK, width: 3 }),
        rect(85, 120, 310, 145, { fill: [0.95, 0.92, 0.82] }),
        rect(85, 235, 310, 30, { fill: RED }),
        rect(145, 145, 190, 62, { fill: BLACK }),
        ...[180, 300].map((x) =>
          [
            circle(x, 176, 24, { fill: WHITE, line: GREY }),
            ...each(6, (at) => lines([towards(x, 176, 22, at * 60), towards(x, 176, 14, at * 60)], BLACK, 5)),
          ].join(""),
        ),
        polygon(points("120,70 360,70 345,108 135,108"), { fill: DARK, line: BLACK, width: 2 }),
      ),
  },
  {
    label: "candle",
    everyday: "burning candle",
    riddles: ["a small flame in the dark"],
    content: () =>
      picture(
        [0.06, 0.04, 0.05],
        circle(240, 262, 90, { fill: [0.22, 0.13, 0.05] }),
        circle(240, 262, 60, { fill: [0.4, 0.24, 0.08] }),
        rect(205, 20, 70, 200, { fill: [0.94, 0.88, 0.72] }),
        ellipse(240, 220, 35, 9, { fill: [1, 0.95, 0.8] }),
        lines(points("240,220 240,240"), BLACK, 4),
        ellipse(240, 268, 17, 38, { fill: ORANGE }),
        ellipse(240, 260, 10, 24, { fill: [1, 0.95, 0.6] }),
      ),
  },
  {
    label: "hourglass",
    everyday: "sand timer",
    riddles: ["sand that runs down slowly"],
    content: () =>
      picture(
        wall,
        rect(150, 20, 180, 24, { fill: BROWN }),
        rect(150, 316, 180, 24, { fill: BROWN }),
        ...[165, 315].map((x) => rect(x - 6, 44, 12, 272, { fill: TAN })),
        polygon([...arc(240, 316, 62, 120, 180, 255), [236, 180], ...arc(240, 44, 62, 120, 105, 180)] as Point[], { fill: [0.88, 0.95, 0.97] }),
        polygon([[244, 180], ...arc(240, 316, 62, 120, 285, 360), [178, 316]] as Point[], { fill: [0.88, 0.95, 0.97], line: GREY }),
        polygon(points("244,180 302,44 178,44"), { fill: [0.88, 0.95, 0.97], line: GREY }),
        polygon(points("240,185 268,250 212,250"), { fill: [0.9, 0.7, 0.35] }),
        polygon(points("240,110 295,46 185,46"), { fill: [0.9, 0.7, 0.35] }),
        lines(points("240,185 240,100"), [0.9, 0.7, 0.35], 3),
      ),
  },
  {
    label: "padlock",
    also: ["combination lock"],
    everyday: "lock for a gate",
    riddles: ["it keeps the gate shut"],
    content: () =>
      picture(
        LIGHT,
        lines([[175, 180], [175, 240], ...arc(240, 240, 65, 70, 180, 0), [305, 180]] as Point[], GREY, 26),
        rect(130, 40, 220, 160, { fill: [0.85, 0.65, 0.2], line: BROWN, width: 4 }),
        circle(240, 130, 20, { fill: BLACK }),
        polygon(points("230,125 250,125 256,75 224,75"), { fill: BLACK }),
      ),
  },
];
