/** Rotated rectangles around the pixels of a line of text. */

export interface Point {
  x: number;
  y: number;
}

/** The corners of a line of text: start and end of its upper edge, then end and start of its lower edge. */
export type Corners = readonly [Point, Point, Point, Point];

/** A rectangle by its centre, the direction (a unit vector) of one side, and both lengths. */
export interface Rectangle {
  centre: Point;
  /** Along `width`; `height` is along (-y, x) of it. */
  along: Point;
  width: number;
  height: number;
}

/** A rectangle this many times as tall as wide is a vertical line of text. */
const TALL = 1.5;

/** Convex hull (Andrew's monotone chain), counter-clockwise where y points up; points on its edges are left out. */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  const lower = chain(sorted);
  const upper = chain(sorted.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function chain(points: readonly Point[]): Point[] {
  const made: Point[] = [];
  for (const point of points) {
    while (made.length >= 2 && cross(made.at(-2) as Point, made.at(-1) as Point, point) <= 0) made.pop();
    made.push(point);
  }
  return made;
}

function cross(origin: Point, a: Point, b: Point): number {
  return (a.x - origin.x) * (b.y - origin.y) - (a.y - origin.y) * (b.x - origin.x);
}

/** The smallest rectangle around `points`; one of its sides lies along an edge of their convex hull. */
export function smallestRectangle(points: readonly Point[]): Rectangle {
  const hull = convexHull(points);
  const edges = hull.map((from, index) => direction(from, hull[(index + 1) % hull.length] ?? from));
  const candidates = edges.map((along) => boundingRectangle(hull, along));
  return candidates.reduce((best, candidate) => (candidate.width * candidate.height < best.width * best.height ? candidate : best));
}

function direction(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return length === 0 ? { x: 1, y: 0 } : { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

/** The rectangle around `points` with a side along the unit vector `along`. */
function boundingRectangle(points: readonly Point[], along: Point): Rectangle {
  const us = points.map((point) => point.x * along.x + point.y * along.y);
  const vs = points.map((point) => point.y * along.x - point.x * along.y);
  const [left, right, top, bottom] = [Math.min(...us), Math.max(...us), Math.min(...vs), Math.max(...vs)];
  const u = (left + right) / 2;
  const v = (top + bottom) / 2;
  return { centre: { x: u * along.x - v * along.y, y: u * along.y + v * along.x }, along, width: right - left, height: bottom - top };
}

/** True for a point inside, or outside by at most `margin`. */
export function holds({ centre, along, width, height }: Rectangle, { x, y }: Point, margin: number): boolean {
  const dx = x - centre.x;
  const dy = y - centre.y;
  return Math.abs(dx * along.x + dy * along.y) <= width / 2 + margin && Math.abs(dy * along.x - dx * along.y) <= height / 2 + margin;
}

/**
 * Corners in reading direction: along the side nearer the horizontal, to the right; along the tall side, bottom to top,
 * when the box is 1.5 times as tall as wide.
 */
export function readingCorners(rectangle: Rectangle): Corners {
  const { centre, along, width, height } = uprightSides(rectangle);
  const corner = (u: number, v: number): Point => ({
    x: centre.x + (u * width * along.x - v * height * along.y) / 2,
    y: centre.y + (u * width * along.y + v * height * along.x) / 2,
  });
  const [topLeft, topRight, bottomRight, bottomLeft] = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
  return height >= TALL * width ? [bottomLeft, topLeft, topRight, bottomRight] : [topLeft, topRight, bottomRight, bottomLeft];
}

/** The same rectangle with `along` the direction nearer the horizontal, pointing right. */
function uprightSides(rectangle: Rectangle): Rectangle {
  const { along, width, height } = rectangle;
  const flat = Math.abs(along.x) >= Math.abs(along.y);
  const side = flat ? along : { x: -along.y, y: along.x };
  const right = side.x < 0 ? { x: -side.x, y: -side.y } : side;
  return { ...rectangle, along: right, width: flat ? width : height, height: flat ? height : width };
}

/** Lengths along the reading direction and across it. */
export function cornerSides([start, end, , below]: Corners): { width: number; height: number } {
  return { width: Math.hypot(end.x - start.x, end.y - start.y), height: Math.hypot(below.x - start.x, below.y - start.y) };
}

/** Whether the reading direction is nearer the vertical. */
export function runsVertically([start, end]: Corners): boolean {
  return Math.abs(end.y - start.y) > Math.abs(end.x - start.x);
}
