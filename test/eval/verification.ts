/** Verification: the product's `verify` over a claim and the sentences that its judges marked, or that come nearest. */
import { type Verification, verify } from "../../src/core/answer/verify.ts";
import { VERDICTS } from "../../src/domain/answer.ts";
import { contentWords, coverage } from "../../src/language/en/words.ts";
import type { Bench } from "./bench.ts";
import type { Abstract, Claim, Label } from "./data.ts";
import { auc, bestSplit, confusion, share } from "./metrics.ts";
import { bar, figure, type Measured, table } from "./report.ts";
import { lanes } from "./work.ts";

/** Sentences of a premise for which nobody marked any. */
const NEAREST_SENTENCES = 3;

const TRUTHS = ["SUPPORT", "CONTRADICT", "NOINFO"] as const;
type Truth = Label | "NOINFO";
const MEANT: Record<Truth, Verification["verdict"]> = { SUPPORT: "entailed", CONTRADICT: "contradicted", NOINFO: "neutral" };

interface Row {
  claim: Claim;
  doc_id: string;
  truth: Truth;
  premise: string;
}

export async function verification(bench: Bench): Promise<Measured> {
  const { corpus, claims } = bench.claims;
  const rows = claims.flatMap((claim) => rowsOf(claim, corpus.byId));
  const judged = await lanes("verification", rows, async (row) => {
    return { ...row, ...(await verify(bench.stand.entailment, row.claim.claim, [row.premise])), words: coverage(row.claim.claim, row.premise) };
  });
  const supported = judged.map(({ truth }) => truth === "SUPPORT");
  const truths = judged.map(({ truth }) => truth);
  const words = judged.map((one) => one.words);
  const threeWay = bestSplit(words, truths);
  const twoWay = bestSplit(words, supported);
  const figures = {
    n: judged.length,
    auc: {
      verify: auc(
        judged.map(({ score }) => score),
        supported,
      ),
      words: auc(words, supported),
    },
    threeWay: { verify: share(judged, ({ truth, verdict }) => MEANT[truth] === verdict), words: threeWay?.accuracy ?? 0, split: threeWay },
    supported: {
      verify: share(judged, ({ truth, verdict }) => (truth === "SUPPORT") === (verdict === "entailed")),
      words: twoWay?.accuracy ?? 0,
      split: twoWay,
    },
    confusion: confusionOf(judged),
  };
  const lines = [
    ["AUC of SUPPORT against the rest", figure(figures.auc.verify), figure(figures.auc.words)],
    ["accuracy, three verdicts", figure(figures.threeWay.verify), figure(figures.threeWay.words)],
    ["accuracy, SUPPORT or not", figure(figures.supported.verify), figure(figures.supported.words)],
  ];
  return {
    title: "Verification",
    text: `${judged.length} pairs of a claim and a premise, by the product's \`verify\`. ${splitText(threeWay)}\n\n${table(
      ["", "verify", "word overlap"],
      lines,
    )}\n${confusionTable(figures.confusion)}`,
    figures,
    bars: [
      bar("claims that the model was trained on, verification, AUC", figures.auc.verify, figures.auc.words, "word overlap"),
      bar("the same claims, three verdicts right", figures.threeWay.verify, figures.threeWay.words, "word overlap"),
      bar("the same claims, SUPPORT or not right", figures.supported.verify, figures.supported.words, "word overlap"),
    ],
    cases: judged.map(({ claim, ...one }) => ({ ...one, id: claim.id, claim: claim.claim })),
  };
}

/** What is marked, with its label; of a claim without evidence, the nearest sentences of what it cites. */
function rowsOf(claim: Claim, byId: ReadonlyMap<string, Abstract>): Row[] {
  const marked = claim.evidence.flatMap(({ doc_id, label, sentences }): Row[] => {
    const all = byId.get(doc_id)?.sentences;
    const premise = sentences.flatMap((number) => all?.[number] ?? []).join(" ");
    return premise === "" ? [] : [{ claim, doc_id, truth: label, premise }];
  });
  if (claim.evidence.length > 0) return marked;
  return claim.cited.flatMap((doc_id): Row[] => {
    const abstract = byId.get(doc_id);
    return abstract === undefined || abstract.sentences.length === 0
      ? []
      : [{ claim, doc_id, truth: "NOINFO", premise: nearest(claim.claim, abstract.sentences) }];
  });
}

/** The sentences with most content words of the claim, in their order. */
function nearest(claim: string, sentences: readonly string[]): string {
  const wanted = new Set(contentWords(claim));
  const shared = (sentence: string) => new Set(contentWords(sentence).filter((word) => wanted.has(word))).size;
  const ranked = sentences.map((sentence, number) => ({ number, shared: shared(sentence) })).sort((a, b) => b.shared - a.shared);
  const numbers = ranked.slice(0, NEAREST_SENTENCES).map(({ number }) => number);
  return numbers
    .sort((a, b) => a - b)
    .map((number) => sentences[number])
    .join(" ");
}

function splitText(split: ReturnType<typeof bestSplit<Truth>>): string {
  if (split === null) return "";
  const { threshold, above, below } = split;
  const rule = above === below ? `${above} always` : `${above} from ${threshold.toFixed(2)} of the claim's words on and ${below} below`;
  return `The best that one threshold on word overlap can do with three verdicts is to say ${rule}.`;
}

function confusionOf(judged: readonly { truth: Truth; verdict: Verification["verdict"] }[]): Record<string, Record<string, number>> {
  const counts = confusion(judged.map(({ truth, verdict }) => ({ truth, predicted: verdict })));
  return Object.fromEntries(TRUTHS.map((truth) => [truth, Object.fromEntries(VERDICTS.map((one) => [one, counts.get(truth)?.get(one) ?? 0]))]));
}

function confusionTable(counts: Record<string, Record<string, number>>): string {
  const rows = Object.entries(counts).map(([truth, line]) => [truth, ...VERDICTS.map((verdict) => String(line[verdict] ?? 0))]);
  return table(["judges say \\ verdict", ...VERDICTS], rows);
}
