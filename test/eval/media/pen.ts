/** Draws with the operators of PDF: 480 by 360 points, from the bottom left, painted by PDFium. */

/** A picture of one thing, and what people would ask to find it. */
export interface Drawing {
  /** The name of the label that it is a picture of. */
  label: string;
  /** Names of labels that are as right. */
  also?: string[];
  /** What somebody would type who looks for it. */
  everyday: string;
  /** What says what it is for or like, and not what it is. */
  riddles: string[];
  /** PDF operators. */
  content(): string;
}

export const SHEET: [number, number] = [480, 360];

/** 0-1 each. */
export type Colour = readonly [number, number, number];

export const WHITE: Colour = [1, 1, 1];
export const BLACK: Colour = [0.08, 0.08, 0.08];
export const GREY: Colour = [0.6, 0.6, 0.62];
export const LIGHT: Colour = [0.86, 0.86, 0.84];
export const DARK: Colour = [0.28, 0.29, 0.32];
export const RED: Colour = [0.82, 0.12, 0.12];
export const GREEN: Colour = [0.16, 0.55, 0.22];
export const BLUE: Colour = [0.16, 0.33, 0.7];
export const SKY: Colour = [0.6, 0.8, 0.95];
export const YELLOW: Colour = [0.96, 0.82, 0.16];
export const ORANGE: Colour = [0.93, 0.5, 0.1];
export const BROWN: Colour = [0.5, 0.31, 0.16];
export const TAN: Colour = [0.82, 0.66, 0.44];

export type Point = readonly [number, number];

/** How a path is painted: filled, outlined, or both. */
export interface Paint {
  fill?: Colour | undefined;
  line?: Colour | undefined;
  width?: number;
}

const number = (value: number) => value.toFixed(2);
const colour = (rgb: Colour) => rgb.map(number).join(" ");

function painted(path: string, { fill, line, width = 3 }: Paint): string {
  const set = [fill && `${colour(fill)} rg`, line && `${colour(line)} RG ${width} w 1 j 1 J`].filter(Boolean).join(" ");
  return `${set} ${path} ${fill && line ? "B" : fill ? "f" : "S"}\n`;
}

export function rect(x: number, y: number, w: number, h: number, paint: Paint): string {
  return painted(`${[x, y, w, h].map(number).join(" ")} re`, paint);
}

export function polygon(corners: readonly Point[], paint: Paint): string {
  const steps = corners.map(([x, y], at) => `${number(x)} ${number(y)} ${at === 0 ? "m" : "l"}`);
  return painted(`${steps.join(" ")} h`, paint);
}

export function lines(stops: readonly Point[], line: Colour, width = 3): string {
  const steps = stops.map(([x, y], at) => `${number(x)} ${number(y)} ${at === 0 ? "m" : "l"}`);
  return painted(steps.join(" "), { line, width });
}

/** Points from "x,y x,y …". */
export function points(list: string): Point[] {
  return list.split(" ").map((pair) => {
    const [x = 0, y = 0] = pair.split(",").map(Number);
    return [x, y] as const;
  });
}

/** Control points of a quarter circle lie this far from its ends. */
const KAPPA = 0.5523;

export function ellipse(x: number, y: number, rx: number, ry: number, paint: Paint): string {
  const [kx, ky] = [rx * KAPPA, ry * KAPPA];
  const curve = (...values: number[]) => `${values.map(number).join(" ")} c`;
  const path = [
    `${number(x + rx)} ${number(y)} m`,
    curve(x + rx, y + ky, x + kx, y + ry, x, y + ry),
    curve(x - kx, y + ry, x - rx, y + ky, x - rx, y),
    curve(x - rx, y - ky, x - kx, y - ry, x, y - ry),
    curve(x + kx, y - ry, x + rx, y - ky, x + rx, y),
  ];
  return painted(`${path.join(" ")} h`, paint);
}

export function circle(x: number, y: number, r: number, paint: Paint): string {
  return ellipse(x, y, r, r, paint);
}

/** Points of an arc; degrees count from the right, against the clock. */
export function arc(x: number, y: number, rx: number, ry: number, from: number, to: number): Point[] {
  const steps = Math.max(2, Math.ceil(Math.abs(to - from) / 5));
  return Array.from({ length: steps + 1 }, (_, at) => {
    const angle = ((from + ((to - from) * at) / steps) * Math.PI) / 180;
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)] as const;
  });
}

/** A point at an angle from another. */
export function towards(x: number, y: number, length: number, degrees: number): Point {
  return [x + length * Math.cos((degrees * Math.PI) / 180), y + length * Math.sin((degrees * Math.PI) / 180)];
}

/** In Helvetica. */
export function text(words: string, x: number, y: number, size: number, fill: Colour = BLACK): string {
  return `BT ${colour(fill)} rg /F ${size} Tf ${number(x)} ${number(y)} Td (${words.replace(/([()\\])/g, "\\$1")}) Tj ET\n`;
}

export function each<T>(count: number, draw: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => draw(at));
}

/** One after the other, on a ground. */
export function picture(ground: Colour, ...parts: (string | string[])[]): string {
  return [rect(0, 0, ...SHEET, { fill: ground }), ...parts.flat()].join("");
}

/** What is drawn, `degrees` about a point. */
export function turned(degrees: number, x: number, y: number, ...parts: (string | string[])[]): string {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const matrix = [cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos];
  return `q ${matrix.map((value) => value.toFixed(5)).join(" ")} cm\n${parts.flat().join("")}Q\n`;
}
