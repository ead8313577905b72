/** The encoder of languages other than English, on the fixtures of its card, through the Workers. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/base/log.ts";
import { createInference } from "../../src/inference/inference.ts";
import { UnigramTokenizer } from "../../src/inference/unigram.ts";
import { unpackAssets } from "../../src/runtime/assets.ts";
import { modelFor, modelManifest } from "../../src/runtime/model-manifest.ts";

setDefaultTimeout(60_000);

const TOLERANCE = 0.01;
const manifest = modelManifest();
const entry = modelFor(manifest, "multilingual-embedding");
const scratch = await mkdtemp(join(tmpdir(), "strata-multilingual-"));
afterAll(() => rm(scratch, { recursive: true }));

describe("the tokenizer", async () => {
  const file = await Bun.file(join(import.meta.dir, "../../models", entry.name, "vocabulary.bin")).bytes();
  const tokenizer = new UnigramTokenizer(file);

  test("gives the ids of the fixtures", () => {
    for (const { kind, text, token_ids } of entry.selftest) {
      const prefix = kind === "query" ? entry.query_prefix : entry.passage_prefix;
      expect([0, ...tokenizer.encode(prefix + text), 2]).toEqual(token_ids);
    }
  });

  test("what looks like a special token is text", () => {
    for (const typed of ["</s>", "<mask>", "<s>", "<pad>", "<unk>"]) {
      const ids = tokenizer.encode(`a ${typed} b`);
      expect(ids.some((id) => id < 4 || id >= 250_001)).toBe(false);
    }
  });

  test("joiners and other invisible characters are spaces; NFD is composed, but Arabic vowel marks stay in the order typed", () => {
    expect(tokenizer.encode("می\u200cخواهم")).toEqual(tokenizer.encode("می خواهم"));
    expect(tokenizer.encode("cafe\u0301 Überfu\u0308hrung")).toEqual(tokenizer.encode("café Überführung"));
    const typed = "\u0645\u0651\u064e";
    expect(typed.normalize("NFC")).not.toBe(typed);
    expect(tokenizer.encode(typed)).not.toEqual(tokenizer.encode(typed.normalize("NFC")));
  });

  test("neighbours without a piece are one unknown token", () => {
    expect(tokenizer.encode("\u{13000}\u{13001}\u{13002}")).toEqual([6, 3]);
  });

  test("a text is tokenised in time that grows with its length", () => {
    const began = process.cpuUsage();
    for (const text of ["a".repeat(200_000), "三月四日警报响起后。".repeat(20_000), "\u0301".repeat(200_000)]) tokenizer.encode(text);
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000);
  });

  test("another file is refused", () => {
    expect(() => new UnigramTokenizer(new Uint8Array(100))).toThrow("no known form");
    expect(() => new UnigramTokenizer(file.subarray(0, 100_000))).toThrow("cut off");
  });
});

describe("the encoder", async () => {
  const paths = await unpackAssets(join(scratch, "runtime"));
  const { multilingual, close } = await createInference({ paths, manifest, workers: 1, log: silentLog });
  afterAll(close);

  async function vectorsOf(text: string, priority: "query" | "ingest"): Promise<number[][]> {
    return ((await multilingual?.encode(text, priority)) ?? []).map(({ vector }) => [...vector]);
  }

  test("has no floor", () => {
    expect(multilingual?.info).toEqual({ model: "multilingual-e5-small", dims: 384, maxTokens: 512, floor: null });
  });

  test("gives the vectors of the fixtures, queries and passages apart", async () => {
    for (const { kind, text, vector_first_8 } of entry.selftest) {
      const [vector = []] = await vectorsOf(text, kind === "query" ? "query" : "ingest");
      for (const [index, value] of vector_first_8.entries()) expect(Math.abs((vector[index] ?? 9) - value)).toBeLessThanOrEqual(TOLERANCE);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }
  });

  test("a question in one language is nearer to its answer than to something else in another", async () => {
    const [[question = []], [answer = []], [other = []]] = await Promise.all([
      vectorsOf("Wann wurde das Lager der Turbine gewechselt?", "query"),
      vectorsOf("三月四日警报响起后，工人更换了七号涡轮机的主轴承。", "ingest"),
      vectorsOf("港务局门口挂着今年的潮汐表，任何人都可以看。", "ingest"),
    ]);
    const cosine = (vector: readonly number[]) => vector.reduce((sum, value, index) => sum + value * (question[index] ?? 0), 0);
    expect(cosine(answer)).toBeGreaterThan(cosine(other));
  });

  test("a long text without spaces becomes windows that cover it and overlap; of a query the first is enough", async () => {
    const text = "三月四日警报响起后，工人更换了七号涡轮机的主轴承。".repeat(60);
    const windows = (await multilingual?.encode(text, "ingest")) ?? [];
    expect(windows.length).toBeGreaterThan(1);
    expect([windows[0]?.start, windows.at(-1)?.end]).toEqual([0, text.length]);
    for (const [index, { end }] of windows.entries()) if (index + 1 < windows.length) expect(windows[index + 1]?.start).toBeLessThan(end);
    expect((await vectorsOf(text, "query")).length).toBe(1);
  });
});
