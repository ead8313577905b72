/**
 * The weights of src/core/answer/evidence.ts: logistic regressions on the first item that the service finds for each
 * question of the tuning sets, and of XQuAD's tuning half with and without its paragraph. What is printed of them is
 * measured on the manual, or the quarter of XQuAD's questions, that each was not fitted on. Each question is also asked
 * without the pages that hold its answer, which is measured and not fitted on: other pages may say it in other words.
 */
import { type Evidence, SIGNALS, SUPPORTED_MIN } from "../../src/core/answer/evidence.ts";
import { coverage } from "../../src/language/language.ts";
import { ANSWER_SENTENCES_PER_PART } from "../../src/base/limits.ts";
import { type Bench, K } from "./bench.ts";
import type { Question } from "./data.ts";
import { type Fit, fitLogistic, fitLowering, logitOf, predict } from "./logistic.ts";
import { type Reliability, reliabilityOf } from "./manuals/figures.ts";
import { takeInPages, unitsOf } from "./manuals/manuals.ts";
import { places, type SetQuestion, TUNING_SETS } from "./manuals/sets.ts";
import { auc, share } from "./metrics.ts";
import { figure, type Measured, percent, table } from "./report.ts";
import { lanes } from "./work.ts";

/** Of XQuAD's tuning half every so many-th question is asked, so that prose does not outweigh the manuals. */
const XQUAD_STEP = 4;
const THRESHOLD_STEP = 0.05;
/** Documents that a filter of a question leaves out at most. */
const LEFT_OUT_MAX = 256;
/** An item that has this share of another's words says the same. */
const SAME_WORDS = 0.75;

/** The name of XQuAD's questions among the sets. */
const XQUAD = "xquad";

/** An item that may be given. `item`, `quote`: whether it, and its quote, hold the answer. */
interface Given {
  signals: number[];
  item: boolean;
  quote: boolean;
}

/** The first item for a question, and those that could be given beside it. */
interface Look extends Given {
  set: string;
  asked: "there" | "absent" | "left out";
  further: Given[];
}

export async function calibrate(bench: Bench): Promise<Measured> {
  const all = [...(await manualLooks(bench)), ...(await xquadLooks(bench))];
  const looks = all.filter(({ asked }) => asked !== "left out");
  const parts = (["item", "quote"] as const).map((label) => {
    const fit = fitted(looks, label);
    const stated = held(all, label);
    const fitLooks = stated.filter(({ look }) => look.asked !== "left out");
    return { label, fit, stated, reliability: reliabilityOf(fitLooks.map(({ stated: p, look }) => ({ stated: p, right: look[label] }))) };
  });
  const [, { fit, stated }] = parts as [(typeof parts)[number], (typeof parts)[number]];
  const curve = curveOf(stated);
  const lowering = loweringOf(looks, fit);
  return {
    title: "Calibration",
    text: [
      `${looks.length} questions; each figure is of the part that was left out of the fit.\n`,
      ...parts.map((part) => fitText(part.label === "item" ? "ANSWERS" : "SUPPORTED", part.fit, part.stated, part.reliability)),
      curveText(curve),
      `FURTHER_LOGITS: ${lowering.toFixed(2)}`,
    ].join("\n"),
    figures: { fits: Object.fromEntries(parts.map((part) => [part.label, { fit: part.fit, reliability: part.reliability }])), curve, lowering },
    bars: [],
    cases: all.map((look) => ({ ...look })),
  };
}

async function manualLooks(bench: Bench): Promise<Look[]> {
  const looks: Look[] = [];
  for (const manual of bench.manuals.filter(({ name }) => TUNING_SETS.includes(name))) {
    const scope = await takeInPages(bench.stand, manual);
    const units = await unitsOf(bench.stand, scope);
    const look = async (question: SetQuestion): Promise<Look[]> => {
      const holds = (text: string) => !question.absent && places(question.gold, text).some(Boolean);
      const seen = async (asked: Look["asked"], filters: object = {}) => {
        const evidence = await bench.stand.evidence(scope, { q: question.q, top_k: K, filters });
        return lookOf(manual.name, asked, evidence, asked === "there" ? holds : () => false);
      };
      if (question.absent) return seen("absent");
      const gone = [...new Set(units.filter(({ text }) => holds(text)).map(({ doc_id }) => doc_id))];
      const without = gone.length > LEFT_OUT_MAX ? [] : await seen("left out", { doc_id: { $nin: gone } });
      return [...(await seen("there")), ...without];
    };
    looks.push(...(await lanes(`${manual.name}: ${manual.questions.length} questions`, manual.questions, look)).flat());
  }
  return looks;
}

async function xquadLooks(bench: Bench): Promise<Look[]> {
  const { corpus, questions } = await bench.indexedQuestions();
  const own = questions.filter(({ half }) => half === "tuning").filter((_, index) => index % XQUAD_STEP === 0);
  const look = async ({ question, doc_id, paragraph, answers }: Question, asked: "there" | "absent") => {
    const body = { q: question, top_k: K, ...(asked === "absent" ? { filters: { doc_id: { $ne: doc_id } } } : {}) };
    const holds = (text: string) => paragraph.includes(text.trim()) && answers.some((answer) => text.includes(answer.text));
    return lookOf(XQUAD, asked, await bench.stand.evidence(corpus.scope, body), holds);
  };
  const there = await lanes("xquad", own, (question) => look(question, "there"));
  const absent = await lanes("xquad without the paragraph", own, (question) => look(question, "absent"));
  return [...there, ...absent].flat();
}

function lookOf(set: string, asked: Look["asked"], [first, ...others]: readonly Evidence[], holds: (text: string) => boolean): Look[] {
  if (first === undefined) return [];
  const beside = [first];
  for (const one of others) if (beside.length < ANSWER_SENTENCES_PER_PART && !beside.some((better) => repeats(one, better))) beside.push(one);
  const given = beside.map(({ signals, unit, text, quote }): Given => {
    const quoted = (unit.text ?? "").slice(quote.start, quote.end);
    return { signals: SIGNALS.map((name) => signals[name]), item: holds(text), quote: holds(quoted) };
  });
  return [{ set, asked, ...(given[0] as Given), further: given.slice(1) }];
}

/** Whether an item stands in the quote of a better one, or says the same. */
function repeats(one: Evidence, better: Evidence): boolean {
  const quoted = one.unit.uid === better.unit.uid && one.start < better.quote.end && one.end > better.quote.start;
  return quoted || Math.max(coverage(one.text, better.text), coverage(better.text, one.text)) >= SAME_WORDS;
}

function fitted(looks: readonly Look[], label: "item" | "quote"): Fit {
  return fitLogistic(looks.map((look) => ({ signals: look.signals, right: look[label] })));
}

interface Stated {
  look: Look;
  stated: number;
}

/** What a fit on the other parts says of each look: a manual is one part, XQuAD as many as there are manuals. */
function held(looks: readonly Look[], label: "item" | "quote"): Stated[] {
  const partOf = (look: Look, index: number) => (look.set === XQUAD ? index % TUNING_SETS.length : TUNING_SETS.indexOf(look.set));
  const fits = TUNING_SETS.map((_, part) =>
    fitted(
      looks.filter((look, index) => look.asked !== "left out" && partOf(look, index) !== part),
      label,
    ),
  );
  return looks.map((look, index) => ({ look, stated: predict(fits[partOf(look, index)] as Fit, look.signals) }));
}

/** By how many logits the fit on first items says too much of the others that it calls likely, beside first ones that are given. */
function loweringOf(looks: readonly Look[], fit: Fit): number {
  const likely = looks
    .filter(({ set, signals }) => set !== XQUAD && predict(fit, signals) >= SUPPORTED_MIN)
    .flatMap(({ further }) => further)
    .filter(({ signals }) => predict(fit, signals) >= SUPPORTED_MIN);
  return fitLowering(likely.map(({ signals, quote }) => ({ logit: logitOf(fit, signals), right: quote })));
}

/** Shares, 0-1: of the questions with an answer those rightly answered, of the others those answered, of all answers the right ones. */
interface Point {
  threshold: number;
  right: number;
  absent: number;
  leftOut: number;
  precision: number;
  prose: { right: number; absent: number };
}

function curveOf(stated: readonly Stated[]): Point[] {
  const of = (asked: Look["asked"], prose: boolean) => stated.filter(({ look }) => look.asked === asked && (look.set === XQUAD) === prose);
  const manuals = [...of("there", false), ...of("absent", false)];
  return Array.from({ length: Math.round(1 / THRESHOLD_STEP) }, (_, step) => {
    const threshold = step * THRESHOLD_STEP;
    const given = (one: Stated) => one.stated >= threshold;
    const right = (one: Stated) => given(one) && one.look.quote;
    return {
      threshold,
      right: share(of("there", false), right),
      absent: share(of("absent", false), given),
      leftOut: share(of("left out", false), given),
      precision: share(manuals.filter(given), ({ look }) => look.quote),
      prose: { right: share(of("there", true), right), absent: share(of("absent", true), given) },
    };
  });
}

function fitText(name: string, { intercept, weights }: Fit, all: readonly Stated[], reliability: Reliability): string {
  const label = name === "ANSWERS" ? "item" : "quote";
  const stated = all.filter(({ look }) => look.asked !== "left out");
  const sets = [...new Set(stated.map(({ look }) => look.set))];
  const aucOf = (own: typeof stated) =>
    auc(
      own.map((one) => one.stated),
      own.map(({ look }) => look[label]),
    );
  const rows = sets.map((set) => {
    const own = stated.filter(({ look }) => look.set === set);
    return [set, String(own.length), percent(share(own, ({ look }) => look[label])), figure(aucOf(own))];
  });
  const bins = reliability.bins.filter(({ count }) => count > 0);
  return [
    `### ${name}\n`,
    `\`{ intercept: ${intercept.toFixed(3)}, ${SIGNALS.map((signal, at) => `${signal}: ${weights[at]?.toFixed(3)}`).join(", ")} }\`\n`,
    table(["set", "questions", `${label} right`, "AUC"], rows),
    `AUC over all ${figure(aucOf(stated))}; calibration error ${figure(reliability.calibrationError)}, Brier score ${figure(reliability.brier)}.\n`,
    table(
      ["stated", "questions", "mean stated", "right"],
      bins.map(({ from, to, count, stated: mean, right }) => [`${from}-${to}`, String(count), percent(mean), percent(right)]),
    ),
  ].join("\n");
}

function curveText(curve: readonly Point[]): string {
  const rows = curve.map(({ threshold, prose, ...point }) => [
    threshold.toFixed(2),
    ...[point.right, point.absent, point.leftOut, point.precision, prose.right, prose.absent].map(percent),
  ]);
  const head = ["threshold", "manuals: first quote right", "absent answered", "left out answered", "right of all answers"];
  return table([...head, "XQuAD: right", "absent answered"], rows);
}
