/**
 * Languages: whether a question finds its own paragraph in a namespace of its language, by vectors, words and both, and what
 * its answer quotes. XQuAD in a language (`xquad.LANGUAGE.json` of --xquad) where it is there, else eight paragraphs and
 * sixteen questions of our own, which show that a language works and are too few to compare. XQuAD in English, in a namespace of
 * `any` language, measures what the other languages use: model, words without a stemmer, threshold.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES, type Language } from "../../src/text/language.ts";
import type { Bench } from "./bench.ts";
import { type Corpus, corpusOf, type Doc, type Half, loadXquad, xquadLanguages } from "./data.ts";
import { auc, mean, reciprocalRank, share } from "./metrics.ts";
import { figure, type Measured, percent, table, target } from "./report.ts";
import type { Stand, WireResult } from "./stand.ts";
import { lanes } from "./work.ts";

const OWN = join(import.meta.dir, "languages");
const MODES = ["vector", "fulltext", "hybrid"] as const;
const K = 10;
/** Questions of XQuAD that are asked for an answer, spread over all, since each is encoded with twenty sentences, twice. */
const ANSWERED_MAX = 40;

interface Asked {
  question: string;
  doc_id: string;
  answers: string[];
  half: Half;
}

interface LanguageSet {
  name: string;
  language: Language;
  corpus: Corpus<Doc>;
  questions: Asked[];
  own: boolean;
}

type Ranks = Record<(typeof MODES)[number], { r1: number; r5: number; mrr: number }>;

interface Figures {
  questions: number;
  paragraphs: number;
  ranks: Ranks;
  answers: { asked: number; quoted: number; answered: number; answeredWithout: number; auc: number };
}

export async function languages(bench: Bench): Promise<Measured> {
  const figures: Record<string, Figures> = {};
  for (const set of await setsOf(bench)) figures[set.name] = await measure(await bench.stand.inLanguage(set.language), set);
  const english = figures["any (XQuAD en, reporting)"];
  return { title: "Languages", text: textOf(figures), figures, bars: english === undefined ? [] : barsOf(english) };
}

async function setsOf(bench: Bench): Promise<LanguageSet[]> {
  const sets: LanguageSet[] = [];
  const { questions: english } = bench;
  for (const half of ["tuning", "reporting"] as const) sets.push(ofXquad("any", "en", english, half));
  const translated = xquadLanguages(english.folder);
  for (const language of LANGUAGES) {
    if (!translated.includes(language)) continue;
    const found = await loadXquad(english.folder, Number.POSITIVE_INFINITY, `xquad.${language}.json`);
    for (const half of ["tuning", "reporting"] as const) sets.push(ofXquad(language, language, found, half));
  }
  for (const file of readdirSync(OWN).sort()) {
    const language = LANGUAGES.find((one) => `${one}.json` === file);
    if (language !== undefined && !translated.includes(language)) sets.push(await ownSet(language, file));
  }
  return sets;
}

/** The paragraphs of one half of the articles, and their questions. */
function ofXquad(language: Language, of: string, { corpus, questions }: Awaited<ReturnType<typeof loadXquad>>, half: Half): LanguageSet {
  const asked = questions.filter((one) => one.half === half);
  const articles = new Set(asked.map(({ doc_id }) => articleOf(doc_id)));
  const docs = corpus.docs.filter(({ doc_id }) => articles.has(articleOf(doc_id)));
  const plain = asked.map(({ question, doc_id, answers }) => ({ question, doc_id, answers: answers.map(({ text }) => text), half }));
  return { name: `${language} (XQuAD ${of}, ${half})`, language, corpus: corpusOf(`xquad-${of}-${half}`, docs), questions: plain, own: false };
}

function articleOf(doc_id: string): string {
  return doc_id.replace(/-paragraph-.*$/, "");
}

async function ownSet(language: Language, file: string): Promise<LanguageSet> {
  const paragraphs = (await Bun.file(join(OWN, file)).json()) as { text: string; questions: [string, string][] }[];
  const docs = paragraphs.map(({ text }, index) => ({ doc_id: `p${index}`, text }));
  const questions = paragraphs.flatMap((one, index) =>
    one.questions.map(([question, answer]): Asked => ({ question, doc_id: `p${index}`, answers: [answer], half: "reporting" })),
  );
  return { name: `${language} (our own)`, language, corpus: corpusOf(`own-${language}`, docs), questions, own: true };
}

async function measure(stand: Stand, set: LanguageSet): Promise<Figures> {
  const { corpus, questions, name } = set;
  await stand.ingest(corpus);
  const found = await lanes(`${name}: ${questions.length} questions`, questions, async ({ question, doc_id }) => {
    const ranked = MODES.map(async (mode) => {
      const { hits } = await stand.search(corpus.scope, { q: question, mode, top_k: K, planes: ["text"] });
      const ids = hits.map((hit) => hit.doc_id);
      const place = ids.indexOf(doc_id);
      return { r1: place === 0, r5: place >= 0 && place < 5, mrr: reciprocalRank(ids, new Set([doc_id]), K) };
    });
    return Promise.all(ranked);
  });
  const ranks = Object.fromEntries(
    MODES.map((mode, at) => {
      const rows = found.map((one) => one[at]);
      return [
        mode,
        { r1: share(rows, (row) => row?.r1 === true), r5: share(rows, (row) => row?.r5 === true), mrr: mean(rows.map((row) => row?.mrr ?? 0)) },
      ];
    }),
  ) as Ranks;
  return { questions: questions.length, paragraphs: corpus.docs.length, ranks, answers: await answersOf(stand, set) };
}

async function answersOf(stand: Stand, { corpus, questions, name }: LanguageSet): Promise<Figures["answers"]> {
  const step = Math.max(1, Math.floor(questions.length / ANSWERED_MAX));
  const asked = questions.filter((_, index) => index % step === 0);
  const results = await lanes(`${name}: ${asked.length} answers, and without the paragraph`, asked, async ({ question, doc_id, answers }) => {
    const ask = async (more: Record<string, unknown>) => {
      const { result } = await stand.once(corpus.scope, "/v1/answer", { q: question, answer: true, planes: ["text"], ...more });
      return result;
    };
    const [present, absent] = [await ask({}), await ask({ filters: { doc_id: { $ne: doc_id } } })];
    const cited = present.answer?.citations.filter((one) => one.doc_id === doc_id) ?? [];
    return { present, absent, quoted: cited.some(({ quote }) => answers.some((answer) => quote.includes(answer))) };
  });
  const confidences = [...results.map(({ present }) => bestOf(present)), ...results.map(({ absent }) => bestOf(absent))];
  return {
    asked: asked.length,
    quoted: share(results, ({ quoted }) => quoted),
    answered: share(results, ({ present }) => isAnswered(present)),
    answeredWithout: share(results, ({ absent }) => isAnswered(absent)),
    auc: auc(
      confidences,
      confidences.map((_, index) => index < results.length),
    ),
  };
}

function bestOf({ trace }: WireResult): number {
  return Math.max(0, ...(trace.rounds ?? []).map(({ best }) => best ?? 0));
}

function isAnswered({ answer }: WireResult): boolean {
  return answer !== null && answer.status !== "abstained";
}

function textOf(figures: Record<string, Figures>): string {
  const rows = Object.entries(figures);
  const ranks = rows.map(([name, { ranks: of, questions, paragraphs }]) => [
    name,
    `${questions} / ${paragraphs}`,
    ...MODES.flatMap((mode) => [figure(of[mode].r1), figure(of[mode].r5), figure(of[mode].mrr)]),
  ]);
  const answers = rows.map(([name, { answers: of }]) => [
    name,
    String(of.asked),
    percent(of.quoted),
    percent(of.answered),
    percent(of.answeredWithout),
    figure(of.auc),
  ]);
  const columns = MODES.flatMap((mode) => [`${mode} R@1`, "R@5", `MRR@${K}`]);
  return [
    "The place of a question's own paragraph.\n",
    table(["language", "questions / paragraphs", ...columns], ranks),
    "Answers, with the question's paragraph and without it.\n",
    table(["language", "asked", "the answer is in a quote", "answered", "answered without it", "AUC of the confidence"], answers),
  ].join("\n");
}

function barsOf({ ranks, answers }: Figures) {
  return [
    target("languages: XQuAD in English in a namespace of any language, R@1 by vectors", ranks.vector.r1, 0.9),
    target("languages: the same, the answer is in a quote", answers.quoted, 0.5),
  ];
}
