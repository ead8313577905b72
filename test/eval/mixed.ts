/** Manuals, pictures and sounds in one place: whether each is still found among the others, by what a leg of labels counts. */
import type { Bench } from "./bench.ts";
import { pictureLabelsByName, picturesAsked } from "./media/find-pictures.ts";
import { soundsAsked } from "./media/find-sounds.ts";
import { type Ask, type Asked, CHOSEN, fusedAgain, LabelLegs, legsOf, refused } from "./media/finding.ts";
import { startPixels } from "./media/pixels.ts";
import { things } from "./media/things.ts";
import { placesShare } from "./manuals/judge.ts";
import { takeInPages } from "./manuals/manuals.ts";
import type { Gold } from "./manuals/sets.ts";
import { mean, share } from "./metrics.ts";
import { figure, type Measured, percent, table } from "./report.ts";
import { lanes } from "./work.ts";

/** The scope above all that is measured. */
const EVERYTHING = "eval";
const WEIGHTS = [0, 1, 1.5, 1.8, 1.9, 2, 2.5];
const TOP = 5;

type Legs = Pick<Asked, "hits" | "legs">;

/** Of what was asked for, by weight: the share that has what is right first, and among the first five. */
interface Row {
  name: string;
  n: number;
  found: { weight: number; first: number; top: number }[];
  /** Questions for which a leg of labels gives anything at all. */
  labelled: number;
}

export async function mixed({ stand, manuals }: Bench): Promise<Measured> {
  await startPixels();
  const { pictures, sounds } = await things(stand);
  for (const manual of manuals) await takeInPages(stand, manual);
  const labels = await LabelLegs.open(stand, EVERYTHING);
  const fusable = async (q: string): Promise<Legs> => {
    const { explained, legs } = await legsOf(stand, labels, EVERYTHING, q);
    return { hits: explained, legs };
  };
  const questions = manuals.flatMap((manual) => manual.questions.flatMap((one) => (one.absent ? [] : [one])));
  const asked = await lanes(`${questions.length} questions`, questions, async ({ q, gold }) => ({ gold, ...(await fusable(q)) }));
  const files = { pictures: picturesAsked(pictures, await pictureLabelsByName()), sounds: soundsAsked(sounds) };
  const rows = [
    rowOf("questions on manuals", asked, (one, weight) => textsFound(one, weight)),
    ...(await Promise.all(
      Object.entries(files).map(async ([name, asks]) => {
        const found = await lanes(`${name}: ${asks.length} queries`, asks, async (ask: Ask) => ({ ...ask, ...(await fusable(ask.q)) }));
        return rowOf(name, found, fileFound);
      }),
    )),
  ];
  return {
    title: "Manuals, pictures and sounds in one place",
    text: textOf(rows),
    figures: Object.fromEntries(rows.map(({ name, ...row }) => [name, row])),
    bars: [],
  };
}

/** Whether what is right is first, and in the top five, 0-1. */
interface Found {
  first: number;
  top: number;
}

function textsFound(one: Legs & { gold: Gold }, weight: number): Found {
  const texts = new Map(one.hits.map(({ unit_id, text }) => [unit_id, text]));
  const ordered = fusedAgain(one, { ...CHOSEN, weight }).map(({ unit_id }) => texts.get(unit_id) ?? "");
  return { first: placesShare(one.gold, ordered.slice(0, 1)), top: placesShare(one.gold, ordered.slice(0, TOP)) };
}

function fileFound(one: Legs & Ask, weight: number): Found {
  const rank = refused(one, { ...CHOSEN, weight });
  return { first: rank === 1 ? 1 : 0, top: rank >= 1 && rank <= TOP ? 1 : 0 };
}

function rowOf<T extends Legs>(name: string, asked: readonly T[], found: (one: T, weight: number) => Found): Row {
  return {
    name,
    n: asked.length,
    labelled: share(asked, ({ legs }) => legs.picture.length + legs.sound.length > 0),
    found: WEIGHTS.map((weight) => {
      const each = asked.map((one) => found(one, weight));
      return { weight, first: mean(each.map(({ first }) => first)), top: mean(each.map(({ top }) => top)) };
    }),
  };
}

function textOf(rows: readonly Row[]): string {
  const head = ["weight of a leg of labels", ...rows.flatMap(({ name, n }) => [`${name} (${n}): first`, "top 5"])];
  const lines = WEIGHTS.map((weight, at) => [
    `${weight}${weight === CHOSEN.weight ? " (chosen)" : ""}`,
    ...rows.flatMap(({ found }) => [figure(found[at]?.first ?? 0), figure(found[at]?.top ?? 0)]),
  ]);
  const labelled = rows.map(({ name, labelled: part }) => `${percent(part)} of ${name}`).join(", ");
  return `${table(head, lines)}\nNothing is reranked. A leg of labels gives something for ${labelled}.\n`;
}
