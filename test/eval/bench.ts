/** What every measurement gets: the service, the data, and the answers that several of them look at. */
import type { Corpus, Doc, Question, SciFact, Xquad } from "./data.ts";
import type { Manual } from "./manuals/sets.ts";
import type { Stand, WireResult } from "./stand.ts";
import { lanes } from "./work.ts";

export const K = 10;

/** Null: none of the wanted measurements needs it, so it was not read. */
export interface Data {
  claims: SciFact | null;
  questions: Xquad | null;
  manuals: Manual[] | null;
}

/** A question and what the service said to it. */
export interface Asked {
  question: Question;
  result: WireResult;
}

export class Bench {
  private readonly memo = new Map<string, Promise<unknown>>();

  constructor(
    readonly stand: Stand,
    private readonly data: Data,
    /** Also what `--curves` asks for. */
    readonly curves: boolean,
  ) {}

  get claims(): SciFact {
    if (this.data.claims === null) throw new Error("the table of measurements does not say that this one needs claims");
    return this.data.claims;
  }

  get questions(): Xquad {
    if (this.data.questions === null) throw new Error("the table of measurements does not say that this one needs questions");
    return this.data.questions;
  }

  get manuals(): Manual[] {
    if (this.data.manuals === null) throw new Error("the table of measurements does not say that this one needs manuals");
    return this.data.manuals;
  }

  /** The claims, with their abstracts in the index. */
  indexedClaims(): Promise<SciFact> {
    return this.indexed(this.claims);
  }

  /** The questions, with the paragraphs of all of them in the index. */
  indexedQuestions(): Promise<Xquad> {
    return this.indexed(this.questions);
  }

  /** Every question over all paragraphs. */
  answers(): Promise<Asked[]> {
    return this.askAll("answers", () => ({}));
  }

  /** Every question over all paragraphs but its own. */
  answersWithout(): Promise<Asked[]> {
    return this.askAll("answers without the paragraph", ({ doc_id }) => ({ filters: { doc_id: { $ne: doc_id } } }));
  }

  /** Every question over its own paragraph. */
  answersWithin(): Promise<Asked[]> {
    return this.askAll("answers within the paragraph", ({ doc_id }) => ({ doc_id }));
  }

  private askAll(label: string, body: (question: Question) => Record<string, unknown>): Promise<Asked[]> {
    return this.once(label, async () => {
      const { corpus, questions } = await this.indexedQuestions();
      return lanes(label, questions, async (question) => {
        const result = await this.stand.answer(corpus.scope, { q: question.question, top_k: K, ...body(question) });
        return { question, result };
      });
    });
  }

  private async indexed<T extends { corpus: Corpus<Doc> }>(data: T): Promise<T> {
    await this.stand.ingest(data.corpus);
    return data;
  }

  private once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const made = (this.memo.get(key) as Promise<T> | undefined) ?? make();
    this.memo.set(key, made);
    return made;
  }
}
