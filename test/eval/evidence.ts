/**
 * Localization: does the sentence that is picked first hold the answer, or is it one of those that a claim's judges
 * marked? Questions go through POST /v1/answer; claims through the product's `findEvidence`, on the one abstract, since
 * an answer that is abstained from after three rounds would cost much and say the same.
 */
import type { Span } from "../../src/base/span.ts";
import type { Asked, Bench } from "./bench.ts";
import type { Abstract, Claim, Question } from "./data.ts";
import { Lexical } from "./lexical.ts";
import { mean, randomHit, share } from "./metrics.ts";
import { bar, type Bar, figure, type Measured, table } from "./report.ts";
import type { WireResult } from "./stand.ts";
import { lanes } from "./work.ts";

/** An evidence sentence is one of the judges' when this much of either of them is the other. */
const OVERLAP_MIN = 0.5;

export async function evidenceSentences(bench: Bench): Promise<Measured> {
  const questions = await questionFigures(bench);
  const claims = await claimFigures(bench);
  return {
    title: "Localization",
    text: `${questions.text}\n${claims.text}`,
    figures: { questions: questions.figures, claims: claims.figures },
    bars: [...questions.bars, ...claims.bars],
    cases: [...questions.cases, ...claims.cases],
  };
}

// --- questions -------------------------------------------------------------------------------

interface Picked extends Span {
  doc_id: string;
}

/** The evidence sentence with the highest score over all hits. */
export function firstEvidence({ hits }: WireResult): (Picked & { score: number; text: string }) | null {
  const all = hits.flatMap(({ doc_id, text, evidence = [] }) =>
    evidence.map((span) => ({ ...span, doc_id, text: text.slice(span.start, span.end) })),
  );
  return all.reduce<(typeof all)[number] | null>((best, one) => (best === null || one.score > best.score ? one : best), null);
}

/** Whether a sentence is one of the question's paragraph and holds an answer: at the place that the data names, or anywhere. */
type Holds = (question: Question, picked: Picked | null | undefined) => boolean;

const holdsPlace: Holds = ({ doc_id, answers }, picked) =>
  picked?.doc_id === doc_id && answers.some(({ start, end }) => picked.start <= start && end <= picked.end);

const holdsWords: Holds = ({ doc_id, paragraph, answers }, picked) => {
  if (picked?.doc_id !== doc_id) return false;
  const sentence = paragraph.slice(picked.start, picked.end).toLowerCase();
  return answers.some(({ text }) => sentence.includes(text.toLowerCase()));
};

interface Compared {
  first: number;
  lexical: number;
  chance: number;
}

/** How often the sentence picked first holds the answer: by the product, by words, by chance. `alone`: in its paragraph. */
function compare(asked: readonly Asked[], lexical: Lexical, alone: boolean, holds: Holds): Compared {
  const odds = asked.map(({ question }) => {
    const own = lexical.sentencesOf(question.doc_id);
    return own.filter((sentence) => holds(question, sentence)).length / Math.max(1, alone ? own.length : lexical.size);
  });
  return {
    first: share(asked, ({ question, result }) => holds(question, firstEvidence(result))),
    lexical: share(asked, ({ question }) => holds(question, lexical.rank(question.question, alone ? question.doc_id : null)[0])),
    chance: mean(odds),
  };
}

async function questionFigures(bench: Bench) {
  const asked = await bench.answers();
  const within = await bench.answersWithin();
  const lexical = new Lexical(bench.questions.corpus.docs);
  const figures = {
    n: asked.length,
    corpus: compare(asked, lexical, false, holdsPlace),
    corpusWords: compare(asked, lexical, false, holdsWords),
    paragraph: compare(within, lexical, true, holdsPlace),
    paragraphWords: compare(within, lexical, true, holdsWords),
  };
  const row = (where: string, what: string, { first, lexical: words, chance }: Compared) => [
    where,
    what,
    figure(first),
    figure(words),
    figure(chance),
  ];
  const rows = [
    row("all paragraphs", "the answer's place", figures.corpus),
    row("", "the answer's words", figures.corpusWords),
    row("its own paragraph alone", "the answer's place", figures.paragraph),
    row("", "the answer's words", figures.paragraphWords),
  ];
  const bars: Bar[] = [
    bar("questions, first sentence holds the answer", figures.corpus.first, figures.corpus.lexical, "lexical pick"),
    bar("questions, same in their paragraph alone", figures.paragraph.first, figures.paragraph.lexical, "lexical pick"),
    bar("questions, same in their paragraph alone", figures.paragraph.first, figures.paragraph.chance, "chance"),
  ];
  const cases = asked.map(({ question, result }, index) => {
    const picked = firstEvidence(result);
    const alone = within[index] ? firstEvidence(within[index].result) : null;
    const { id, answers } = question;
    const held = { place: holdsPlace(question, picked), words: holdsWords(question, picked), alone: holdsPlace(question, alone) };
    return { set: "questions", id, question: question.question, answers: answers.map(({ text }) => text), ...held, picked };
  });
  const text = `Share of ${asked.length} questions whose answer stands in the sentence picked first, by \`POST /v1/answer\`:\n\n${table(
    ["looked for in", "holds", "picked first", "lexical pick (BM25)", "chance"],
    rows,
  )}`;
  return { figures, bars, cases, text };
}

// --- claims ----------------------------------------------------------------------------------

/** A claim, an abstract that bears on it, and the numbers of the sentences that say so. */
interface Pair {
  claim: Claim;
  abstract: Abstract;
  gold: Set<number>;
}

function pairsOf(claims: readonly Claim[], byId: ReadonlyMap<string, Abstract>): Pair[] {
  return claims.flatMap((claim) =>
    [...new Set(claim.evidence.map(({ doc_id }) => doc_id))].flatMap((doc_id) => {
      const abstract = byId.get(doc_id);
      if (abstract === undefined) return [];
      const marked = claim.evidence.filter((one) => one.doc_id === doc_id).flatMap(({ sentences }) => sentences);
      const gold = new Set(marked.filter((number) => abstract.spans[number] !== undefined));
      return gold.size === 0 ? [] : [{ claim, abstract, gold }];
    }),
  );
}

/** Whether a sentence of the product is one that the judges marked: the two may be cut differently. */
function isGold({ abstract, gold }: Pair, { start, end }: Span): boolean {
  return [...gold].some((number) => {
    const span = abstract.spans[number] as Span;
    const common = Math.min(end, span.end) - Math.max(start, span.start);
    return common > 0 && (common >= OVERLAP_MIN * (end - start) || common >= OVERLAP_MIN * (span.end - span.start));
  });
}

async function claimFigures(bench: Bench) {
  const { corpus, claims } = await bench.indexedClaims();
  const pairs = pairsOf(claims, corpus.byId);
  const lexical = new Lexical(corpus.docs);
  const judged = await lanes("evidence, claims", pairs, async (pair) => {
    const evidence = await bench.stand.evidence(corpus.scope, { q: pair.claim.claim, doc_id: pair.abstract.doc_id, top_k: 1 });
    return {
      pair,
      found: evidence.map((one) => isGold(pair, one)),
      picked: evidence[0]?.text ?? null,
      words: lexical.rank(pair.claim.claim, pair.abstract.doc_id).map(({ index }) => pair.gold.has(index)),
    };
  });
  const hit = (k: number) => ({
    product: share(judged, ({ found }) => found.slice(0, k).includes(true)),
    lexical: share(judged, ({ words }) => words.slice(0, k).includes(true)),
    random: mean(pairs.map(({ abstract, gold }) => randomHit(abstract.sentences.length, gold.size, k))),
  });
  const figures = { n: pairs.length, hit1: hit(1), hit3: hit(3) };
  const line = (name: string, { product, lexical: words, random }: ReturnType<typeof hit>) => [name, figure(product), figure(words), figure(random)];
  const bars = [
    bar("claims, first sentence is evidence", figures.hit1.product, figures.hit1.lexical, "lexical pick"),
    bar("claims, first sentence is evidence", figures.hit1.product, figures.hit1.random, "random"),
  ];
  const cases = judged.map(({ pair, found, words, picked }) => ({
    set: "claims",
    id: pair.claim.id,
    claim: pair.claim.claim,
    doc_id: pair.abstract.doc_id,
    first: found[0] === true,
    words: words[0] === true,
    picked,
    gold: [...pair.gold].map((number) => pair.abstract.sentences[number]),
  }));
  const text = `Share of ${pairs.length} pairs of a claim and an abstract with evidence where it is among the sentences picked, by the product's \`findEvidence\` on that abstract:\n\n${table(
    ["", "findEvidence", "lexical pick (BM25)", "random"],
    [line("hit@1", figures.hit1), line("hit@3", figures.hit3)],
  )}`;
  return { figures, bars, cases, text };
}
