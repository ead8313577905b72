/** Connected components of a map of probabilities. */
import type { Point } from "./rectangle.ts";

/** Pixels `from` to `to` (both included) of row `y`. */
export interface Run {
  y: number;
  from: number;
  to: number;
}

/** The runs of one component, by row. */
export type Component = Run[];

/**
 * The 8-connected components of the pixels over `floor`, in the order of their first pixels, row by row. `values` has
 * `width * height` of them.
 */
export function components(values: Float32Array, { width, height, floor }: { width: number; height: number; floor: number }): Component[] {
  const runs: Run[] = [];
  /** Union-find: for each run another one of its component, or itself at the root. */
  const parents: number[] = [];
  let above: [number, number] = [0, 0];
  for (let y = 0; y < height; y++) {
    const first = runs.length;
    runs.push(...rowRuns(values.subarray(y * width, (y + 1) * width), y, floor));
    for (let index = first; index < runs.length; index++) parents.push(index);
    joinRows(runs, parents, above, [first, runs.length]);
    above = [first, runs.length];
  }
  return [...Map.groupBy(runs, (_, index) => rootOf(parents, index)).values()];
}

function rowRuns(row: Float32Array, y: number, floor: number): Run[] {
  const found: Run[] = [];
  for (let x = 0; x < row.length; x++) {
    if ((row[x] as number) <= floor) continue;
    const from = x;
    while (x + 1 < row.length && (row[x + 1] as number) > floor) x++;
    found.push({ y, from, to: x });
  }
  return found;
}

/** Joins the runs of one row, by index from and to, with those of the row above that they touch, corners included. */
function joinRows(runs: readonly Run[], parents: number[], [above, aboveEnd]: [number, number], [below, belowEnd]: [number, number]): void {
  let upper = above;
  let lower = below;
  while (upper < aboveEnd && lower < belowEnd) {
    const a = runs[upper] as Run;
    const b = runs[lower] as Run;
    if (a.from <= b.to + 1 && b.from <= a.to + 1) join(parents, upper, lower);
    if (a.to < b.to) upper++;
    else lower++;
  }
}

function join(parents: number[], a: number, b: number): void {
  const [first, second] = [rootOf(parents, a), rootOf(parents, b)];
  parents[Math.max(first, second)] = Math.min(first, second);
}

function rootOf(parents: number[], index: number): number {
  let root = index;
  while (parents[root] !== root) root = parents[root] as number;
  let step = index;
  while (parents[step] !== root) [step, parents[step]] = [parents[step] as number, root];
  return root;
}

/** The ends of the runs, whose convex hull is that of all pixels. */
export function runEnds(component: Component): Point[] {
  return component.flatMap(({ y, from, to }) => [
    { x: from, y },
    { x: to, y },
  ]);
}
