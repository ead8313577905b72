/** Random Units and native filters, of values that are easily got wrong. */
import { type Filter, MATCH_ALL, parseFilter } from "../../src/domain/filter.ts";
import { MODALITIES } from "../../src/domain/plane.ts";
import type { Unit } from "../../src/domain/unit.ts";
import type { Random } from "./random.ts";

export function unitOf(uid: number, more: Partial<Unit> = {}): Unit {
  return {
    uid,
    unit_id: `u_${uid}`,
    version: 1,
    classId: 1,
    namespace: "port",
    scope: "a",
    acl_owner: "me",
    acl_groups: [],
    doc_id: null,
    path: null,
    source_uri: null,
    locator: null,
    modality: "text",
    plane: "text",
    text: `text ${uid}`,
    mime: null,
    metadata: null,
    content_sha256: null,
    embeddedSha256: null,
    windows: 0,
    created_at: 1_000 + uid,
    updated_at: 1_000 + uid,
    ...more,
  };
}

const TEXTS = ["plain", "o'clock", 'say "yes"', "50%_", "a\\b", "line\nbreak", "höhe", "海", "x' OR '1'='1", "tail "];

/** Beginnings with what is syntax in SQL or in a pattern of LIKE, of a column that has an index. */
export const PREFIXES = ["%", "_", "50%", "50%_", "a\\", "x'", "li", "海"].map((prefix) => parseFilter({ doc_id: { $prefix: prefix } }));

export function randomUnit(random: Random, uid: number): Unit {
  const maybe = <T>(value: T): T | null => (random.chance(0.6) ? value : null);
  const start = random.integer(0, 50);
  return unitOf(uid, {
    classId: random.integer(1, 6),
    scope: random.pick(["a", "a/b", "c"]),
    acl_owner: random.pick(["me", "you"]),
    doc_id: maybe(random.pick(TEXTS)),
    path: maybe([random.pick(TEXTS), ...random.some(TEXTS, 0.3)]),
    source_uri: maybe(random.pick(TEXTS)),
    mime: maybe(random.pick(["text/plain", "image/png"])),
    modality: random.pick(MODALITIES),
    locator: maybe(
      random.pick([
        { kind: "time_range", t_start_ms: start, t_end_ms: start + random.integer(0, 9) } as const,
        { kind: "char_span", start, end: start } as const,
      ]),
    ),
    metadata: maybe({ k: random.pick([1, "1", true, "true", 2.5, -1]), list: random.some(TEXTS, 0.3), "dotted.key-x": random.pick(TEXTS) }),
    created_at: random.integer(1_000, 1_050),
  });
}

export function randomFilter(random: Random, depth: number): Filter {
  if (depth > 0 && random.chance(0.6)) {
    const parts = [randomFilter(random, depth - 1), randomFilter(random, depth - 1)];
    const [first = MATCH_ALL] = parts;
    return random.pick<Filter>([{ op: "and", of: parts }, { op: "or", of: parts }, { op: "not", of: first }, { op: "or", of: [] }, MATCH_ALL]);
  }
  const text = random.pick(TEXTS);
  const number = random.integer(0, 55);
  return parseFilter(
    random.pick<unknown>([
      { doc_id: text },
      { doc_id: { $ne: text } },
      { doc_id: [text, "plain", ""] },
      { doc_id: [] },
      { doc_id: { $prefix: text.slice(0, 2) } },
      { source_uri: { $prefix: random.pick(["%", "_", "x'", "a\\", "li", "海"]) } },
      { source_uri: { $exists: random.chance(0.5) } },
      { mime: { $nin: ["text/plain"] } },
      { path: text },
      { path: [text, "pla", ",", ""] },
      { path: { $ne: text } },
      { path: { $prefix: text.slice(0, random.integer(1, 6)) } },
      { path: { $prefix: random.pick(["\n", "\\", '"', "lain", "break", ","]) } },
      { path: { $exists: random.chance(0.5) } },
      { scope: { $prefix: "a" } },
      { plane: random.pick(["text", "audio"]) },
      { plane: { $prefix: "te" } },
      { plane: { $exists: false } },
      { modality: random.some(MODALITIES, 0.4) },
      { acl_owner: "you" },
      { "locator.kind": { $ne: "time_range" } },
      { "locator.t_start_ms": { $lt: number } },
      { "locator.t_end_ms": { $gt: number, $lte: number + 20 } },
      { "locator.t_end_ms": [number, -1] },
      { "locator.t_start_ms": { $exists: false } },
      { "locator.t_start_ms": { $gte: -5 } },
      { created_at: { $gte: 1_000 + number } },
      { created_at: { $in: [1_000 + number, 1_001] } },
      { "metadata.k": random.pick([1, "1", true, "true", 2.5, -1, 7]) },
      { "metadata.k": { $ne: 1 } },
      { "metadata.list": text },
      { "metadata.list": { $exists: true } },
      { "metadata.dotted.key-x": { $in: [text, "none"] } },
      { "metadata.nothing": { $exists: false } },
    ]),
  );
}
