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
/** Start nodes of the two vocabularies in the trie. */
const WORD_START = 0;
const WORD_INSIDE = 1;

/** The pieces of a vocabulary, found letter by letter. Edges are keyed by node and UTF-16 unit in one number. */
class PieceTrie {
  private readonly edges = new Map<number, number>();
  private readonly ids: number[] = [];
  private nodes = 2;

  constructor(vocabulary: Readonly<Record<string, number>>) {
    for (const [piece, id] of Object.entries(vocabulary)) {
      if (piece.startsWith(CONTINUING)) this.add(WORD_INSIDE, piece.slice(CONTINUING.length), id);
      else this.add(WORD_START, piece, id);
    }
  }

  /** Appends the id of the longest piece of `word` at `start` and returns the piece's end; `start` when there is none. */
  longest(word: string, start: number, ids: number[]): number {
    let node: number | undefined = start === 0 ? WORD_START : WORD_INSIDE;
    let end = start;
    let found = -1;
    for (let index = start; index < word.length; index++) {
      node = this.edges.get(node * 0x10000 + word.charCodeAt(index));
      if (node === undefined) break;
      const id = this.ids[node];
      if (id === undefined) continue;
      end = index + 1;
      found = id;
    }
    if (end > start) ids.push(found);
    return end;
  }

  private add(root: number, piece: string, id: number): void {
    let node = root;
    for (let index = 0; index < piece.length; index++) {
      const edge = node * 0x10000 + piece.charCodeAt(index);
      node = this.edges.get(edge) ?? this.nodes++;
      this.edges.set(edge, node);
    }
    this.ids[node] = id;
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
  private readonly pieces: PieceTrie;
  private readonly wordMaxChars: number;

  /** `json`: the parsed `tokenizer.json`. Errors: StartError when it is no uncased BERT WordPiece. */
  constructor(json: unknown) {
    if (!Value.Check(TokenizerFile, json)) throw new StartError("tokenizer.json is not a BERT WordPiece tokenizer");
    const { strip_accents, ...normalizer } = json.normalizer;
    const { vocab, max_input_chars_per_word } = json.model;
    this.normalizer = new BertNormalizer(strip_accents === null ? normalizer : { ...normalizer, strip_accents });
    this.wordMaxChars = max_input_chars_per_word;
    this.pieces = new PieceTrie(vocab);
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
 * The tokenizer of a `tokenizer.json`. Files with the same normaliser, words and pieces share one object of 20 MB: those
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
