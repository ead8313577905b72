import { describe, expect, test } from "bun:test";
import { compared, type ExpectedAnswer, expectedAnswer, type QueryForm, queryForm, questionParts } from "../../../src/language/en/questions.ts";

const FORMS: Record<QueryForm, string[]> = {
  question: [
    "Why did turbine 7 stop?",
    "why did turbine 7 stop",
    "turbine 7?",
    "In what year was it built",
    "Is the pump running",
    "Tell me about the harbour",
    "List the pumps of turbine 7.",
    "Name a larger car",
    "During which night did it stop",
    "Along with nuclear heat, what sort of energy is used",
    "It evolved into how many layers",
    "When was it built",
    "WHen did it start",
  ],
  statement: [
    "Vitamin D deficiency is associated with higher mortality.",
    "TMEM27 is a marker for beta cells.",
    "Statins reduce inflammation.",
    "Clathrin stabilizes the spindle fiber apparatus during mitosis.",
    "When the pump fails, the turbine stops.",
    "Will Smith was born in Philadelphia.",
    "May 2019 was the coldest month.",
  ],
  keywords: [
    "turbine 7 bearing temperature",
    "GC-220",
    "grease cartridge price",
    "",
    "harbour office arrivals 21 March",
    "list price grease",
    "history is lost when I close the shell",
    "turbine 7 was stopped by its own protection",
    "vibration etc.",
  ],
};

describe("the form of a query", () => {
  for (const [form, queries] of Object.entries(FORMS)) {
    for (const query of queries) test(`"${query}" is ${form}`, () => expect(queryForm(query)).toBe(form as QueryForm));
  }
});

const PARTS: [string, string[]][] = [
  ["What stopped turbine 7 and when was it repaired?", ["What stopped turbine 7?", "when was turbine 7 repaired?"]],
  ["When was the nacelle lifted and where was it taken?", ["When was the nacelle lifted?", "where was the nacelle taken?"]],
  ["How did the bearing fail and who repaired it?", ["How did the bearing fail?", "who repaired the bearing?"]],
  ["What caused the stop and how much did it cost?", ["What caused the stop?", "how much did the stop cost?"]],
  ["Why did Turbine 7 stop? What did it cost?", ["Why did Turbine 7 stop?", "What did Turbine 7 cost?"]],
];
const WHOLE = [
  "Is the pump working and does it leak?",
  "Who founded X and Y?",
  "How and when did the plague enter Europe?",
  "Which turbine stopped and when was it repaired?",
  "Who is the king and has the crown?",
  "Who was the man who built it and who died in Paris?",
  "What did Luther tell monks and nuns about their vows?",
  "Who built it and when?",
  "Why? How?",
  "turbine 7 and turbine 3",
];

describe("the parts of a question", () => {
  for (const [question, parts] of PARTS) test(question, () => expect(questionParts(question)).toEqual(parts));
  for (const question of WHOLE) test(`${question} (whole)`, () => expect(questionParts(question)).toEqual([question]));
});

const EXPECTED: Record<ExpectedAnswer, string[]> = {
  time: [
    "When was it built?",
    "In what year did it stop?",
    "How long ago was it?",
    "Which month is the wettest?",
    "When did the man who built it die?",
  ],
  number: ["How many pumps are there?", "How old is the bearing?", "What percentage of people who sail swim?", "What was the price of the grease?"],
  any: ["Who repaired it?", "In which city was he born?", "Why did it stop?", "What stopped turbine 7?", "turbine 7", "Is it on?"],
};

describe("what a question expects", () => {
  for (const [kind, questions] of Object.entries(EXPECTED)) {
    for (const question of questions) test(`${question} ${kind}`, () => expect(expectedAnswer(question)).toBe(kind as ExpectedAnswer));
  }
});

test("a comparison names two sides", () => {
  expect(compared("git fetch vs git pull")).toEqual(["fetch", "pull"]);
  expect(compared("merge versus rebase?")).toEqual(["merge", "rebase"]);
  expect(compared("What is the difference between the index and HEAD?")).toEqual(["index", "head"]);
  expect(compared("-v vs -V")).toEqual(["-v", "-V"]);
  expect(compared("difference between -x and -X in quahog")).toEqual(["-x", "-X"]);
  expect(compared("Eco mode vs. Turbo mode?")).toEqual(["eco", "turbo"]);
  expect(compared("what is the difference between git merge and git rebase")).toEqual(["merge", "rebase"]);
  expect(compared("difference between C# and C++")).toEqual(["c#", "c++"]);
  for (const none of ["why did turbine 7 stop", "vs", "merge vs", "a contest between two"]) expect(compared(none)).toEqual([]);
});
