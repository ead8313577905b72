/** Says where two recordings differ. */
import { readFileSync } from "node:fs";
import type { Line } from "./recorder.ts";

const DIFFERENCES_SHOWN_MAX = 10;
/** Of each side, around the first character that differs. */
const CONTEXT_CHARS = 120;

/** Differences of two recordings, for a person; empty when they are equal. Errors: those of reading the files. */
export function compareRecordings(a: string, b: string): string[] {
  const [left, right] = [linesOf(a), linesOf(b)];
  const differences: string[] = [];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [one, other] = [left[at], right[at]];
    if (one === other) continue;
    if (one === undefined || other === undefined) {
      differences.push(`line ${at + 1} on: only in ${one === undefined ? b : a}`);
      break;
    }
    differences.push(describe(at + 1, one, other));
  }
  const rest = differences.length - DIFFERENCES_SHOWN_MAX;
  return rest > 0 ? [...differences.slice(0, DIFFERENCES_SHOWN_MAX), `and ${rest} more lines differ`] : differences;
}

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").trimEnd().split("\n");
}

function describe(number: number, one: string, other: string): string {
  const [a, b] = [JSON.parse(one) as Line, JSON.parse(other) as Line];
  const members = (Object.keys({ ...a, ...b }) as (keyof Line)[]).filter((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]));
  const shown = members.map((key) => {
    const [x, y] = [textOf(a[key]), textOf(b[key])];
    const at = [...x].findIndex((char, index) => char !== y[index]);
    const from = Math.max(0, (at < 0 ? Math.min(x.length, y.length) : at) - CONTEXT_CHARS / 2);
    return `  ${key}:\n    - …${x.slice(from, from + CONTEXT_CHARS)}…\n    + …${y.slice(from, from + CONTEXT_CHARS)}…`;
  });
  return [`line ${number}, ${a.about}: ${a.method} ${a.target.slice(0, 100)}`, ...shown].join("\n");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "absent");
}
