/**
 * Manuals: their pages go in as files, with jobs, and each question goes to POST /v1/search and POST /v1/answer, one
 * after another and once, as somebody would who reads what comes.
 */
import type { Bench } from "../bench.ts";
import { scopeOf, sendFile } from "../media/door.ts";
import { type Bar, type Measured, target } from "../report.ts";
import type { Stand } from "../stand.ts";
import { lanes } from "../work.ts";
import { figuresOf, SURE } from "./figures.ts";
import { type Judged, judge, placesShare, replyOf } from "./judge.ts";
import { type AskedSet, type Pool, poolOf, summaryOf } from "./pool.ts";
import { type Manual, REPORTING_SETS, type SetQuestion, TUNING_SETS } from "./sets.ts";
import { poolText } from "./text.ts";

const TOP_K = 5;
const LISTED_UNITS = 100;

export async function manuals(bench: Bench): Promise<Measured> {
  const asked: AskedSet[] = [];
  for (const manual of bench.manuals) asked.push(await askSet(bench.stand, manual));
  const poolNamed = (title: string, names: readonly string[]) =>
    poolOf(
      title,
      asked.filter(({ name }) => names.includes(name)),
    );
  const tuning = poolNamed("Tuning sets", TUNING_SETS);
  const reporting = poolNamed("Reporting sets", REPORTING_SETS);
  const whole = REPORTING_SETS.every((name) => bench.manuals.some((one) => one.name === name && one.whole));
  const pools = [tuning, reporting].filter(({ sets: own }) => own.length > 0);
  return {
    title: "Manuals",
    text: [HEAD, ...pools.map(poolText)].join("\n"),
    figures: { tuning: summaryOf(tuning), reporting: summaryOf(reporting) },
    bars: reporting.sets.length === 0 ? [] : barsOf(reporting, whole),
    cases: asked.flatMap(({ name, judged }) => judged.map((one) => ({ set: name, ...one }))),
  };
}

const HEAD = `Asked once, one question after another. A quote of more than 80 words counts for nothing. rsyslog was seen by the first trial of the answering that is measured here; the other reporting sets were not. One question is 2.5 points of a set: fewer than eight won or lost over four sets may be chance.\n`;

/** Sends the pages of a manual, and waits until their Units are searchable. Returns their scope. */
export async function takeInPages(stand: Stand, { name, pages }: Manual): Promise<string> {
  const scope = scopeOf(`manuals-${name}`, pages, "");
  await lanes(`${name}: ${pages.length} pages`, pages, (page) => sendFile(stand, scope, page));
  return scope;
}

async function askSet(stand: Stand, manual: Manual): Promise<AskedSet> {
  const { name, pages, questions } = manual;
  const scope = await takeInPages(stand, manual);
  const texts = (await unitsOf(stand, scope)).map(({ text }) => text);
  const judged = await lanes(`${name}: ${questions.length} questions`, questions, (question) => ask(stand, scope, question), 1);
  return { name, pages: pages.length, units: texts.length, ceiling: ceilingOf(questions, texts), judged, figures: figuresOf(judged) };
}

async function ask(stand: Stand, scope: string, question: SetQuestion): Promise<Judged> {
  const search = await stand.once(scope, "/v1/search", { q: question.q, top_k: TOP_K, rerank: true });
  const answer = await stand.once(scope, "/v1/answer", { q: question.q, answer: true });
  return judge(question, replyOf(search.result, search.ms, answer.result, answer.ms));
}

/** All Units of a scope. */
export async function unitsOf(stand: Stand, scope: string): Promise<{ doc_id: string; text: string }[]> {
  const units: { doc_id: string; text: string }[] = [];
  for (let cursor: unknown = 0; cursor !== null; ) {
    const page = await stand.send(scope, "GET", `/v1/units?limit=${LISTED_UNITS}&cursor=${cursor}`);
    units.push(...(page.units as { doc_id: string; text?: string }[]).map(({ doc_id, text = "" }) => ({ doc_id, text })));
    cursor = page.next_cursor;
  }
  return units;
}

function ceilingOf(questions: readonly SetQuestion[], texts: readonly string[]): number {
  const shares = questions.flatMap((question) => (question.absent ? [] : [placesShare(question.gold, texts)]));
  return shares.reduce((sum, one) => sum + one, 0) / Math.max(1, shares.length);
}

/** What is asked of the four reporting sets together; of some of them it is only told. Times are for two quiet cores. */
function barsOf({ sets, together }: Pool, whole: boolean): Bar[] {
  const names = `manuals (${sets.map(({ name }) => name).join(", ")})`;
  const ms = { atMost: true, digits: 0, unit: " ms" };
  const bars = [
    target("in the top 5 hits", together.top5, 0.85),
    target("in a cited quote", together.cited, 0.6),
    target("in the first cited quote", together.first, 0.52),
    target("in the words marked in it", together.mark, 0.42),
    target("answered though absent", together.answeredThoughAbsent, 0.15, { atMost: true }),
    target(`right, of answers with faithfulness of ${SURE} or more`, together.sure.precision, 0.85),
    target("their share of all answers", together.sure.share, 0.25),
    target("answer, p50", together.answerMs, 400, ms),
    target("abstention, p50", together.abstentionMs, 400, ms),
  ];
  return bars.map((one) => ({ ...one, measure: `${names}, ${one.measure}`, met: whole ? one.met : null }));
}
