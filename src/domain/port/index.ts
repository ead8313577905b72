/** What the ports of both kinds of indexes share. */
import type { Filter } from "../filter.ts";
import type { Plane } from "../plane.ts";
import type { Unit } from "../unit.ts";
import type { TextWindow } from "./encoder.ts";

/** The vector index of a plane, or the full-text index. */
export type IndexName = Plane | "fulltext";

/** Access classes a request may see; null: every class of the namespace. Sorted, unique. */
export type ClassSet = readonly number[] | null;

/** What an engine restricts a leg to. `uids` null: no restriction by id. `filter` is native (see isNative). */
export interface Restriction {
  classes: ClassSet;
  filter: Filter;
  uids: readonly number[] | null;
}

/** A Unit with what the engines index of it. `windows` is empty when it has no text. */
export interface IndexEntry {
  unit: Unit;
  windows: readonly TextWindow[];
}

export interface RankedHits<T> {
  hits: T[];
  /** True when the engine has nothing further for this restriction. */
  exhausted: boolean;
}

/** A row as an index holds it, for doctor. */
export interface IndexedRow {
  uid: number;
  version: number;
  window: number;
}

/** An index that is looked at and not changed. */
export interface Inspected {
  rows(): Promise<IndexedRow[]>;
  state(): Promise<IndexState>;
  close(): Promise<void>;
}

/** What both kinds of indexes do. */
export interface WritableIndex<Entry> extends Inspected {
  /** Replaces whatever it holds of these Units. Durable and searchable when it returns; running it twice is harmless. */
  put(entries: readonly Entry[]): Promise<void>;
  remove(uids: readonly number[]): Promise<void>;
  /** Whether the last read and the last write went well, from memory: false is tried again in growing pauses. */
  working(): boolean;
}

export interface IndexState {
  rows: number;
  state: "ok" | "building" | "failing";
}
