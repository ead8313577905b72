/** Answers from small files, each in a scope of its own: what is said of one option, code or language answers nothing that is asked of another. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Answered, checkCitations, checkForm, claimTexts } from "../support/answers.ts";
import { callWith, unhurried } from "../support/engines.ts";
import { openWorld, put, type World } from "../support/files.ts";
import type { Call } from "../support/harness.ts";

const FILES: Record<string, Record<string, string>> = {
  rake: { "rake.md": "# Rake\n\nOptions of rake:\n\n- `-n` prints the names.\n- `-N` removes all of the nets.\n- `-q` is quiet.\n" },
  hoe: { "hoe.md": "# Hoe\n\nWith -k the hoe keeps the weeds. With -K the hoe kills the weeds.\n" },
  gauge: { "gauge.md": "# Gauge\n\n| Option | Meaning |\n|---|---|\n| `-r` | reads the level |\n| `-R` | resets the level |\n" },
  codes: {
    "codes.md":
      "# Exit codes of skiff\n\n| Code | Meaning |\n|---|---|\n| 0 | all went well |\n| 141 | the reader of the pipe has gone |\n\nSkiff 2 writes them to its log.\n",
    "status.html":
      "<h1>skiff(1)</h1><h2>Exit status</h2><dl><dt>0</dt><dd>Every file was sent.</dd><dt>141</dt><dd>The reader of the pipe has gone.</dd></dl>",
  },
  compilers: {
    "one.txt": "The C++ compiler is called cxx.",
    "two.txt": "The C# compiler is called csc.",
    "three.txt": "The C compiler is called cc.",
  },
  tank: {
    "tank.md":
      "# Tank\n\nTo set up the tank:\n\n1. Rinse it with sea water.\n2. Lay the gravel.\n3. Fill it to the mark.\n4. Start the pump.\n5. Wait for two days.\n\nThe fish may then be put in.\n",
    "logger.md": "# Logger\n\nThe tank logger writes these formats:\n\n- CSV\n- JSON\n- Parquet\n- plain text\n",
  },
  quahog: {
    "quahog.md": "# Quahog\n\n- `-x` opens the shell with a knife.\n- `-X` opens the shell with steam.\n- `-o` says where the pearls go.\n",
    "pump.md":
      "# Pump\n\nThe pump has two modes. Eco mode saves power and runs at night. Turbo mode is loud and moves twice as much water. A sieve keeps leaves out.\n",
  },
  drill: { "drill.md": "# Drill\n\n## Options of the drill\n\nThe following options of the drill are understood:\n" },
};

let world: World;
let call: Call;
beforeAll(async () => {
  world = await openWorld();
  call = callWith(world.h, unhurried(world.h));
  for (const [scope, files] of Object.entries(FILES)) {
    for (const [name, text] of Object.entries(files)) {
      const { status, body } = await put(world.h, text, { token: world.admin, name, headers: { "x-svc-scope": scope } });
      expect({ name, status, detail: body.detail }).toEqual({ name, status: 200, detail: undefined });
    }
  }
}, 120_000);
afterAll(() => world.h.close());

async function ask(scope: string, q: string): Promise<Answered & { marked: string[]; warnings: string[] }> {
  const options = { token: world.admin, headers: { "x-svc-scope": scope } };
  const { status, body } = await call("POST", "/v1/answer", { ...options, body: { q, answer: true } });
  expect({ q, status }).toEqual({ q, status: 200 });
  checkForm(body.answer, q);
  await checkCitations(body.answer, call, options, q);
  const answer = body.answer as Answered;
  const marked = answer.citations.map(({ quote, quote_start, mark_start, mark_end }) =>
    quote.slice(mark_start - quote_start, mark_end - quote_start),
  );
  return { ...answer, marked, warnings: body.trace.warnings };
}

/** Scope, question, what the answer says, and what is marked for it where that is something else. */
const ANSWERS: [string, string, string[], string[]?][] = [
  ["rake", "What does rake -n do?", ["Options of rake: `-n` prints the names."], ["`-n` prints the names."]],
  ["rake", "What does rake -N do?", ["Options of rake: `-N` removes all of the nets."], ["`-N` removes all of the nets."]],
  ["hoe", "what does hoe -k do?", ["With -k the hoe keeps the weeds."]],
  ["hoe", "what does hoe -K do?", ["With -K the hoe kills the weeds."]],
  ["gauge", "What does -r do?", ["Option: `-r`; Meaning: reads the level"], ["Option: `-r` | Meaning: reads the level"]],
  ["gauge", "What does -R do?", ["Option: `-R`; Meaning: resets the level"], ["Option: `-R` | Meaning: resets the level"]],
  ["codes", "What does exit code 77 of skiff mean?", []],
  ["codes", "exit status 142", []],
  ["codes", "exit status 141", ["The reader of the pipe has gone."], ["141\nThe reader of the pipe has gone."]],
  ["compilers", "What is the C# compiler called?", ["The C# compiler is called csc."]],
  ["compilers", "What is the C++ compiler called?", ["The C++ compiler is called cxx."]],
  ["compilers", "What is the C compiler called?", ["The C compiler is called cc."]],
  ["compilers", "what is the F# compiler called?", []],
  [
    "tank",
    "How do I set up the tank?",
    ["To set up the tank: Rinse it with sea water. Lay the gravel. Fill it to the mark. Start the pump. Wait for two days."],
    ["To set up the tank:\n\n1. Rinse it with sea water.\n2. Lay the gravel.\n3. Fill it to the mark.\n4. Start the pump.\n5. Wait for two days."],
  ],
  [
    "tank",
    "Which formats does the tank logger write?",
    ["The tank logger writes these formats: CSV; JSON; Parquet; plain text"],
    ["The tank logger writes these formats:\n\n- CSV\n- JSON\n- Parquet\n- plain text"],
  ],
  ["quahog", "difference between -x and -X in quahog", ["`-X` opens the shell with steam.", "`-x` opens the shell with a knife."]],
  ["quahog", "Eco mode vs Turbo mode", ["Turbo mode is loud and moves twice as much water.", "Eco mode saves power and runs at night."]],
  ["drill", "which options of the drill are understood?", []],
];
test.each(ANSWERS)("%s: %s", async (scope, q, said, marked = said) => {
  const answer = await ask(scope, q);
  expect({ status: answer.status, said: claimTexts(answer), marked: answer.marked }).toEqual({
    status: said.length === 0 ? "abstained" : "answered",
    said,
    marked,
  });
});

test("a number that is only mentioned loses no answer", async () => {
  const { text } = await ask("codes", "What does exit code 141 of skiff 3 mean?");
  expect(text).toContain("the reader of the pipe has gone");
});

test("a comparison of which one side is found is partial, and names the other", async () => {
  const { status, text, warnings } = await ask("quahog", "eco mode vs silent mode");
  expect({ status, text, warnings }).toEqual({
    status: "partial",
    text: "Eco mode saves power and runs at night. [1]",
    warnings: ["nothing that the caller may read answers: silent"],
  });
});

test("a language in quotes is found as it is written", async () => {
  const { body } = await call("POST", "/v1/search", {
    token: world.admin,
    headers: { "x-svc-scope": "compilers" },
    body: { q: '"C#"', mode: "fulltext" },
  });
  expect(body.hits.map(({ text }: { text: string }) => text)).toEqual(["The C# compiler is called csc."]);
});
