/** Sets of manuals that were asked, and what is told of several together. */
import { curveOf, type Figures, figuresOf, reliabilities } from "./figures.ts";
import type { Judged } from "./judge.ts";

/** A set that was asked. */
export interface AskedSet {
  name: string;
  pages: number;
  units: number;
  /** The share of golds that stand in some Unit: what reading the files lost is not found. */
  ceiling: number;
  judged: Judged[];
  figures: Figures;
}

/** Sets that are told of together. */
export interface Pool {
  title: string;
  sets: AskedSet[];
  together: Figures;
  curve: ReturnType<typeof curveOf>;
  reliability: ReturnType<typeof reliabilities>;
}

/** From the rows of its sets. */
export function poolOf(title: string, sets: AskedSet[]): Pool {
  const rows = sets.flatMap(({ judged }) => judged);
  return { title, sets, together: figuresOf(rows), curve: curveOf(rows), reliability: reliabilities(rows) };
}

/** For `--json`: without the rows. */
export function summaryOf({ sets, together, curve, reliability }: Pool): Record<string, unknown> {
  const own = Object.fromEntries(sets.map(({ name, judged: _, ...set }) => [name, set]));
  return { sets: own, together, curve, reliability };
}
