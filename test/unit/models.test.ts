import { afterAll, describe, expect, test } from "bun:test";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "../../src/base/fault.ts";
import { modelFor, modelManifest, parseManifest, verifyModels } from "../../src/runtime/model-manifest.ts";

const MODELS = join(import.meta.dir, "../../models");
const folder = await mkdtemp(join(tmpdir(), "strata-models-"));
afterAll(() => rm(folder, { recursive: true }));

async function refusal(models: string): Promise<string> {
  const error = await verifyModels(models, modelManifest()).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(StartError);
  return (error as StartError).message;
}

describe("the model manifest", () => {
  test("describes the files that lie beside it", async () => {
    await verifyModels(MODELS, modelManifest());
    for (const entry of modelManifest()) {
      for (const { file, bytes } of entry.files) expect(Bun.file(join(MODELS, entry.name, file)).size).toBe(bytes);
    }
  });

  test("a changed byte is refused with the file's name and both hashes", async () => {
    await cp(MODELS, folder, { recursive: true });
    const [entry] = modelManifest();
    const path = join(folder, entry?.name ?? "", "model.onnx");
    const bytes = await Bun.file(path).bytes();
    bytes[12_345] = (bytes[12_345] ?? 0) ^ 1;
    await writeFile(path, bytes);
    const message = await refusal(folder);
    expect(message).toContain("bge-small-en-v1.5/model.onnx");
    expect(message).toContain(entry?.files[0]?.sha256 ?? "?");
    expect(message).toMatch(/found [0-9a-f]{64}$/);
  });

  test("a missing file is refused by name", async () => {
    expect(await refusal(join(folder, "nowhere"))).toContain("bge-small-en-v1.5/model.onnx");
  });

  test("a malformed manifest is refused with the field", () => {
    const [entry] = modelManifest();
    expect(() => parseManifest([{ ...entry, dims: 0 }])).toThrow(/^model manifest: \/0\/dims/);
    expect(() => parseManifest([{ ...entry, files: [{ file: "../x", bytes: 1, sha256: "0".repeat(64) }] }])).toThrow(StartError);
    expect(() => parseManifest([])).toThrow(StartError);
    const nli = modelFor(modelManifest(), "entailment");
    expect(() => parseManifest([entry, { ...nli, temperature: 0 }])).toThrow(/^model manifest: \/1\/temperature/);
    expect(() => parseManifest([{ ...nli, labels: ["neutral", "entailment", "contradiction"] }])).toThrow(/^model manifest: \/0\/labels/);
    expect(() => parseManifest([{ ...entry, task: "reranking" }])).toThrow(/^model manifest: \/0\/selftest/);
    expect(() => parseManifest([{ ...entry, task: "guessing" }])).toThrow(/^model manifest: \/0\/task/);
  });

  test("has one model for each task", () => {
    const media = ["image-classification", "text-recognition", "page-layout", "speech-recognition", "sound-events", "voice-activity"] as const;
    expect(modelManifest().map(({ task }) => task)).toEqual(["text-embedding", "multilingual-embedding", "reranking", "entailment", ...media]);
    expect(() => modelFor([], "reranking")).toThrow(StartError);
  });
});
