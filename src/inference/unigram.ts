/**
 * Unigram tokenisation (SentencePiece) of a `vocabulary.bin`: a text becomes the pieces whose scores have the greatest sum.
 * What looks like a special token (`</s>`) in a text is text.
 */
import { StartError } from "../base/fault.ts";
import { WORD_PIECES_CACHE_MAX } from "../base/limits.ts";

/** Stands before each word: a word's first piece has it, and no piece has it behind its first character. */
const WORD_MARK = "\u2581";
const SPACE = 0x20;
/** A letter with its marks, or letters of Hangul that make a syllable. */
const CLUSTER = /\P{M}\p{M}+|[\u1100-\u11ff]{2,}/gu;

const CACHED_WORD_MAX_CHARS = 40;

const MAGIC = "STRUNI01";
const HEADER_BYTES = 40;

/**
 * The file, little-endian: eight letters; six numbers (pieces, zero, id of what is unknown, bytes of the longest piece, bytes of
 * all pieces, a float32: score of what is unknown), the numbers of the normaliser's entries and of their code points; ids and
 * float32 scores of the pieces in the order of their UTF-8; the normaliser: code points that change, where what they become
 * begins (one more), and that; the length of each piece, one byte; the pieces without anything between.
 */
interface Vocabulary {
  unknownId: number;
  unknownScore: number;
  longest: number;
  ids: Uint32Array;
  scores: Float32Array;
  /** Where each piece begins in `bytes`, and where the last one ends. */
  starts: Uint32Array;
  bytes: Uint8Array;
  /** What a code point becomes; those that stay are not there. */
  normalised: Map<number, string>;
}

/** Errors: StartError when it is none, or is cut off. */
function readVocabulary(file: Uint8Array): Vocabulary {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < HEADER_BYTES || new TextDecoder().decode(file.subarray(0, 8)) !== MAGIC)
    throw new StartError("the vocabulary is of no known form");
  const number = (at: number) => view.getUint32(at, true);
  const [pieces, unknownId, longest, textBytes] = [number(8), number(16), number(20), number(24)];
  const [entries, codePoints] = [number(32), number(36)];
  let at = HEADER_BYTES;
  const words = (count: number): Uint32Array => {
    if (at + 4 * count > file.length) throw new StartError("the vocabulary is cut off");
    const found = new Uint32Array(file.slice(at, at + 4 * count).buffer);
    at += 4 * count;
    return found;
  };
  const ids = words(pieces);
  const scores = new Float32Array(words(pieces).buffer);
  const [changed, begins, becomes] = [words(entries), words(entries + 1), words(codePoints)];
  const lengths = file.subarray(at, at + pieces);
  at = 4 * Math.ceil((at + pieces) / 4);
  if (at + textBytes > file.length) throw new StartError("the vocabulary is cut off");
  const starts = new Uint32Array(pieces + 1);
  lengths.forEach((length, index) => {
    starts[index + 1] = (starts[index] ?? 0) + length;
  });
  const normalised = new Map(
    Array.from(changed, (codePoint, index) => [codePoint, String.fromCodePoint(...becomes.subarray(begins[index], begins[index + 1]))] as const),
  );
  const bytes = file.slice(at, at + textBytes);
  return { unknownId, unknownScore: view.getFloat32(28, true), longest, ids, scores, starts, bytes, normalised };
}

/** The likeliest way to a place in a word: where its last piece begins, the piece (-1: unknown), and the sum of the scores. */
interface Step {
  from: number;
  piece: number;
  score: number;
}

export class UnigramTokenizer {
  private readonly vocabulary: Vocabulary;
  private readonly encoder = new TextEncoder();
  /** The pieces of recent words; the older map goes when the newer is full. */
  private recent = new Map<string, readonly number[]>();
  private older = new Map<string, readonly number[]>();
  /** Of each first byte: the first piece that begins with it. One more: the number of pieces. */
  private readonly firsts: Uint32Array;

  /** `file`: a vocabulary.bin. Errors: StartError when it is none. */
  constructor(file: Uint8Array) {
    this.vocabulary = readVocabulary(file);
    const count = this.vocabulary.ids.length;
    this.firsts = Uint32Array.from({ length: 257 }, (_, byte) => this.border(0, count, 0, byte));
  }

  /** The token ids of `text`, without those that frame it: the ids of its words in order. */
  encode(text: string): number[] {
    const ids: number[] = [];
    for (const word of this.normalised(text).split(" ")) {
      if (word === "") continue;
      for (const id of this.piecesOf(word)) ids.push(id);
    }
    return ids;
  }

  /** NFC of the whole text would reorder the vowel marks of Arabic, which the pieces have as they are typed. */
  private normalised(text: string): string {
    const { normalised } = this.vocabulary;
    let result = "";
    for (const character of text) result += normalised.get(character.codePointAt(0) ?? SPACE) ?? character;
    return result.replace(CLUSTER, (cluster) => {
      const composed = cluster.normalize("NFC");
      return composed.length < cluster.length ? composed : cluster;
    });
  }

  private piecesOf(word: string): readonly number[] {
    const known = this.recent.get(word) ?? this.older.get(word);
    if (known !== undefined) return known;
    const ids = this.divided(this.encoder.encode(WORD_MARK + word));
    // A script without spaces has words as long as its sentences, which do not come again.
    if (word.length > CACHED_WORD_MAX_CHARS) return ids;
    if (this.recent.size >= WORD_PIECES_CACHE_MAX / 2) [this.older, this.recent] = [this.recent, new Map()];
    this.recent.set(word, ids);
    return ids;
  }

  /** Viterbi over the bytes of a word. Of ways with equal sums the first that is found stays. Linear in the word's length. */
  private divided(word: Uint8Array): number[] {
    const { unknownScore } = this.vocabulary;
    const steps: (Step | undefined)[] = new Array(word.length + 1);
    const offer = (to: number, step: Step) => {
      const before = steps[to];
      if (before === undefined || step.score > before.score) steps[to] = step;
    };
    for (let from = 0; from < word.length; from += characterBytes(word[from] ?? 0)) {
      const reached = from === 0 ? 0 : (steps[from]?.score ?? Number.NEGATIVE_INFINITY);
      const next = from + characterBytes(word[from] ?? 0);
      let single = false;
      this.eachPiece(word, from, (piece, end) => {
        single ||= end === next;
        offer(end, { from, piece, score: reached + (this.vocabulary.scores[piece] ?? 0) });
      });
      if (!single) offer(next, { from, piece: -1, score: reached + unknownScore });
    }
    return this.idsOf(steps);
  }

  /** Neighbours that are unknown become one id. */
  private idsOf(steps: readonly (Step | undefined)[]): number[] {
    const { ids, unknownId } = this.vocabulary;
    const found: number[] = [];
    for (let step = steps.at(-1); step !== undefined; step = steps[step.from]) {
      const id = step.piece < 0 ? unknownId : (ids[step.piece] ?? unknownId);
      if (id !== unknownId || found.at(-1) !== unknownId) found.push(id);
      if (step.from === 0) break;
    }
    return found.reverse();
  }

  /** Calls `found` for each piece that stands in `word` at `from`, the shortest first. */
  private eachPiece(word: Uint8Array, from: number, found: (piece: number, end: number) => void): void {
    const { starts, longest } = this.vocabulary;
    const first = word[from] ?? 0;
    let [low, high] = [this.firsts[first] ?? 0, this.firsts[first + 1] ?? 0];
    // Pieces of a common beginning are neighbours, and the one that is only that beginning is the first of them.
    for (let depth = 1; low < high; depth += 1) {
      if ((starts[low + 1] ?? 0) - (starts[low] ?? 0) === depth) {
        found(low, from + depth);
        low += 1;
      }
      const byte = word[from + depth];
      if (byte === undefined || depth === longest) return;
      low = this.border(low, high, depth, byte);
      high = this.border(low, high, depth, byte + 1);
    }
  }

  /** The first piece of `low` to `high`, which are longer than `depth`, whose byte there is `byte` or more. */
  private border(low: number, high: number, depth: number, byte: number): number {
    const { bytes, starts } = this.vocabulary;
    let [least, most] = [low, high];
    while (least < most) {
      const middle = (least + most) >>> 1;
      if ((bytes[(starts[middle] ?? 0) + depth] ?? 0) < byte) least = middle + 1;
      else most = middle;
    }
    return least;
  }
}

/** The bytes of the character that begins with this one in UTF-8. */
function characterBytes(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
