import type { Colours } from "./colours.ts";
import { defineCommand } from "./command.ts";
import { counted, locatorText, marked, pathText, printable } from "./format.ts";
import { LLM_ENVIRONMENT } from "./help.ts";
import { type AnswerBody, ASKER, FOCUS, fileNameOf, hiddenText, type Look, runQuery } from "./query.ts";

type Answer = AnswerBody["answer"];
type Citation = Answer["citations"][number];

const INDENT = "    ";
const COLUMNS_DEFAULT = 80;
/** On a narrower terminal lines run over: one word a line would not be read either. */
const COLUMNS_MIN = 40;
const QUOTE_MAX_LINES = 2;
const OMITTED = "…”";
const MARKER = /\[\d{1,3}\]/g;
const VERDICT_COLOURS = { entailed: "good", neutral: "doubtful", contradicted: "bad" } as const;

interface SourceLook extends Required<Pick<Look, "colours">> {
  width: number;
  /** Name of the file that the Unit was made of, where there is one. */
  file: string | undefined;
}

export const answer = defineCommand({
  purpose:
    "Answers a question with sentences that cite the Units they are taken from, each verified against the text it cites; where nothing that the \
caller may read answers well enough, it says so. Straight on a data directory it asks as the operator, who may read everything, or as a principal \
with --as; a server that holds the directory and runs with --demo is asked as the demo's reader. Where STRATA_LLM_URL names a chat endpoint, the evidence, which the caller may read, is sent there.",
  operands: [{ name: "QUESTION", help: "what to answer" }],
  flags: { ...FOCUS, ...ASKER },
  environment: LLM_ENVIRONMENT,
  examples: [
    ["what the demo's reader may know", 'strata answer "why did turbine 7 stop?" --as demo-reader'],
    ["as JSON, from a server", 'strata answer "why did turbine 7 stop?" --json --url http://127.0.0.1:4700 --token-file token.txt'],
  ],
  async run(context, flags, [q = ""]) {
    return runQuery(context, "answer", flags, { q, answer: true }, answerText);
  },
});

/** The answer as a person reads it, its sources, then how many Units the ACL hides. */
export function answerText({ answer, hits, hidden_by_acl }: AnswerBody, { columns = COLUMNS_DEFAULT, colours }: Look): string {
  const width = Math.max(COLUMNS_MIN, columns);
  const hidden = hiddenText(hidden_by_acl);
  if (answer.status === "abstained") {
    return `no answer: nothing that you may read answers this well enough\nstrata search shows the Units that come nearest\n${hidden}`;
  }
  const files = new Map(hits.map((hit) => [hit.unit_id, fileNameOf(hit)]));
  const sources = answer.citations.map((citation) => sourceText(citation, answer, { width, colours, file: files.get(citation.unit_id) }));
  const text = printable(answer.text).replace(MARKER, colours.match);
  return `${Bun.wrapAnsi(text, width)}\n\n${colours.faint(summary(answer))}\n\n${sources.join("\n")}\n${hidden}`;
}

function summary({ status, nli_faithfulness, iterations, model }: Answer): string {
  const faithfulness = nli_faithfulness === null ? [] : [`faithfulness ${nli_faithfulness.toFixed(2)}`];
  return [status, ...faithfulness, counted(iterations, "round"), printable(model)].join(" · ");
}

/** Where a quote stands, the quote itself, and the verdicts of the claims that cite it. */
function sourceText(citation: Citation, { claims }: Answer, { width, colours, file }: SourceLook): string {
  const { marker, path, modality, plane, scope, locator } = citation;
  const name = file ?? citation.doc_id ?? citation.source_uri ?? citation.unit_id;
  const place = [...(path === undefined ? [] : [pathText(path)]), `${modality}/${plane}`, scope, ...(locator === null ? [] : [locatorText(locator)])];
  const verdicts = claims
    .filter(({ citations }) => citations.includes(marker))
    .flatMap(({ verdict, score }) => (verdict === null ? [] : colours[VERDICT_COLOURS[verdict]](`${verdict} ${(score ?? 0).toFixed(2)}`)));
  const lines = [...quoteLines(citation, width - INDENT.length, colours), verdicts.join(", ")].filter((line) => line !== "");
  const head = [`${colours.match(`[${marker}]`)} ${colours.strong(printable(name))}`, ...place.map(printable)];
  return [head.join("  "), ...lines.map((line) => INDENT + line)].map((line) => `${line}\n`).join("");
}

/**
 * A quote in quotation marks on a few lines, the words that answer set off; what does not fit is left out, and there is room to
 * say so. It begins with these words where they would not be on the first line.
 */
function quoteLines({ quote, quote_start, mark_start, mark_end }: Citation, width: number, { strong }: Colours): string[] {
  const room = width - OMITTED.length;
  const mark = { start: mark_start - quote_start, end: mark_end - quote_start };
  const from = quote.length > QUOTE_MAX_LINES * room && mark.start > room ? mark.start : 0;
  const shown = marked(quote.slice(from), [{ start: mark.start - from, end: mark.end - from }], strong);
  const lines = Bun.wrapAnsi(`“${from === 0 ? "" : "…"}${shown}”`, room, { hard: true }).split("\n");
  return lines.length <= QUOTE_MAX_LINES ? lines : [...lines.slice(0, QUOTE_MAX_LINES - 1), `${lines[QUOTE_MAX_LINES - 1] ?? ""}${OMITTED}`];
}
