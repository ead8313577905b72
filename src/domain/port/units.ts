/** Units in a namespace's store, and what models gave for them: vectors of their texts, features of pictures and sounds. */
import type { Span } from "../../base/span.ts";
import type { FacetField, Tally } from "../facet.ts";
import type { Filter } from "../filter.ts";
import type { Features, LabelScore } from "../media.ts";
import type { Plane } from "../plane.ts";
import type { Unit, UnitDraft } from "../unit.ts";
import type { TextWindow } from "./encoder.ts";
import type { AlikeUnit, FeatureIndex, FeatureRestriction } from "./feature-index.ts";
import type { ClassSet, IndexEntry } from "./index.ts";

/** The live version of a Unit, as hits of an index are checked against it. */
export interface LiveUnit {
  uid: number;
  version: number;
  classId: number;
  doc_id: string | null;
  unit_id: string;
}

/** A listing of Units by the time of their making: the oldest first, or the newest. */
export type UnitOrder = "oldest" | "newest";

/** The last Unit of a page in the order of lists: by `created_at`, then `unit_id`. A Unit stored later stands behind it. */
export type UnitCursor = Pick<Unit, "created_at" | "unit_id">;

/** What a scan for a filter, or a listing of what words match, found. `complete` false: it ended at one of its limits, and there may be more. */
export interface Matches {
  uids: number[];
  complete: boolean;
}

export interface PlaneCount {
  plane: Plane;
  units: number;
  vectors: number;
  /** Vectors that wait in the outbox, and those of Units that the plane's table cannot take. */
  pending: number;
  /** Units that the plane's table or the full-text index cannot take. */
  quarantined: number;
}

/** `classes`: access classes; a Unit of another one is as if it were not there. */
export interface UnitReader {
  /** Unknown ids are missing. */
  byIds(unit_ids: readonly string[]): Promise<Map<string, Unit>>;
  byUids(uids: readonly number[]): Promise<Map<number, Unit>>;
  live(uids: readonly number[]): Promise<Map<number, LiveUnit>>;
  /**
   * By `created_at`, then `unit_id`, the oldest first unless `order` says otherwise. `from`: the Unit to go on after, or how many
   * to leave out (cursors on the wire are offsets).
   */
  list(classes: readonly number[], limit: number, from: UnitCursor | number, order?: UnitOrder): Promise<Unit[]>;
  /** Uids that pass the filter: at most `limit`, among the first `scanLimit` Units of the classes. */
  matching(filter: Filter, classes: readonly number[], limit: number, scanLimit: number): Promise<Matches>;
  /** Those of the uids whose Unit passes the filter. */
  passing(filter: Filter, uids: readonly number[]): Promise<Set<number>>;
  /** The values under these fields of those of the uids whose Unit lies in the classes and passes the filter, counted. */
  tally(uids: readonly number[], fields: readonly FacetField[], within: { classes: readonly number[]; filter: Filter }): Promise<Tally>;
  /** Units of these classes; null: all. */
  count(classes: readonly number[] | null): Promise<number>;
  /** One for each plane, in the order of PLANES. */
  counts(classes: readonly number[]): Promise<PlaneCount[]>;
  /** Units after `uid` in the order of their uids, with what the indexes should hold of them. */
  entriesAfter(uid: number, limit: number): Promise<IndexEntry[]>;
}

export type UnitStatus = "created" | "updated" | "unchanged";

export interface Upserted {
  uid: number;
  unit_id: string;
  status: UnitStatus;
}

/** Each change of a Unit with text leaves rows in the outbox for the index of its plane and the full-text index. */
export interface UnitWriter extends UnitReader {
  /**
   * Creates, updates or finds unchanged each Unit, in order. `windows`: of each Unit with a text, by `vectorsKey` (domain/unit.ts), which are stored with a
   * new Unit. A stored Unit that comes with another vector of its own, or with one no more, is updated. Scopes are registered apart (AccessWriter).
   */
  upsert(drafts: readonly UnitDraft[], windows: ReadonlyMap<string, readonly TextWindow[]>): Promise<Upserted[]>;
  /** Removes Units and all that hangs on them. Returns how many there were. A uid is never used again. */
  remove(uids: readonly number[]): Promise<number>;
}

/**
 * Vectors by the hash of what was embedded (`embeddedSha256`: a text with its path), or by the Unit that came with one (`givenKey`),
 * as half-precision floats, of the one model that the store was opened for. Windows are spans of what was embedded.
 */
export interface EmbeddingReader {
  /** Texts without vectors of this model are missing. */
  windows(hashes: readonly string[]): Promise<Map<string, TextWindow[]>>;
  /** As `windows`, of the texts alone that a Unit of these classes has. */
  windowsWithin(hashes: readonly string[], classes: readonly number[]): Promise<Map<string, TextWindow[]>>;
  /** The spans of the windows, without their vectors. */
  spans(hashes: readonly string[]): Promise<Map<string, Span[]>>;
  /** True while a text has vectors of another model. */
  foreign(): Promise<boolean>;
  /** What of Units has no vectors of this model, as it is to be embedded, at most `limit`. */
  missing(limit: number): Promise<{ hash: string; text: string }[]>;
}

export interface EmbeddingWriter extends EmbeddingReader {
  /** Stores the windows of a text that had none of this model. */
  put(hash: string, windows: readonly TextWindow[]): Promise<void>;
  /** Forgets what other models gave. */
  removeForeign(): Promise<void>;
}

/** A Unit with a score. */
export interface FeatureHit {
  uid: number;
  doc_id: string | null;
  score: number;
}

/** What a search by labels is restricted to. `uids` null: no restriction by id. */
export interface FeatureView {
  classes: readonly number[];
  uids: readonly number[] | null;
}

/** What a Unit's picture or sound is compared by: L2-normalised. */
export interface StoredEmbedding {
  kind: Features["kind"];
  model: string;
  embedding: Float32Array;
}

/** Labels and embeddings of pictures and sounds, by the model that gave them. */
export interface FeatureReader extends FeatureIndex {
  /** Units without features are missing. */
  embeddings(uids: readonly number[]): Promise<Map<number, StoredEmbedding>>;
  /** Units with features of a kind, after `uid` in the order of their uids, at most `limit`. */
  uidsAfter(kind: Features["kind"], model: string, uid: number, limit: number): Promise<number[]>;
  /** Whether a Unit of these classes has features of a kind. */
  has(kind: Features["kind"], classes: ClassSet): Promise<boolean>;
  /** Units of these classes with features of a kind. */
  count(kind: Features["kind"], model: string, classes: ClassSet): Promise<number>;
  /**
   * Units by the sum of weight × score over their labels, from `floor` on, best first, at most `limit`. `logarithmic`: a
   * score s counts as log(s / 0.001 + 1), so that a faint label still counts.
   */
  byLabels(
    kind: Features["kind"],
    weights: readonly LabelScore[],
    within: FeatureView,
    options: { floor: number; logarithmic: boolean; limit: number },
  ): Promise<FeatureHit[]>;
  /** Compares all of them; with `uids`, these alone. */
  nearest(
    kind: Features["kind"],
    model: string,
    vector: Float32Array,
    within: FeatureRestriction & { uids?: readonly number[] },
    options: { limit: number; least: number },
  ): Promise<AlikeUnit[]>;
}

export interface FeatureWriter extends FeatureReader {
  /** Stores the features of a Unit in place of what it had. */
  put(uid: number, model: string, features: Features): Promise<void>;
}
