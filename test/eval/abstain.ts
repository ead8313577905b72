/**
 * Abstention: the same questions with their paragraph in the corpus and with it left out. Left out, there is nothing
 * to answer from, save where another paragraph says the same.
 */
import { SUPPORTED_MIN } from "../../src/core/answer/evidence.ts";
import { caseOf, citesPlace, citesWords, isAnswered, ofHalf } from "./answers.ts";
import type { Asked, Bench } from "./bench.ts";
import { auc, balancedAccuracy, share } from "./metrics.ts";
import { bar, figure, type Measured, percent, table, target } from "./report.ts";

const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** The confidence of the best evidence, over all rounds. */
function confidence({ result }: Asked): number {
  return Math.max(0, ...(result.trace.rounds ?? []).map(({ best }) => best ?? 0));
}

export async function abstain(bench: Bench): Promise<Measured> {
  const present = await bench.answers();
  const absent = await bench.answersWithout();
  const right = present.filter(isAnswered);
  const wrong = absent.filter(isAnswered);
  const figures = {
    n: present.length,
    present: { answered: share(present, isAnswered), precision: share(right, citesPlace) },
    absent: { answered: share(absent, isAnswered), elsewhere: share(wrong, citesWords) },
    abstainsReporting: 1 - share(absent.filter(ofHalf("reporting")), isAnswered),
    balancedAccuracy: balancedAccuracy(share(present, isAnswered), 1 - share(absent, isAnswered)),
    auc: auc([...present, ...absent].map(confidence), [...present.map(() => true), ...absent.map(() => false)]),
    threshold: SUPPORTED_MIN,
    curve: curveOf(present, absent),
  };
  const rows = [
    [
      "in the corpus",
      percent(figures.present.answered),
      percent(1 - figures.present.answered),
      `${percent(figures.present.precision)} cite the answer's place`,
    ],
    [
      "left out",
      percent(figures.absent.answered),
      percent(1 - figures.absent.answered),
      `${percent(figures.absent.elsewhere)} cite its words elsewhere`,
    ],
  ];
  return {
    title: "Abstention",
    text: `${present.length} questions, by \`POST /v1/answer\`.\n\n${table(
      ["its paragraph is", "answered", "abstained", "of those answered"],
      rows,
    )}\nBalanced accuracy ${figure(figures.balancedAccuracy)}, AUC of the confidence ${figure(figures.auc)}.\n\n${curveText(figures.curve)}`,
    figures,
    bars: [
      bar("questions, answers and abstains rightly (balanced)", figures.balancedAccuracy, 0.5, "either always"),
      target("questions of the reporting half, abstains without their paragraph", figures.abstainsReporting, 0.8),
    ],
    cases: [...present.map((one) => ({ paragraph: "present", ...caseOf(one) })), ...absent.map((one) => ({ paragraph: "absent", ...caseOf(one) }))],
  };
}

interface Point {
  threshold: number;
  answeredPresent: number;
  answeredAbsent: number;
  balancedAccuracy: number;
}

function curveOf(present: readonly Asked[], absent: readonly Asked[]): Point[] {
  const thresholds = [...new Set([...THRESHOLDS, SUPPORTED_MIN])].sort((a, b) => a - b);
  return thresholds.map((threshold) => {
    const answeredPresent = share(present, (one) => confidence(one) >= threshold);
    const answeredAbsent = share(absent, (one) => confidence(one) >= threshold);
    return { threshold, answeredPresent, answeredAbsent, balancedAccuracy: balancedAccuracy(answeredPresent, 1 - answeredAbsent) };
  });
}

function curveText(curve: readonly Point[]): string {
  const rows = curve.map((point) => [
    `${point.threshold}${point.threshold === SUPPORTED_MIN ? " (chosen)" : ""}`,
    percent(point.answeredPresent),
    percent(point.answeredAbsent),
    figure(point.balancedAccuracy),
  ]);
  return `By the threshold on the confidence of the best evidence, the highest of all rounds. A round that reaches the chosen threshold is the last, so higher ones would search further and answer somewhat more than this:\n\n${table(
    ["threshold", "confident, paragraph there", "confident, left out", "balanced accuracy"],
    rows,
  )}`;
}
