/** What is played with, eaten or alive, drawn. */
import {
  type Drawing,
  arc,
  BLACK,
  BROWN,
  type Colour,
  circle,
  each,
  ellipse,
  GREEN,
  LIGHT,
  lines,
  picture,
  type Point,
  points,
  polygon,
  rect,
  SKY,
  towards,
  WHITE,
  YELLOW,
} from "./pen.ts";

const grass: Colour = [0.35, 0.62, 0.28];

export const BALLS_AND_FOOD: readonly Drawing[] = [
  {
    label: "volcano",
    everyday: "volcanic eruption",
    riddles: ["lava and smoke from a mountain"],
    content: () =>
      picture(
        [0.55, 0.62, 0.72],
        ...each(9, (at) =>
          circle(240 + ((at * 53) % 90) - 45, 270 + at * 10, 28 + at * 4, { fill: [0.4 + at * 0.02, 0.38 + at * 0.02, 0.38 + at * 0.02] }),
        ),
        polygon(points("20,20 205,250 275,250 460,20"), { fill: [0.27, 0.2, 0.18] }),
        polygon(points("210,250 270,250 262,180 285,110 262,60 250,120 238,60 225,130 232,190"), { fill: [1, 0.35, 0.05] }),
        polygon(points("215,250 240,320 265,250"), { fill: [1, 0.6, 0.1] }),
        rect(0, 0, 480, 24, { fill: [0.2, 0.26, 0.16] }),
      ),
  },
  {
    label: "basketball",
    everyday: "orange ball for basketball",
    riddles: ["throw it through the hoop"],
    content: () =>
      picture(
        [0.8, 0.65, 0.45],
        circle(240, 180, 150, { fill: [0.9, 0.45, 0.12], line: BLACK, width: 6 }),
        lines(points("90,180 390,180"), BLACK, 6),
        lines(points("240,30 240,330"), BLACK, 6),
        lines(arc(110, 180, 75, 120, -75, 75), BLACK, 6),
        lines(arc(370, 180, 75, 120, 105, 255), BLACK, 6),
      ),
  },
  {
    label: "soccer ball",
    everyday: "football on the grass",
    riddles: ["kick it into the goal"],
    content: () =>
      picture(
        grass,
        circle(240, 180, 145, { fill: WHITE, line: BLACK, width: 4 }),
        polygon(
          each(5, (at) => towards(240, 180, 46, 90 + at * 72)),
          { fill: BLACK },
        ),
        ...each(5, (at) => lines([towards(240, 180, 46, 90 + at * 72), towards(240, 180, 92, 90 + at * 72)], BLACK, 4)),
        ...each(5, (at) =>
          polygon(
            [
              towards(240, 180, 92, 90 + at * 72),
              towards(240, 180, 120, 68 + at * 72),
              towards(240, 180, 144, 76 + at * 72),
              towards(240, 180, 144, 104 + at * 72),
              towards(240, 180, 120, 112 + at * 72),
            ],
            { fill: BLACK },
          ),
        ),
        ...each(5, (at) => lines([towards(240, 180, 120, 112 + at * 72), towards(240, 180, 120, 140 + at * 72)], BLACK, 4)),
      ),
  },
  {
    label: "tennis ball",
    everyday: "yellow tennis ball",
    riddles: ["hit it over the net with a racket"],
    content: () =>
      picture(
        [0.2, 0.42, 0.62],
        circle(240, 180, 130, { fill: [0.8, 0.92, 0.2], line: [0.6, 0.72, 0.1], width: 3 }),
        lines(arc(100, 180, 110, 130, -62, 62), WHITE, 10),
        lines(arc(380, 180, 110, 130, 118, 242), WHITE, 10),
      ),
  },
  {
    label: "pizza",
    everyday: "pizza with salami",
    riddles: ["Italian food with cheese and salami"],
    content: () =>
      picture(
        [0.55, 0.36, 0.22],
        circle(240, 180, 162, { fill: [0.82, 0.58, 0.28] }),
        circle(240, 180, 142, { fill: [0.78, 0.2, 0.08] }),
        ...each(40, (at) => circle(...towards(240, 180, 20 + ((at * 31) % 110), at * 47), 16, { fill: [0.97, 0.84, 0.45] })),
        ...each(11, (at) =>
          circle(...towards(240, 180, 35 + ((at * 37) % 80), at * 67), 19, { fill: [0.72, 0.12, 0.08], line: [0.55, 0.08, 0.05], width: 2 }),
        ),
        ...each(12, (at) => ellipse(...towards(240, 180, 25 + ((at * 41) % 100), at * 83 + 20), 9, 4, { fill: GREEN })),
      ),
  },
  {
    label: "banana",
    everyday: "ripe banana",
    riddles: ["a yellow tropical fruit"],
    content: () =>
      picture(
        WHITE,
        polygon([...arc(240, 290, 190, 230, 190, 340), ...arc(245, 300, 160, 145, 335, 195)] as Point[], {
          fill: YELLOW,
          line: [0.75, 0.6, 0.05],
          width: 3,
        }),
        polygon(points("405,210 430,235 440,222 418,205"), { fill: BROWN }),
        lines(arc(242, 295, 178, 190, 200, 332), [0.85, 0.68, 0.08], 3),
      ),
  },
  {
    label: "strawberry",
    everyday: "fresh strawberries",
    riddles: ["a red berry for jam"],
    content: () =>
      picture(
        WHITE,
        polygon(points("240,30 150,120 120,210 160,270 240,280 320,270 360,210 330,120"), {
          fill: [0.85, 0.08, 0.1],
          line: [0.65, 0.03, 0.06],
          width: 3,
        }),
        ...each(34, (at) =>
          ellipse(155 + (at % 7) * 29 + (Math.floor(at / 7) % 2) * 12 - 6, 250 - Math.floor(at / 7) * 36, 3.5, 6, { fill: YELLOW }),
        ),
        ...each(7, (at) =>
          polygon([[240, 275], towards(240, 278, 85, 10 + at * 27), towards(240, 278, 45, 26 + at * 27)] as Point[], { fill: GREEN }),
        ),
        lines(points("240,280 255,335"), GREEN, 9),
      ),
  },
  {
    label: "Granny Smith",
    everyday: "green apple",
    riddles: ["a green apple"],
    content: () =>
      picture(
        [0.95, 0.94, 0.9],
        ellipse(200, 165, 95, 115, { fill: [0.55, 0.78, 0.2] }),
        ellipse(280, 165, 95, 115, { fill: [0.55, 0.78, 0.2] }),
        ellipse(180, 205, 26, 40, { fill: [0.72, 0.88, 0.4] }),
        ellipse(240, 262, 40, 12, { fill: [0.4, 0.6, 0.12] }),
        lines(points("240,262 252,325"), BROWN, 8),
        polygon(points("252,300 300,335 340,325 305,298"), { fill: GREEN }),
      ),
  },
  {
    label: "orange",
    everyday: "an orange fruit",
    riddles: ["a citrus fruit to squeeze for juice"],
    content: () =>
      picture(
        [0.95, 0.94, 0.9],
        circle(240, 170, 135, { fill: [0.96, 0.55, 0.08] }),
        ...each(120, (at) => circle(...towards(240, 170, (at * 29) % 128, at * 137), 1.8, { fill: [0.85, 0.45, 0.05] })),
        circle(200, 220, 26, { fill: [1, 0.7, 0.3] }),
        circle(240, 290, 8, { fill: GREEN }),
        polygon(points("240,292 290,330 335,315 290,290"), { fill: GREEN }),
      ),
  },
  {
    label: "daisy",
    everyday: "white daisies in a meadow",
    riddles: ["a flower with white petals"],
    content: () =>
      picture(
        grass,
        rect(234, 0, 12, 160, { fill: [0.15, 0.4, 0.12] }),
        ...each(18, (at) => {
          const angle = at * 20;
          return polygon(
            [
              towards(240, 190, 30, angle - 9),
              towards(240, 190, 90, angle - 8),
              towards(240, 190, 132, angle - 3),
              towards(240, 190, 132, angle + 3),
              towards(240, 190, 90, angle + 8),
              towards(240, 190, 30, angle + 9),
            ],
            { fill: WHITE, line: LIGHT, width: 1 },
          );
        }),
        circle(240, 190, 40, { fill: [0.96, 0.76, 0.1], line: [0.8, 0.55, 0.05], width: 3 }),
        ...each(40, (at) => circle(...towards(240, 190, (at * 7) % 36, at * 137), 2.4, { fill: [0.8, 0.55, 0.05] })),
      ),
  },
  {
    label: "ladybug",
    everyday: "ladybird",
    riddles: ["a red insect with black spots"],
    content: () =>
      picture(
        grass,
        ...each(3, (at) =>
          [
            lines(
              [
                [130 + at * 60, 150],
                [90 + at * 50, 70],
              ] as Point[],
              BLACK,
              7,
            ),
            lines(
              [
                [230 + at * 50, 150],
                [270 + at * 60, 70],
              ] as Point[],
              BLACK,
              7,
            ),
          ].join(""),
        ),
        circle(105, 190, 50, { fill: BLACK }),
        ellipse(255, 190, 145, 115, { fill: [0.86, 0.1, 0.08], line: BLACK, width: 4 }),
        lines(points("112,190 400,190"), BLACK, 5),
        ...(
          [
            [190, 245],
            [270, 265],
            [340, 235],
            [190, 135],
            [270, 115],
            [340, 145],
          ] as const
        ).map(([x, y]) => circle(x, y, 22, { fill: BLACK })),
        circle(80, 215, 9, { fill: WHITE }),
        circle(80, 165, 9, { fill: WHITE }),
      ),
  },
  {
    label: "zebra",
    everyday: "zebra stripes",
    riddles: ["black and white stripes"],
    content: () =>
      picture(
        WHITE,
        ...each(24, (at) =>
          polygon(
            [
              ...each(10, (y) => [at * 42 - 250 + y * 20 + 12 * Math.sin(y + at), y * 40] as const),
              ...each(10, (y) => [at * 42 - 250 + 20 + (9 - y) * 20 + 12 * Math.sin(9 - y + at + 0.5), (9 - y) * 40] as const),
            ] as Point[],
            { fill: BLACK },
          ),
        ),
      ),
  },
  {
    label: "tile roof",
    everyday: "roof of red tiles",
    riddles: ["clay shingles on top of a house"],
    content: () =>
      picture(
        SKY,
        ...each(9, (back) => {
          const row = 8 - back;
          return each(14, (at) =>
            polygon(
              [
                ...arc(at * 38 - (row % 2) * 19 + 19, row * 36 + 18, 20, 30, 180, 360),
                [at * 38 - (row % 2) * 19 + 39, row * 36 + 50],
                [at * 38 - (row % 2) * 19 - 1, row * 36 + 50],
              ] as Point[],
              { fill: [0.7 + ((at * 5 + row * 3) % 5) * 0.03, 0.32, 0.2], line: [0.4, 0.16, 0.1], width: 2.5 },
            ),
          ).join("");
        }),
      ),
  },
];
