/** Terms in languages other than English. */
import { describe, expect, test } from "bun:test";
import { analysisName } from "../../../src/text/analysis.ts";
import { wordCount } from "../../../src/text/items.ts";
import { LANGUAGES, type Language, STEMMED } from "../../../src/text/language.ts";
import { highlights, queryTerms, textTerms } from "../../../src/text/terms.ts";

function marked(language: Language, query: string, text: string): string[] {
  return highlights(queryTerms(query, language), text, language).map(({ start, end }) => text.slice(start, end));
}

describe("words", () => {
  test.each([
    ["de", "Häuser Größe GROSSE", ["haus", "gross", "gross"]],
    ["ru", "подшипники подшипника", ["подшипник", "подшипник"]],
    ["ar", "الكتاب كتابهم", ["كتاب", "كتاب"]],
    ["tr", "IŞIK evlerinde", ["isik", "ev"]],
    ["fr", "Réparées réparation", ["repar", "repar"]],
    ["el", "ΑΝΘΡΏΠΩΝ ανθρώπους", ["ανθρωπ", "ανθρωπ"]],
    ["vi", "Má mà ổ trục", ["má", "mà", "ổ", "trục"]],
    ["any", "Häuser books Má", ["häuser", "books", "má"]],
    ["en", "Häuser books", ["hauser", "book"]],
  ] as const)("in %s: %s", (language, text, terms) => {
    expect(textTerms(text, language)).toEqual([...terms]);
  });

  test("every language takes every script, and what is written twice is the same twice", () => {
    const text = "Über café Ёлка كِتَاب किताब 東京 ตลับ 한국어 Straße ΣΟΦΟΣ İ ﬁne Ⅻ x-1 -v";
    for (const language of LANGUAGES) {
      const terms = textTerms(text, language);
      expect(terms.length).toBeGreaterThan(10);
      expect(terms.some((term) => term === "")).toBe(false);
      expect(textTerms(text.normalize("NFD"), language)).toEqual(terms);
    }
    for (const language of STEMMED) expect(textTerms("a", language)).toEqual(["a"]);
  });

  test("literals are those of English", () => {
    expect(textTerms("-x := %n", "de").slice(-3)).toEqual(["-x", ":=", "%n"]);
  });
});

describe("scripts without spaces", () => {
  test("two neighbours are a term, and behind the words stands each character", () => {
    expect(textTerms("三月四日 7号A茶B", "zh")).toEqual(["三月", "月四", "四日", "7", "号", "a", "茶", "b", "三", "月", "四", "日"]);
    expect(textTerms("ลูกปืน", "th")).toEqual(
      ["ลู", "ก", "ปื", "น"].flatMap((one, at, all) => (at === 0 ? [] : [all[at - 1] + one])).concat(["ลู", "ก", "ปื", "น"]),
    );
    expect(textTerms("東京 is", "any")).toEqual(["東京", "is", "東", "京"]);
  });

  test("a query asks for pairs, and for a character where it stands alone; a phrase for pairs in a row", () => {
    expect(queryTerms("涡轮机 茶", "zh")).toEqual({ scored: ["涡轮", "轮机", "茶"], alternatives: [["涡轮"], ["轮机"], ["茶"]], phrases: [] });
    expect(queryTerms('"涡轮机"', "zh").phrases).toEqual([["涡轮", "轮机"]]);
  });

  test("highlights cover what was asked for", () => {
    expect(marked("zh", "主轴承 茶", "更换了主轴承，喝茶。承主")).toEqual(["主轴承", "茶"]);
    expect(marked("de", "Führung", "Die Führungen beginnen.")).toEqual(["Führungen"]);
    expect(marked("vi", "má", "má mà")).toEqual(["má"]);
  });

  test("a quote's words are counted by their characters", () => {
    expect(wordCount("three little words")).toBe(3);
    expect(wordCount("三月四日警报响起")).toBe(4);
    expect(wordCount("Turbine 七号 runs")).toBe(3);
  });
});

test("an analysis has a name for each language", () => {
  expect(new Set(LANGUAGES.map(analysisName)).size).toBe(LANGUAGES.length);
  expect(analysisName("en")).toBe("en");
});
