/** The tables that tell of sets of manuals. */
import { percent, table } from "../report.ts";
import { type CurvePoint, type Figures, type Reliability, SURE } from "./figures.ts";
import type { AskedSet, Pool } from "./pool.ts";

export function poolText(pool: Pool): string {
  const { title, sets, together, curve, reliability } = pool;
  const stated: [string, Reliability | null][] = [
    ["`claims[].score`, against a quote of the claim that holds the answer", reliability.score],
    ["`claims[].answers`, against the same", reliability.answers],
    ["`nli_faithfulness`, against a first quote that holds the answer", reliability.faithfulness],
  ];
  return [
    `### ${title}\n`,
    setsTable(sets, together),
    "By what a reader must see to know the answer:\n",
    needsTable(together),
    "By a threshold on how sure the service is (`answers` of the first claim, or else the best confidence of its rounds), above its own:\n",
    curveTable(curve),
    ...stated.map(([name, of]) => reliabilityText(name, of)),
  ].join("\n");
}

function setsTable(sets: readonly AskedSet[], together: Figures): string {
  const all: readonly Figures[] = [...sets.map(({ figures }) => figures), together];
  const row = (name: string, value: (one: Figures) => string) => [name, ...all.map(value)];
  const shares: [string, (one: Figures) => number][] = [
    ["right page in the top 5 hits", ({ pageTop5 }) => pageTop5],
    ["in hit 1", ({ top1 }) => top1],
    ["in the top 5 hits", ({ top5 }) => top5],
    ["in a cited quote", ({ cited }) => cited],
    ["in the first cited quote", ({ first }) => first],
    ["in the words marked in it", ({ mark }) => mark],
    ["abstained though there", ({ abstainedThoughThere }) => abstainedThoughThere],
    ["answered though absent", ({ answeredThoughAbsent }) => answeredThoughAbsent],
    ["of all answers, first quote right", ({ precision }) => precision],
  ];
  const ofSets = (name: string, value: (one: AskedSet) => string, sum: string) => [name, ...sets.map(value), sum];
  const units = sets.reduce((sum, one) => sum + one.units, 0);
  return table(
    ["", ...sets.map(({ name }) => name), "together"],
    [
      row("questions + absent", ({ questions, absent }) => `${questions} + ${absent}`),
      ofSets("pages / Units", (one) => `${one.pages} / ${one.units}`, `${units} Units`),
      ofSets("in any Unit", ({ ceiling }) => percent(ceiling), ""),
      ...shares.map(([name, value]) => row(name, (one) => percent(value(one)))),
      row(`faithfulness ≥ ${SURE}: right / answers (absent among them)`, ({ sure }) => `${sure.right} / ${sure.answers} (${sure.absent})`),
      row("surest third of all questions: right", ({ surestThird }) => `${surestThird.right} / ${surestThird.questions}`),
      row("answer / abstention / search p50, ms", (one) => [one.answerMs, one.abstentionMs, one.searchMs].map((ms) => ms.toFixed(0)).join(" / ")),
    ],
  );
}

function needsTable({ byNeeds }: Figures): string {
  const rows = Object.entries(byNeeds).map(([need, { questions, top5, cited, first, answered }]) => [
    need,
    String(questions),
    ...[top5, cited, first, answered].map(percent),
  ]);
  return table(["needs", "questions", "top 5", "cited", "first", "answered"], rows);
}

/** Points at which something changes. */
function curveTable(curve: readonly CurvePoint[]): string {
  const kept = curve.filter((point, at) => at === 0 || cellsOf(point).join() !== cellsOf(curve[at - 1] as CurvePoint).join());
  const head = ["threshold", "answered", "first right", "absent answered", "right of all answers"];
  return table(
    head,
    kept.map((point) => [point.threshold.toFixed(2), ...cellsOf(point)]),
  );
}

function cellsOf({ answered, first, absentAnswered, precision }: CurvePoint): string[] {
  return [answered, first, absentAnswered, precision].map(percent);
}

function reliabilityText(name: string, of: Reliability | null): string {
  if (of === null) return `${name}: not stated.\n`;
  const rows = of.bins
    .filter(({ count }) => count > 0)
    .map(({ from, to, count, stated, right }) => [`${from.toFixed(1)}-${to.toFixed(1)}`, String(count), stated.toFixed(3), right.toFixed(3)]);
  const head = `${name}: ${of.count} stated, calibration error ${of.calibrationError.toFixed(3)}, Brier ${of.brier.toFixed(3)}.\n`;
  return `${head}\n${table(["bin", "count", "stated, mean", "right, share"], rows)}`;
}
