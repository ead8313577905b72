/**
 * The weights of src/core/answer/calibration.ts: logistic regressions on the first item that the service finds for each
 * question of the tuning sets, and of XQuAD's tuning half with and without its paragraph. What is printed of them is
 * measured on the set that each was not fitted on.
 */
import type { Evidence } from "../../src/core/answer/evidence.ts";
import { SIGNALS } from "../../src/core/answer/calibration.ts";
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
/** What may be answered of what the manuals do not have. */
const ABSENT_MAX = 0.15;
const THRESHOLD_STEP = 0.01;

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
  const curve = curveOf((parts[1] as (typeof parts)[number]).stated.filter(({ look }) => look.set !== "xquad"));
  const chosen = curve.find(({ absent }) => absent <= ABSENT_MAX) ?? null;
  return {
    title: "Calibration",
    text: [
      `${looks.length} questions; each figure is of the set that was left out of the fit.\n`,
      ...parts.map(({ label, fit, stated, reliability }) => fitText(label === "item" ? "ANSWERS" : "SUPPORTED", fit, stated, reliability)),
      curveText(curve),
      chosen === null ? "No threshold leaves so little of what is absent." : `SUPPORTED_MIN: ${chosen.threshold.toFixed(2)}`,
    ].join("\n"),
    figures: { fits: Object.fromEntries(parts.map(({ label, fit, reliability }) => [label, { fit, reliability }])), curve, chosen },
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
    return first === undefined ? [] : [lookOf("xquad", absent, first, holds)];
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

/** What a fit on the other sets says of each look. */
function held(looks: readonly Look[], label: "item" | "quote"): { look: Look; stated: number }[] {
  return [...new Set(looks.map(({ set }) => set))].flatMap((set) => {
    const fit = fitted(
      looks.filter((look) => look.set !== set),
      label,
    );
    return looks.filter((look) => look.set === set).map((look) => ({ look, stated: predict(fit, look.signals) }));
  });
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

function curveText(curve: readonly Point[]): string {
  const rows = curve.filter((_, step) => step % 5 === 0);
  return table(
    ["threshold", "first quote right, manuals", "absent answered", "right of all answers"],
    rows.map(({ threshold, right, absent, precision }) => [threshold.toFixed(2), percent(right), percent(absent), percent(precision)]),
  );
}
