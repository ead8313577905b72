import { describe, expect, test } from "bun:test";
import { facts } from "../../../src/language/en/facts.ts";
import { type ExpectedAnswer, expectedAnswer, hasExpected, type QueryForm, queryForm, questionParts } from "../../../src/language/en/questions.ts";

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
    "Turbine 7 was stopped by its own protection",
    "Clathrin stabilizes the spindle fiber apparatus during mitosis.",
    "When the pump fails, the turbine stops.",
    "Will Smith was born in Philadelphia.",
    "May 2019 was the coldest month.",
  ],
  keywords: ["turbine 7 bearing temperature", "GC-220", "grease cartridge price", "", "harbour office arrivals 21 March", "list price grease"],
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
  ["Is the pump working and does it leak?", ["Is the pump working?", "does the pump leak?"]],
  ["Why did Turbine 7 stop? What did it cost?", ["Why did Turbine 7 stop?", "What did Turbine 7 cost?"]],
];
const WHOLE = [
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
  person: ["Who repaired it?", "By whom was it built?", "In the US, who decides?"],
  time: [
    "When was it built?",
    "In what year did it stop?",
    "How long ago was it?",
    "Which month is the wettest?",
    "When did the man who built it die?",
  ],
  number: ["How many pumps are there?", "How old is the bearing?", "What percentage of people who sail swim?", "What was the price of the grease?"],
  place: ["Where is the pump?", "In which city was he born?"],
  reason: ["Why did it stop?", "What was the cause of the stop?"],
  any: ["What stopped turbine 7?", "turbine 7", "Is it on?"],
};

describe("what a question expects", () => {
  for (const [kind, questions] of Object.entries(EXPECTED)) {
    for (const question of questions) test(`${question} ${kind}`, () => expect(expectedAnswer(question)).toBe(kind as ExpectedAnswer));
  }

  const held: [ExpectedAnswer, string, boolean][] = [
    ["person", "The crew called Ida.", true],
    ["person", "It was the crew.", false],
    ["person", "Ida called.", true],
    ["place", "they sailed to Osselby", true],
    ["time", "It stopped on Thursday.", true],
    ["time", "It stopped at 02:47.", true],
    ["time", "It stopped at the quay.", false],
    ["number", "It has twelve pumps.", true],
    ["number", "It has pumps.", false],
    ["reason", "It stopped.", true],
    ["any", "", true],
  ];
  for (const [kind, sentence, has] of held) test(`${kind} in "${sentence}": ${has}`, () => expect(hasExpected(kind, sentence)).toBe(has));
});

const COMPOUND: [string, string[]][] = [
  ["Turbine 7 stopped at 02:47 and was repaired on 1 April.", ["Turbine 7 stopped at 02:47.", "Turbine 7 was repaired on 1 April."]],
  ["The crew lifted the nacelle and towed it to the quay", ["The crew lifted the nacelle", "The crew towed it to the quay"]],
  ["Turbine 7 was stopped and repaired.", ["Turbine 7 was stopped.", "Turbine 7 was repaired."]],
  ["Turbine 7, which was built in 2003, stopped in March.", ["Turbine 7 stopped in March.", "Turbine 7 was built in 2003."]],
  ["The crew called Ida Morven, who repaired the pump.", ["The crew called Ida Morven.", "Ida Morven repaired the pump."]],
  ["The bearing failed; it was replaced on 29 March.", ["The bearing failed.", "The bearing was replaced on 29 March."]],
  ["Ida left the desk, but she came back at 02:41.", ["Ida left the desk.", "Ida came back at 02:41."]],
  ["The bearing cost EUR 86,400, while the grease cost EUR 94.50.", ["The bearing cost EUR 86,400.", "The grease cost EUR 94.50."]],
  ["Aspirin reduces fever and inhibits platelets.", ["Aspirin reduces fever.", "Aspirin inhibits platelets."]],
];
const SIMPLE = [
  "T7 stopped.",
  "The pump and the valve failed.",
  "It hit the pump and rusted valve.",
  "He said that the pump failed and was repaired.",
  "He said that the pump failed, and the valve was shut.",
  "Reduced levels of iron and increased levels of zinc cause harm.",
  'She said "it stopped and was repaired".',
  "The bearings failed, and it was hot.",
  "Nobody believed the date; it is true all the same.",
  "The figure is what they saw, and it is right to judge them by it.",
  "I said yes, and he said that it was late.",
  "Rosa says there was one and it was called Remarks.",
  "It weighs more than he does; he had four people carry it out and would not let them set it down.",
  "The turbine runs between 4 and 5 m/s.",
  " Turbine 7 runs. ",
];

describe("facts", () => {
  for (const [claim, expected] of COMPOUND) test(claim, () => expect(facts(claim)).toEqual(expected));
  for (const claim of SIMPLE) test(`${claim} (one)`, () => expect(facts(claim)).toEqual([claim]));
  test("of nothing are none", () => expect(facts(" ")).toEqual([]));
});
