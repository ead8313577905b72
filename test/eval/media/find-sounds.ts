/** Text → sound: made sounds beside the demo's Units, asked for in everyday words; and where the leg of sounds should be silent. */
import { SOUND_COSINE_MIN, SOUND_SCORE_MIN } from "../../../src/core/search/features.ts";
import { contentLabels } from "../../../src/media/labels.ts";
import { share } from "../metrics.ts";
import { figure, percent, table } from "../report.ts";
import type { Stand } from "../stand.ts";
import { type Ask, askAll, type Asked, LabelLegs, ranks } from "./finding.ts";
import type { Part } from "./report.ts";
import { type SoundFile, things } from "./things.ts";

/** Sounds that are not there. The sound model has labels for the first half. */
const ABSENT = [
  "a cat meowing",
  "dogs barking",
  "a baby crying",
  "chainsaw in the forest",
  "applause after a concert",
  "a cow on the meadow",
  "violin solo",
  "trumpet fanfare",
  "toilet flush",
  "children laughing",
  "a horse trotting",
  "thunder",
  "a train passing by",
  "coins dropping",
  "somebody snoring",
  "invoice number 4711",
  "temperature limits of the bearing",
  "who signed the contract",
  "the colour of the roof",
  "minutes of the board meeting",
  "a recipe for pancakes",
  "travel expenses",
  "photograph of the bridge",
  "how to change the password",
  "population of Berlin",
  "the third amendment",
  "a map of the harbour",
  "list of spare parts",
  "the tallest building",
  "chemical formula of salt",
];
const COSINES = [0.6, 0.65, 0.68, 0.7, 0.72, 0.75, 0.8];
const SCORES = [0, 1, 1.5, 2, 2.5, 3, 4];
/** As in src/core/search/features.ts. */
const TEMPERATURE = 0.02;

/** A query by what the floors look at: how near the nearest label is, and the score of each file. */
interface Weighed {
  right: ReadonlySet<string>;
  nearest: number;
  /** Best first. */
  leg: { file: string; score: number }[];
}

/** The recipe without its floors. */
async function weigher(stand: Stand, scope: string): Promise<(q: string, right?: ReadonlySet<string>) => Promise<Weighed>> {
  const known = await contentLabels();
  if (known === null) throw new Error("this build has no models for sound");
  const { labels, vectors } = known.sound;
  const legs = await LabelLegs.open(stand, scope);
  return async (q, right = new Set()) => {
    const vector = await stand.vectorOf(q);
    const near = labels.map((_, label) => vector.reduce((sum, value, at) => sum + value * (vectors[label * vector.length + at] ?? 0), 0));
    const nearest = Math.max(...near);
    const heavy = near.map((cosine) => Math.exp((cosine - nearest) / TEMPERATURE));
    const total = heavy.reduce((sum, weight) => sum + weight, 0);
    const weights = heavy.map((weight, label) => ({ label, score: weight / total })).filter(({ score }) => score >= 0.001);
    return { right, nearest, leg: await legs.scored("sound", weights, 0, true) };
  };
}

interface Point {
  /** The right file is in the leg, and first in it. */
  found: number;
  first: number;
  /** The leg answers what is not there, and questions that are about no sound. */
  absent: number;
  questions: number;
}

interface Samples {
  present: Weighed[];
  absent: Weighed[];
  questions: Weighed[];
}

function pointOf({ present, absent, questions }: Samples, cosine: number, score: number): Point {
  const left = ({ nearest, leg }: Weighed) => (nearest < cosine ? [] : leg.filter((one) => one.score >= score));
  const answers = (one: Weighed) => left(one).length > 0;
  return {
    found: share(present, (one) => left(one).some(({ file }) => one.right.has(file))),
    first: share(present, (one) => one.right.has(left(one)[0]?.file ?? "")),
    absent: share(absent, answers),
    questions: share(questions, answers),
  };
}

function curveText(name: string, chosen: number, rows: readonly (Point & { at: number })[]): string {
  return table(
    [name, "right file in the leg", "first in the leg", "absent sounds answered", "questions of XQuAD answered"],
    rows.map(({ at, found, first, absent, questions }) => [
      `${at}${at === chosen ? " (chosen)" : ""}`,
      percent(found),
      percent(first),
      percent(absent),
      percent(questions),
    ]),
  );
}

/** Sounds of which the model heard what they are: a label of theirs with a mean score of at least this. */
const HEARD_MIN = 0.05;

async function recognised(stand: Stand, scope: string, sounds: readonly SoundFile[]): Promise<Set<string>> {
  const known = await contentLabels();
  const names = known?.sound.labels.map(({ name }) => name) ?? [];
  const legs = await LabelLegs.open(stand, scope);
  const own = new Set<string>();
  for (const { name, labels } of sounds) {
    const weights = labels.map((label) => ({ label: names.indexOf(label), score: 1 }));
    if (weights.some(({ label }) => label < 0)) throw new Error(`the sound model has no label ${labels.join(" or ")}`);
    if ((await legs.scored("sound", weights, HEARD_MIN, false)).some(({ file }) => file === name)) own.add(name);
  }
  return own;
}

function rowText(name: string, asked: readonly Asked[], card: string): string[] {
  const [whole, alone] = [ranks(asked.map((one) => one.whole)), ranks(asked.map((one) => one.alone))];
  return [name, String(whole.n), ...[whole, alone].flatMap(({ r1, r5, mrr }) => [figure(r1), figure(r5), figure(mrr)]), card];
}

export function soundsAsked(sounds: readonly SoundFile[]): Ask[] {
  return sounds.flatMap(({ name, phrases }) => phrases.map((q, at) => ({ q, sort: at === 0 ? "everyday phrase" : "name", right: new Set([name]) })));
}

/** `questions`: about texts, so that no sound answers them. */
export async function findSounds(stand: Stand, questions: readonly string[]): Promise<Part> {
  const { scope, sounds } = await things(stand);
  const asks = soundsAsked(sounds);
  const asked = await askAll(stand, scope, "sound", asks);
  const known = await recognised(stand, scope, sounds);
  const heard = asked.filter(({ right }) => [...right].some((file) => known.has(file)));
  const weigh = await weigher(stand, scope);
  const samples: Samples = { present: [], absent: [], questions: [] };
  for (const { q, right } of asks) samples.present.push(await weigh(q, right));
  for (const q of ABSENT) samples.absent.push(await weigh(q));
  for (const q of questions) samples.questions.push(await weigh(q));
  const cosines = COSINES.map((at) => ({ at, ...pointOf(samples, at, SOUND_SCORE_MIN) }));
  const scores = SCORES.map((at) => ({ at, ...pointOf(samples, SOUND_COSINE_MIN, at) }));
  const card = "R@1 0.822, R@5 0.911, MRR 0.859 (GCompris)";
  const bySort = (sort: string) => asked.filter((one) => one.sort === sort);
  const all = ranks(asked.map(({ whole }) => whole));
  const alone = ranks(heard.map((one) => one.alone));
  const chosen = pointOf(samples, SOUND_COSINE_MIN, SOUND_SCORE_MIN);
  return {
    title: "Text → sound",
    text: `${sounds.length} sounds; the model gives a right label to ${known.size} of them.\n\n${table(
      ["asked by", "queries", "whole search: R@1", "R@5", "MRR", "leg alone: R@1", "R@5", "MRR", "card"],
      [
        rowText("name", bySort("name"), card),
        rowText("everyday phrase", bySort("everyday phrase"), ""),
        rowText("**all**", asked, ""),
        rowText("all, of sounds that the model recognises", heard, ""),
      ],
    )}\nThe two floors of the leg, each varied while the other stays. ${ABSENT.length} absent sounds, ${questions.length} questions:\n\n${curveText("nearest label, cosine", SOUND_COSINE_MIN, cosines)}\n${curveText("score", SOUND_SCORE_MIN, scores)}`,
    lines: [
      { measured: "text → sound, R@1 / R@5 / MRR", value: [all.r1, all.r5, all.mrr].map(figure).join(" / "), card: "" },
      {
        measured: "text → sound, of recognised ones, leg alone",
        value: [alone.r1, alone.r5, alone.mrr].map(figure).join(" / "),
        card: "0.822 / 0.911 / 0.859 (GCompris)",
      },
      { measured: "questions about texts that get a sound", value: percent(chosen.questions), card: "" },
    ],
    figures: {
      sounds: sounds.length,
      recognised: known.size,
      unrecognised: sounds.filter(({ name }) => !known.has(name)).map(({ labels }) => labels[0]),
      all,
      heard: { whole: ranks(heard.map(({ whole }) => whole)), alone },
      cosines,
      scores,
      asked: asked.map(({ q, sort, right, whole, alone: leg }) => ({ q, sort, right: [...right], whole, alone: leg })),
    },
    bars: [],
  };
}
