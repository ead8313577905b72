/** What the indexes of a namespace have still to do. For the indexer, and for whoever checks and mends indexes. */
import type { Unit } from "../unit.ts";
import type { IndexEntry, IndexName } from "./index.ts";

/** The Units that the indexer has in hand: from uid `first` to `last`, for the `attempts`-th time alone. */
export interface InHand {
  first: number;
  last: number;
  attempts: number;
}

/** A Unit that an index cannot take. */
export interface Quarantined {
  uid: number;
  unit_id: string;
  reason: string;
  /** ms. */
  since: number;
}

type Version = Pick<Unit, "uid" | "version">;

/** Every method that changes something is a transaction of its own, durable when it resolves. Errors: `unavailable`. */
export interface Outbox {
  /** The indexes that something waits for, be it a change or a removal. */
  waiting(): Promise<IndexName[]>;
  /** Units after `uid` whose changes wait for an index, in the order of their uids, with what it should hold of them: for full text no windows. */
  pending(index: IndexName, after: number, limit: number): Promise<IndexEntry[]>;
  /** Uids of Units whose changes wait for an index, without the Units. */
  pendingUids(index: IndexName): Promise<number[]>;
  /** Uids of Units that are gone and whose rows an index still has to let go of. */
  removals(index: IndexName, limit: number): Promise<number[]>;
  /** Notes durably what is about to be written to an index; a process that dies of it leaves the note. */
  take(index: IndexName, inHand: InHand): Promise<void>;
  /** What was taken and neither done nor put back. */
  taken(index: IndexName): Promise<InHand | null>;
  /** Forgets what was taken: the index did not take it. */
  putBack(index: IndexName): Promise<void>;
  /** An index holds these versions: they no longer wait, and nothing is in hand. A newer version still waits. */
  done(index: IndexName, units: readonly Version[]): Promise<void>;
  /** An index holds nothing of these Units any more. */
  removed(index: IndexName, uids: readonly number[]): Promise<void>;
  /** Lets an index take Units again, also those set aside; `all`: every Unit with text that is not set aside. */
  again(index: IndexName, uids: readonly number[] | "all"): Promise<void>;
  /** Takes a Unit out of the way of the others until it changes or is let in again. */
  setAside(index: IndexName, unit: Version, reason: string): Promise<void>;
  quarantined(index: IndexName): Promise<Quarantined[]>;
  /** Rows that an index holds for sure: those of Units whose changes neither wait nor are set aside. */
  settledRows(index: IndexName): Promise<number>;
}
