/** An answer's text as what it is made of: statements with their markers, and what the service says between them. */
import type { Claim } from "../types.ts";

export interface Statement {
  /** Place of the claim among the claims. */
  index: number;
  /** What leads to it: `Another source contradicts this:`; empty for most. */
  lead: string;
  text: string;
  claim: Claim;
}

const MARKERS = /\[\d+\]/g;

/** Statements in the order of the text. Offsets of claims count in `text`. */
export function statementsOf(text: string, claims: readonly Claim[]): Statement[] {
  let at = 0;
  return claims.map((claim, index) => {
    const lead = text.slice(at, claim.start).replace(MARKERS, "").trim();
    at = claim.end;
    return { index, lead, text: text.slice(claim.start, claim.end), claim };
  });
}

/** Statements that stand against each other: one, and those that follow it with a lead. */
export interface Group {
  first: Statement;
  against: Statement[];
}

/** A statement with a lead disagrees with the one before it. */
export function groupsOf(statements: readonly Statement[]): Group[] {
  const groups: Group[] = [];
  for (const statement of statements) {
    const last = groups.at(-1);
    if (statement.lead !== "" && last !== undefined) last.against.push(statement);
    else groups.push({ first: statement, against: [] });
  }
  return groups;
}
