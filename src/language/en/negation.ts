/** Negating words: a claim and its source that differ by one say opposite things. */

/** "No. 7" and "not only" negate nothing. */
const NEGATING =
  /\b(?:not(?!\s+(?:only|just|merely|least)\b)|no(?!\.?\s?\d)|never|none|neither|nor|nobody|nothing|nowhere|without|cannot|hardly|scarcely|unable\s+to|inability\s+to|incapable\s+of|absence\s+of|absent|lack(?:s|ed|ing)?|fail(?:s|ed|ing|ure)?\s+to)\b|n['’]t\b/gi;

/** How many negating words `text` has; "neither … nor" is one. */
export function negations(text: string): number {
  let count = 0;
  let paired = false;
  for (const [match] of text.matchAll(NEGATING)) {
    const word = match.toLowerCase();
    if (word === "nor" && paired) paired = false;
    else count += 1;
    if (word === "neither") paired = true;
  }
  return count;
}

/** Whether both texts affirm or both deny, by the parity of their negations. */
export function sameNegation(claim: string, premise: string): boolean {
  return negations(claim) % 2 === negations(premise) % 2;
}

/** The text without its negating words, to compare what is affirmed or denied. */
export function withoutNegations(text: string): string {
  return text.replace(NEGATING, " ");
}
