/**
 * The weights of src/core/answer/evidence.ts: logistic regressions on the first item that the service finds for each
 * question of the tuning sets, and of XQuAD's tuning half with and without its paragraph. What is printed of them is
 * measured on the tenth that each was not fitted on.
 */
import { type Evidence, SIGNALS } from "../../src/core/answer/evidence.ts";
import { type Bench, K } from "./bench.ts";
import type { Question } from "./data.ts";
import { type Fit, fitLogistic, predict } from "./logistic.ts";
import { type Reliability, reliabilityOf } from "./manuals/figures.ts";
import { takeInPages } from "./manuals/manuals.ts";
import { places, type SetQuestion, TUNING_SETS } from "./manuals/sets.ts";
import { auc, share } from "./metrics.ts";
import { figure, type Measured, percent, table } from "./report.ts";
import { lanes } from "./work.ts";

/** Of XQuAD's tuning half every so many-th question is asked, so that prose does not outweigh the manuals. */
const XQUAD_STEP = 4;
/** What may be answered of what the manuals do not have, and of XQuAD's questions without their paragraph. */
const ABSENT_MAX = { manuals: 0.15, xquad: 0.2 };
const FOLDS = 10;
const THRESHOLD_STEP = 0.01;

/** The name of XQuAD's questions among the sets. */
const XQUAD = "xquad";

/** The first item for a question. */
interface Look {
  set: string;
  absent: boolean;
  signals: number[];
  /** Whether the item, and its quote, hold the answer. */
  item: boolean;
  quote: boolean;
}

export async function calibrate(bench: Bench): Promise<Measured> {
  const looks = [...(await manualLooks(bench)), ...(await xquadLooks(bench))];
  const parts = (["item", "quote"] as const).map((label) => {
    const fit = fitted(looks, label);
    const stated = held(looks, label);
    return { label, fit, stated, reliability: reliabilityOf(stated.map(({ stated: p, look }) => ({ stated: p, right: look[label] }))) };
  });
  const { stated } = parts[1] as (typeof parts)[number];
  const manuals = curveOf(stated.filter(({ look }) => look.set !== XQUAD));
  const xquad = curveOf(stated.filter(({ look }) => look.set === XQUAD));
  const at = manuals.findIndex((point, index) => point.absent <= ABSENT_MAX.manuals && (xquad[index] as Point).absent <= ABSENT_MAX.xquad);
  const chosen = manuals[at]?.threshold ?? null;
  return {
    title: "Calibration",
    text: [
      `${looks.length} questions; each figure is of the tenth that was left out of the fit.\n`,
      ...parts.map(({ label, fit, stated, reliability }) => fitText(label === "item" ? "ANSWERS" : "SUPPORTED", fit, stated, reliability)),
      curveText(manuals, xquad),
      chosen === null ? "No threshold leaves so little of what is absent." : `SUPPORTED_MIN: ${chosen.toFixed(2)}`,
    ].join("\n"),
    figures: { fits: Object.fromEntries(parts.map(({ label, fit, reliability }) => [label, { fit, reliability }])), manuals, xquad, chosen },
    bars: [],
    cases: looks.map((look) => ({ ...look })),
  };
}

async function manualLooks(bench: Bench): Promise<Look[]> {
  const looks: Look[] = [];
  for (const manual of bench.manuals.filter(({ name }) => TUNING_SETS.includes(name))) {
    const scope = await takeInPages(bench.stand, manual);
    const look = async (question: SetQuestion) => {
      const [first] = await bench.stand.evidence(scope, { q: question.q, top_k: K });
      const holds = (text: string) => !question.absent && places(question.gold, text).some(Boolean);
      return first === undefined ? [] : [lookOf(manual.name, question.absent ?? false, first, holds)];
    };
    looks.push(...(await lanes(`${manual.name}: ${manual.questions.length} questions`, manual.questions, look)).flat());
  }
  return looks;
}

async function xquadLooks(bench: Bench): Promise<Look[]> {
  const { corpus, questions } = await bench.indexedQuestions();
  const own = questions.filter(({ half }) => half === "tuning").filter((_, index) => index % XQUAD_STEP === 0);
  const look = async ({ question, doc_id, answers }: Question, absent: boolean) => {
    const body = { q: question, top_k: K, ...(absent ? { filters: { doc_id: { $ne: doc_id } } } : {}) };
    const [first] = await bench.stand.evidence(corpus.scope, body);
    const holds = (text: string) => first?.unit.doc_id === doc_id && answers.some((answer) => text.includes(answer.text));
    return first === undefined ? [] : [lookOf(XQUAD, absent, first, holds)];
  };
  const there = await lanes("xquad", own, (question) => look(question, false));
  const absent = await lanes("xquad without the paragraph", own, (question) => look(question, true));
  return [...there, ...absent].flat();
}

function lookOf(set: string, absent: boolean, { signals, unit, text, quote }: Evidence, holds: (text: string) => boolean): Look {
  const quoted = (unit.text ?? "").slice(quote.start, quote.end);
  return { set, absent, signals: SIGNALS.map((name) => signals[name]), item: holds(text), quote: holds(quoted) };
}

function fitted(looks: readonly Look[], label: "item" | "quote"): Fit {
  return fitLogistic(looks.map((look) => ({ signals: look.signals, right: look[label] })));
}

/** What a fit on the other folds says of each look. */
function held(looks: readonly Look[], label: "item" | "quote"): { look: Look; stated: number }[] {
  const foldOf = (index: number) => index % FOLDS;
  const fits = Array.from({ length: FOLDS }, (_, fold) =>
    fitted(
      looks.filter((_look, index) => foldOf(index) !== fold),
      label,
    ),
  );
  return looks.map((look, index) => ({ look, stated: predict(fits[foldOf(index)] as Fit, look.signals) }));
}

interface Point {
  threshold: number;
  /** Shares, 0-1: of the questions with an answer those rightly answered, of the others those answered, of all answers the right ones. */
  right: number;
  absent: number;
  precision: number;
}

function curveOf(stated: readonly { look: Look; stated: number }[]): Point[] {
  const there = stated.filter(({ look }) => !look.absent);
  const absent = stated.filter(({ look }) => look.absent);
  return Array.from({ length: Math.round(1 / THRESHOLD_STEP) }, (_, step) => {
    const threshold = step * THRESHOLD_STEP;
    const given = (one: { stated: number }) => one.stated >= threshold;
    return {
      threshold,
      right: share(there, (one) => given(one) && one.look.quote),
      absent: share(absent, given),
      precision: share(stated.filter(given), ({ look }) => look.quote),
    };
  });
}

function fitText(name: string, { intercept, weights }: Fit, stated: readonly { look: Look; stated: number }[], reliability: Reliability): string {
  const label = name === "ANSWERS" ? "item" : "quote";
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

function curveText(manuals: readonly Point[], xquad: readonly Point[]): string {
  const rows = manuals.flatMap(({ threshold, ...point }, step) => {
    const prose = xquad[step] as Point;
    return step % 5 === 0 ? [[threshold.toFixed(2), ...[point.right, point.absent, point.precision, prose.right, prose.absent].map(percent)]] : [];
  });
  return table(["threshold", "manuals: first quote right", "absent answered", "right of all answers", "XQuAD: right", "absent answered"], rows);
}
