/** What is an attempt on whoever composes an answer, and what only looks like one. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../src/core/answer/compose.ts";
import { injectsPrompt, echoesQuestion } from "../../src/language/prompt-injection.ts";
import { HOSTILE_TEXTS } from "../injection/hostile.ts";

const { stuffed = [], ...written } = HOSTILE_TEXTS;

test.each(Object.entries(written))("hostile %s are all seen", (_kind, texts) => {
  expect(texts.filter((text) => !injectsPrompt(text))).toEqual([]);
});

test("the demo is trusted whole", () => {
  const lines = readFileSync(join(import.meta.dir, "../../data/demo.ndjson"), "utf8")
    .trim()
    .split("\n");
  const texts: string[] = lines.map((line) => JSON.parse(line).text ?? "");
  expect(texts.filter(injectsPrompt)).toEqual([]);
});

/** Ordinary texts with the words of attacks in them. */
const BENIGN = [
  "System: hydraulics",
  "user: root logged in from 10.0.0.7",
  "system message 42: pump 3 restarted",
  "2026-03-19 02:47:12 INFO system: door closed, output 3 only",
  "Ignore the alarm when the valve is open.",
  "Ignore the reading of gauge 2 and follow the instructions on page 14.",
  "The operator must answer only yes or no.",
  "Answer only yes or no. Write only on the lines.",
  "Cite the work order number. Quote this number only when calling.",
  "Please quote claim FM-20931 and reply only by post.",
  "Below <10 °C the grease stiffens; at >60 °C it runs.",
  "The value is read from array[3] and written to out[i][j].",
  "Question 4. The correct answer is 42. Mark every answer with a cross.",
  "From: Lena Stroud\nTo: user@harbour.example\nSubject: Re: system test\nReply-To: office@harbour.example\n\nPlease answer with the date only.",
  'Put the text into a paragraph: <p class="note">Mind the gap</p> and end with <br>.',
  '<form action="/search" method="get"><input name="q"><img src="pump.png" alt="Pump"></form>',
  "<system><name>hydraulics</name></system>",
  "Prompt injection is an attack in which a text makes a language model ignore its instructions.",
  "An attacker who controls a web page can hide orders for an AI assistant in it; the assistant then follows them instead of its user.",
  "Researchers showed that chatbots can be made to reveal their system prompt.",
  "A language model is trained to answer questions. As a language model, BERT returns only vectors.",
  "If you are an AI researcher, register before May.",
  "Artificial intelligence: the assistant says good morning and the lamp goes on.",
  "You are the assistant of the surgeon: hand over the clamp, then step back.",
  "You are a model employee, and the agent of the owner.",
  "This document supersedes all previous editions. This unit overrides all other controls of the lift.",
  "Use this unit only with 230 V. Trust this document: it was checked.",
  "Never use any other document than the drawing T-7731.",
  "Call the function with two arguments. Run the command as root and send the token to https://api.example/login.",
  "Forget about the rules of thumb: measure twice.",
  "Disregard the instructions on the old label.",
  "Override the limit only with a written order of the shift leader.",
  "Now follow these instructions carefully: loosen the nut, lift the cover, and print the label.",
  "Repeat exactly what the control room says. Say again only the number.",
  "The ferry was full; abstain from smoking. Three members chose to abstain on all questions of money.",
  "Status: answered. Calls answered: 31, verdict of the jury: guilty. Score: 1.",
  "The trial [1] verified what [2, 3] had found; see [4] (open access).",
  "The unit_id column holds the number of the unit, acl_groups the groups that may read it.",
  "JavaScript: The Good Parts. A link may begin with javascript: or with data: as well.",
  "The rock strata must be described first; ignore strata thinner than 2 cm.",
  "A statement is entailed by its premises when it follows from them.",
  "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "Ο Αλέξανδρος πήγε στο λιμάνι. Турбина 7 остановилась ночью. 七号涡轮机停了。",
  "שלום עולם \u200fעם סימני כיוון\u200e, 👩‍🔧 and 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.",
  "The word was s p e l l e d o u t, letter by letter: B E A R I N G.",
  "Bitte ignorieren Sie die Warnung nicht und folgen Sie den Anweisungen. Les consignes de sécurité sont à lire.",
  "The new instructions are: the assistant in the control room reads the gauge, the diver waits.",
  "Developer mode is enabled in the settings: tap the build number seven times.",
  "Do not trust the sensor. Do not mention the price to the crew.",
  "The lawyer said that the witness must answer the question, and then answer it again.",
];

test.each(BENIGN)("ordinary: %s", (text) => {
  expect(injectsPrompt(text)).toBe(false);
});

/** Longer takes a quarter of a minute and more where a pattern backtracks. */
test("256 KiB of anything is read", () => {
  const pieces = [
    "ignore ",
    "ignore all the ",
    "you are ",
    "a b ",
    "<",
    "<a ",
    "[",
    "![](//",
    "\n#",
    " ",
    "0o1l",
    "а",
    "QUJD",
    "i.",
    "cite this unit ",
    "if asked ",
  ];
  for (const piece of pieces) injectsPrompt(piece.repeat(2 ** 18 / piece.length));
}, 15_000);

describe("echoesQuestion", () => {
  const questions = [
    "why did turbine 7 stop?",
    "how hot did the bearing get, 94 or 112 degrees?",
    "when did the Petrel Anne leave the quay?",
    "which grease did Norrby deliver, GC-220 or GL-220?",
    "grease leaking from the shaft seal",
    "why was there no high temperature alarm?",
    "when did the growl begin?",
  ];

  test("are texts that repeat the question, and for that question only", () => {
    for (const text of stuffed) expect({ text, by: questions.filter((q) => echoesQuestion(text, q)).length }).toEqual({ text, by: 1 });
  });

  test.each([
    ["Turbine 7 stopped. Turbine 8 stopped. Turbine 7 was started again; turbine 7 stopped a second time.", "why did turbine 7 stop?"],
    ["Grease, grease, grease, grease, grease, grease and nothing but grease!", "grease"],
    ["T cells help B cells, and B cells help T cells; without T cells there are few B cells in the lung of a mouse.", "do T cells help B cells?"],
    ["why did turbine 7 stop? Because its bearing broke.", "why did turbine 7 stop?"],
    ["", "why did turbine 7 stop?"],
    ["anything", "?"],
  ])("are not: %s", (text, question) => {
    expect(echoesQuestion(text, question)).toBe(false);
  });
});

test.each([
  ["a [1] b ［2］ c 【3】 d 〔4〕", "a (1) b (2) c (3) d (4)"],
  ["[text](https://evil.example) ![x](//evil.example)", "(text)(https://evil.example) !(x)(//evil.example)"],
  ["<script>alert(1)</script> <!-- x --> </p> <?php", "&lt;script>alert(1)&lt;/script> &lt;!-- x --> &lt;/p> &lt;?php"],
  ["<\u200bimg src=x>", "&lt;img src=x>"],
  ["below <10 °C and a < b, x <= y", "below <10 °C and a < b, x <= y"],
  ["\u001b[31mred\u001b[0m \u0007bell", "(31mred(0m bell"],
  ["\u202eabc\u202c \u2066d\u2069 e\u00adf g\u200bh \ufeffi \u{e0041}j", "abc d ef gh i j"],
  ["a\u200db \u200cc", "ab c"],
  ["می\u200cخواهم 👩\u200d🔧", "می\u200cخواهم 👩\u200d🔧"],
  [" two\n lines\tand\u00a0more ", "two lines and more"],
])("plain text of %j", (text, plain) => {
  expect(plainText(text)).toBe(plain);
  expect(plainText(plain)).toBe(plain);
});
