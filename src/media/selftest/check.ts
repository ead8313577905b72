/** How the outputs of the media models are compared with the fixtures that their cards come with. */
import { distance } from "fastest-levenshtein";

/** One check of a model against its fixture. */
export interface SelfTestCheck {
  model: string;
  check: string;
  /** The largest difference from what is expected; 0 or 1 where there is no distance. */
  deviation: number;
  tolerance: number;
  ok: boolean;
}

/** The largest difference of `found` from `wanted`, number by number; infinite if the lengths differ or a number is NaN. */
export function near(model: string, check: string, found: ArrayLike<number>, wanted: ArrayLike<number>, tolerance: number): SelfTestCheck {
  let deviation = found.length === wanted.length ? 0 : Number.POSITIVE_INFINITY;
  for (let index = 0; index < found.length; index++) {
    const difference = Math.abs((found[index] ?? Number.NaN) - (wanted[index] ?? Number.NaN));
    deviation = Math.max(deviation, Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference);
  }
  return { model, check, deviation, tolerance, ok: deviation <= tolerance };
}

/** A check without a distance: deviation 0 if both are deeply equal, 1 if not. */
export function same(model: string, check: string, found: unknown, wanted: unknown): SelfTestCheck {
  const ok = Bun.deepEquals(found, wanted);
  return { model, check, deviation: ok ? 0 : 1, tolerance: 0, ok };
}

/** Words of `found` that are changed, missing or added, for each word of `wanted`; case and punctuation aside. */
export function wordErrorRate(found: string, wanted: string): number {
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  // Each distinct word becomes one character, so that the distance of strings counts words.
  const codes = new Map<string, string>();
  const coded = (text: string) => {
    for (const word of words(text)) if (!codes.has(word)) codes.set(word, String.fromCharCode(codes.size));
    return words(text)
      .map((word) => codes.get(word))
      .join("");
  };
  return distance(coded(found), coded(wanted)) / words(wanted).length;
}
