/**
 * Search by the labels of pictures and sounds: turns a query into weights of labels. The methods and numbers measured best on
 * photos and sound effects (docs/benchmark.md); floors keep noise out.
 */
import { DotProducts, ROUGH_ERROR_MAX } from "../../base/dot-products.ts";
import type { Features, LabelScore } from "../../domain/media.ts";

/** A label of the picture classifier with its words. */
export interface PictureLabel {
  name: string;
  synonyms: string[];
  /** Nearest first, each a list of words. */
  hypernyms: string[][];
}

/** The labels of both classifiers, with a vector of each name: L2-normalised, one after another, `dims` floats each. */
export interface ContentLabels {
  dims: number;
  picture: { labels: PictureLabel[]; vectors: Float32Array };
  sound: { labels: { name: string }[]; vectors: Float32Array };
}

/** The labels that a query weighs, of pictures or of sounds. Empty: the query matches nothing of that kind. */
export interface LabelQuery {
  weights: LabelScore[];
  /** How alike the query and the nearest label are: a cosine, or the score of its name. */
  similarity: number;
  floor: number;
  /** See FeatureTable.byLabels. */
  logarithmic: boolean;
}

/** Stands before the name of a sound when it is embedded. */
export const SOUND_LABEL_PREFIX = "the sound of ";

const PHRASE_SCORE = 1;
const HYPERNYM_SCORE = 0.9;
/** A label counts when the query's cosine with "name: gloss" is above this. */
const PICTURE_COSINE_MIN = 0.7;
/** The least score of a picture that a label leg returns. */
export const PICTURE_SCORE_MIN = 0.02;
/** The least score of a sound, and the least cosine of its nearest label: both measured on sound effects (docs/benchmark.md). */
export const SOUND_SCORE_MIN = 2;
export const SOUND_COSINE_MIN = 0.7;
const SOUND_TEMPERATURE = 0.02;
/** Lighter labels of a sound query are dropped: they change no order. */
const SOUND_WEIGHT_MIN = 0.001;
/** The recipe's own list, with which it was measured: other than the one of text/terms.ts. */
const STOP_WORDS = new Set("a an and are as at be by for from in into is it its of on or that the this to was with".split(" "));
/** Words of a query that say nothing about what the picture shows. */
const PICTURE_WORDS = new Set("photo photograph picture image".split(" "));

/** The words of a label or query as they are compared: lower case, without stop words and plural endings. */
function phraseOf(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words
    .filter((word) => !STOP_WORDS.has(word))
    .map(singular)
    .join(" ");
}

const ENDINGS: readonly (readonly [string, string])[] = [
  ["ies", "y"],
  ["ses", "s"],
  ["xes", "x"],
  ["ches", "ch"],
  ["shes", "sh"],
  ["s", ""],
];

function singular(word: string): string {
  for (const [ending, instead] of ENDINGS) {
    if (!word.endsWith(ending) || word.length <= ending.length + 2) continue;
    if (ending === "s" && word.endsWith("ss")) continue;
    return word.slice(0, -ending.length) + instead;
  }
  return word;
}

function withoutPictureWords(phrase: string): string {
  const kept = phrase.split(" ").filter((word) => !PICTURE_WORDS.has(word));
  return kept.length > 0 ? kept.join(" ") : phrase;
}

export class LabelIndex {
  private readonly phrases = new Map<string, Map<number, number>>();
  private readonly pictures: DotProducts;
  private readonly sounds: DotProducts;

  constructor({ dims, picture, sound }: ContentLabels) {
    this.pictures = new DotProducts(picture.vectors, dims);
    this.sounds = new DotProducts(sound.vectors, dims);
    picture.labels.forEach(({ name, synonyms, hypernyms }, label) => {
      for (const words of [name, ...synonyms]) this.addPhrase(words, label, PHRASE_SCORE);
      for (const words of hypernyms.flat()) this.addPhrase(words, label, HYPERNYM_SCORE);
    });
  }

  /** `vector`: the query's own, L2-normalised. */
  query(kind: Features["kind"], text: string, vector: Float32Array): LabelQuery {
    return kind === "picture" ? this.pictureQuery(text, vector) : this.soundQuery(vector);
  }

  /** A label scores 1 when the query is its name or a synonym, 0.9 when it is a hypernym, else by its cosine above PICTURE_COSINE_MIN. */
  private pictureQuery(text: string, vector: Float32Array): LabelQuery {
    const named = this.phrases.get(withoutPictureWords(phraseOf(text)));
    const rough = this.pictures.rough(vector);
    const weights: LabelScore[] = [];
    rough.forEach((cosine, label) => {
      const byName = named?.get(label) ?? 0;
      if (byName === 0 && cosine < PICTURE_COSINE_MIN - ROUGH_ERROR_MAX) return;
      const score = Math.max(byName, (this.pictures.exact(label, vector) - PICTURE_COSINE_MIN) / (1 - PICTURE_COSINE_MIN));
      if (score > 0) weights.push({ label, score });
    });
    const similarity = Math.max(this.pictures.greatest(rough, vector), ...(named?.values() ?? []));
    return { weights, similarity, floor: PICTURE_SCORE_MIN, logarithmic: false };
  }

  /** Softmax of the cosines over all labels; no weights when the nearest label is below SOUND_COSINE_MIN. */
  private soundQuery(vector: Float32Array): LabelQuery {
    const nearest = this.sounds.greatest(this.sounds.rough(vector), vector);
    if (nearest < SOUND_COSINE_MIN) return { weights: [], similarity: nearest, floor: SOUND_SCORE_MIN, logarithmic: true };
    const heavy = Array.from({ length: this.sounds.count }, (_, label) => Math.exp((this.sounds.exact(label, vector) - nearest) / SOUND_TEMPERATURE));
    const sum = heavy.reduce((total, weight) => total + weight, 0);
    const weights = heavy.map((weight, label) => ({ label, score: weight / sum }));
    const kept = weights.filter(({ score }) => score >= SOUND_WEIGHT_MIN);
    return { weights: kept, similarity: nearest, floor: SOUND_SCORE_MIN, logarithmic: true };
  }

  private addPhrase(words: string, label: number, score: number): void {
    const phrase = phraseOf(words);
    const labels = this.phrases.get(phrase) ?? new Map<number, number>();
    labels.set(label, Math.max(score, labels.get(label) ?? 0));
    this.phrases.set(phrase, labels);
  }
}
