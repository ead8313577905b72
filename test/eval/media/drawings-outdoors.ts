/** Things that are seen outdoors, drawn. */
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
  SKY,
  TAN,
  text,
  towards,
  WHITE,
  YELLOW,
} from "./pen.ts";

const grass: Colour = [0.35, 0.62, 0.28];

const ground = () => rect(0, 0, 480, 70, { fill: grass });

export const OUTDOORS: readonly Drawing[] = [
  {
    label: "traffic light",
    everyday: "stop light at a crossing",
    riddles: ["stop, the signal is red"],
    content: () =>
      picture(
        SKY,
        rect(228, 0, 24, 90, { fill: DARK }),
        rect(175, 80, 130, 270, { fill: [0.13, 0.13, 0.13], line: BLACK, width: 5 }),
        circle(240, 300, 36, { fill: [1, 0.15, 0.1] }),
        circle(240, 215, 36, { fill: [0.35, 0.28, 0.05] }),
        circle(240, 130, 36, { fill: [0.05, 0.25, 0.1] }),
      ),
  },
  {
    label: "street sign",
    everyday: "road sign",
    riddles: ["it tells drivers where to go", "no parking here"],
    content: () =>
      picture(
        SKY,
        ground(),
        rect(232, 20, 16, 330, { fill: GREY }),
        rect(75, 250, 330, 70, { fill: [0.05, 0.4, 0.22], line: WHITE, width: 5 }),
        text("HARBOUR ST", 100, 270, 44, WHITE),
        rect(110, 160, 260, 60, { fill: [0.05, 0.4, 0.22], line: WHITE, width: 5 }),
        text("MILL LANE", 132, 177, 40, WHITE),
      ),
  },
  {
    label: "picket fence",
    everyday: "white garden fence",
    riddles: ["white boards around a garden"],
    content: () =>
      picture(
        SKY,
        ground(),
        ...[110, 210].map((y) => rect(0, y, 480, 22, { fill: [0.93, 0.93, 0.93], line: GREY, width: 1 })),
        ...each(12, (at) =>
          polygon(
            [
              [8 + at * 40, 50],
              [34 + at * 40, 50],
              [34 + at * 40, 265],
              [21 + at * 40, 292],
              [8 + at * 40, 265],
            ] as Point[],
            { fill: WHITE, line: GREY, width: 2 },
          ),
        ),
      ),
  },
  {
    label: "chainlink fence",
    everyday: "wire mesh fence",
    riddles: ["wire mesh around a yard"],
    content: () =>
      picture(
        [0.5, 0.66, 0.48],
        ...each(34, (at) =>
          lines(
            [
              [at * 28 - 400, 0],
              [at * 28 - 40, 360],
            ] as Point[],
            LIGHT,
            4,
          ),
        ),
        ...each(34, (at) =>
          lines(
            [
              [at * 28, 0],
              [at * 28 - 360, 360],
            ] as Point[],
            [0.78, 0.78, 0.8],
            4,
          ),
        ),
        rect(60, 0, 14, 360, { fill: GREY, line: DARK, width: 1 }),
      ),
  },
  {
    label: "stone wall",
    everyday: "old wall of stones",
    riddles: ["old masonry of rough blocks"],
    content: () =>
      picture(
        [0.45, 0.43, 0.4],
        ...each(60, (at) => {
          const row = Math.floor(at / 6);
          const x = (at % 6) * 92 - (row % 2) * 46 - 6;
          const shade = 0.55 + ((at * 37) % 17) / 60;
          return polygon(
            [
              [x + 5, row * 37 + 5],
              [x + 80, row * 37 + 3 + (at % 3)],
              [x + 86, row * 37 + 28],
              [x + 70, row * 37 + 34],
              [x + 8, row * 37 + 31],
            ] as Point[],
            {
              fill: [shade, shade * 0.96, shade * 0.88],
              line: [0.3, 0.28, 0.26],
              width: 2,
            },
          );
        }),
      ),
  },
  {
    label: "honeycomb",
    everyday: "bees' honeycomb",
    riddles: ["where bees keep their honey"],
    content: () =>
      picture(
        [0.75, 0.45, 0.08],
        ...each(120, (at) => {
          const row = Math.floor(at / 12);
          const [x, y] = [(at % 12) * 44 + (row % 2) * 22, row * 38];
          return polygon(
            each(6, (corner) => towards(x, y, 24, corner * 60 + 30)),
            { fill: at % 5 === 0 ? [0.85, 0.5, 0.05] : [0.97, 0.72, 0.15], line: [0.6, 0.34, 0.04], width: 5 },
          );
        }),
      ),
  },
  {
    label: "spider web",
    everyday: "cobweb",
    riddles: ["sticky threads that catch flies"],
    content: () =>
      picture(
        [0.1, 0.12, 0.11],
        ...each(16, (at) => lines([[240, 180], towards(240, 180, 320, at * 22.5)], LIGHT, 1.6)),
        ...each(12, (ring) =>
          lines(
            each(17, (at) => towards(240, 180, 18 + ring * 17 - (at % 2) * 3, at * 22.5)),
            [0.85, 0.87, 0.88],
            1.4,
          ),
        ),
      ),
  },
  {
    label: "balloon",
    everyday: "party balloons",
    riddles: ["floating at a birthday party"],
    content: () =>
      picture(
        SKY,
        ...(
          [
            [150, 230, RED],
            [250, 260, YELLOW],
            [335, 220, BLUE],
          ] as const
        ).map(([x, y, fill]) =>
          [
            lines(
              [
                [x, y - 66],
                [240, 20],
              ] as Point[],
              DARK,
              2,
            ),
            ellipse(x, y, 52, 64, { fill }),
            polygon(
              [
                [x, y - 60],
                [x - 8, y - 74],
                [x + 8, y - 74],
              ] as Point[],
              { fill },
            ),
            ellipse(x - 18, y + 26, 10, 16, { fill: [1, 0.9, 0.9] }),
          ].join(""),
        ),
      ),
  },
  {
    label: "parachute",
    everyday: "parachute jump",
    riddles: ["someone jumped out of an aeroplane"],
    content: () =>
      picture(
        SKY,
        polygon([...arc(240, 210, 150, 120, 0, 180), ...each(6, (at) => arc(115 + at * 50, 210, 25, 16, 180, 0)).flat()] as Point[], {
          fill: ORANGE,
          line: RED,
          width: 3,
        }),
        ...each(7, (at) =>
          lines(
            [
              [90 + at * 50, 210],
              [240, 75],
            ] as Point[],
            DARK,
            1.6,
          ),
        ),
        circle(240, 72, 9, { fill: TAN }),
        rect(230, 35, 20, 30, { fill: DARK }),
        lines(points("235,35 230,12"), DARK, 6),
        lines(points("245,35 250,12"), DARK, 6),
      ),
  },
  {
    label: "suspension bridge",
    also: ["steel arch bridge", "pier"],
    everyday: "bridge with cables",
    riddles: ["a way across the river hung from cables"],
    content: () =>
      picture(
        SKY,
        rect(0, 0, 480, 80, { fill: BLUE }),
        rect(0, 112, 480, 12, { fill: [0.75, 0.2, 0.12] }),
        ...[120, 350].map((x) => rect(x, 40, 16, 290, { fill: [0.75, 0.2, 0.12] })),
        lines([...arc(243, 330, 115, 190, 180, 360)] as Point[], [0.75, 0.2, 0.12], 5),
        lines(points("128,330 0,150"), [0.75, 0.2, 0.12], 5),
        lines(points("358,330 480,150"), [0.75, 0.2, 0.12], 5),
        ...each(20, (at) =>
          lines(
            [
              [135 + at * 11.4, 118],
              [135 + at * 11.4, 330 - 190 * Math.sqrt(Math.max(0, 1 - ((at * 11.4 - 108) / 115) ** 2))],
            ] as Point[],
            [0.75, 0.2, 0.12],
            1.5,
          ),
        ),
      ),
  },
  {
    label: "beacon",
    everyday: "lighthouse on the coast",
    riddles: ["a tower that guides ships at night"],
    content: () =>
      picture(
        SKY,
        rect(0, 0, 480, 60, { fill: BLUE }),
        polygon(points("130,40 350,40 310,75 170,75"), { fill: BROWN }),
        polygon(points("195,70 285,70 265,270 215,270"), { fill: WHITE, line: GREY, width: 2 }),
        ...each(3, (at) => rect(203 + at * 5, 105 + at * 60, 74 - at * 10, 28, { fill: RED })),
        rect(205, 268, 70, 9, { fill: DARK }),
        rect(220, 277, 40, 38, { fill: YELLOW, line: DARK, width: 3 }),
        polygon(points("212,315 268,315 240,348"), { fill: RED }),
      ),
  },
  {
    label: "flagpole",
    everyday: "flag on a pole",
    riddles: ["a banner waving in the wind"],
    content: () =>
      picture(
        SKY,
        ground(),
        rect(148, 30, 9, 315, { fill: LIGHT, line: GREY, width: 1 }),
        ...each(6, (at) =>
          polygon(
            [
              [157, 330 - at * 22],
              ...each(12, (x) => [157 + x * 18, 330 - at * 22 + 8 * Math.sin(x / 1.6)] as const),
              ...each(12, (x) => [355 - x * 18, 308 - at * 22 + 8 * Math.sin((11 - x) / 1.6)] as const),
            ] as Point[],
            { fill: at % 2 === 0 ? RED : WHITE },
          ),
        ),
      ),
  },
  {
    label: "school bus",
    everyday: "yellow bus for pupils",
    riddles: ["takes children to their lessons"],
    content: () =>
      picture(
        SKY,
        rect(0, 0, 480, 75, { fill: GREY }),
        rect(40, 90, 330, 190, { fill: YELLOW, line: BLACK, width: 4 }),
        rect(370, 90, 70, 105, { fill: YELLOW, line: BLACK, width: 4 }),
        ...each(6, (at) => rect(55 + at * 52, 200, 42, 55, { fill: [0.7, 0.85, 0.92], line: BLACK, width: 3 })),
        rect(40, 170, 400, 8, { fill: BLACK }),
        rect(40, 140, 400, 6, { fill: BLACK }),
        text("SCHOOL BUS", 120, 262, 17),
        ...[115, 375].map((x) => [circle(x, 85, 38, { fill: BLACK }), circle(x, 85, 17, { fill: LIGHT })].join("")),
      ),
  },
];
