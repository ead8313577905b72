import type { Span } from "../types.ts";

export interface Run {
  at: number;
  text: string;
  marked: boolean;
}

/** The part `shown` of `text`, cut where marks begin and end; marks that overlap are one. */
export function runsOf(text: string, marks: readonly Span[], shown: Span): Run[] {
  const runs: Run[] = [];
  let at = shown.start;
  const add = (end: number, marked: boolean) => {
    if (end > at) runs.push({ at, text: text.slice(at, end), marked });
    at = Math.max(at, end);
  };
  for (const { start, end } of marks.toSorted((a, b) => a.start - b.start)) {
    add(Math.min(shown.end, Math.max(shown.start, start)), false);
    add(Math.min(shown.end, end), true);
  }
  add(shown.end, false);
  return runs;
}
