/**
 * Puts names where a recording holds what no two runs share: times, durations, random ids, secrets and the hashes of the
 * audit chain. Equal values get equal names, in the order of their first sight. Everything else stays as it was sent:
 * ids of Units and files, which are hashes of what they name, scores, and white space.
 */

/** A body or header value before and after. */
export interface Normalised {
  text: string;
  changed: boolean;
}

/** Members whose values are milliseconds since the epoch. */
const TIMES = "ts|created_at|updated_at|expires_at|revoked_at";
/** Members whose values say how long something took. */
const DURATIONS = "ms|total_ms";
const GENESIS = "0".repeat(64);

interface Rule {
  pattern: RegExp;
  /** What the name begins with; each distinct value gets a number behind it. Absent: `fixed` stands for every value. */
  kind?: string;
  fixed?: string;
}

/** In each match the first group stays, and the rest is replaced. */
const RULES: readonly Rule[] = [
  { pattern: new RegExp(`("(?:${TIMES})":)\\d{13}\\b`, "g"), fixed: "<time>" },
  { pattern: new RegExp(`("(?:${DURATIONS})":)[0-9.eE+-]+`, "g"), fixed: "<ms>" },
  { pattern: /("time":")[0-9T:.-]+Z/g, fixed: "<time>" },
  { pattern: /("(?:row_hash|prev_hash|content_hash|head_hash)":")[0-9a-f]{64}/g, kind: "hash" },
  { pattern: /("salt":")[A-Za-z0-9_-]{16,}/g, kind: "salt" },
  { pattern: /()\bstrata_[A-Za-z0-9_-]{32}(?![A-Za-z0-9_-])/g, kind: "secret" },
  { pattern: /(console\.session_token=)[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g, kind: "session" },
  { pattern: /()\bj_[A-Za-z0-9_-]{20}(?![A-Za-z0-9_-])/g, kind: "job" },
  { pattern: /()\bt_[A-Za-z0-9_-]{20}(?![A-Za-z0-9_-])/g, kind: "token-id" },
  { pattern: /(\b(?:127\.0\.0\.1|localhost|strata\.example):)\d{4,5}\b/g, fixed: "<port>" },
];

/** Ids that the recording itself sends, and that look like random ones. */
const SENT = /^[jt]_a+$/;

export class Names {
  private readonly known = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** The name of a value that is known to be one of `kind`. */
  of(kind: string, value: string): string {
    if (value === GENESIS || SENT.test(value)) return value;
    const before = this.known.get(value);
    if (before !== undefined) return before;
    const count = (this.counts.get(kind) ?? 0) + 1;
    const name = `<${kind} ${count}>`;
    this.counts.set(kind, count);
    this.known.set(value, name);
    return name;
  }

  normalise(text: string): Normalised {
    let out = text;
    for (const { pattern, kind, fixed } of RULES) {
      out = out.replace(pattern, (match: string, kept: string) => kept + (kind === undefined ? fixed : this.of(kind, match.slice(kept.length))));
    }
    return { text: out, changed: out !== text };
  }
}

interface Listed {
  unit_id: string;
  created_at: number;
}

/**
 * A listing with its Units by their ids. Units that one commit stores get the times at which each was written, and a
 * listing is ordered by time and then by id: where the milliseconds change among them is another in every run. A listing
 * that is not in that order stays as it is, and so differs.
 */
export function inOrderOfIds(text: string): string {
  const body = JSON.parse(text) as { units?: Listed[] };
  const { units } = body;
  if (units === undefined || JSON.stringify(body) !== text) return text;
  const before = (a: Listed, b: Listed) => a.created_at < b.created_at || (a.created_at === b.created_at && a.unit_id < b.unit_id);
  if (!units.every((unit, at) => at === 0 || before(units[at - 1] as Listed, unit))) return text;
  return JSON.stringify({ ...body, units: units.toSorted((a, b) => (a.unit_id < b.unit_id ? -1 : 1)) });
}

/** A header as a recording holds it. `made`: the request id that the service made up, which is another in every run. */
export function normalHeader(names: Names, name: string, value: string, made: string | null = null): string {
  if (name.toLowerCase() === "date") return "<time>";
  return value === made ? REQUEST_ID : names.normalise(value).text;
}

/** Stands for a request id that the service made up. */
export const REQUEST_ID = "<request-id>";
