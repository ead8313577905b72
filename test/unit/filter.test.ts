import { describe, expect, test } from "bun:test";
import { Fault } from "../../src/base/fault.ts";
import { FILTER_LIST_MAX_ITEMS, FILTER_MAX_DEPTH, FILTER_MAX_NODES } from "../../src/base/limits.ts";
import { isNative, MATCH_ALL, matches, metadataTokens, parseFilter } from "../../src/domain/filter.ts";
import type { Unit } from "../../src/domain/unit.ts";

const unit: Unit = {
  uid: 1,
  version: 1,
  classId: 1,
  unit_id: "u_x",
  namespace: "n",
  scope: "a/b",
  acl_owner: "me",
  acl_groups: [],
  doc_id: "doc-7",
  path: ["The manual", "Options", "--no-fonts"],
  source_uri: null,
  locator: { kind: "time_range", t_start_ms: 100, t_end_ms: 200 },
  modality: "asr",
  plane: "audio",
  text: "words",
  mime: "audio/ogg",
  metadata: { year: 2020, tag: "Red", tags: ["x", "xy"], none: [], flag: true, "a.b": "dotted", one: "1", zero: 0 },
  content_sha256: null,
  embeddedSha256: null,
  windows: 0,
  created_at: 1_000,
  updated_at: 1_000,
};
const bare: Unit = { ...unit, doc_id: null, path: null, mime: null, locator: null, metadata: null };

function passes(json: unknown, of = unit): boolean {
  return matches(parseFilter(json), of);
}

function faultOf(json: unknown): { pointer: string | undefined; message: string } {
  try {
    parseFilter(json);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    expect(error.kind).toBe("bad_request");
    return { pointer: error.pointer, message: error.message };
  }
  throw new Error(`${JSON.stringify(json)} was accepted`);
}

describe("what a filter lets through", () => {
  const through: [unknown, boolean][] = [
    [{}, true],
    [{ doc_id: "doc-7" }, true],
    [{ doc_id: "doc" }, false],
    [{ doc_id: ["x", "doc-7"] }, true],
    [{ doc_id: [] }, false],
    [{ doc_id: { $eq: "doc-7" } }, true],
    [{ doc_id: { $ne: "doc-7" } }, false],
    [{ doc_id: { $in: ["doc-7"] } }, true],
    [{ doc_id: { $in: [] } }, false],
    [{ doc_id: { $nin: ["doc-7"] } }, false],
    [{ doc_id: { $nin: [] } }, true],
    [{ doc_id: { $prefix: "doc-" } }, true],
    [{ doc_id: { $prefix: "Doc" } }, false],
    [{ doc_id: { $not: "doc-7" } }, false],
    [{ doc_id: { $not: { $prefix: "x" } } }, true],
    [{ source_uri: { $exists: false } }, true],
    [{ source_uri: { $exists: true } }, false],
    [{ source_uri: { $ne: "x" } }, true],
    [{ source_uri: { $prefix: "x" } }, false],
    [{ path: "Options" }, true],
    [{ path: "options" }, false],
    [{ path: "The manual > Options" }, false],
    [{ path: { $in: ["none", "--no-fonts"] } }, true],
    [{ path: { $ne: "Options" } }, false],
    [{ path: { $nin: ["Option"] } }, true],
    [{ path: { $prefix: "--no" } }, true],
    [{ path: { $prefix: "manual" } }, false],
    [{ path: { $exists: true } }, true],
    [{ plane: "audio", modality: "asr" }, true],
    [{ plane: "audio", modality: "ocr" }, false],
    [{ created_at: 1_000 }, true],
    [{ created_at: { $gt: 1_000 } }, false],
    [{ created_at: { $gte: 1_000, $lte: 1_000 } }, true],
    [{ created_at: { $lt: 1_001, $ne: 1_000 } }, false],
    [{ "locator.kind": "time_range" }, true],
    [{ "locator.t_start_ms": { $lt: 101 } }, true],
    [{ "locator.t_end_ms": { $in: [200] } }, true],
    [{ "metadata.year": 2020 }, true],
    [{ "metadata.year": "2020" }, false],
    [{ "metadata.one": 1 }, false],
    [{ "metadata.flag": true }, true],
    [{ "metadata.flag": "true" }, false],
    [{ "metadata.zero": false }, false],
    [{ "metadata.zero": -0 }, true],
    [{ "metadata.year": { $gte: 2020, $lt: 2021 } }, true],
    [{ "metadata.tag": { $gt: 0 } }, false],
    [{ "metadata.tag": { $prefix: "Re" } }, true],
    [{ "metadata.year": { $prefix: "20" } }, false],
    [{ "metadata.tags": "xy" }, true],
    [{ "metadata.tags": { $ne: "x" } }, false],
    [{ "metadata.tags": { $prefix: "xy" } }, true],
    [{ "metadata.none": { $exists: true } }, true],
    [{ "metadata.none": "x" }, false],
    [{ "metadata.a.b": "dotted" }, true],
    [{ "metadata.missing": { $exists: false } }, true],
    [{ "metadata.toString": { $exists: true } }, false],
    [{ "metadata.constructor": { $exists: false } }, true],
    [{ $and: [{ plane: "audio" }, { doc_id: "doc-7" }] }, true],
    [{ $or: [{ plane: "text" }, { doc_id: "doc-7" }] }, true],
    [{ $or: [{ plane: "text" }] }, false],
    [{ $not: { plane: "text" } }, true],
    [{ $not: {} }, false],
  ];
  for (const [json, expected] of through) test(JSON.stringify(json), () => expect(passes(json)).toBe(expected));

  test("absent members fail every comparison and pass every negation", () => {
    for (const json of [
      { doc_id: "x" },
      { path: "x" },
      { path: { $prefix: "O" } },
      { path: { $exists: true } },
      { doc_id: { $prefix: "d" } },
      { "locator.t_start_ms": { $gte: 0 } },
      { "metadata.year": { $lt: 9 } },
    ]) {
      expect(passes(json, bare)).toBe(false);
      expect(passes({ $not: json }, bare)).toBe(true);
    }
  });
});

describe("what is refused, and where", () => {
  const refused: [unknown, string][] = [
    [null, "/filters"],
    [[], "/filters"],
    ["x", "/filters"],
    [{ nope: 1 }, "/filters/nope"],
    [{ unit_id: "u_x" }, "/filters/unit_id"],
    [{ "metadata.": 1 }, "/filters/metadata."],
    [{ "metadata.a b": 1 }, "/filters/metadata.a b"],
    [{ "metadata.a/b~c": 1 }, "/filters/metadata.a~1b~0c"],
    [{ $nor: [] }, "/filters/$nor"],
    [{ $and: [] }, "/filters/$and"],
    [{ $or: {} }, "/filters/$or"],
    [{ $and: [{ plane: "text" }, { nope: 1 }] }, "/filters/$and/1/nope"],
    [{ $not: [] }, "/filters/$not"],
    [{ doc_id: {} }, "/filters/doc_id"],
    [{ doc_id: { $regex: "x" } }, "/filters/doc_id/$regex"],
    [{ doc_id: { a: 1 } }, "/filters/doc_id/a"],
    [{ doc_id: null }, "/filters/doc_id"],
    [{ doc_id: 7 }, "/filters/doc_id"],
    [{ doc_id: ["a", 7] }, "/filters/doc_id/1"],
    [{ doc_id: { $in: "a" } }, "/filters/doc_id/$in"],
    [{ doc_id: { $gt: "a" } }, "/filters/doc_id/$gt"],
    [{ path: { $gte: "a" } }, "/filters/path/$gte"],
    [{ path: [["a"]] }, "/filters/path/0"],
    [{ doc_id: { $exists: 1 } }, "/filters/doc_id/$exists"],
    [{ doc_id: { $prefix: "" } }, "/filters/doc_id/$prefix"],
    [{ doc_id: { $prefix: 1 } }, "/filters/doc_id/$prefix"],
    [{ created_at: "1" }, "/filters/created_at"],
    [{ created_at: 1.5 }, "/filters/created_at"],
    [{ created_at: { $gte: 2 ** 53 } }, "/filters/created_at/$gte"],
    [{ created_at: { $prefix: "1" } }, "/filters/created_at/$prefix"],
    [{ "metadata.x": { $gt: "1" } }, "/filters/metadata.x/$gt"],
    [{ "metadata.x": [["deep"]] }, "/filters/metadata.x/0"],
    [{ doc_id: { $not: { $nope: 1 } } }, "/filters/doc_id/$not/$nope"],
  ];
  for (const [json, pointer] of refused) test(JSON.stringify(json), () => expect(faultOf(json).pointer).toBe(pointer));

  test("depth, nodes and list items have limits, and what just fits is accepted", () => {
    const nested = (levels: number): unknown => (levels === 1 ? { plane: "text" } : { $not: nested(levels - 1) });
    expect(() => parseFilter(nested(FILTER_MAX_DEPTH))).not.toThrow();
    expect(faultOf(nested(FILTER_MAX_DEPTH + 1)).message).toContain(`${FILTER_MAX_DEPTH} deep`);
    const wide = (leaves: number) => ({ $or: Array.from({ length: leaves }, () => ({ plane: "text" })) });
    // The object, and two nodes for each leaf: its object and its field.
    const fits = Math.floor((FILTER_MAX_NODES - 1) / 2);
    expect(() => parseFilter(wide(fits))).not.toThrow();
    expect(faultOf(wide(fits + 1)).message).toContain(`${FILTER_MAX_NODES} nodes`);
    const list = (length: number) => ({ doc_id: Array.from({ length }, String) });
    expect(() => parseFilter(list(FILTER_LIST_MAX_ITEMS))).not.toThrow();
    expect(faultOf(list(FILTER_LIST_MAX_ITEMS + 1)).message).toContain(`${FILTER_LIST_MAX_ITEMS} values`);
  });
});

test("only ranges and prefixes over metadata are beyond the engines", () => {
  for (const json of [{}, { doc_id: { $prefix: "a" } }, { created_at: { $gt: 1 } }, { "metadata.a": 1 }, { "metadata.a": { $exists: true } }]) {
    expect(isNative(parseFilter(json))).toBe(true);
  }
  for (const json of [{ "metadata.a": { $gt: 1 } }, { $or: [{ plane: "text" }, { $not: { "metadata.a": { $prefix: "x" } } }] }]) {
    expect(isNative(parseFilter(json))).toBe(false);
  }
  expect(matches(MATCH_ALL, unit)).toBe(true);
});

test("metadata tokens tell keys from values and types from one another", () => {
  expect(metadataTokens({ a: [], b: "1", c: 1, d: true, e: ["x", "y"] })).toEqual([
    "a",
    "b",
    "b=s:1",
    "c",
    "c=n:1",
    "d",
    "d=b:true",
    "e",
    "e=s:x",
    "e=s:y",
  ]);
  expect(metadataTokens(null)).toEqual([]);
});
