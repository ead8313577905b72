/** Answers: questions through POST /v1/answer over all paragraphs; is the answer in what is cited, and is what is said borne out? */
import type { Asked, Bench } from "./bench.ts";
import type { Half } from "./data.ts";
import { mean, percentile, share } from "./metrics.ts";
import { figure, type Measured, noted, percent, table, target } from "./report.ts";
import { firstEvidence } from "./evidence.ts";

/** Whether the place of an answer stands inside a quote that is cited. */
export function citesPlace({ question, result: { answer } }: Asked): boolean {
  const own = (answer?.citations ?? []).filter(({ doc_id }) => doc_id === question.doc_id);
  return own.some(({ quote_start, quote_end }) => question.answers.some(({ start, end }) => quote_start <= start && end <= quote_end));
}

/** Whether the words of an answer stand inside a quote, of whatever paragraph. */
export function citesWords({ question, result: { answer } }: Asked): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\s+/g, " ");
  return (answer?.citations ?? []).some(({ quote }) => question.answers.some(({ text }) => plain(quote).includes(plain(text))));
}

export function isAnswered({ result: { answer } }: Asked): boolean {
  return answer !== null && answer.status !== "abstained";
}

export function ofHalf(half: Half): (one: Asked) => boolean {
  return ({ question }) => question.half === half;
}

/** A case as it is written down for whoever looks for what goes wrong. */
export function caseOf(one: Asked): Record<string, unknown> {
  const { question, result } = one;
  return {
    id: question.id,
    question: question.question,
    doc_id: question.doc_id,
    half: question.half,
    answers: question.answers.map(({ text }) => text),
    status: result.answer?.status,
    text: result.answer?.text,
    cites_place: citesPlace(one),
    cites_words: citesWords(one),
    first: firstEvidence(result),
    rounds: result.trace.rounds?.map(({ best }) => best),
    ms: result.trace.total_ms,
    warnings: result.trace.warnings,
  };
}

export async function answers(bench: Bench): Promise<Measured> {
  const asked = await bench.answers();
  const answered = asked.filter(isAnswered);
  const claims = answered.flatMap(({ result }) => result.answer?.claims ?? []);
  const citations = answered.flatMap(({ question, result }) => (result.answer?.citations ?? []).map((one) => ({ ...one, question })));
  const { corpus } = bench.questions;
  const times = asked.map(({ result }) => result.trace.total_ms);
  const figures = {
    n: asked.length,
    answered: share(asked, isAnswered),
    partial: share(asked, ({ result }) => result.answer?.status === "partial"),
    citesPlace: share(asked, citesPlace),
    citesPlaceTuning: share(asked.filter(ofHalf("tuning")), citesPlace),
    citesPlaceReporting: share(asked.filter(ofHalf("reporting")), citesPlace),
    citesWords: share(asked, citesWords),
    precision: share(answered, citesPlace),
    precisionWords: share(answered, citesWords),
    sentences: claims.length / Math.max(1, answered.length),
    entailed: share(claims, ({ verdict }) => verdict === "entailed"),
    faithfulness: mean(answered.map(({ result }) => result.answer?.nli_faithfulness ?? 0)),
    exactQuotes: share(citations, (one) => corpus.byId.get(one.doc_id ?? "")?.text.slice(one.quote_start, one.quote_end) === one.quote),
    rounds: mean(asked.map(({ result }) => result.answer?.iterations ?? 0)),
    p50Ms: percentile(times, 50),
    p95Ms: percentile(times, 95),
  };
  return {
    title: "Answers",
    text: `${asked.length} questions over ${corpus.docs.length} paragraphs, by \`POST /v1/answer\`, two at a time.\n\n${table(["measured", "value"], rowsOf(figures))}`,
    figures,
    bars: [
      noted("questions, answer stands in a cited quote", figures.citesPlace, figures.answered, "answered at all"),
      target("questions of the reporting half, answer stands in a cited quote", figures.citesPlaceReporting, 0.88),
    ],
    cases: asked.map(caseOf),
  };
}

function rowsOf(figures: Record<string, number>): string[][] {
  const shares: [string, string][] = [
    ["answered (in part included)", "answered"],
    ["the answer stands inside a cited quote, of all questions", "citesPlace"],
    ["the same, tuning half", "citesPlaceTuning"],
    ["the same, reporting half", "citesPlaceReporting"],
    ["the same of those answered", "precision"],
    ["the answer's words in a cited quote of any paragraph, of all questions", "citesWords"],
    ["sentences that their quote entails", "entailed"],
    ["quotes that are the stored text letter by letter", "exactQuotes"],
  ];
  const value = (key: string) => figures[key] ?? 0;
  return [
    ...shares.map(([name, key]) => [name, percent(value(key))]),
    ["sentences of an answer", value("sentences").toFixed(2)],
    ["faithfulness, mean", figure(value("faithfulness"))],
    ["rounds, mean", value("rounds").toFixed(2)],
    ["time, p50 / p95", `${value("p50Ms").toFixed(0)} / ${value("p95Ms").toFixed(0)} ms`],
  ];
}
