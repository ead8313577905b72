/** Logs whose templates are known: how many of their lines are grouped rightly. */
import { mean } from "../metrics.ts";
import { figure, percent, table } from "../report.ts";
import type { Stand } from "../stand.ts";
import { takeIn, type WireUnit } from "./door.ts";
import { agreement, templatesOf } from "./log-lines.ts";
import { LOG_SYSTEMS, type MadeLog, madeLog } from "./log-systems.ts";
import type { Part } from "./report.ts";

/** Of the 16 systems of LogHub (Zhu et al., ICSE-SEIP 2019). */
const PUBLISHED_DRAIN = "Drain as published: 0.865 (mean of 16 systems, 2,000 lines each)";

/**
 * Grouping accuracy: a line is right when the lines of its group are exactly the lines of its template. `groups` and
 * `truth`: of each line.
 */
export function groupingAccuracy(groups: readonly number[], truth: readonly number[]): number {
  const lines = (of: readonly number[]) => {
    const byId = new Map<number, number[]>();
    for (const [line, id] of of.entries()) byId.set(id, [...(byId.get(id) ?? []), line]);
    return byId;
  };
  const wanted = new Set([...lines(truth).values()].map((all) => all.join()));
  const right = [...lines(groups).values()].filter((all) => wanted.has(all.join()));
  return right.reduce((sum, all) => sum + all.length, 0) / Math.max(1, truth.length);
}

function measured({ system, templates, lines }: MadeLog, units: readonly WireUnit[]) {
  const groups = templatesOf(
    lines.map(({ line }) => line),
    units,
  );
  const accuracy = groupingAccuracy(
    groups,
    lines.map(({ template }) => template),
  );
  return { system, templates, lines: lines.length, found: units.length, accuracy, agreement: agreement(groups, units) };
}

export async function logs(stand: Stand): Promise<Part> {
  const made = LOG_SYSTEMS.map(madeLog);
  const files = made.map(({ system, lines }) => ({
    name: `${system}.log`,
    bytes: new TextEncoder().encode(`${lines.map(({ line }) => line).join("\n")}\n`),
  }));
  const { units } = await takeIn(stand, "logs", files);
  const rows = made.map((log) => measured(log, units.get(`${log.system}.log`) ?? []));
  const accuracy = mean(rows.map((row) => row.accuracy));
  const agree = mean(rows.map((row) => row.agreement));
  return {
    title: "Logs",
    text: table(
      ["system", "lines", "templates", "found", "grouping accuracy", "Units whose count is right"],
      rows.map((row) => [row.system, String(row.lines), String(row.templates), String(row.found), figure(row.accuracy), percent(row.agreement)]),
    ),
    lines: [{ measured: "logs, grouping accuracy", value: figure(accuracy), card: PUBLISHED_DRAIN }],
    figures: { accuracy, agreement: agree, systems: rows },
    bars: [],
  };
}
