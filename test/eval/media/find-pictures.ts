/** Text → picture: drawn pictures beside the demo's Units, asked for by name, synonym, kind and everyday words. */
import { PICTURE_SCORE_MIN } from "../../../src/core/search/features.ts";
import { type PictureLabel, pictureLabels } from "../../../src/media/labels.ts";
import { mean, share } from "../metrics.ts";
import { figure, percent, table } from "../report.ts";
import type { Stand } from "../stand.ts";
import { type Ask, askAll, type Asked, CHOSEN, cutTo, fidelity, LabelLegs, ranks, refused } from "./finding.ts";
import { exactly, type Part } from "./report.ts";
import { type DrawnFile, things } from "./things.ts";

const SYNONYMS_MAX = 2;
const WEIGHTS = [0, 1, 1.5, 2, 2.5, 3];
const SHARES = [0, 0.05, 0.1, 0.2, 0.4];

/** What none of the pictures shows, and no label means. */
const ABSENT = [
  "invoice for office supplies",
  "a handshake after the signing",
  "giraffe",
  "octopus",
  "unicorn",
  "skyscrapers of a big city",
  "x-ray of a broken leg",
  "passport",
  "map of the world",
  "periodic table of elements",
  "sheet of music",
  "fireworks over the harbour",
  "rainbow",
  "eclipse of the moon",
  "surfboard",
  "a judge in court",
  "dentist",
  "flooded street",
  "bar chart of sales",
  "ballerina",
  "chess board",
  "sushi",
  "tomatoes",
  "ferris wheel",
  "solar panels on a field",
  "wind turbine",
  "a baby asleep",
  "graffiti on a train",
  "family at dinner",
  "blueprint of a house",
];

function comparable(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}

export async function pictureLabelsByName(): Promise<Map<string, PictureLabel>> {
  return new Map((await pictureLabels()).map((label) => [label.name, label]));
}

/** The name, synonyms, everyday words and riddles of each picture, and what each is a kind of. */
export function picturesAsked(pictures: readonly DrawnFile[], labels: ReadonlyMap<string, PictureLabel>): Ask[] {
  const labelOf = ({ label }: DrawnFile) => {
    const known = labels.get(label);
    if (known === undefined) throw new Error(`the classifier has no label ${label}`);
    return known;
  };
  const asks = pictures.flatMap((picture): Ask[] => {
    const { name, synonyms } = labelOf(picture);
    const right = new Set([picture.name]);
    const others = synonyms.filter((synonym) => comparable(synonym) !== comparable(name)).slice(0, SYNONYMS_MAX);
    const as = (sort: string) => (q: string) => ({ q, sort, right });
    return [as("name")(name), ...others.map(as("synonym")), as("everyday words")(picture.everyday), ...picture.riddles.map(as("riddle"))];
  });
  const kinds = new Set(pictures.map((picture) => labelOf(picture).hypernyms[0]?.[0] ?? "").filter((kind) => kind !== ""));
  const kindOf = (kind: string) => pictures.filter((picture) => labelOf(picture).hypernyms.some((words) => words.includes(kind)));
  return [...asks, ...[...kinds].map((kind) => ({ q: kind, sort: "kind (hypernym)", right: new Set(kindOf(kind).map(({ name }) => name)) }))];
}

/** Files of which the classifier kept a right label, over the floor of the recipe. */
async function recognised(
  stand: Stand,
  scope: string,
  pictures: readonly DrawnFile[],
  labels: ReadonlyMap<string, PictureLabel>,
): Promise<Set<string>> {
  const legs = await LabelLegs.open(stand, scope);
  const own = new Set<string>();
  for (const { name, label, also = [] } of pictures) {
    const weights = [label, ...also].map((word) => ({ label: labels.get(word)?.index ?? -1, score: 1 }));
    if ((await legs.scored("picture", weights, PICTURE_SCORE_MIN, false)).some(({ file }) => file === name)) own.add(name);
  }
  return own;
}

const CARD: Record<string, string> = {
  name: "R@1 0.922 (photos)",
  synonym: "R@1 0.928 (photos)",
  "kind (hypernym)": "R@1 0.971 (photos)",
  "everyday words": "R@1 0.717, R@10 0.880 (60 by hand, photos)",
};

interface Row {
  name: string;
  card: string;
  asked: readonly Asked[];
}

function rowText({ name, card, asked }: Row): string[] {
  const [whole, alone] = [ranks(asked.map((one) => one.whole)), ranks(asked.map((one) => one.alone))];
  return [name, String(whole.n), ...[whole, alone].flatMap(({ r1, r5, mrr }) => [figure(r1), figure(r5), figure(mrr)]), card];
}

/** One table for both choices: each is varied while the other stays. */
function choices(asked: readonly Asked[]) {
  const at = (weight: number, least: number) => ranks(asked.map((one) => refused(one, { weight, share: least })));
  return {
    weights: WEIGHTS.map((weight) => ({ weight, ...at(weight, CHOSEN.share) })),
    shares: SHARES.map((least) => ({
      share: least,
      shown: mean(asked.map(({ legs }) => cutTo(legs.picture, least).length)),
      ...at(CHOSEN.weight, least),
    })),
  };
}

function choiceText({ weights, shares }: ReturnType<typeof choices>): string {
  const mark = (value: number, chosen: number) => `${value}${value === chosen ? " (chosen)" : ""}`;
  const cells = ({ r1, r5, mrr }: { r1: number; r5: number; mrr: number }) => [figure(r1), figure(r5), figure(mrr)];
  return [
    table(
      ["weight of a leg of labels", "R@1", "R@5", "MRR"],
      weights.map((row) => [mark(row.weight, CHOSEN.weight), ...cells(row)]),
    ),
    table(
      ["kept of a leg, by its best", "R@1", "R@5", "MRR", "pictures in the leg"],
      shares.map((row) => [mark(row.share, CHOSEN.share), ...cells(row), row.shown.toFixed(2)]),
    ),
  ].join("\n");
}

/** `questions`: about texts, so that no picture answers them. */
export async function findPictures(stand: Stand, questions: readonly string[]): Promise<Part> {
  const { scope, pictures } = await things(stand);
  const labels = await pictureLabelsByName();
  const asked = await askAll(stand, scope, "picture", picturesAsked(pictures, labels));
  const known = await recognised(stand, scope, pictures, labels);
  const seen = asked.filter(({ right }) => [...right].some((file) => known.has(file)));
  const absent = await askAll(
    stand,
    scope,
    "picture",
    ABSENT.map((q) => ({ q, sort: "absent", right: new Set<string>() })),
  );
  const index = await LabelLegs.open(stand, scope);
  const matched = (await Promise.all(ABSENT.map((q) => index.leg("picture", q)))).filter((leg) => leg !== null).length;
  const intruded = (await Promise.all(questions.map((q) => index.leg("picture", q)))).filter((leg) => leg !== null && leg.length > 0).length;
  const sorts = [...new Set(asked.map(({ sort }) => sort))];
  const rows: Row[] = [
    ...sorts.map((sort) => ({ name: sort, card: CARD[sort] ?? "", asked: asked.filter((one) => one.sort === sort) })),
    { name: "**all**", card: "", asked },
    { name: "all, of pictures that the classifier recognises", card: "", asked: seen },
  ];
  const answered = absent.filter((one) => one.answered).length;
  const tuned = choices(asked);
  const figures = Object.fromEntries(
    rows.map((row) => [
      row.name.replaceAll("*", ""),
      { whole: ranks(row.asked.map(({ whole }) => whole)), alone: ranks(row.asked.map(({ alone }) => alone)) },
    ]),
  );
  const phrases = ranks(asked.filter(({ sort }) => sort === "everyday words").map(({ whole }) => whole));
  const names = ranks(asked.filter(({ sort }) => sort === "name").map(({ whole }) => whole));
  const same = fidelity(asked);
  return {
    title: "Text → picture",
    text: `${pictures.length} drawings; the classifier keeps a right label for ${known.size} of them.\n\n${table(
      ["asked by", "queries", "whole search: R@1", "R@5", "MRR", "leg alone: R@1", "R@5", "MRR", "card"],
      rows.map(rowText),
    )}\nOf ${ABSENT.length} absent things ${matched} match a label (card: 7 of 30), and for ${answered} the leg shows a picture. Of ${questions.length} questions about texts (XQuAD) ${intruded} get a picture.\n\n${choiceText(tuned)}\nThe fusion was done again from what \`explain\` tells; at the chosen values it gives the service's own rank for ${percent(same)} of the queries.\n`,
    lines: [
      { measured: "text → picture, names, R@1", value: figure(names.r1), card: "0.922 (leg alone, photos)" },
      {
        measured: "text → picture, everyday words, R@1 / R@5",
        value: `${figure(phrases.r1)} / ${figure(phrases.r5)}`,
        card: "R@1 0.717, R@10 0.880 (leg alone, photos)",
      },
      { measured: "absent things that match a picture label", value: `${matched} of ${ABSENT.length}`, card: "7 of 30" },
      { measured: "questions about texts that get a picture", value: `${intruded} of ${questions.length}`, card: "" },
    ],
    figures: {
      drawings: pictures.length,
      recognised: known.size,
      unrecognised: pictures.filter(({ name }) => !known.has(name)).map(({ label }) => label),
      ranks: figures,
      absent: { matched, answered, queries: absent.filter((one) => one.answered).map(({ q, legs }) => ({ q, leg: legs.picture.slice(0, 3) })) },
      choices: tuned,
      fidelity: same,
      intruded: { questions: questions.length, answered: intruded },
      missed: share(asked, ({ whole }) => whole === 0),
      asked: asked.map(({ q, sort, right, whole, alone }) => ({ q, sort, right: [...right], whole, alone })),
    },
    bars: [exactly("fusion done again gives the service's ranks, text → picture", same, 1)],
  };
}
