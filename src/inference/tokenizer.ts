/** BERT tokenisation (uncased WordPiece). The only importer of @huggingface/tokenizers. */
import { BertNormalizer, BertPreTokenizer } from "@huggingface/tokenizers";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { StartError } from "../base/fault.ts";

const TokenizerFile = Type.Object({
  normalizer: Type.Object({
    type: Type.Literal("BertNormalizer"),
    clean_text: Type.Boolean(),
    handle_chinese_chars: Type.Boolean(),
    strip_accents: Type.Union([Type.Boolean(), Type.Null()]),
    lowercase: Type.Boolean(),
  }),
  pre_tokenizer: Type.Object({ type: Type.Literal("BertPreTokenizer") }),
  model: Type.Object({
    type: Type.Literal("WordPiece"),
    continuing_subword_prefix: Type.Literal("##"),
    max_input_chars_per_word: Type.Integer({ minimum: 1 }),
    vocab: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  }),
});

const CONTINUING = "##";

/** The pieces of a vocabulary: those that begin a word, and those that continue one. */
class Pieces {
  private readonly beginning = new Map<string, number>();
  private readonly continuing = new Map<string, number>();
  /** By its first two UTF-16 units the length of the longest, so that random letters are not tried at every length. */
  private readonly most = new Map<string, number>();

  constructor(vocabulary: Readonly<Record<string, number>>) {
    for (const [piece, id] of Object.entries(vocabulary)) {
      const continues = piece.startsWith(CONTINUING);
      const text = continues ? piece.slice(CONTINUING.length) : piece;
      (continues ? this.continuing : this.beginning).set(text, id);
      const opening = text.slice(0, 2);
      this.most.set(opening, Math.max(this.most.get(opening) ?? 1, text.length));
    }
  }

  /** Appends the id of the longest piece of `word` at `start` and returns the piece's end; `start` when there is none. */
  longest(word: string, start: number, ids: number[]): number {
    const known = start === 0 ? this.beginning : this.continuing;
    const most = this.most.get(word.slice(start, start + 2)) ?? 1;
    for (let end = Math.min(word.length, start + most); end > start; end--) {
      const id = known.get(word.slice(start, end));
      if (id === undefined) continue;
      ids.push(id);
      return end;
    }
    return start;
  }
}

/**
 * Text to token ids. The library normalises text and splits it into words; this class splits a word into pieces, because
 * the library tries every prefix of a word (10 s for 256 KiB of long random words) and takes `[SEP]` inside a user's text
 * for the special token.
 */
export class BertTokenizer {
  readonly cls: number;
  readonly sep: number;
  private readonly unknown: number;
  private readonly normalizer: BertNormalizer;
  private readonly preTokenizer = new BertPreTokenizer();
  private readonly pieces: Pieces;
  private readonly wordMaxChars: number;

  /** `json`: the parsed `tokenizer.json`. Errors: StartError when it is no uncased BERT WordPiece. */
  constructor(json: unknown) {
    if (!Value.Check(TokenizerFile, json)) throw new StartError("tokenizer.json is not a BERT WordPiece tokenizer");
    const { strip_accents, ...normalizer } = json.normalizer;
    const { vocab, max_input_chars_per_word } = json.model;
    this.normalizer = new BertNormalizer(strip_accents === null ? normalizer : { ...normalizer, strip_accents });
    this.wordMaxChars = max_input_chars_per_word;
    this.pieces = new Pieces(vocab);
    this.cls = special(vocab, "[CLS]");
    this.sep = special(vocab, "[SEP]");
    this.unknown = special(vocab, "[UNK]");
  }

  /** The token ids of `text`, without [CLS] and [SEP]. Linear in its length. */
  encode(text: string): number[] {
    const ids: number[] = [];
    for (const word of this.preTokenizer.pre_tokenize_text(this.normalizer.normalize(text))) this.encodeWord(word, ids);
    return ids;
  }

  private encodeWord(word: string, ids: number[]): void {
    const before = ids.length;
    const tooLong = word.length > this.wordMaxChars && [...word].length > this.wordMaxChars;
    for (let start = 0; start < word.length && !tooLong; ) {
      const end = this.pieces.longest(word, start, ids);
      if (end === start) {
        ids.length = before;
        break;
      }
      start = end;
    }
    if (ids.length === before) ids.push(this.unknown);
  }
}

const opened = new Map<bigint | number, BertTokenizer>();

/**
 * The tokenizer of a `tokenizer.json`. Files with the same normaliser, words and pieces share one object of some megabytes: those
 * of our models differ only in their padding, which is not used. Errors: as the constructor; those of the file system.
 */
export async function openTokenizer(path: string): Promise<BertTokenizer> {
  const json = await Bun.file(path).json();
  const key = Bun.hash(JSON.stringify([json.normalizer, json.pre_tokenizer, json.model]));
  const tokenizer = opened.get(key) ?? new BertTokenizer(json);
  opened.set(key, tokenizer);
  return tokenizer;
}

function special(vocabulary: Readonly<Record<string, number>>, token: string): number {
  const id = vocabulary[token];
  if (id === undefined) throw new StartError(`tokenizer.json has no ${token}`);
  return id;
}
