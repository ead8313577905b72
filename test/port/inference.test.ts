import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault, StartError } from "../../src/base/fault.ts";
import { createLog, silentLog } from "../../src/base/log.ts";
import type { TextWindow } from "../../src/domain/port/encoder.ts";
import type { EntailmentScores } from "../../src/domain/port/entailment.ts";
import { unpackAssets } from "../../src/runtime/assets.ts";
import { createInference } from "../../src/inference/inference.ts";
import { type ModelEntry, modelFor, modelManifest } from "../../src/runtime/model-manifest.ts";

setDefaultTimeout(60_000);

const TOLERANCE = 0.01;
const LOGIT_TOLERANCE = 0.5;
const scratch = await mkdtemp(join(tmpdir(), "strata-inference-"));
const paths = await unpackAssets(join(scratch, "runtime"));
const manifest = modelManifest();
const entry = modelFor(manifest, "text-embedding");
const reranking = modelFor(manifest, "reranking");
const nli = modelFor(manifest, "entailment");
afterAll(() => rm(scratch, { recursive: true }));

/** The manifest with one entry changed. */
function manifestWith(changed: ModelEntry): ModelEntry[] {
  return manifest.map((one) => (one.task === changed.task ? changed : one));
}

function bytesOf(windows: TextWindow[]): string {
  return windows
    .map(({ start, end, vector }) => `${start}-${end}:${Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("hex")}`)
    .join("|");
}

async function faultOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Fault ? error.kind : error),
  );
}

describe("the encoder", async () => {
  const { encoder } = await createInference({ paths, manifest, workers: 2, log: silentLog });
  const long = "Turbine 7 showed a bearing temperature of 94 °C at 03:12. ".repeat(60);
  const texts = ["alpha", long, "naïve café — 中文 🙂", "bearing temperature ".repeat(20), "", "[SEP]"];

  test("is ready, and tells its model", () => {
    expect(encoder.ready()).toBe(true);
    expect(encoder.info).toEqual({ model: "bge-small-en-v1.5", dims: 384, maxTokens: 512, floor: 0.45 });
  });

  test("gives the model's known vectors, of length 1", async () => {
    for (const { text, vector_first_5 } of entry.selftest) {
      const windows = await encoder.encode(text, "query");
      expect(windows.map(({ start, end }) => ({ start, end }))).toEqual([{ start: 0, end: text.length }]);
      const vector = windows[0]?.vector ?? new Float32Array();
      expect(vector.length).toBe(384);
      for (const [index, value] of vector_first_5.entries()) expect(Math.abs((vector[index] ?? 9) - value)).toBeLessThanOrEqual(TOLERANCE);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  test("gives a text the same bytes alone and in company", async () => {
    const alone: string[] = [];
    for (const text of texts) alone.push(bytesOf(await encoder.encode(text, "ingest")));
    const together = await Promise.all([...texts, ...texts].map((text, index) => encoder.encode(text, index % 2 === 0 ? "query" : "ingest")));
    expect(together.map(bytesOf)).toEqual([...alone, ...alone]);
  });

  test("gives a long text the vectors that its windows have alone", async () => {
    const windows = await encoder.encode(long, "ingest");
    expect(windows.length).toBeGreaterThan(1);
    const second = windows[1] as TextWindow;
    const [alone] = await encoder.encode(long.slice(second.start, second.end), "query");
    expect(alone?.vector).toEqual(second.vector);
  });

  test("runs without onnxruntime's telemetry", () => {
    // The telemetry client opens this log first of all.
    expect(existsSync(`/tmp/mat-debug-${process.pid}.log`)).toBe(false);
  });

  test("answers a query while ingest waits", async () => {
    const order: string[] = [];
    const ingest = Array.from({ length: 16 }, (_, index) =>
      encoder.encode(`${index} ${long.slice(0, 600)}`, "ingest").then(() => order.push("ingest")),
    );
    await encoder.encode("what is the bearing temperature?", "query").then(() => order.push("query"));
    expect(order.length).toBeLessThan(10);
    await Promise.all(ingest);
  });

  test("close finishes what runs, refuses what waits, and later texts", async () => {
    const results = Array.from({ length: 40 }, (_, index) => faultOf(encoder.encode(`${index} bearing`, "ingest")));
    await encoder.close();
    const outcomes = await Promise.all(results);
    expect(outcomes.slice(0, 2)).toEqual([undefined, undefined]);
    expect(outcomes.at(-1)).toBe("unavailable");
    expect(encoder.ready()).toBe(false);
    expect(await faultOf(encoder.encode("late", "query"))).toBe("unavailable");
  });
});

describe("an encoder that cannot work does not start", () => {
  test("with other vectors than the manifest", async () => {
    const [first] = entry.selftest;
    const selftest = [{ text: first?.text ?? "", token_ids: first?.token_ids ?? [], vector_first_5: [1, 0, 0, 0, 0] }];
    const start = createInference({ paths, manifest: manifestWith({ ...entry, selftest }), workers: 1, log: silentLog });
    expect(await start.catch((error: unknown) => error)).toBeInstanceOf(StartError);
  });

  test("with a model that is none", async () => {
    const models = join(scratch, "models");
    await cp(join(paths.models, entry.name, "tokenizer.json"), join(models, entry.name, "tokenizer.json"));
    await Bun.write(join(models, entry.name, "model.onnx"), "not a model");
    const start = createInference({ paths: { ...paths, models }, manifest, workers: 1, log: silentLog });
    expect(await start.catch((error: unknown) => error)).toBeInstanceOf(StartError);
  });
});

function labelOf(scores: EntailmentScores | undefined): string | undefined {
  return Object.entries(scores ?? {}).sort(([, a], [, b]) => b - a)[0]?.[0];
}

describe("the pair models", async () => {
  const inference = await createInference({ paths, manifest, workers: 2, log: silentLog });
  const { encoder, reranker, entailment } = inference;
  afterAll(() => inference.close());
  const [known] = reranking.selftest;
  const query = known?.query ?? "";
  const texts = [...reranking.selftest.map(({ text }) => text), "", "[SEP]", "bearing ".repeat(500), "naïve café — 中文 🙂"];

  test("tell their names", () => {
    expect([reranker.model, entailment.model]).toEqual(["ms-marco-minilm-l12", "nli-minilm"]);
  });

  test("give the known logits", async () => {
    for (const { query, text, logit } of reranking.selftest) {
      const [score] = await reranker.score(query, [text]);
      expect(Math.abs((score ?? 99) - logit)).toBeLessThanOrEqual(LOGIT_TOLERANCE);
    }
  });

  test("give the known labels, with probabilities that sum to 1", async () => {
    const judged = await entailment.judge(nli.selftest);
    expect(judged.map(labelOf)).toEqual(nli.selftest.map(({ label }) => label));
    for (const { entailment, neutral, contradiction } of judged) expect(entailment + neutral + contradiction).toBeCloseTo(1, 6);
  });

  test("give a pair the same score alone and in company", async () => {
    const alone: (number | null)[] = [];
    for (const text of texts) alone.push(...(await reranker.score(query, [text])));
    const [premise, other] = nli.selftest.map(({ premise, hypothesis }) => ({ premise, hypothesis }));
    if (premise === undefined || other === undefined) throw new Error("two pairs to judge");
    const [judgedAlone] = await entailment.judge([premise]);
    const [together, again, judged] = await Promise.all([
      reranker.score(query, texts),
      reranker.score(query, [...texts].reverse()),
      entailment.judge([other, premise]),
      encoder.encode("bearing ".repeat(2_000), "ingest"),
    ]);
    expect(together).toEqual(alone);
    expect(again).toEqual([...alone].reverse());
    expect(judged[1]).toEqual(judgedAlone as EntailmentScores);
  });

  test("read each side up to its limit, in no time", async () => {
    const long = "The turbine's bearing was replaced. ".repeat(40);
    const [upTo, beyond] = await reranker.score(query, [long, long + "Berlin has 3,520,031 inhabitants. ".repeat(8_000)]);
    expect(beyond).toBe(upTo as number);
    // A pair of UTF-16 units stands across the place where the text is cut.
    expect((await reranker.score(query, [`a${"🙂".repeat(2_000)}`]))[0]).toBeNumber();
  });

  test("answer a query while pairs wait", async () => {
    const order: string[] = [];
    const pairs = Array.from({ length: 16 }, () => reranker.score(query, [texts[0] ?? ""]).then(() => order.push("pair")));
    await encoder.encode("what is the bearing temperature?", "query").then(() => order.push("query"));
    expect(order.length).toBeLessThan(8);
    await Promise.all(pairs);
  });

  test("leave out what has not begun in time", async () => {
    const scores = await reranker.score(
      query,
      Array.from({ length: 200 }, () => texts[0] ?? ""),
      1,
    );
    expect(scores.length).toBe(200);
    expect(scores.filter((score) => score === null).length).toBeGreaterThan(150);
  });

  test("are refused once the pool closes", async () => {
    const waiting = faultOf(
      reranker.score(
        query,
        Array.from({ length: 50 }, () => "bearing"),
      ),
    );
    await inference.close();
    expect(await waiting).toBe("unavailable");
    expect(await faultOf(entailment.judge(nli.selftest))).toBe("unavailable");
  });
});

describe("a pair model that fails its self-test is unavailable, and the log says why", () => {
  const [first] = reranking.selftest;
  const [judged] = nli.selftest;
  if (first === undefined || judged === undefined) throw new Error("the manifest has self-tests");
  const cases: [string, ModelEntry, string][] = [
    ["other logits", { ...reranking, selftest: [{ ...first, logit: first.logit - 1 }] }, "ms-marco-minilm-l12 fails its self-test"],
    ["other token ids", { ...reranking, selftest: [{ ...first, token_ids: [101, 102] }] }, "other token ids"],
    ["another label", { ...nli, selftest: [{ ...judged, label: "contradiction" }] }, "nli-minilm fails its self-test"],
  ];

  test.each(cases)("with %s", async (_, changed, reason) => {
    const lines: string[] = [];
    const log = createLog("error", (line) => lines.push(line), false);
    const { reranker, entailment, encoder, close } = await createInference({ paths, manifest: manifestWith(changed), workers: 1, log });
    const use = () => (changed.task === "reranking" ? reranker.score(first.query, [first.text]) : entailment.judge([judged]));
    expect(await faultOf(use())).toBe("unavailable");
    expect(await faultOf(use())).toBe("unavailable");
    expect(lines.join()).toContain(reason);
    expect((await encoder.encode("still here", "query")).length).toBe(1);
    await close();
  });
});
