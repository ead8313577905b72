/**
 * The schema of the index, and how the terms of a query with its restriction become Tantivy's query objects. Text of a
 * query never reaches a query parser: 24 open brackets would keep Tantivy's busy for 20 s.
 */
import { assert } from "../../base/fault.ts";
import { URI_MAX_CHARS } from "../../base/limits.ts";
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
import { PLANES } from "../../domain/plane.ts";
import type { FullTextQuery } from "../../domain/port/full-text-index.ts";
import type { ClassSet } from "../../domain/port/index.ts";
import { type Clause, FIELD_TYPE_I64, FIELD_TYPE_U64, OCCUR, type Schema, type Tantivy, type TantivyQuery } from "./binding.ts";

/** The fields of a filter that the index holds as a column of their own; metadata shares `tags`. */
export const KEYWORD_FIELDS = [
  "modality",
  "plane",
  "scope",
  "doc_id",
  "path",
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

/** The fields with the terms of text/terms.ts, joined by spaces: those of a Unit's text and those of its path. */
export const TERM_FIELDS = ["body", "path_terms"] as const;
export type TermField = (typeof TERM_FIELDS)[number];

/** The schema on disk. `record` has all that is read back, see record.ts; `present` the names of the fields that a Unit has. */
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
      ...TERM_FIELDS.map((field) => text(field, "whitespace", "position")),
      { name: "record", type: "text", options: { stored: true, fast: false } },
    ]),
  );
}

/** A term, and for each field that has it its weight among the visible documents divided by its weight in the whole index. */
export interface WeightedTerm {
  term: string;
  boosts: readonly { field: TermField; boost: number }[];
}

/** Builds Tantivy's queries. Everything but the terms of the query scores 0. */
export class QueryBuilder implements FilterFold<TantivyQuery> {
  constructor(
    private readonly tantivy: Tantivy,
    private readonly schema: Schema,
  ) {}

  /** Documents that match the query and its restriction. `weights` are those of the scored terms. */
  search(query: FullTextQuery, weights: readonly WeightedTerm[]): TantivyQuery {
    const { phrases, alternatives } = query.terms;
    const scored = new Map(weights.map(({ term, boosts }) => [term, this.boosted(term, boosts)]));
    const must = [...this.restriction(query), ...phrases.map((terms) => this.phrase(terms))];
    if (phrases.length === 0) must.push(this.any(alternatives.map((terms) => this.alternative(terms, scored))));
    return this.tantivy.Query.booleanQuery([
      ...must.map((query) => ({ occur: OCCUR.must, query })),
      ...[...scored.values()].map((query) => ({ occur: OCCUR.should, query })),
    ]);
  }

  /** Documents of the classes that hold the term in one of these fields. */
  termInClasses(fields: readonly TermField[], term: string, classes: ClassSet): TantivyQuery {
    const holding = this.any(fields.map((field) => this.term(field, term)));
    return classes === null ? holding : this.all([holding, this.classes(classes)]);
  }

  classes(classes: ClassSet): TantivyQuery {
    return classes === null ? this.tantivy.Query.allQuery() : this.numbers("classId", classes);
  }

  /** Documents of the classes with a term at most `edits` from one of these, and with none of the `others`. */
  near(terms: readonly string[], edits: number, others: readonly string[], classes: ClassSet): TantivyQuery {
    const near = TERM_FIELDS.flatMap((field) => terms.map((term) => this.tantivy.Query.fuzzyTermQuery(this.schema, field, term, edits, true, false)));
    const without = TERM_FIELDS.map((field) => this.strings(field, others));
    return this.all([this.any(near), this.classes(classes), this.not(this.any(without))]);
  }

  /** Documents with a uid above `uid`. */
  after(uid: number): TantivyQuery {
    return this.tantivy.Query.rangeQuery(this.schema, "uid", FIELD_TYPE_U64, uid + 1, Number.MAX_SAFE_INTEGER, true, true);
  }

  /** Documents with one of these uids. */
  among(uids: readonly number[]): TantivyQuery {
    return this.numbers("uid", uids);
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

  /** A boolean query of exclusions alone matches nothing, so one that matches everything is added. */
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

  /** A prefix is an automaton, which takes memory for each character; no keyword is longer than a URI. */
  prefix(field: KeywordField | MetadataField, prefix: string): TantivyQuery {
    assert(isKeyword(field), "a prefix over metadata is not native");
    if (prefix === "") return this.exists(field);
    if (prefix.length > URI_MAX_CHARS || !prefix.isWellFormed()) return this.tantivy.Query.emptyQuery();
    return this.tantivy.Query.fuzzyTermQuery(this.schema, column(field), prefix, 0, true, true);
  }

  exists(field: Field): TantivyQuery {
    return isMetadata(field) ? this.strings("tags", [metadataKey(field)]) : this.strings("present", [field]);
  }

  /** A scored term is moved here from `scored`, so that its postings are read once. */
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

  private term(field: TermField, term: string): TantivyQuery {
    return this.tantivy.Query.termQuery(this.schema, field, term);
  }

  private boosted(term: string, boosts: WeightedTerm["boosts"]): TantivyQuery {
    return this.any(boosts.map(({ field, boost }) => this.tantivy.Query.boostQuery(this.term(field, term), boost)));
  }

  /** In one of the fields. Tantivy aborts the process on a phrase of one word. */
  private phrase(terms: readonly string[]): TantivyQuery {
    const [only] = terms;
    assert(only !== undefined, "a phrase has a term");
    const inField = (field: TermField) =>
      terms.length === 1 ? this.term(field, only) : this.tantivy.Query.phraseQuery(this.schema, field, terms, 0);
    return this.unscored(this.any(TERM_FIELDS.map(inField)));
  }

  private unscored(query: TantivyQuery): TantivyQuery {
    return this.tantivy.Query.constScoreQuery(query, 0);
  }

  private bool(occur: Clause["occur"], queries: readonly TantivyQuery[]): TantivyQuery {
    const [only, second] = queries;
    if (only !== undefined && second === undefined) return only;
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
