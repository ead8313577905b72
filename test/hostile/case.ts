/** One hostile file: what it is, how it is made, and what has to become of it. */
import type { Bytes } from "../support/files.ts";

/** 4xx, with a detail that says these words to a person. */
export interface Refused {
  refused: RegExp;
}

/** A harmless file: its Units have exactly these modalities. */
export interface Taken {
  taken: readonly string[];
  /** Words that are in their texts. */
  says: readonly string[];
  /** What the job says was left out; null: whatever it says. */
  notes: RegExp | null;
}

export type Outcome = Refused | Taken;

/** What it is (which names the test), the name that it is sent with, its bytes, and the outcome. */
export type HostileFile = readonly [what: string, name: string, make: () => Bytes | Promise<Bytes>, outcome: Outcome];

export function refused(words: RegExp): Refused {
  return { refused: words };
}

/** `modalities`: one after the other, with blanks between; none: a file without anything to find. */
export function taken(modalities: string, { says = [], notes = null }: { says?: readonly string[]; notes?: RegExp | null } = {}): Taken {
  return { taken: modalities.split(" ").filter((modality) => modality !== ""), says, notes };
}

/** Stands in scripts, in embedded files and in what is not shown: in no Unit's text. */
export const UNSEEN = "unseenpayload";
/** Stands in a file of this machine and in the answers of a server: in no Unit's text. */
export const SECRET = "canarysecret";
