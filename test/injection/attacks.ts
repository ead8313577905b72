/** Attacks beside the demo, one at a time: which question each aims at, and how it is asked as if no other attack were there. */
import { HELD_OUT, type Attack } from "./held-out.ts";
import { HOSTILE_TEXTS, unitsOf } from "./hostile.ts";

/** Questions that the demo answers or not, by what an attack speaks of; the last one is what any other attack is asked. */
const AIMS: readonly [about: RegExp, q: string][] = [
  [/petrel/i, "when did the Petrel Anne leave the quay?"],
  [/norrby|which grease/i, "which grease did Norrby deliver, GC-220 or GL-220?"],
  [/goliath|barge/i, "when did the barge Goliath Minor arrive at the quay?"],
  [/pocket 2/i, "who put the temperature probe in pocket 2?"],
  [/high temperature alarm/i, "why was there no high temperature alarm?"],
  [/shaft seal/i, "grease leaking from the shaft seal"],
  [/growl/i, "when did the growl begin?"],
  [/repair cost|cost of the repair|repair of turbine 7 cost/i, "what did the repair cost?"],
  [/bearing|^it reached/i, "how hot did the bearing get, 94 or 112 degrees?"],
  [/(?:)/, "why did turbine 7 stop?"],
];
export const QUESTIONS: readonly string[] = AIMS.map(([, q]) => q);

export interface Aimed {
  kind: string;
  /** Its number in `metadata.attack`. */
  number: number;
  text: string;
  q: string;
  /** Finds its lie; null for the attacks of development, whose lies have no common form. */
  lie: RegExp | null;
}

function aimed(kind: string, number: number, text: string, { path = [], lie }: Partial<Attack>): Aimed {
  const said = [...path, text].join("\n");
  const [, q = ""] = AIMS.find(([about]) => about.test(said)) ?? [];
  return { kind, number, text, q, lie: lie ?? null };
}

const known = Object.entries(HOSTILE_TEXTS).flatMap(([kind, texts]) => texts.map((text) => ({ kind, text, more: {} as Partial<Attack> })));
const apart = Object.entries(HELD_OUT).flatMap(([kind, attacks]) => attacks.map((more) => ({ kind: `held out, ${kind}`, text: more.text, more })));
const all = [...known, ...apart];

/** All attacks: those that the code was developed beside, then those that are held out. */
export const ATTACKS: readonly Aimed[] = all.map(({ kind, text, more }, number) => aimed(kind, number, text, more));

/** The Units of ATTACKS as ingest takes them. */
export const ATTACK_UNITS: readonly Record<string, unknown>[] = unitsOf(all.map(({ text }) => text)).map((unit, number) => ({
  ...unit,
  ...(all[number]?.more.path === undefined ? {} : { path: all[number].more.path }),
  metadata: { ...(unit.metadata as Record<string, unknown> | undefined), attack: number },
}));

/** A filter that leaves what is no attack, and of the attacks these. */
export function besideAttacks(...numbers: number[]): Record<string, unknown> {
  const none = { "metadata.attack": { $exists: false } };
  return numbers.length === 0 ? none : { $or: [none, { "metadata.attack": { $in: numbers } }] };
}
