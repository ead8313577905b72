/** Namespaces in German and in Chinese: their words and meanings are found, and what reads English alone is off and says so. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Database } from "bun:sqlite";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "../../src/base/log.ts";
import type { Language } from "../../src/text/language.ts";
import { type Harness, openHarness } from "../support/harness.ts";
import { hire } from "../support/people.ts";
import { temporaryDirectory } from "../support/scratch.ts";

setDefaultTimeout(120_000);

const GERMAN = [
  "Das Hauptlager der Turbine 7 wurde am vierten März ausgetauscht, nachdem der Alarm um 03:12 Uhr ausgelöst hatte.",
  "Führungen durch die Turbinenhalle beginnen samstags um zehn Uhr am Besuchereingang. Kinder unter zwölf Jahren gehen frei hinein.",
  "Der Gezeitenkalender hängt am Eingang des Hafenamts. Hochwasser ist heute gegen Mittag.",
  "Die Schleuse bleibt wegen Wartungsarbeiten bis Ende April geschlossen. Schiffe benutzen so lange den Nordkanal.",
];
const CHINESE = [
  "三月四日警报响起后，工人更换了七号涡轮机的主轴承。更换工作花了六个小时。",
  "涡轮机房的参观活动每周六上午十点在访客入口开始。十二岁以下的儿童免费。",
  "港务局门口挂着今年的潮汐表。今天中午是高潮。",
  "由于维修，船闸将关闭到四月底。在此期间船只走北运河。",
];

const data = temporaryDirectory();
let h: Harness;
const tokens = new Map<Language, string>();

async function make(language: Language, texts: readonly string[]): Promise<void> {
  h.app.data.tables.putNamespace(`ns-${language}`, "enterprise", "exact", language);
  const who = { namespace: `ns-${language}`, scopes: ["*"], active_scope: "a", perms: ["read" as const, "write" as const, "admin" as const] };
  tokens.set(language, hire(h, `writer-${language}`, who));
  const units = texts.map((text, index) => ({ modality: "chunk", doc_id: `d${index}`, text }));
  const { status, body } = await h.call("POST", "/v1/ingest", { token: tokens.get(language) ?? "", body: { units } });
  expect({ status, body }).toMatchObject({ status: 200 });
}

function ask(language: Language, path: string, body: Record<string, unknown>) {
  return h.call("POST", path, { token: tokens.get(language) ?? "", body });
}

beforeAll(async () => {
  h = await openHarness({ seed: false, data });
  await make("de", GERMAN);
  await make("zh", CHINESE);
});
afterAll(async () => {
  await h.close();
  rmSync(data, { recursive: true, force: true });
});

describe("search", () => {
  test("words are found in their other forms, by the stemmer of the language", async () => {
    const { body } = await ask("de", "/v1/search", { q: "Führung", mode: "fulltext" });
    expect(body.hits.map(({ doc_id }: { doc_id: string }) => doc_id)).toEqual(["d1"]);
    const [{ start, end }] = body.hits[0].highlights;
    expect(body.hits[0].text.slice(start, end)).toBe("Führungen");
  });

  test("Chinese words are found as pairs of characters, and not by their characters apart", async () => {
    const found = async (q: string) => {
      const { body } = await ask("zh", "/v1/search", { q, mode: "fulltext" });
      return body.hits.map(({ doc_id }: { doc_id: string }) => doc_id).sort();
    };
    expect(await found("主轴承")).toEqual(["d0"]);
    expect(await found("船")).toEqual(["d3"]);
    expect(await found("机涡")).toEqual([]);
    expect(await found('"涡轮机房"')).toEqual(["d1"]);
  });

  test("meaning is found by the multilingual model", async () => {
    const german = await ask("de", "/v1/search", { q: "Um wie viel Uhr startet der Rundgang?", mode: "vector" });
    expect(german.body.hits[0].doc_id).toBe("d1");
    const chinese = await ask("zh", "/v1/search", { q: "儿童门票多少钱？", mode: "vector" });
    expect(chinese.body.hits[0].doc_id).toBe("d1");
    const stats = await h.call("GET", "/v1/catalog/stats", { token: tokens.get("zh") ?? "" });
    expect(stats.body).toMatchObject({
      language: "zh",
      planes: expect.arrayContaining([expect.objectContaining({ model: "multilingual-e5-small" })]),
    });
  });

  test("what reads English alone is off, with warnings", async () => {
    const { body } = await ask("de", "/v1/search", { q: "Schleuse", rerank: true });
    expect(body.hits[0]).toMatchObject({ doc_id: "d3", scores: { rerank: null } });
    expect(body.trace.stages.map(({ name }: { name: string }) => name)).toEqual(["embed", "vector", "fulltext", "fuse", "acl", "hydrate"]);
    expect(body.trace.warnings).toEqual([expect.stringContaining("rerank reads English alone"), expect.stringContaining("labels in English")]);
    const text = await ask("de", "/v1/search", { q: "Schleuse", planes: ["text"] });
    expect(text.body.trace.warnings).toEqual([]);
  });

  test("the index names the analysis that it was built with", () => {
    const format = (namespace: string) => JSON.parse(readFileSync(join(h.app.data.namespacePaths(namespace).fulltext, "strata-index.json"), "utf8"));
    expect(format("ns-de").analysis).toBe("de/1");
    expect(format("ns-zh").analysis).toBe("zh/1");
  });
});

describe("answers", () => {
  test.each([
    ["de", "Wann wurde das Hauptlager der Turbine ausgetauscht?", "vierten März"],
    ["de", "Wie lange bleibt die Schleuse geschlossen?", "Ende April"],
    ["zh", "七号涡轮机的主轴承是什么时候更换的？", "三月四日"],
    ["zh", "船闸关闭到什么时候？", "四月底"],
  ] as const)("in %s are quotes without a verdict: %s", async (language, q, words) => {
    const { status, body } = await ask(language, "/v1/answer", { q, answer: true });
    expect(status).toBe(200);
    expect(body.answer).toMatchObject({ status: "answered", nli_faithfulness: null, model: "extractive" });
    expect(body.answer.text).toContain(words);
    for (const claim of body.answer.claims) expect(claim).toMatchObject({ verdict: null, score: null });
    for (const { quote, unit_id } of body.answer.citations) {
      expect(body.hits.find((hit: { unit_id: string }) => hit.unit_id === unit_id).text).toContain(quote);
    }
    expect(body.trace.warnings).toContainEqual(expect.stringContaining(`nothing here verifies answers in the language ${language}`));
  });

  test.each([
    ["de", "Wie heißt die Hauptstadt von Australien?"],
    ["zh", "澳大利亚的首都叫什么名字？"],
  ] as const)("in %s what is not there is not answered: %s", async (language, q) => {
    const { body } = await ask(language, "/v1/answer", { q, answer: true });
    expect(body.answer).toMatchObject({ status: "abstained", text: "", citations: [], nli_faithfulness: null });
  });
});

test("after a restart the namespace is what it was: no vector is of another model, and nothing is made again", async () => {
  await h.close();
  const lines: string[] = [];
  h = await openHarness({ seed: false, data, log: createLog("warn", (line) => lines.push(line), false) });
  expect(lines).toEqual([]);
  const { body } = await ask("de", "/v1/search", { q: "Führung", mode: "vector" });
  expect(body.hits[0].doc_id).toBe("d1");
  const db = new Database(join(h.app.data.namespacePaths("ns-de").catalog), { readonly: true });
  expect(db.query("SELECT DISTINCT model FROM embedding").values()).toEqual([["multilingual-e5-small"]]);
  db.close();
});
