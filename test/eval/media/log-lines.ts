/** Which of the stored templates each line of a log belongs to, by what the Units say: their text and how many lines they have. */
import type { WireUnit } from "./door.ts";

const VARIABLE = "<*>";

interface Pattern {
  id: number;
  matches: RegExp;
  /** Letters that are no variable. */
  literal: number;
}

function patternOf({ text = "" }: WireUnit, id: number): Pattern {
  const parts = text.split(VARIABLE).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // A template begins after the time, and after what else was cut off a line's front.
  return { id, matches: new RegExp(`(?:^|[\\s\\]])${parts.join(".+?")}$`), literal: text.replaceAll(VARIABLE, "").length };
}

/** Of each line the number of its Unit: of those whose text it has, the one that says most. -1 for none. */
export function templatesOf(lines: readonly string[], units: readonly WireUnit[]): number[] {
  const patterns = units.map(patternOf).sort((a, b) => b.literal - a.literal);
  return lines.map((line) => {
    const plain = line.replace(/\s+/g, " ").trim();
    return patterns.find(({ matches }) => matches.test(plain))?.id ?? -1;
  });
}

/** The share of Units that have as many lines here as they say. */
export function agreement(groups: readonly number[], units: readonly WireUnit[]): number {
  const counts = new Map<number, number>();
  for (const id of groups) counts.set(id, (counts.get(id) ?? 0) + 1);
  return units.filter(({ metadata }, id) => metadata.count === (counts.get(id) ?? 0)).length / Math.max(1, units.length);
}
