/** How a measurement comes back: Markdown to read, figures to compare, bars to pass. */

/** A line of the summary. `met` null: reported, but nothing is asked of it. */
export interface Bar {
  measure: string;
  value: string;
  baseline: string;
  met: boolean | null;
}

export interface Measured {
  title: string;
  /** Markdown below the title. */
  text: string;
  /** For `--json`. */
  figures: Record<string, unknown>;
  bars: Bar[];
  /** One object a claim or question, for `--cases`. */
  cases?: Record<string, unknown>[];
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line), ""].join("\n");
}

/** Four places: rankings are compared to the third. */
export function figure(value: number): string {
  return value.toFixed(4);
}

export function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

/** A value that is to be above its baseline, or with `orEqual` not below it. */
export function bar(measure: string, value: number, baseline: number, name: string, orEqual = false): Bar {
  const met = orEqual ? value >= baseline : value > baseline;
  return { measure, value: figure(value), baseline: `${figure(baseline)} (${name})`, met };
}

/** A value that is to be at least, or with `atMost` at most, what is asked of it. */
export function target(measure: string, value: number, bound: number, { atMost = false, digits = 3, unit = "" } = {}): Bar {
  const shown = (one: number) => `${one.toFixed(digits)}${unit}`;
  return { measure, value: shown(value), baseline: `${atMost ? "≤" : "≥"} ${shown(bound)} (target)`, met: atMost ? value <= bound : value >= bound };
}

export function noted(measure: string, value: number, baseline: number, name: string): Bar {
  return { ...bar(measure, value, baseline, name), met: null };
}

export function summary(bars: readonly Bar[]): string {
  const verdict = ({ met }: Bar) => (met === null ? "" : met ? "met" : "**missed**");
  return table(
    ["measure", "value", "baseline", "bar"],
    bars.map((one) => [one.measure, one.value, one.baseline, verdict(one)]),
  );
}
