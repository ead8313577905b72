import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { locatorFault } from "../../src/domain/locator.ts";
import { defaultPlane, MODALITIES } from "../../src/domain/plane.ts";
import { PATH_READ_MAX_CHARS } from "../../src/base/limits.ts";
import { embeddedSha256, readText, unitId, type UnitIdentity } from "../../src/domain/unit.ts";

const identity: UnitIdentity = {
  namespace: "n",
  scope: "a/b",
  acl_owner: "me",
  doc_id: null,
  path: null,
  source_uri: "s3://x",
  locator: { kind: "bbox", x: 0.1, y: 0.2, w: 0.3, h: 0.4 },
  modality: "image",
  plane: "visual",
  text: "a “quoted” é",
};

describe("unit_id", () => {
  test("is what the documents say, worked out by other means", () => {
    const canonical =
      '{"acl_owner":"me","doc_id":null,"locator":{"h":0.4,"kind":"bbox","w":0.3,"x":0.1,"y":0.2},"modality":"image","namespace":"n","plane":"visual","scope":"a/b","source_uri":"s3://x","text":"a “quoted” é"}';
    const bits = [...createHash("sha256").update(canonical).digest().subarray(0, 20)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    const letters = bits.match(/.{5}/g)?.map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five, 2)]);
    expect(unitId(identity)).toBe(`u_${letters?.join("")}`);
    expect(unitId(identity)).toMatch(/^u_[a-z2-7]{32}$/);
  });

  test("has a path among its members only where there is one", () => {
    const canonical =
      '{"acl_owner":"me","doc_id":null,"locator":null,"modality":"image","namespace":"n","path":["a","b"],"plane":"visual","scope":"a/b","source_uri":"s3://x","text":null}';
    const bits = [...createHash("sha256").update(canonical).digest().subarray(0, 20)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    const letters = bits.match(/.{5}/g)?.map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five, 2)]);
    expect(unitId({ ...identity, locator: null, text: null, path: ["a", "b"] })).toBe(`u_${letters?.join("")}`);
  });

  test("hangs on every member of the identity and on nothing else", () => {
    const changed: UnitIdentity[] = [
      { ...identity, namespace: "m" },
      { ...identity, scope: "a" },
      { ...identity, acl_owner: "you" },
      { ...identity, doc_id: "d" },
      { ...identity, path: ["Title"] },
      { ...identity, path: ["Title", "Section"] },
      { ...identity, path: ["Section", "Title"] },
      { ...identity, path: ["TitleSection"] },
      { ...identity, source_uri: null },
      { ...identity, locator: null },
      { ...identity, modality: "detection" },
      { ...identity, plane: "text" },
      { ...identity, text: null },
    ];
    expect(new Set([identity, ...changed].map(unitId)).size).toBe(changed.length + 1);
    const more = { ...identity, acl_groups: ["g"], mime: "x", metadata: { a: 1 }, unit_id: "u_other" };
    expect(unitId(more)).toBe(unitId(identity));
    expect(unitId({ ...identity, locator: { h: 0.4, w: 0.3, y: 0.2, x: 0.1, kind: "bbox" } })).toBe(unitId(identity));
  });
});

describe("a text as models read it", () => {
  test("stands behind its path", () => {
    expect(readText(null, "text")).toBe("text");
    expect(readText(["Title", "Options", "-x"], "text")).toBe("Title > Options > -x\ntext");
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const chunk = { path: ["A"], text: "text", modality: "chunk", metadata: { page: 1 } } as const;
    expect(embeddedSha256({ ...chunk, path: null })).toBe(sha256("text"));
    expect(embeddedSha256(chunk)).toBe(sha256("A\ntext"));
    expect(embeddedSha256({ ...chunk, text: null })).toBeNull();
  });

  test("is not embedded of a page whose chunks have it, and of lines of a log", () => {
    const page = { path: null, text: "text", modality: "doc_page", metadata: { page: 1, text_source: "layer" } } as const;
    expect(embeddedSha256(page)).toBeNull();
    expect(embeddedSha256({ ...page, metadata: { page: 1 } })).not.toBeNull();
    expect(embeddedSha256({ ...page, modality: "chunk" })).not.toBeNull();
    expect(embeddedSha256({ ...page, modality: "chunk", metadata: { text_source: "log" } })).toBeNull();
  });

  test("has the innermost parts of a long path, and the beginning of a long part", () => {
    const title = "t".repeat(200);
    expect(readText([title, "Section", "x".repeat(100)], "text")).toBe(`Section > ${"x".repeat(100)}\ntext`);
    expect(readText(["Title", "x".repeat(400)], "text")).toBe(`${"x".repeat(PATH_READ_MAX_CHARS)}\ntext`);
    expect(readText([`${"x".repeat(PATH_READ_MAX_CHARS - 1)}😀`], "text")).toBe(`${"x".repeat(PATH_READ_MAX_CHARS - 1)}\ufffd\ntext`);
  });
});

test("planes follow from modalities", () => {
  expect(Object.fromEntries(MODALITIES.map((modality) => [modality, defaultPlane(modality)]))).toEqual({
    text: "text",
    chunk: "text",
    caption: "text",
    log_template: "text",
    ocr: "doc_visual",
    doc_page: "doc_visual",
    image: "visual",
    image_region: "visual",
    video_shot: "visual",
    detection: "visual",
    asr: "audio",
    audio_utterance: "audio",
  });
});

test("a locator whose end precedes its start names the member", () => {
  expect(locatorFault({ kind: "time_range", t_start_ms: 5, t_end_ms: 5 })).toBeNull();
  expect(locatorFault({ kind: "time_range", t_start_ms: 5, t_end_ms: 4 })?.field).toBe("t_end_ms");
  expect(locatorFault({ kind: "char_span", start: 0, end: 0 })).toBeNull();
  expect(locatorFault({ kind: "char_span", start: 2, end: 1 })?.field).toBe("end");
  expect(locatorFault({ kind: "line_range", start: 3, end: 2 })?.field).toBe("end");
  expect(locatorFault({ kind: "bbox", x: 0.1, y: 0.7, w: 0.9, h: 0.3 })).toBeNull();
  expect(locatorFault({ kind: "bbox", x: 0.5, y: 0, w: 0.6, h: 1 })?.field).toBe("w");
  expect(locatorFault({ kind: "bbox", x: 0, y: 0.5, w: 1, h: 0.6 })?.field).toBe("h");
});
