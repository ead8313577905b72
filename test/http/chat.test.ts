/** A configured chat endpoint writes the answer: what is kept of it, and what happens when it does not behave. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createChat } from "../../src/adapter/chat/chat-endpoint.ts";
import { type Answered, checkCitations, checkForm, claimTexts } from "../support/answers.ts";
import { callWith, unhurried } from "../support/engines.ts";
import type { Call, Harness } from "../support/harness.ts";
import { ADMIN, READER } from "../support/people.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";

const MODEL = "house-model";
const PATIENCE_MS = 400;
const Q = "why was pump P-9 of the lower dock replaced?";
const SCOPE = { "x-svc-scope": "harbour/ops/dock" };

const REPLACED = "Pump P-9 of the lower dock was replaced on 4 May 2031 because its seal leaked 12 litres a day.";
const MAKER = "The new pump P-9 was made by Aldous and Sons in Carrow Mills.";
const UNITS = [
  { modality: "text", scope: "harbour/ops/dock", doc_id: "p9", acl_groups: ["ops"], text: REPLACED },
  { modality: "text", scope: "harbour/ops/dock", doc_id: "p9-maker", acl_groups: ["ops"], text: MAKER },
  {
    modality: "text",
    scope: "harbour/ops/dock",
    doc_id: "p9-cost",
    acl_groups: ["finance"],
    text: "Pump P-9 of the lower dock was replaced for EUR 7,431.",
  },
];

interface Evidence {
  marker: number;
  text: string;
}
/** What the endpoint was sent last, and how it answers. */
let sent: { model: string; question: string; evidence: Evidence[]; raw: string } | null = null;
let write: (evidence: readonly Evidence[]) => string | Response | Promise<string | Response> = () => "";

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  fetch: async (request) => {
    const raw = await request.text();
    const { model, messages } = JSON.parse(raw);
    const { question, evidence } = JSON.parse(messages.at(-1).content);
    sent = { model, question, evidence, raw };
    const written = await write(evidence);
    return written instanceof Response ? written : completion(written);
  },
});

function completion(content: string, finish_reason = "stop"): Response {
  return Response.json({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason }] });
}

let h: Harness;
let call: Call;
beforeAll(async () => {
  h = await openSeeded();
  const chat = createChat({ url: `http://127.0.0.1:${server.port}/v1`, model: MODEL, key: null }, PATIENCE_MS);
  call = callWith(h, { ...unhurried(h), chat });
  const { status } = await h.call("POST", "/v1/ingest", { token: ADMIN, body: { units: UNITS } });
  expect(status).toBe(200);
}, START_MS);
afterAll(async () => {
  await h.close();
  await server.stop(true);
});

/** Asks as the reader while the endpoint writes so. */
async function answered(writing: typeof write, q = Q): Promise<{ answer: Answered; warnings: string[] }> {
  sent = null;
  write = writing;
  const { status, body } = await call("POST", "/v1/answer", { token: READER, headers: SCOPE, body: { q, answer: true } });
  const context = `${JSON.stringify(sent)} ${JSON.stringify(body.answer ?? body)}`;
  expect(status, context).toBe(200);
  checkForm(body.answer, context);
  await checkCitations(body.answer, call, { token: READER }, context);
  return { answer: body.answer, warnings: body.trace.warnings };
}

const markerOf = (evidence: readonly Evidence[], words: string) => evidence.find(({ text }) => text.includes(words))?.marker ?? 0;

/** The built-in answer, to compare with: nothing that the endpoint wrote is in it. */
async function builtIn(writing: typeof write, said: RegExp): Promise<void> {
  const { answer, warnings } = await answered(writing);
  expect(answer.model).toBe("extractive");
  expect(claimTexts(answer)).toContain(REPLACED);
  expect(warnings).toEqual(expect.arrayContaining([expect.stringMatching(said)]));
  expect(warnings.at(-1)).toEndWith("the built-in synthesiser answers");
}

describe("an endpoint that behaves", () => {
  test("is asked with the readable evidence alone, and named in the answer", async () => {
    const { answer, warnings } = await answered((evidence) => `Pump P-9 was replaced on 4 May 2031 [${markerOf(evidence, "4 May")}].`);
    expect({ model: answer.model, status: answer.status, warnings }).toEqual({ model: MODEL, status: "answered", warnings: [] });
    expect(answer.text).toBe("Pump P-9 was replaced on 4 May 2031. [1]");
    expect(answer.citations.map(({ doc_id, quote }) => [doc_id, quote])).toEqual([["p9", REPLACED]]);
    expect({ model: sent?.model, question: sent?.question }).toEqual({ model: MODEL, question: Q });
    expect(sent?.evidence.map(({ marker }) => marker)).toEqual(sent?.evidence.map((_, index) => index + 1) ?? []);
    expect(sent?.raw).not.toMatch(/7,431|finance|acl|demo-reader|u_[a-z2-7]{8}/);
  });

  test("may cite several Units, and cites them in the order of the text", async () => {
    const { answer } = await answered((evidence) => {
      const [why, maker] = [markerOf(evidence, "4 May"), markerOf(evidence, "Aldous")];
      return `The new pump P-9 was made by Aldous and Sons [${maker}]. Pump P-9 was replaced on 4 May 2031 [${why}][${why}].`;
    });
    expect(answer.model).toBe(MODEL);
    expect(answer.citations.map(({ doc_id }) => doc_id)).toEqual(["p9-maker", "p9"]);
    expect(answer.claims.map(({ citations }) => citations)).toEqual([[1], [2]]);
  });

  test("is not asked when nothing answers", async () => {
    const { answer } = await answered(() => "The moon is made of cheese [1].", "who won the football world cup in 1998?");
    expect({ status: answer.status, model: answer.model, sent }).toEqual({ status: "abstained", model: "extractive", sent: null });
  });

  test("is given what it needs when it is slow", async () => {
    const { answer } = await answered(async (evidence) => {
      await Bun.sleep(PATIENCE_MS / 4);
      return `Pump P-9 was replaced on 4 May 2031 [${markerOf(evidence, "4 May")}].`;
    });
    expect(answer.model).toBe(MODEL);
  });
});

describe("a sentence that the evidence does not bear out is not said:", () => {
  const GOOD = "Pump P-9 was replaced on 4 May 2031";
  const FALSE: [string, string, RegExp][] = [
    ["another number", "The seal of pump P-9 leaked 21 litres a day", /21/],
    ["another unit", "The seal of pump P-9 leaked 12 kilograms a day", /kilograms/],
    ["another date", "Pump P-9 of the lower dock was replaced on 5 June 2031", /June/],
    ["another year", "Pump P-9 of the lower dock was replaced on 4 May 2013", /2013/],
    ["a negation", "Pump P-9 of the lower dock was not replaced on 4 May 2031", /not replaced/],
    ["an invented fact", "The replacement of pump P-9 was paid for by the town council", /council/],
    ["knowledge from elsewhere", "Paris is the capital of France", /Paris/],
    ["half a truth", "Pump P-9 was replaced on 4 May 2031 and its operator was dismissed", /dismissed/],
  ];
  test.each(FALSE)("%s", async (_name, sentence, trace) => {
    const { answer, warnings } = await answered((evidence) => {
      const marker = markerOf(evidence, "4 May");
      return `${GOOD} [${marker}]. ${sentence} [${marker}].`;
    });
    expect(answer.text).not.toMatch(trace);
    expect({ model: answer.model, claims: claimTexts(answer) }).toEqual({ model: MODEL, claims: [`${GOOD}.`] });
    expect(warnings).toEqual([expect.stringMatching(/^1 of 2 sentences of the chat model /)]);
  });

  test("every sentence, and then the built-in synthesiser answers", async () => {
    await builtIn(() => "The seal leaked 21 litres a day [1]. Paris is the capital of France [1].", /^2 of 2 sentences /);
  });
});

describe("markers and markup", () => {
  test("a marker of nothing is no marker", async () => {
    for (const marker of ["[9]", "[0]", "[99999999]", "", "[1](https://evil.example/x)"]) {
      const { answer } = await answered(() => `Pump P-9 was replaced on 4 May 2031 ${marker}.`);
      expect({ marker, text: answer.text, doc: answer.citations[0]?.doc_id }).toEqual({
        marker,
        text: "Pump P-9 was replaced on 4 May 2031. [1]",
        doc: "p9",
      });
    }
  });

  test("the wrong marker bears nothing out", async () => {
    const { answer } = await answered((evidence) => `Pump P-9 was replaced on 4 May 2031 [${markerOf(evidence, "Aldous")}].`);
    // Held to what it cites it falls, and nothing else was written.
    expect(answer.model).toBe("extractive");
  });

  test("links, images, tags and lists are gone", async () => {
    const { answer } = await answered((evidence) => {
      const marker = markerOf(evidence, "4 May");
      return `## Answer\n- **Pump P-9** was [replaced](https://evil.example/a) on 4 May 2031 [${marker}]. ![x](https://evil.example/p.png)<img src=x onerror=alert(1)>`;
    });
    expect(answer.text).not.toMatch(/evil|onerror|\*\*|##|<|!\[/);
    expect(answer.model).toBe(MODEL);
  });
});

describe("an endpoint that does not behave", () => {
  const BAD: [string, typeof write, RegExp][] = [
    ["answers never", () => new Promise<string>(() => {}), /^the chat model timed out: /],
    ["answers too late", () => Bun.sleep(3 * PATIENCE_MS).then(() => "late"), /^the chat model timed out: /],
    ["answers garbage", () => new Response("<html>"), /not JSON/],
    ["answers 500", () => new Response("no", { status: 500 }), /^the chat model answered 500: /],
    ["stops in the middle", () => completion("Pump P-9 was", "length"), /before the end/],
    ["redirects", () => Response.redirect("http://127.0.0.1:1/", 302), /redirect/],
    ["has nothing to say", () => completion("  "), /without a text/],
    ["finds the evidence insufficient", () => "INSUFFICIENT", /insufficient/],
    ["writes without end", () => "Pump P-9 was replaced. ".repeat(2_000), /bears out/],
  ];
  test.each(BAD)("%s", async (_name, writing, said) => {
    await builtIn(writing, said);
  });

  test("is not there", async () => {
    const gone = callWith(h, { ...unhurried(h), chat: createChat({ url: "http://127.0.0.1:1", model: MODEL, key: null }, PATIENCE_MS) });
    const { status, body } = await gone("POST", "/v1/answer", { token: READER, headers: SCOPE, body: { q: Q, answer: true } });
    expect({ status, model: body.answer.model, answered: body.answer.status }).toEqual({ status: 200, model: "extractive", answered: "answered" });
    expect(body.trace.warnings).toEqual(["the chat model cannot be reached: the built-in synthesiser answers"]);
  });
});
