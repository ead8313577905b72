/** What a sentence is picked by when nothing but words is looked at: the baseline of finding evidence. */
import { sentences } from "../../src/text/sentences.ts";
import { contentWords } from "../../src/language/en/words.ts";
import type { Span } from "../../src/base/span.ts";

/** Robertson's usual constants. */
const K1 = 1.2;
const B = 0.75;

interface Sentence extends Span {
  doc_id: string;
  /** Its number in its document. */
  index: number;
  counts: Map<string, number>;
  length: number;
}

/** BM25 over the sentences of a corpus, with the statistics of all of them. */
export class Lexical {
  private readonly byDoc = new Map<string, Sentence[]>();
  private readonly documents = new Map<string, number>();
  private readonly all: Sentence[] = [];
  private readonly meanLength: number;

  /** `spans`: where the sentences of a text stand, when that is known; else they are split as the product does. */
  constructor(docs: readonly { doc_id: string; text: string; spans?: readonly Span[] }[]) {
    for (const { doc_id, text, spans } of docs) {
      const own = (spans ?? sentences(text)).map(({ start, end }, index) => sentenceOf(doc_id, index, text, start, end));
      this.byDoc.set(doc_id, own);
      for (const one of own) {
        this.all.push(one);
        for (const word of one.counts.keys()) this.documents.set(word, (this.documents.get(word) ?? 0) + 1);
      }
    }
    this.meanLength = this.all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, this.all.length);
  }

  /** Sentences of the whole corpus. */
  get size(): number {
    return this.all.length;
  }

  sentencesOf(doc_id: string): readonly Sentence[] {
    return this.byDoc.get(doc_id) ?? [];
  }

  /** The sentences of one document, or of all, best first; the earlier of equals. */
  rank(query: string, doc_id: string | null): Sentence[] {
    const wanted = [...new Set(contentWords(query))].map((word) => ({ word, idf: this.idf(word) }));
    const among = doc_id === null ? this.all : this.sentencesOf(doc_id);
    const scored = among.map((sentence) => ({ sentence, score: this.score(wanted, sentence) }));
    return scored.sort((a, b) => b.score - a.score).map(({ sentence }) => sentence);
  }

  private score(wanted: readonly { word: string; idf: number }[], { counts, length }: Sentence): number {
    const norm = K1 * (1 - B + (B * length) / this.meanLength);
    return wanted.reduce((sum, { word, idf }) => {
      const count = counts.get(word) ?? 0;
      return sum + (idf * count * (K1 + 1)) / (count + norm);
    }, 0);
  }

  private idf(word: string): number {
    const documents = this.documents.get(word) ?? 0;
    return Math.log(1 + (this.all.length - documents + 0.5) / (documents + 0.5));
  }
}

function sentenceOf(doc_id: string, index: number, text: string, start: number, end: number): Sentence {
  const words = contentWords(text.slice(start, end));
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { doc_id, index, start, end, counts, length: words.length };
}
