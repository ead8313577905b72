/** The command line, in process: what needs no engines. */
import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { httpUrl } from "../../src/app/server-file.ts";
import { systemClock } from "../../src/base/clock.ts";
import { answerText } from "../../src/cli/answer.ts";
import { Client } from "../../src/cli/client.ts";
import { type FlagTable, UsageError } from "../../src/cli/command.ts";
import { PLAIN } from "../../src/cli/colours.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { facetsText } from "../../src/cli/facets.ts";
import { scopeOf } from "../../src/cli/flags.ts";
import { duration, locatorText, marked, markedSnippet, printable, table } from "../../src/cli/format.ts";
import { findFiles } from "../../src/cli/ingest-files.ts";
import { batchesOf, linesOf } from "../../src/cli/lines.ts";
import { parseCommandLine, suggestion } from "../../src/cli/parse.ts";
import { pipeline } from "../../src/cli/pipeline.ts";
import { PositionFile } from "../../src/cli/position.ts";
import { rereadText } from "../../src/cli/reread.ts";
import type { AnswerBody, SearchBody } from "../../src/cli/query.ts";
import { runCli } from "../../src/cli/run.ts";
import { resultText } from "../../src/cli/search.ts";
import { listenFault, tryNext } from "../../src/cli/serve.ts";
import type { AuditRow, ChainPart } from "../../src/domain/audit.ts";
import { inParts } from "../../src/cli/audit.ts";
import type { DirectoryTables } from "../../src/adapter/sqlite/directory.ts";
import { openDataDirectory } from "../../src/adapter/sqlite/data-directory.ts";
import { runStrata } from "../support/strata.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { openRows } from "../support/rows.ts";

const root = temporaryDirectory();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const strata = (...argv: string[]) => runStrata(argv);

describe("arguments", () => {
  const flags = {
    scope: { kind: "value", placeholder: "S", help: "" },
    plane: { kind: "list", placeholder: "P", help: "" },
    json: { kind: "switch", help: "" },
  } as const satisfies FlagTable;
  const operands = [{ name: "QUERY", help: "what" }];
  const parse = (...argv: string[]) => parseCommandLine(argv, flags, operands);
  const refusal = (...argv: string[]) => {
    try {
      parse(...argv);
    } catch (error) {
      if (error instanceof UsageError) return error.message;
    }
    return null;
  };

  test("flags stand anywhere, lists collect, -- ends flags", () => {
    expect(parse("--plane", "text", "q", "--plane=audio", "--json").flags).toEqual({ scope: undefined, plane: ["text", "audio"], json: true });
    expect(parse("--", "--json")).toMatchObject({ operands: ["--json"], flags: { json: false } });
    expect(parse("--scop", "--help").help).toBe(true);
  });

  test("what does not fit is named", () => {
    expect(refusal("q", "--scpoe", "a")).toBe("unknown flag --scpoe. Did you mean --scope?");
    expect(refusal("q", "--constructor")).toStartWith("unknown flag --constructor.");
    expect(refusal("-x")).toBe("unknown flag -x. If it is QUERY, put -- before it: -- -x");
    expect(refusal("--scpoe", "--json")).toStartWith("unknown flag --scpoe. Did you mean --scope? If it is QUERY");
    expect(refusal("q", "--scope")).toContain("--scope needs a value");
    expect(refusal("q", "--scope", "--json")).toContain("--scope needs a value");
    expect(refusal("q", "--scope", "a", "--scope", "b")).toContain("2 times");
    expect(refusal("q", "--json=yes")).toContain("takes no value");
    expect(refusal("--json")).toContain("QUERY is missing");
    expect(refusal("why", "did")).toContain('unexpected argument "did"; quote QUERY');
  });

  test("a suggestion is near, or absent", () => {
    expect(suggestion("serch", ["search", "serve"])).toBe(" Did you mean search?");
    expect(suggestion("xyzzy", ["search", "serve"])).toBe("");
    expect(suggestion("a", [])).toBe("");
  });

  test("scopes", () => {
    expect(scopeOf("*")).toBe("*");
    expect(() => scopeOf("a//b")).toThrow(UsageError);
  });
});

describe("help", () => {
  test("the program explains itself", async () => {
    for (const argv of [[], ["--help"], ["help"]]) {
      const { status, out } = await strata(...argv);
      expect(status).toBe(0);
      for (const { name } of COMMANDS) expect(out).toContain(name);
      for (const word of ["STRATA_DATA", "exit status", "examples"]) expect(out).toContain(word);
    }
  });

  test.each(COMMANDS.map(({ name }) => name))("%s explains itself", async (name) => {
    const words = name.split(" ");
    const { status, out, err } = await strata(...words, "--help");
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toContain(`strata ${name}`);
    expect(out.match(/^ {2}strata /gm)?.length).toBeGreaterThanOrEqual(3);
    expect(out).toContain("exit status");
    expect(out.replace(/\s+/g, " ")).not.toMatch(/several times \(may be given several times/);
    expect((await strata("help", ...words)).out).toBe(out);
  });

  test("where evidence may go is told by every command that may send it", async () => {
    for (const name of ["serve", "answer"]) {
      const { out } = await strata(name, "--help");
      for (const variable of ["STRATA_LLM_URL", "STRATA_LLM_MODEL", "STRATA_LLM_KEY"]) expect(out).toContain(`\n  ${variable} `);
      expect(out.replace(/\s+/g, " ")).toMatch(/the evidence[^.]*, which the caller may read, is sent there\./);
    }
  });

  test("unknown words are wrong usage", async () => {
    expect(await strata("serch", "x")).toEqual({
      status: 2,
      out: "",
      err: 'strata: unknown command "serch". Did you mean search?\nstrata: see strata --help\n',
    });
    expect((await strata("token", "creat", "x")).err).toContain("Did you mean create?");
    expect((await strata("token")).status).toBe(2);
    expect((await strata("--jsn")).status).toBe(2);
    expect((await strata("search", "x", "--top-k", "51")).err).toContain("--top-k must be a whole number from 1 to 50");
    expect((await strata("search", "x", "--filters", '{"nope": 1}')).status).toBe(2);
    expect((await strata("search", "x", "--facet", "text")).err).toContain("strata: --facet text has no facets; fields with facets are");
    expect((await strata("search", "x", "--filters", '{"nope": 1}')).err).toContain("strata: --filters /nope: ");
    expect((await strata("search", "x", "--plane", "smell")).err).toContain("must be one of text, visual, audio, doc_visual");
    expect((await strata("answer", "x", "--top-k", "51")).err).toContain("--top-k must be a whole number from 1 to 50");
    expect((await strata("answer", "x", "--mode", "vector")).err).toContain("unknown flag --mode");
    expect((await strata("answer", "")).err).toContain("QUESTION ");
    expect((await strata("serve", "--port", "99999")).status).toBe(2);
  });

  test("version", async () => {
    expect((await strata("version")).out).toMatch(/^strata \d+\.\d+\.\d+\S* \(bun \d+\.\d+\.\d+\)\n$/);
    expect((await strata("--version")).status).toBe(0);
  });

  test("what a server says", () => {
    expect(httpUrl("::1", 4700)).toBe("http://[::1]:4700");
    expect(listenFault("EADDRINUSE", "127.0.0.1", 4700)).toContain("port 4700 on 127.0.0.1 is in use");
    const next = tryNext("http://127.0.0.1:4700", "./strata-data");
    expect(next).toContain('"q":"why did turbine 7 stop?"');
    expect(next).toMatch(/\n {2}strata answer "why did turbine 7 stop\?"\n/);
    expect(tryNext("http://h", "/var/lib/strata")).toContain('stop?" --data /var/lib/strata\n');
    expect(tryNext("http://h", "it's here")).toContain(`stop?" --data 'it'\\''s here'\n`);
  });
});

test("bench works in no directory that is there already, and leaves it alone", async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "thesis.txt"), "years of work");
  const { status, err } = await strata("bench", "--dir", directory);
  expect([status, err]).toEqual([1, expect.stringContaining("exists; bench works in a directory that it makes and removes")]);
  expect(readFileSync(join(directory, "thesis.txt"), "utf8")).toBe("years of work");
});

describe("what a person reads", () => {
  test("locators", () => {
    expect(locatorText({ kind: "time_range", t_start_ms: 12_300, t_end_ms: 15_000 })).toBe("00:12.3-00:15.0");
    expect(locatorText({ kind: "time_range", t_start_ms: 59_970, t_end_ms: 3_723_400 })).toBe("01:00.0-1:02:03.4");
    expect(locatorText({ kind: "bbox", page: 3, x: 0.1, y: 0.2, w: 0.3, h: 0.4 })).toBe("page 3, box 10-40% across, 20-60% down");
    expect(locatorText({ kind: "bbox", x: 0, y: 0, w: 1, h: 1 })).toBe("box 0-100% across, 0-100% down");
    expect(locatorText({ kind: "char_span", start: 10, end: 80 })).toBe("chars 10-80");
    expect(locatorText({ kind: "line_range", start: 4, end: 9 })).toBe("lines 4-9");
    expect(locatorText({ kind: "line_range", start: 4, end: 4 })).toBe("line 4");
  });

  test("stored text cannot steer the terminal", () => {
    expect(printable("a\x1b[2Jb\nc\u202ed\u009be")).toBe("a [2Jb c d e");
    expect(
      table(
        ["A", "B"],
        [
          ["x\x1by", "1"],
          ["longer", "22"],
        ],
      ),
    ).toBe("A       B\nx y     1\nlonger  22\n");
  });

  test("matches are marked, by their offsets into the whole text", () => {
    const text = "one two three four";
    const spans = [
      { start: 0, end: 3 },
      { start: 8, end: 13 },
      { start: 9, end: 14 },
    ];
    const mark = (words: string) => `<${words}>`;
    expect(markedSnippet(text, "two three four", spans, mark)).toBe("two <three> four");
    expect(markedSnippet(text, "not in it", spans, mark)).toBe("not in it");
    expect(marked("a\x1bb", [{ start: 1, end: 3 }], mark)).toBe("a< b>");
  });

  test("durations", () => {
    expect([400, 12_000, 200_000, 7_500_000].map(duration)).toEqual(["0.4 s", "12 s", "3 min 20 s", "2 h 5 min"]);
  });

  test("hits", () => {
    const hit = {
      rank: 1,
      score: 0.0325,
      modality: "asr",
      plane: "audio",
      scope: "a/b",
      doc_id: "d",
      text: "it stopped",
      snippet: "it stopped",
      highlights: [],
      scores: { fused: 0.0325, rerank: null, legs: [] },
      locator: { kind: "line_range", start: 1, end: 2 },
    };
    const found = { hits: [hit], hidden_by_acl: 2, trace: { warnings: [] } } as unknown as SearchBody;
    expect(resultText(found, { colours: PLAIN })).toBe(
      " 1  0.0325  asr/audio  a/b  d  lines 1-2\n    it stopped\n\n1 hit\nhidden_by_acl 2: of the best matches, that many are not for this caller\n",
    );
    expect(resultText({ ...found, hits: [], hidden_by_acl: 0 }, { colours: PLAIN })).toBe("no Unit found\nhidden_by_acl 0\n");
  });
});

test("facets: values behind their counts, and whether all were counted", () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ value: index, count: 1_200 - index }));
  const facets = {
    modality: {
      values: [
        { value: "chunk", count: 41 },
        { value: "o\x1bcr", count: 3 },
      ],
      exact: true,
    },
    "metadata.turbine": { values: many, exact: false },
    path: { values: [], exact: true },
  };
  expect(facetsText(facets, PLAIN).split("\n")).toEqual([
    "",
    "modality",
    "    41  chunk",
    "     3  o cr",
    "",
    "metadata.turbine, at least: not every match was counted",
    ...Array.from({ length: 10 }, (_, index) => `    1,${200 - index}  ${index}`),
    "    and 2 more values: --json has them",
    "",
    "path",
    "    no match that was counted has it",
    "",
  ]);
});

describe("an answer", () => {
  const citation = {
    marker: 1,
    unit_id: "u_1",
    doc_id: "bearing-log-7",
    path: ["Bearings", "Turbine 7"],
    scope: "harbour/ops",
    modality: "chunk",
    plane: "text",
    source_uri: "file:///x",
    locator: { kind: "char_span", start: 120, end: 260 },
    quote: "The bearing of turbine 7 was replaced on 4 March.",
    quote_start: 0,
    quote_end: 49,
    mark_start: 4,
    mark_end: 11,
  };
  const claims = [
    { start: 0, end: 25, verdict: "entailed", score: 0.98, citations: [1] },
    { start: 30, end: 46, verdict: "neutral", score: 0.5, citations: [1, 2] },
  ];
  const answered = {
    text: "The bearing was replaced. [1] It was hot then. [1][2]",
    status: "partial",
    nli_faithfulness: 0.74,
    claims,
    citations: [citation, { ...citation, marker: 2, doc_id: null, locator: null, quote: "It was\nhot.\x1b[2J" }],
    iterations: 1,
    model: "extractive",
  };
  const found = (answer: object) => ({ answer: { ...answered, ...answer }, hidden_by_acl: 2, hits: [] }) as unknown as AnswerBody;
  const hidden = "hidden_by_acl 2: of the best matches, that many are not for this caller\n";

  test("comes with its sources and how they bear it out", () => {
    expect(answerText(found({}), { colours: PLAIN })).toBe(
      `The bearing was replaced. [1] It was hot then. [1][2]

partial · faithfulness 0.74 · 1 round · extractive

[1] bearing-log-7  Bearings > Turbine 7  chunk/text  harbour/ops  chars 120-260
    “The bearing of turbine 7 was replaced on 4 March.”
    entailed 0.98, neutral 0.50

[2] file:///x  Bearings > Turbine 7  chunk/text  harbour/ops
    “It was hot. [2J”
    neutral 0.50

${hidden}`,
    );
  });

  test("fits the terminal, and quotes take two lines", () => {
    const long = "warm ".repeat(200).trim();
    const lines = answerText(found({ text: `${long}. [1]`, citations: [{ ...citation, quote: long }] }), { columns: 50, colours: PLAIN }).split("\n");
    expect(Math.max(...lines.slice(0, lines.indexOf("")).map((line) => line.length))).toBeLessThanOrEqual(50);
    const quoted = lines.filter((line) => line.startsWith("    ") && line.includes("warm"));
    expect(quoted).toEqual([`    “${"warm ".repeat(8).trim()}`, `    ${"warm ".repeat(9).trim()}…”`]);
    // A word longer than a line, and a terminal that is narrower than a word.
    const wide = answerText(found({ citations: [{ ...citation, quote: "界".repeat(200) }] }), { columns: 3, colours: PLAIN }).split("\n");
    expect(wide.filter((line) => line.includes("界")).map((line) => Bun.stringWidth(line) <= 40)).toEqual([true, true]);
  });

  test("a long quote is shown from the words that answer", () => {
    const quote = `${"cold ".repeat(40)}It was hot. ${"warm ".repeat(40)}`.trim();
    const [quote_start, mark_start] = [7, 7 + quote.indexOf("It was")];
    const long = { ...citation, quote, quote_start, quote_end: quote_start + quote.length, mark_start, mark_end: mark_start + "It was hot.".length };
    expect(answerText(found({ citations: [long] }), { columns: 50, colours: PLAIN })).toContain("    “…It was hot. warm warm");
  });

  test("without a claim there is no faithfulness to tell", () => {
    expect(answerText(found({ nli_faithfulness: null, claims: [], iterations: 2 }), { colours: PLAIN })).toContain(
      "\npartial · 2 rounds · extractive\n",
    );
  });

  test("that there is none says what to do", () => {
    const none = { text: "", status: "abstained", nli_faithfulness: null, claims: [], citations: [] };
    expect(answerText(found(none), { colours: PLAIN })).toBe(
      `no answer: nothing that you may read answers this well enough\nstrata search shows the Units that come nearest\n${hidden}`,
    );
  });

  test("a search says what is asked of it, and refuses what makes no sense before it asks", async () => {
    const bodies: unknown[] = [];
    const server = Bun.serve({
      port: 0,
      fetch: async (request) => {
        bodies.push(await request.json());
        return Response.json({ hits: [], answer: null, hidden_by_acl: 0, trace: { warnings: [] } });
      },
    });
    const to = ["--url", `http://127.0.0.1:${server.port}`, "--token", "t"];
    const ranking = ["--group-by", "doc_id", "--group-size", "2", "--diversity", "0.3", "--weight", "fulltext=2", "--weight", "labels=0", "--rerank"];
    const { status, err } = await strata("search", "x", ...ranking, "--facet", "modality", "--facet", "metadata.turbine", "--explain", ...to);
    const wrong = [
      ["--group-size", "2"],
      ["--group-by", "scope"],
      ["--diversity", "a lot"],
      ["--weight", "fulltext"],
      ["--weight", "smell=1"],
    ];
    const refused = await Promise.all(wrong.map((flags) => strata("search", "x", ...flags, ...to)));
    await server.stop(true);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    const asked = { q: "x", group_by: "doc_id", group_size: 2, diversity: 0.3, weights: { fulltext: 2, labels: 0 }, rerank: true };
    expect(bodies).toEqual([{ ...asked, facets: ["modality", "metadata.turbine"], explain: true, top_k: 10 }]);
    expect(refused.map((each) => [each.status, each.err.split("\n")[0]])).toEqual([
      [2, "strata: --group-size goes with --group-by: of what are there so many?"],
      [2, 'strata: --group-by must be one of doc_id; it is "scope"'],
      [2, 'strata: --diversity must be a number such as 0.5, not below 0; it is "a lot"'],
      [2, 'strata: --weight must look like fulltext=2; it is "fulltext"'],
      [2, 'strata: --weight must be one of vector, fulltext, labels; it is "smell"'],
    ]);
  });

  test("is asked of a server with the flags of a search", async () => {
    const seen: unknown[] = [];
    const server = Bun.serve({
      port: 0,
      fetch: async (request) => {
        seen.push([new URL(request.url).pathname, request.headers.get("x-svc-scope"), await request.json()]);
        return Response.json({ ...found({}), trace: { warnings: ["the chat model timed out"] } });
      },
    });
    const url = `http://127.0.0.1:${server.port}`;
    const flags = ["--scope", "a/b", "--top-k", "3", "--plane", "text", "--filters", '{"modality":"asr"}', "--url", url, "--token", "t"];
    const { status, out, err } = await strata("answer", "why?", ...flags);
    await server.stop(true);
    expect({ status, err }).toEqual({ status: 0, err: "warning: the chat model timed out\n" });
    expect(out).toStartWith("The bearing was replaced. [1]");
    expect(seen).toEqual([["/v1/answer", "a/b", { q: "why?", answer: true, top_k: 3, planes: ["text"], filters: { modality: "asr" } }]]);
  });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function* chunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("lines", () => {
  test.each([1, 2, 3, 7, 100])("the same lines and places in chunks of %d bytes", async (size) => {
    const lines = await all(linesOf(chunks("a\n\nbä\nlast", size), { offset: 100, line: 5 }));
    const seen = lines.map(({ bytes, number, end }) => [new TextDecoder().decode(bytes), number, end.offset]);
    expect(seen).toEqual([
      ["a", 6, 102],
      ["", 7, 103],
      ["bä", 8, 107],
      ["last", 9, 111],
    ]);
  });

  test("batches skip blank lines and end where their last line ends", async () => {
    const unit = '{"modality":"text","text":"x"}';
    const batches = await all(batchesOf(linesOf(chunks(`${unit}\n \r\n${unit}\n${unit}`, 64), { offset: 0, line: 0 }), 2));
    expect(batches.map(({ lines, end }) => [lines.map(({ number }) => number), end.line])).toEqual([
      [[1, 3], 3],
      [[4], 4],
    ]);
  });
});

describe("pipeline", () => {
  async function* source(count: number, failing = false): AsyncGenerator<number> {
    for (let batch = 1; batch <= count; batch += 1) yield batch;
    if (failing) throw new Error("bad line");
  }

  test("two are in flight; acknowledgements come in order", async () => {
    let inFlight = 0;
    let most = 0;
    const order: number[] = [];
    const send = async (batch: number) => {
      most = Math.max(most, ++inFlight);
      await Bun.sleep(batch % 2 === 1 ? 8 : 1);
      inFlight -= 1;
    };
    await pipeline(source(6), send, (batch) => order.push(batch));
    expect({ most, order }).toEqual({ most: 2, order: [1, 2, 3, 4, 5, 6] });
  });

  test("what stands behind a failed batch is not acknowledged", async () => {
    const order: number[] = [];
    const send = async (batch: number) => {
      await Bun.sleep(batch === 2 ? 8 : 1);
      if (batch === 2) throw new Error("refused");
    };
    await expect(pipeline(source(6), send, (batch) => order.push(batch))).rejects.toThrow("refused");
    expect(order).toEqual([1]);
  });

  test("what was sent before the source failed is acknowledged", async () => {
    const order: number[] = [];
    await expect(
      pipeline(
        source(3, true),
        async () => {},
        (batch) => order.push(batch),
      ),
    ).rejects.toThrow("bad line");
    expect(order).toEqual([1, 2, 3]);
  });
});

describe("position", () => {
  const file = join(root, "p.ndjson");
  const saved = { position: { offset: 10, line: 2 }, run: "r" };
  const fresh = (destination = "d") => {
    writeFileSync(file, "0123\n5678\nrest\n");
    return new PositionFile(file, destination);
  };

  test("is kept, found again and removed", () => {
    const position = fresh();
    expect(position.read()).toBeNull();
    position.save(saved);
    appendFileSync(file, "more\n");
    expect(position.read()).toEqual(saved);
    position.remove();
    expect(existsSync(position.path)).toBe(false);
  });

  test("is refused for another file, another destination or a damaged position", () => {
    fresh().save(saved);
    expect(() => fresh("elsewhere").read()).toThrow("belongs to an ingest into d");
    writeFileSync(file, "0123\n5X78\nrest\n");
    expect(() => new PositionFile(file, "d").read()).toThrow("has other lines now");
    writeFileSync(file, "0123\n");
    expect(() => new PositionFile(file, "d").read()).toThrow("has other lines now");
    const damaged = fresh();
    writeFileSync(damaged.path, '{"version":1,"offset":-4}');
    expect(() => damaged.read()).toThrow("cannot be read");
    damaged.remove();
  });
});

describe("client", () => {
  async function against<T>(answers: Response[], work: (client: Client, seen: Headers[], pauses: number[]) => Promise<T>): Promise<T> {
    const seen: Headers[] = [];
    const pauses: number[] = [];
    const server = Bun.serve({
      port: 0,
      fetch: (request) => {
        // Copied, since Bun lets go of a request's headers once it is answered.
        seen.push(new Headers(request.headers));
        return answers.shift() ?? Response.json({});
      },
    });
    const sleep = async (ms: number) => {
      pauses.push(ms);
    };
    try {
      return await work(new Client({ url: `http://127.0.0.1:${server.port}`, token: "t", namespace: "n", sleep }), seen, pauses);
    } finally {
      await server.stop(true);
    }
  }
  const busy = (headers: Record<string, string> = {}) =>
    Response.json({ error: "unavailable", detail: "later", status: 503 }, { status: 503, headers });

  test("a busy server is asked again with the same key, as it wishes", async () => {
    await against([busy({ "retry-after": "3" }), busy(), Response.json({ ingested: 1 })], async (client, seen, pauses) => {
      expect(await client.call("ingest", { input: { units: [] }, scope: "a/b", idempotencyKey: "k" })).toEqual({ ingested: 1 });
      expect(pauses).toEqual([3_000, 2_000]);
      const sent = seen.map((headers) => ["authorization", "x-svc-namespace", "x-svc-scope", "idempotency-key"].map((name) => headers.get(name)));
      expect(sent).toEqual(Array(3).fill(["Bearer t", "n", "a/b", "k"]));
    });
  });

  test("lines have the statuses of those that were sent, by their own numbers; what ends the stream is a failure", async () => {
    const lines = [7, 9].map((number) => ({ number, bytes: Buffer.from("{}"), end: { offset: 0, line: number } }));
    const statuses = ['{"line":1,"unit_id":"u_1","status":"created"}', '{"line":2,"error":{"error":"bad_request","detail":"no","status":400}}'];
    const answer = (...said: string[]) =>
      new Response(said.map((line) => `${line}\n`).join(""), { headers: { "content-type": "application/x-ndjson" } });
    await against([answer(...statuses)], async (client, seen) => {
      expect(await client.call("ingest", { lines })).toEqual({
        lines: [
          { line: 7, unit_id: "u_1", status: "created" },
          { line: 9, error: { error: "bad_request", detail: "no", status: 400 } },
        ],
      });
      expect(seen[0]?.get("content-type")).toBe("application/x-ndjson");
    });
    await against([answer('{"error":{"error":"unavailable","detail":"full","status":503}}')], async (client) => {
      await expect(client.call("ingest", { lines })).rejects.toMatchObject({ kind: "unavailable", message: "full" });
    });
  });

  test("a file is sent whole every time, with what is said of it", async () => {
    const path = join(root, "sent.txt");
    writeFileSync(path, "one line");
    const bodies: string[] = [];
    const server = Bun.serve({
      port: 0,
      fetch: async (request) => {
        bodies.push(`${new URL(request.url).search} ${request.headers.get("content-type")} ${await request.text()}`);
        return bodies.length === 1 ? busy() : Response.json({ file_id: "f" });
      },
    });
    const client = new Client({ url: `http://127.0.0.1:${server.port}`, token: "t", namespace: null, sleep: async () => {} });
    const sent = await client.call("putFile", { file: { path, name: "a b.txt", acl_groups: ["x", "y"] } }).finally(() => server.stop(true));
    expect(sent).toEqual({ file_id: "f" });
    expect(bodies).toEqual(Array(2).fill("?name=a%20b.txt&acl_groups=x&acl_groups=y application/octet-stream one line"));
  });

  test("a busy server is given up on in the end", async () => {
    await against(
      Array.from({ length: 30 }, () => busy()),
      async (client, seen) => {
        await expect(client.call("search", {})).rejects.toThrow("later");
        expect(seen.length).toBe(9);
      },
    );
  });

  test("other answers fail at once", async () => {
    const refused = Response.json({ error: "forbidden", detail: "no", status: 403 }, { status: 403 });
    await against([refused], async (client) => await expect(client.call("search", {})).rejects.toMatchObject({ kind: "forbidden", message: "no" }));
    await against(
      [new Response("<html>", { status: 502 })],
      async (client) => await expect(client.call("search", {})).rejects.toThrow("is it a strata server?"),
    );
  });

  test("nobody there", async () => {
    const gone = await strata("search", "x", "--url", "http://127.0.0.1:1", "--token", "t");
    expect(gone).toEqual({ status: 1, out: "", err: "strata: cannot reach http://127.0.0.1:1: nothing listens there\n" });
  });
});

test("what the machine lacks is no internal error", async () => {
  const said: string[] = [];
  const full = () => {
    throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  };
  const stderr = { isTerminal: false, write: (text: string) => void said.push(text) };
  const io = { stdin: async function* () {}, stdout: { isTerminal: false, write: full }, stderr };
  const status = await runCli(["version"], { io, env: {}, interruption: () => new AbortController().signal });
  expect({ status, said }).toEqual({ status: 1, said: ["strata: cannot go on: no space left on the disk\n"] });
});

test("serve makes nothing when it cannot have the address", async () => {
  const data = join(root, "never");
  const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  try {
    const mistyped = await strata("serve", "--data", data, "--host", "no such host");
    expect(mistyped).toMatchObject({ status: 1, err: expect.stringMatching(/^strata: cannot listen on no such host port \d+: [^\n]+\n$/) });
    const inUse = await strata("serve", "--data", data, "--port", String(taken.port));
    expect(inUse).toMatchObject({ status: 1, err: expect.stringContaining(`port ${taken.port} on 127.0.0.1 is in use`) });
    expect(existsSync(data)).toBe(false);
  } finally {
    await taken.stop(true);
  }
});

describe("tokens", () => {
  const data = join(root, "tokens");
  const create = (...argv: string[]) => strata("token", "create", ...argv, "--data", data);

  test("a first admin, with its namespace", async () => {
    expect((await create("a", "--principal", "p", "--namespace", "main")).err).toContain("no namespace main; --tier");
    const made = await create("a", "--principal", "p", "--namespace", "main", "--tier", "enterprise", "--perms", "admin,read,write");
    expect(made.status).toBe(0);
    expect(made.out).toMatch(/^strata_[A-Za-z0-9_-]{32}\n$/);
    const opened = openDataDirectory(data, systemClock);
    const found = opened.tables.byToken(made.out.trim());
    opened.close();
    expect(found?.principal).toMatchObject({
      principal_id: "p",
      namespace: "main",
      perms: ["read", "write", "admin"],
      scopes: ["*"],
      active_scope: "*",
    });
  });

  test("an existing principal changes with --update only, and all or nothing", async () => {
    const narrower = ["b", "--principal", "p", "--namespace", "main", "--scopes", "x/y"];
    expect(await create(...narrower)).toMatchObject({ status: 1, err: expect.stringContaining("exists with other scopes; --update") });
    expect((await create(...narrower, "--update")).status).toBe(0);
    // The name is taken: the principal that would come with the token must not stay either.
    expect((await create("b", "--principal", "q", "--namespace", "main")).err).toContain("a live token named b exists");
    const opened = openDataDirectory(data, systemClock);
    expect(opened.tables.principal("main", "q")).toBeNull();
    expect(opened.tables.principal("main", "p")?.scopes).toEqual(["x/y"]);
    const store = openRows(opened, "main");
    const rows = store.ledger.page(10, 0);
    await store.close();
    opened.close();
    // A token that could not be made left no row either.
    expect(rows.map(({ action, detail }) => [action, detail.name, detail.change])).toEqual([
      ["token.create", "b", "changed"],
      ["token.create", "a", "made"],
    ]);
  });

  test("names are checked", async () => {
    const bad = [
      ["--namespace", "Main"],
      ["--perms", "root"],
      ["--scopes", "a//b"],
      ["--groups", "x y"],
      ["--active-scope", "/"],
      ["--tier", "gold"],
    ];
    for (const flags of bad) expect((await create("c", "--principal", "p", ...flags)).status).toBe(2);
    expect((await create("c d", "--principal", "p")).status).toBe(2);
    expect((await create("c")).err).toContain("--principal ID is missing");
  });

  test("tokens are listed without secrets, and revoked", async () => {
    expect((await strata("token", "revoke", "b", "--namespace", "main", "--data", data)).status).toBe(0);
    expect((await strata("token", "revoke", "b", "--namespace", "main", "--data", data)).status).toBe(1);
    const { out } = await strata("token", "list", "--data", data, "--json");
    const { tokens } = JSON.parse(out) as { tokens: Record<string, unknown>[] };
    expect(tokens.map(({ name, revoked_at }) => [name, revoked_at !== null])).toEqual([
      ["a", false],
      ["b", true],
    ]);
    const shown = ["id", "name", "namespace", "principal_id", "seeded", "created_at", "revoked_at", "perms", "scopes", "groups", "read_only"];
    expect(Object.keys(tokens[0] ?? {})).toEqual(shown);
    expect(tokens[0]?.id).toMatch(/^t_[A-Za-z0-9_-]{20}$/);
  });

  test("a directory that is held or missing", async () => {
    const held = openDataDirectory(data, systemClock);
    const list = await strata("token", "list", "--data", data);
    held.close();
    expect(list).toMatchObject({ status: 1, err: expect.stringContaining("stop it, or reach it with --url and --token") });
    const missing = join(root, "missing");
    expect((await strata("token", "list", "--data", missing)).err).toContain("no strata data in");
    expect(existsSync(missing)).toBe(false);
  });
});

describe("a super-admin", () => {
  const data = join(root, "super");
  const create = (...argv: string[]) => strata("token", "create", ...argv, "--data", data);
  const opened = async <T>(work: (directory: DirectoryTables, rows: (namespace: string) => AuditRow[]) => T): Promise<T> => {
    const held = openDataDirectory(data, systemClock);
    const rows = (namespace: string) => {
      const store = openRows(held, namespace);
      try {
        return store.ledger.page(100, 0);
      } finally {
        void store.close();
      }
    };
    try {
      return work(held.tables, rows);
    } finally {
      held.close();
    }
  };

  test("is made with --super, on the data directory, and its acts are written down", async () => {
    // Without --principal it is the principal of the token's own name.
    const made = await create("root", "--namespace", "main", "--tier", "pro", "--super");
    expect({ status: made.status, out: made.out }).toEqual({ status: 0, out: expect.stringMatching(/^strata_[A-Za-z0-9_-]{32}\n$/) });
    await opened((directory, rows) => {
      const everything = { principal_id: "root", super_admin: true, perms: ["read", "write", "admin"], scopes: ["*"], active_scope: "*" };
      expect(directory.byToken(made.out.trim())).toMatchObject({ seeded: false, principal: everything });
      const [token] = directory.tokens("main");
      const [row] = rows("main");
      expect(row).toMatchObject({
        principal_id: "operator",
        action: "token.create",
        outcome: "ok",
        target: token?.id ?? "",
        detail: { super_admin: true },
      });
      expect(JSON.stringify(row)).not.toContain(made.out.trim());
    });
  });

  const WITHOUT: [string, string[]][] = [
    ["a token of the one there is", ["x", "--principal", "root", "--namespace", "main"]],
    ["and with --update", ["x", "--principal", "root", "--namespace", "main", "--update"]],
    ["and with the rights it has", ["x", "--principal", "root", "--namespace", "main", "--perms", "read,write,admin"]],
    ["the name of the demo's", ["x", "--principal", "super-admin", "--namespace", "demo", "--tier", "enterprise"]],
  ];
  test.each(WITHOUT)("not without --super: %s", async (_name, argv) => {
    const before = await opened((directory) => ({ tokens: directory.tokens(), spaces: directory.namespaces() }));
    expect(await create(...argv)).toMatchObject({ status: 1, out: "", err: expect.stringContaining("is a super-admin: its tokens are made with") });
    const after = await opened((directory) => ({ tokens: directory.tokens(), spaces: directory.namespaces() }));
    expect(after).toEqual(before);
  });

  test("the refusals are written down where there is a chain", async () => {
    await opened((_directory, rows) => {
      const denied = rows("main").filter(({ outcome }) => outcome === "denied");
      expect(denied.map(({ action, principal_id, detail }) => [action, principal_id, detail.error])).toEqual(
        Array(3).fill(["token.create", "operator", "forbidden"]),
      );
    });
  });

  test("an ordinary principal is made none of", async () => {
    expect((await create("o", "--principal", "ordinary", "--namespace", "main")).status).toBe(0);
    for (const more of [[], ["--tier", "pro"]]) {
      const refused = await create("x", "--principal", "ordinary", "--namespace", "main", "--super", ...more);
      expect(refused).toMatchObject({ status: 1, out: "", err: expect.stringContaining("is no super-admin; choose another") });
    }
    await opened((directory) => expect(directory.principal("main", "ordinary")?.super_admin).toBe(false));
  });

  test("the demo's name takes --super, and seeding finds it a super-admin", async () => {
    expect((await create("own", "--principal", "super-admin", "--namespace", "demo", "--tier", "enterprise", "--super")).status).toBe(0);
    await opened((directory) => expect(directory.principal("demo", "super-admin")?.super_admin).toBe(true));
  });

  test("--super stands alone, and never on a server", async () => {
    const base = ["x", "--principal", "another", "--namespace", "main", "--super"];
    for (const more of [["--perms", "read"], ["--scopes", "a"], ["--groups", "g"], ["--read-only"], ["--update"], ["--active-scope", "a"]]) {
      expect(await create(...base, ...more)).toMatchObject({ status: 2, err: expect.stringContaining("--super goes with") });
    }
    for (const more of [["--super"], ["--tier", "pro"], ["--update"]]) {
      const remote = await strata("token", "create", "x", "--principal", "p", ...more, "--url", "http://127.0.0.1:1", "--token", "t");
      expect(remote).toMatchObject({ status: 2, err: expect.stringContaining("work on the data directory alone") });
    }
    const held = openDataDirectory(data, systemClock);
    const refused = await create(...base);
    held.close();
    expect(refused).toMatchObject({ status: 1, err: expect.stringContaining("needs it alone: stop that first") });
  });

  test("listing and revoking are written down too", async () => {
    expect((await strata("token", "list", "--namespace", "main", "--data", data)).out).toMatch(/^root +main +root/m);
    const { out } = await strata("token", "list", "--data", data, "--json");
    const root = JSON.parse(out).tokens.find(({ name }: { name: string }) => name === "root");
    expect((await strata("token", "revoke", root.id, "--namespace", "main", "--data", data)).status).toBe(0);
    await opened((directory, rows) => {
      expect(rows("main").slice(0, 3)).toMatchObject([
        { action: "token.revoke", outcome: "ok", target: root.id, principal_id: "operator" },
        { action: "token.list", target: null, principal_id: "operator" },
        { action: "token.list", target: null, principal_id: "operator" },
      ]);
      expect(rows("demo")[0]).toMatchObject({ action: "token.list" });
      expect(directory.token(root.id)?.revoked_at).toBeNumber();
    });
    expect(await strata("audit", "verify", "--data", data)).toMatchObject({ status: 0, err: "" });
  });
});

describe("namespace", () => {
  const data = join(root, "namespaces");

  test("create and set, each with a row of the chain", async () => {
    const made = await strata("namespace", "create", "plant", "--tier", "pro", "--language", "de", "--data", data);
    expect(made).toMatchObject({ status: 0, err: expect.stringContaining("namespace plant (pro tier, hidden count exact, language de) is made") });
    expect(await strata("namespace", "create", "plant", "--data", data)).toMatchObject({ status: 1, err: expect.stringContaining("exists") });
    const set = await strata("namespace", "set", "plant", "--hidden-count", "coarse", "--data", data);
    expect(set).toMatchObject({ status: 0, err: "namespace plant (pro tier, hidden count coarse, language de)\n" });
    const listed = await strata("namespace", "list", "--data", data);
    expect(listed).toMatchObject({ status: 0, out: expect.stringMatching(/plant +pro +de +coarse/) });
    const opened = openDataDirectory(data, systemClock);
    const store = openRows(opened, "plant");
    const rows = store.ledger.page(10, 0).map(({ action, target, detail }) => ({ action, target, detail }));
    const known = opened.tables.namespace("plant");
    await store.close();
    opened.close();
    expect(rows).toEqual([
      { action: "namespace.set", target: "plant", detail: { tier: "pro", hidden_count: "coarse", language: "de" } },
      { action: "namespace.create", target: "plant", detail: { tier: "pro", hidden_count: "exact", language: "de" } },
    ]);
    expect(known).toEqual({ namespace: "plant", tier: "pro", hidden_count: "coarse", language: "de" });
  });

  test("scope set, with a row of the chain", async () => {
    const at = ["--namespace", "plant", "--data", data];
    const set = await strata("scope", "set", "hall/manuals", "--agents", "read", ...at);
    expect(set).toMatchObject({ status: 0, err: "scope hall/manuals of namespace plant: agents may only read\n" });
    const read = async () => {
      const opened = openDataDirectory(data, systemClock);
      const { store, ledger } = openRows(opened, "plant");
      const [{ action, target, detail } = {} as AuditRow] = ledger.page(1, 0);
      const scopes = (await store.reader.access.scopes()).map(({ scope, read_only_agents }): [string, boolean] => [scope, read_only_agents]);
      await store.close();
      opened.close();
      return { action, target, detail, scopes };
    };
    const row = { action: "scope.set" as const, target: "hall/manuals" };
    expect(await read()).toEqual({
      ...row,
      detail: { agents: "read" },
      scopes: [
        ["hall", false],
        ["hall/manuals", true],
      ],
    });
    expect((await strata("scope", "set", "hall/manuals", "--agents", "write", ...at)).status).toBe(0);
    expect(await read()).toEqual({
      ...row,
      detail: { agents: "write" },
      scopes: [
        ["hall", false],
        ["hall/manuals", false],
      ],
    });
    expect(await strata("scope", "set", "hall", ...at)).toMatchObject({ status: 2, err: expect.stringContaining("nothing to set") });
    expect(await strata("scope", "set", "../x", "--agents", "read", ...at)).toMatchObject({
      status: 2,
      err: expect.stringContaining("SCOPE must be"),
    });
    expect(await strata("scope", "set", "hall", "--agents", "read", "--namespace", "other", "--data", data)).toMatchObject({
      status: 1,
      err: expect.stringContaining("no namespace other"),
    });
  });

  test("what cannot be understood or is not there", async () => {
    const at = ["--data", data];
    expect(await strata("namespace", "set", "plant", ...at)).toMatchObject({ status: 2, err: expect.stringContaining("nothing to set") });
    expect(await strata("namespace", "set", "plant", "--hidden-count", "few", ...at)).toMatchObject({ status: 2 });
    expect(await strata("namespace", "create", "Plant", ...at)).toMatchObject({ status: 2, err: expect.stringContaining("NAME must be") });
    expect(await strata("namespace", "create", "other", "--language", "xx", ...at)).toMatchObject({
      status: 2,
      err: expect.stringContaining("--language"),
    });
    expect(await strata("namespace", "set", "plant", "--language", "en", ...at)).toMatchObject({ status: 2 });
    expect(await strata("namespace", "set", "other", "--tier", "pro", ...at)).toMatchObject({
      status: 1,
      err: expect.stringContaining("no namespace other"),
    });
  });
});

describe("audit verify", () => {
  test("0 for an intact chain, 3 for a changed row", async () => {
    const path = join(root, "audit");
    const data = openDataDirectory(path, systemClock);
    data.tables.putNamespace("main", "pro");
    const store = openRows(data, "main");
    await store.ledger.append({ principal_id: "p", action: "search", outcome: "ok", scope: null, target: null, detail: {} });
    await store.close();
    const catalog = data.namespacePaths("main").catalog;
    data.close();
    const intact = await strata("audit", "verify", "--data", path);
    expect(intact).toMatchObject({ status: 0, out: expect.stringContaining("main       intact  1") });
    const db = new Database(catalog);
    db.run("DROP TRIGGER audit_no_update");
    db.run("UPDATE audit SET principal_id = 'q' WHERE seq = 1");
    db.close();
    const broken = await strata("audit", "verify", "--data", path, "--namespace", "main", "--json");
    expect(broken.status).toBe(3);
    expect(JSON.parse(broken.out)).toMatchObject({ reports: [{ namespace: "main", intact: false, break_at: 1 }] });
    expect((await strata("audit", "verify", "--data", path, "--namespace", "other")).status).toBe(1);
  });
});

describe("audit verify of long chains", () => {
  const mark = (seq: number) => ({ seq, row_hash: seq.toString(16).padStart(64, "0") });
  /** A chain of 25 rows, whose row `broken` is. */
  const chainOf = (broken: number) => async (part: ChainPart) => {
    const end = Math.min(25, part.after.seq + part.limit, broken - 1);
    const { seq: head_seq, row_hash: head_hash } = mark(end);
    const intact = end < broken - 1 || end === 25;
    const fault = { break_at: intact ? null : broken, reason: intact ? null : "changed" };
    const more = intact && end < 25 ? { more: true as const } : {};
    return { namespace: "main", intact, checked: end - part.after.seq, head_seq, head_hash, ...fault, after: part.after.seq, ...more };
  };
  const checked = async (broken: number, from: number) => {
    const lines: string[] = [];
    const report = await inParts(chainOf(broken), mark(from), 10, { write: (line: string) => lines.push(line) });
    return { report, err: lines.join("") };
  };

  test("goes part by part, and says how to go on", async () => {
    const whole = await checked(99, 0);
    expect(whole.report).toMatchObject({ intact: true, checked: 25, head_seq: 25 });
    expect(whole.report).not.toHaveProperty("after");
    expect(whole.report).not.toHaveProperty("more");
    const lines = [10, 20].map((seq) => `main: intact up to row ${seq}; to go on from there: --after ${seq}:${mark(seq).row_hash}\n`);
    expect(whole.err).toBe(lines.join(""));
    expect((await checked(99, 20)).report).toMatchObject({ intact: true, checked: 5, after: 20 });
    expect((await checked(17, 4)).report).toMatchObject({ intact: false, checked: 12, break_at: 17, after: 4 });
  });

  test("goes on after a row of one chain", async () => {
    const path = join(root, "audit-after");
    const data = openDataDirectory(path, systemClock);
    for (const namespace of ["main", "other"]) data.tables.putNamespace(namespace, "pro");
    const store = openRows(data, "main");
    const event = { principal_id: "p", action: "search", outcome: "ok", scope: null, target: null, detail: {} } as const;
    const [, second] = [await store.ledger.append(event), await store.ledger.append(event), await store.ledger.append(event)];
    await store.close();
    data.close();
    const verify = (...more: string[]) => strata("audit", "verify", "--data", path, ...more);
    const after = `2:${second?.row_hash}`;
    const { status, out, err } = await verify("--namespace", "main", "--after", after);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toMatch(/main +intact +1 .*\nmain: nothing is said of the rows up to 2\n$/);
    const other = await verify("--namespace", "main", "--json", "--after", `3:${second?.row_hash}`);
    expect(other.status).toBe(3);
    expect(JSON.parse(other.out)).toMatchObject({ reports: [{ intact: false, break_at: 3, after: 3 }] });
    for (const wrong of [
      ["--after", after],
      ["--namespace", "main", "--after", "2"],
      ["--namespace", "main", "--after", `0:${"0".repeat(64)}`],
    ]) {
      expect((await verify(...wrong)).status).toBe(2);
    }
  });
});

describe("audit rekey", () => {
  test("a lost key stops every command with one line, until there is a new epoch", async () => {
    const path = join(root, "rekey");
    const data = openDataDirectory(path, systemClock);
    data.tables.putNamespace("main", "pro");
    const store = openRows(data, "main");
    const { row_hash } = await store.ledger.append({ principal_id: "p", action: "search", outcome: "ok", scope: null, target: null, detail: {} });
    await store.close();
    data.close();
    rmSync(join(path, "audit.key"));
    const at = ["--data", path];
    for (const command of [["audit", "verify"], ["token", "list"], ["doctor"], ["namespace", "set", "main", "--tier", "free"]]) {
      const { status, out, err } = await strata(...command, ...at);
      expect({ command, status, out }).toEqual({ command, status: 1, out: "" });
      expect(err).toMatch(/^strata: audit\.key is missing, .* strata audit rekey\n$/);
    }
    const begun = await strata("audit", "rekey", "--json", ...at);
    expect(begun.status).toBe(0);
    expect(JSON.parse(begun.out)).toEqual({
      key: expect.stringMatching(/^strata-audit\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+$/),
      reports: [expect.objectContaining({ namespace: "main", intact: true, head_seq: 1, head_hash: row_hash })],
    });
    expect(await strata("audit", "verify", ...at)).toMatchObject({ status: 0, out: expect.stringContaining("main       intact  2") });
  });

  test("3 when a chain was broken before: the epoch begins, and the chain stays broken", async () => {
    const path = join(root, "rekey-broken");
    const data = openDataDirectory(path, systemClock);
    data.tables.putNamespace("main", "pro");
    const store = openRows(data, "main");
    await store.ledger.append({ principal_id: "p", action: "search", outcome: "ok", scope: null, target: null, detail: {} });
    await store.close();
    const db = new Database(data.namespacePaths("main").catalog);
    data.close();
    db.run("DROP TRIGGER audit_no_update");
    db.run("UPDATE audit SET principal_id = 'q' WHERE seq = 1");
    db.close();
    expect(await strata("audit", "rekey", "--data", path)).toMatchObject({
      status: 3,
      out: expect.stringMatching(/main +BROKEN.*new key: strata-audit\+/s),
    });
    expect((await strata("audit", "verify", "--data", path)).status).toBe(3);
  });
});

describe("files", () => {
  test("are named relative to the folder that is taken in, one that is named itself by its last part", () => {
    const folder = join(root, "manual");
    mkdirSync(join(folder, "deeper/still"), { recursive: true });
    for (const name of ["a.txt", "deeper/b.txt", "deeper/still/c.txt"]) writeFileSync(join(folder, name), "text");
    const names = (...paths: string[]) => findFiles(paths).files.map(({ name }) => name);
    expect(names(folder)).toEqual(["a.txt", "deeper/b.txt", "deeper/still/c.txt"]);
    expect(names(`${folder}/deeper/`, join(folder, "deeper/b.txt"))).toEqual(["b.txt", "still/c.txt", "b.txt"]);
  });

  test("that were read again are told with those that keep what they have", () => {
    const none = { files: 0, units: 0, created: 0, failed: [], left_out: [], notes: [] };
    expect(rereadText(none)).toBe("nothing to read again: today's extractors made all there is\n");
    const totals = {
      ...none,
      files: 2,
      units: 1_200,
      created: 1_000,
      failed: [{ path: "a: b.pdf", reason: "the PDF is encrypted" }],
      left_out: [{ path: "a: c.txt", reason: "1 of its 2 Units were deleted" }],
      notes: [{ path: "a: d.txt", note: "cut" }],
    };
    expect(rereadText(totals).split("\n")).toEqual([
      "2 files read again: 1,200 Units, 1,000 new",
      "note     a: d.txt: cut",
      "not read again, their Units stay as they are: 1 file",
      "failed   a: b.pdf: the PDF is encrypted",
      "left out, unless --with-deleted is given: 1 file",
      "left out a: c.txt: 1 of its 2 Units were deleted",
      "",
    ]);
  });
});
