/**
 * The language of the full text: how a text becomes terms, how the text of a query becomes terms and
 * phrases, and how a query with its restriction becomes Tantivy's query objects. Query text is split
 * into words here and never reaches a query parser.
 */
import { assert } from "../../base/fault.ts";
import { PHRASE_MAX_WORDS, QUERY_MAX_PHRASES, QUERY_MAX_TERMS, STEM_CACHE_MAX_WORDS, TERM_MAX_BYTES, URI_MAX_CHARS } from "../../base/limits.ts";
import {
  type Field,
  type Filter,
  type FilterFold,
  foldFilter,
  type IntegerField,
  isInteger,
  isKeyword,
  isMetadata,
  type KeywordField,
  type MetadataField,
  metadataKey,
  metadataToken,
  type RangeBounds,
  type Scalar,
} from "../../domain/filter.ts";
import type { Span } from "../../base/span.ts";
import { PLANES } from "../../domain/plane.ts";
import type { FullTextQuery } from "../../domain/port/full-text-index.ts";
import type { ClassSet } from "../../domain/port/index.ts";
import { type Clause, FIELD_TYPE_I64, FIELD_TYPE_U64, OCCUR, type Schema, type Tantivy, type TantivyQuery, type TextAnalyzer } from "./binding.ts";

/** The fields of a filter that the index holds as a column of their own; metadata shares `tags`. */
export const KEYWORD_FIELDS = [
  "modality",
  "plane",
  "scope",
  "doc_id",
  "source_uri",
  "mime",
  "acl_owner",
  "locator.kind",
] as const satisfies KeywordField[];
export const INTEGER_FIELDS = ["created_at", "locator.t_start_ms", "locator.t_end_ms"] as const satisfies IntegerField[];

/** The column of a filter's field. Tantivy reads a dot as a path into JSON. */
export function column(field: KeywordField | IntegerField): string {
  return field.replace(".", "_");
}

interface Storage {
  fast?: boolean;
  indexed?: boolean;
}

function number(name: string, type: "u64" | "i64", { fast = false, indexed = false }: Storage): object {
  return { name, type, options: { indexed, fieldnorms: false, fast, stored: false } };
}

function text(name: string, tokenizer: string, record: "basic" | "position"): object {
  return {
    name,
    type: "text",
    options: { indexing: { record, fieldnorms: record === "position", tokenizer }, stored: false, fast: false },
  };
}

/**
 * The schema on disk. `body` holds our own terms joined by spaces, so that documents, queries and
 * highlights share one analysis; `record` holds all that is read back, in one string because each read
 * of a field has its price; `present` names the fields that a Unit has.
 */
export function fullTextSchema(tantivy: Tantivy): Schema {
  return tantivy.Schema.fromJson(
    JSON.stringify([
      number("uid", "u64", { fast: true, indexed: true }),
      number("classId", "u64", { fast: true, indexed: true }),
      number("len", "u64", { fast: true }),
      ...KEYWORD_FIELDS.map((field) => text(column(field), "raw", "basic")),
      ...INTEGER_FIELDS.map((field) => number(column(field), "i64", { fast: true, indexed: true })),
      text("present", "raw", "basic"),
      text("tags", "raw", "basic"),
      text("body", "whitespace", "position"),
      { name: "record", type: "text", options: { stored: true, fast: false } },
    ]),
  );
}

/** Scripts that write no spaces between words: each of their characters is a term. */
const SPACELESS = "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}";
const ALPHANUMERIC = "\\p{Alphabetic}\\p{Nd}\\p{Nl}\\p{No}";
/** Marks belong to the letter before them; a variation selector only picks a glyph. */
const MARK = "[[\\p{Mn}\\p{Mc}]--\\p{Variation_Selector}]";
const SPACELESS_CHARACTER = `[[${ALPHANUMERIC}]&&[${SPACELESS}]]`;
const LETTER = `[[${ALPHANUMERIC}]--[${SPACELESS}]]`;
const WORD = new RegExp(`(${SPACELESS_CHARACTER}${MARK}*)|${LETTER}[${LETTER}${MARK}]*`, "gv");

/** Decomposed letters shrink when composed, by less than this. */
const COMPOSITION_FACTOR = 4;

export interface Token extends Span {
  term: string;
  word: string;
  /** A character of a script without spaces. */
  spaceless: boolean;
}

/**
 * Splits text into terms: words are composed (NFC), lower-cased, folded to ASCII, and stemmed in
 * English; words above TERM_MAX_BYTES are left out.
 */
export class Analysis {
  private readonly stemmer: TextAnalyzer;
  private readonly stopwords: TextAnalyzer;
  private readonly stems = new StemCache();

  constructor({ TextAnalyzerBuilder, TokenizerStatic, FilterStatic }: Tantivy) {
    this.stemmer = new TextAnalyzerBuilder(TokenizerStatic.raw())
      .filter(FilterStatic.lowercase())
      .filter(FilterStatic.asciiFold())
      .filter(FilterStatic.removeLong(TERM_MAX_BYTES + 1))
      .filter(FilterStatic.stemmer("english"))
      .build();
    this.stopwords = new TextAnalyzerBuilder(TokenizerStatic.raw()).filter(FilterStatic.lowercase()).filter(FilterStatic.stopword("english")).build();
  }

  /** The terms of a text with their places in it, in order. */
  *tokens(text: string): Generator<Token> {
    for (const match of text.matchAll(WORD)) {
      const [word, character] = match;
      const term = this.stem(word);
      if (term !== "") yield { term, word, start: match.index, end: match.index + word.length, spaceless: character !== undefined };
    }
  }

  terms(text: string): string[] {
    return Array.from(this.tokens(text), (token) => token.term);
  }

  isStopword(word: string): boolean {
    return this.stopwords.analyze(word).length === 0;
  }

  private stem(word: string): string {
    if (word.length > TERM_MAX_BYTES * COMPOSITION_FACTOR) return "";
    const known = this.stems.get(word);
    if (known !== undefined) return known;
    const term = this.stemmer.analyze(word.normalize("NFC"))[0] ?? "";
    this.stems.set(word, term);
    return term;
  }
}

/**
 * The stems of recent words; "" stands for a word that is left out. Every word of every text asks
 * here, and an LruMap's hit costs as much as stemming the word again: so two maps that take turns.
 */
class StemCache {
  private recent = new Map<string, string>();
  private older = new Map<string, string>();

  get(word: string): string | undefined {
    return this.recent.get(word) ?? this.older.get(word);
  }

  set(word: string, stem: string): void {
    if (this.recent.size >= STEM_CACHE_MAX_WORDS / 2) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(word, stem);
  }
}

/** The text of a query, understood. */
export interface QueryTerms {
  /** What is scored: unique terms in order. Empty: the query matches nothing. */
  terms: string[];
  /** Without phrases, one of these must match: a term, or two neighbours of a script without spaces. */
  alternatives: string[][];
  /** All of these must match, each of at least one term in a row. */
  phrases: string[][];
}

/** Double quotes of all shapes count in pairs, as they come; a last one without a partner is no quote. */
export function parseQuery(analysis: Analysis, query: string): QueryTerms {
  const parts = query.split(/["“”„«»]/u).map((part) => [...analysis.tokens(part)]);
  const quoted = parts.filter((tokens, index) => index % 2 === 1 && index < parts.length - 1 && tokens.length > 0);
  const phrases = quoted.slice(0, QUERY_MAX_PHRASES).map((tokens) => tokens.slice(0, PHRASE_MAX_WORDS).map((token) => token.term));
  const terms = scoredTerms(analysis, parts.flat());
  return { terms, alternatives: alternatives(parts, new Set(terms)), phrases };
}

function scoredTerms(analysis: Analysis, tokens: readonly Token[]): string[] {
  const words = new Map<string, string>();
  for (const { term, word } of tokens) if (!words.has(term)) words.set(term, word);
  const all = [...words.keys()];
  const telling = all.filter((term) => !analysis.isStopword(words.get(term) ?? term));
  return (telling.length > 0 ? telling : all).slice(0, QUERY_MAX_TERMS);
}

function alternatives(parts: readonly Token[][], scored: ReadonlySet<string>): string[][] {
  const found = new Map<string, string[]>();
  const add = (terms: string[]) => {
    if (found.size < QUERY_MAX_TERMS && terms.every((term) => scored.has(term))) found.set(terms.join(" "), terms);
  };
  for (const tokens of parts) {
    tokens.forEach((token, index) => {
      const next = tokens[index + 1];
      if (next && joined(token, next)) add([token.term, next.term]);
      else if (!joined(tokens[index - 1], token)) add([token.term]);
    });
  }
  return [...found.values()];
}

function joined(left: Token | undefined, right: Token): boolean {
  return left?.spaceless === true && right.spaceless && left.end === right.start;
}

/** A term and how much more telling it is among the visible documents than in the whole index. */
export interface WeightedTerm {
  term: string;
  boost: number;
}

/** Builds Tantivy's queries. Everything but the terms of the query scores 0. */
export class QueryBuilder implements FilterFold<TantivyQuery> {
  constructor(
    private readonly tantivy: Tantivy,
    private readonly schema: Schema,
  ) {}

  /** Documents that match the query and its restriction. `weights` are those of `parsed.terms`. */
  search(parsed: QueryTerms, weights: readonly WeightedTerm[], query: FullTextQuery): TantivyQuery {
    const scored = new Map(weights.map(({ term, boost }) => [term, this.tantivy.Query.boostQuery(this.term(term), boost)]));
    const must = [...this.restriction(query), ...parsed.phrases.map((terms) => this.phrase(terms))];
    if (parsed.phrases.length === 0) must.push(this.any(parsed.alternatives.map((terms) => this.alternative(terms, scored))));
    return this.tantivy.Query.booleanQuery([
      ...must.map((query) => ({ occur: OCCUR.must, query })),
      ...[...scored.values()].map((query) => ({ occur: OCCUR.should, query })),
    ]);
  }

  /** Documents of the classes that hold the term. */
  termInClasses(term: string, classes: ClassSet): TantivyQuery {
    return this.all([this.term(term), this.classes(classes)]);
  }

  classes(classes: ClassSet): TantivyQuery {
    return classes === null ? this.tantivy.Query.allQuery() : this.numbers("classId", classes);
  }

  /** Documents with a uid above `uid`. */
  after(uid: number): TantivyQuery {
    return this.tantivy.Query.rangeQuery(this.schema, "uid", FIELD_TYPE_U64, uid + 1, Number.MAX_SAFE_INTEGER, true, true);
  }

  /** A filter with the meaning of `matches()`. */
  filter(filter: Filter): TantivyQuery {
    return foldFilter(filter, this);
  }

  all(queries: readonly TantivyQuery[]): TantivyQuery {
    return queries.length === 0 ? this.tantivy.Query.allQuery() : this.bool(OCCUR.must, queries);
  }

  any(queries: readonly TantivyQuery[]): TantivyQuery {
    return queries.length === 0 ? this.tantivy.Query.emptyQuery() : this.bool(OCCUR.should, queries);
  }

  /** A boolean query of exclusions alone matches nothing: it needs everything to exclude from. */
  not(query: TantivyQuery): TantivyQuery {
    const all = this.tantivy.Query.allQuery();
    return this.tantivy.Query.booleanQuery([
      { occur: OCCUR.must, query: all },
      { occur: OCCUR.mustNot, query },
    ]);
  }

  in(field: Field, values: readonly Scalar[]): TantivyQuery {
    if (isMetadata(field))
      return this.strings(
        "tags",
        values.map((value) => metadataToken(metadataKey(field), value)),
      );
    if (isInteger(field)) return this.numbers(column(field), values.filter((value) => Number.isSafeInteger(value)) as number[]);
    return this.strings(
      column(field),
      values.filter((value) => typeof value === "string"),
    );
  }

  range(field: IntegerField | MetadataField, { gt, gte, lt, lte }: RangeBounds): TantivyQuery {
    assert(isInteger(field), "a range over metadata is not native");
    const low = Math.max(gte ?? -Number.MAX_SAFE_INTEGER, gt === undefined ? -Number.MAX_SAFE_INTEGER : gt + 1);
    const high = Math.min(lte ?? Number.MAX_SAFE_INTEGER, lt === undefined ? Number.MAX_SAFE_INTEGER : lt - 1);
    if (low > high) return this.tantivy.Query.emptyQuery();
    return this.tantivy.Query.rangeQuery(this.schema, column(field), FIELD_TYPE_I64, low, high, true, true);
  }

  /** An automaton costs memory by the character, and no keyword is longer than a URI. */
  prefix(field: KeywordField | MetadataField, prefix: string): TantivyQuery {
    assert(isKeyword(field), "a prefix over metadata is not native");
    if (prefix === "") return this.exists(field);
    if (prefix.length > URI_MAX_CHARS || !prefix.isWellFormed()) return this.tantivy.Query.emptyQuery();
    return this.tantivy.Query.fuzzyTermQuery(this.schema, column(field), prefix, 0, true, true);
  }

  exists(field: Field): TantivyQuery {
    return isMetadata(field) ? this.strings("tags", [metadataKey(field)]) : this.strings("present", [field]);
  }

  /** A term that already scores is taken out of `scored`, so that its postings are read once. */
  private alternative(terms: readonly string[], scored: Map<string, TantivyQuery>): TantivyQuery {
    const [only, second] = terms;
    const query = only === undefined || second !== undefined ? undefined : scored.get(only);
    if (query === undefined || only === undefined) return this.phrase(terms);
    scored.delete(only);
    return query;
  }

  private restriction({ planes, restriction }: FullTextQuery): TantivyQuery[] {
    const parts: TantivyQuery[] = [];
    if (restriction.classes !== null) parts.push(this.classes(restriction.classes));
    if (restriction.uids !== null) parts.push(this.numbers("uid", restriction.uids));
    if (!PLANES.every((plane) => planes.includes(plane))) parts.push(this.strings("plane", planes));
    if (restriction.filter.op !== "and" || restriction.filter.of.length > 0) parts.push(this.filter(restriction.filter));
    return parts.map((query) => this.unscored(query));
  }

  private term(term: string): TantivyQuery {
    return this.tantivy.Query.termQuery(this.schema, "body", term);
  }

  /** Tantivy aborts the process on a phrase of one word. */
  private phrase(terms: readonly string[]): TantivyQuery {
    const [only] = terms;
    assert(only !== undefined, "a phrase has a term");
    return this.unscored(terms.length === 1 ? this.term(only) : this.tantivy.Query.phraseQuery(this.schema, "body", terms, 0));
  }

  private unscored(query: TantivyQuery): TantivyQuery {
    return this.tantivy.Query.constScoreQuery(query, 0);
  }

  private bool(occur: Clause["occur"], queries: readonly TantivyQuery[]): TantivyQuery {
    return this.tantivy.Query.booleanQuery(queries.map((query) => ({ occur, query })));
  }

  /** The addon turns a lone surrogate into U+FFFD, which would match another string. */
  private strings(name: string, values: readonly string[]): TantivyQuery {
    return this.tantivy.Query.termSetQuery(
      this.schema,
      name,
      values.filter((value) => value.isWellFormed()),
    );
  }

  private numbers(name: string, values: readonly number[]): TantivyQuery {
    return this.tantivy.Query.termSetQuery(this.schema, name, values);
  }
}
