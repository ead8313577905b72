/** Figures over judged questions: shares, the curve over the threshold, reliability. */
import { mean, percentile, share } from "../metrics.ts";
import type { Judged } from "./judge.ts";
import { NEEDS, type Need } from "./sets.ts";

/** Answers of at least this `nli_faithfulness` say that they are sure. */
export const SURE = 0.9;
const CURVE_STEP = 0.05;
const RELIABILITY_BINS = 10;

/** Shares are 0-1, times are medians in ms. */
export interface Figures {
  questions: number;
  absent: number;
  pageTop5: number;
  top1: number;
  top5: number;
  cited: number;
  first: number;
  mark: number;
  abstainedThoughThere: number;
  answeredThoughAbsent: number;
  /** Of everything that was answered, absent questions too: how often the first quote is right. */
  precision: number;
  /** Answers with a faithfulness of SURE or more; `share` is of all answers. */
  sure: { answers: number; right: number; absent: number; precision: number; share: number };
  /** Of the surest third of all questions, answered or not: how many first quotes are right. */
  surestThird: { questions: number; right: number };
  answerMs: number;
  abstentionMs: number;
  searchMs: number;
  byNeeds: Partial<Record<Need, { questions: number; top5: number; cited: number; first: number; answered: number }>>;
}

export function figuresOf(rows: readonly Judged[]): Figures {
  const there = rows.filter(({ absent }) => !absent);
  const absent = rows.filter((row) => row.absent);
  const answered = rows.filter((row) => row.answered);
  const sure = answered.filter(({ faithfulness }) => (faithfulness ?? 0) >= SURE);
  const surest = bySureness(answered).slice(0, Math.round(rows.length / 3));
  const median = (of: readonly Judged[]) =>
    percentile(
      of.map(({ answerMs }) => answerMs),
      50,
    );
  return {
    questions: there.length,
    absent: absent.length,
    pageTop5: share(there, ({ pageTop5 }) => pageTop5),
    top1: mean(there.map(({ top1 }) => top1)),
    top5: mean(there.map(({ top5 }) => top5)),
    cited: mean(there.map(({ cited }) => cited)),
    first: share(there, ({ firstRight }) => firstRight),
    mark: share(there, ({ markRight }) => markRight),
    abstainedThoughThere: share(there, (row) => !row.answered),
    answeredThoughAbsent: share(absent, (row) => row.answered),
    precision: share(answered, ({ firstRight }) => firstRight),
    sure: {
      answers: sure.length,
      right: sure.filter(({ firstRight }) => firstRight).length,
      absent: sure.filter((row) => row.absent).length,
      precision: share(sure, ({ firstRight }) => firstRight),
      share: sure.length / Math.max(1, answered.length),
    },
    surestThird: { questions: Math.round(rows.length / 3), right: surest.filter(({ firstRight }) => firstRight).length },
    answerMs: median(answered),
    abstentionMs: median(rows.filter((row) => !row.answered)),
    searchMs: percentile(
      rows.map(({ searchMs }) => searchMs),
      50,
    ),
    byNeeds: byNeeds(there),
  };
}

function bySureness(rows: readonly Judged[]): Judged[] {
  return [...rows].sort((a, b) => b.sureness - a.sureness);
}

function byNeeds(there: readonly Judged[]): Figures["byNeeds"] {
  const lines = NEEDS.map((need) => {
    const own = there.filter(({ needs }) => needs === need);
    const figures = {
      questions: own.length,
      top5: mean(own.map(({ top5 }) => top5)),
      cited: mean(own.map(({ cited }) => cited)),
      first: share(own, ({ firstRight }) => firstRight),
      answered: share(own, ({ answered }) => answered),
    };
    return [need, figures] as const;
  });
  return Object.fromEntries(lines.filter(([, { questions }]) => questions > 0));
}

/** What would be answered, and rightly, if less sure answers were withheld. Shares 0-1. */
export interface CurvePoint {
  threshold: number;
  /** Of the questions with gold. */
  answered: number;
  first: number;
  /** Of the absent ones. */
  absentAnswered: number;
  /** Of all answers, how many are right. */
  precision: number;
}

/** The service's own threshold is below all of it: what it withheld is answered nowhere. */
export function curveOf(rows: readonly Judged[]): CurvePoint[] {
  const there = rows.filter(({ absent }) => !absent);
  const absent = rows.filter((row) => row.absent);
  const points = Math.round(1 / CURVE_STEP);
  return Array.from({ length: points }, (_, at) => {
    const threshold = at / points;
    const given = ({ answered, sureness }: Judged) => answered && sureness >= threshold;
    return {
      threshold,
      answered: share(there, given),
      first: share(there, (row) => given(row) && row.firstRight),
      absentAnswered: share(absent, given),
      precision: share(rows.filter(given), ({ firstRight }) => firstRight),
    };
  });
}

/** A probability that was stated, and what came of it. */
export interface Stated {
  stated: number;
  right: boolean;
}

export interface ReliabilityBin {
  from: number;
  to: number;
  count: number;
  /** Means over the bin, 0-1. */
  stated: number;
  right: number;
}

export interface Reliability {
  count: number;
  /** Mean distance of what was stated from what came of it, by bins weighed by their counts (ECE), 0-1. */
  calibrationError: number;
  /** Mean square of the distance, one by one, 0-1. */
  brier: number;
  bins: ReliabilityBin[];
}

export function reliabilityOf(all: readonly Stated[]): Reliability {
  const binOf = ({ stated }: Stated) => Math.min(RELIABILITY_BINS - 1, Math.max(0, Math.floor(stated * RELIABILITY_BINS)));
  const bins = Array.from({ length: RELIABILITY_BINS }, (_, at) => {
    const own = all.filter((one) => binOf(one) === at);
    return {
      from: at / RELIABILITY_BINS,
      to: (at + 1) / RELIABILITY_BINS,
      count: own.length,
      stated: mean(own.map(({ stated }) => stated)),
      right: share(own, ({ right }) => right),
    };
  });
  const weighed = bins.map(({ count, stated, right }) => count * Math.abs(stated - right)).reduce((sum, one) => sum + one, 0);
  return {
    count: all.length,
    calibrationError: weighed / Math.max(1, all.length),
    brier: mean(all.map(({ stated, right }) => (stated - (right ? 1 : 0)) ** 2)),
    bins,
  };
}

/**
 * What answers state of themselves against what came of it: a claim is right when a quote of it holds gold, an answer
 * when its first quote does. Null: the service stated it of nothing.
 */
export function reliabilities(rows: readonly Judged[]): Record<"score" | "answers" | "faithfulness", Reliability | null> {
  const claims = rows.flatMap(({ claims: own, claimsRight }) => own.map((claim, at) => ({ ...claim, right: claimsRight[at] === true })));
  const stated = (pairs: readonly { stated: number | null; right: boolean }[]) => {
    const known = pairs.filter((pair): pair is Stated => pair.stated !== null);
    return known.length === 0 ? null : reliabilityOf(known);
  };
  return {
    score: stated(claims.map(({ score, right }) => ({ stated: score, right }))),
    answers: stated(claims.map(({ answers, right }) => ({ stated: answers, right }))),
    faithfulness: stated(
      rows.filter(({ answered }) => answered).map(({ faithfulness, firstRight }) => ({ stated: faithfulness, right: firstRight })),
    ),
  };
}
