import { defineCommand, type Output } from "./command.ts";
import { counted, locatorText, pathText, printable } from "./format.ts";
import { LLM_ENVIRONMENT } from "./help.ts";
import { type AnswerBody, ASKER, FOCUS, fileNameOf, hiddenText, runQuery } from "./query.ts";

type Answer = AnswerBody["answer"];
type Citation = Answer["citations"][number];

const INDENT = "    ";
const COLUMNS_DEFAULT = 80;
/** On a narrower terminal lines run over: one word a line would not be read either. */
const COLUMNS_MIN = 40;
const QUOTE_MAX_LINES = 2;
const OMITTED = "…”";

export const answer = defineCommand({
  purpose:
    "Answers a question with sentences that cite the Units they are taken from, each verified against the text it cites; where nothing that the \
caller may read answers well enough, it says so. Straight on a data directory it asks as the operator, who may read everything, or as a principal \
with --as. Where STRATA_LLM_URL names a chat endpoint, the evidence, which the caller may read, is sent there.",
  operands: [{ name: "QUESTION", help: "what to answer" }],
  flags: { ...FOCUS, ...ASKER },
  environment: LLM_ENVIRONMENT,
  examples: [
    ["what the demo's reader may know", 'strata answer "why did turbine 7 stop?" --as demo-reader'],
    ["as JSON, from a server", 'strata answer "why did turbine 7 stop?" --json --url http://127.0.0.1:4700 --token $TOKEN'],
  ],
  async run(context, flags, [q = ""]) {
    return runQuery(context, "answer", flags, { q, answer: true }, answerText);
  },
});

/** The answer as a person reads it, its sources, then how many Units the ACL hides. */
export function answerText({ answer, hits, hidden_by_acl }: AnswerBody, { columns = COLUMNS_DEFAULT }: Pick<Output, "columns">): string {
  const width = Math.max(COLUMNS_MIN, columns);
  const hidden = hiddenText(hidden_by_acl);
  if (answer.status === "abstained") {
    return `no answer: nothing that you may read answers this well enough\nstrata search shows the Units that come nearest\n${hidden}`;
  }
  const files = new Map(hits.map((hit) => [hit.unit_id, fileNameOf(hit)]));
  const sources = answer.citations.map((citation) => sourceText(citation, answer, width, files.get(citation.unit_id)));
  return `${Bun.wrapAnsi(printable(answer.text), width)}\n\n${summary(answer)}\n\n${sources.join("\n")}\n${hidden}`;
}

function summary({ status, nli_faithfulness, iterations, model }: Answer): string {
  const faithfulness = nli_faithfulness === null ? [] : [`faithfulness ${nli_faithfulness.toFixed(2)}`];
  return [status, ...faithfulness, counted(iterations, "round"), printable(model)].join(" · ");
}

/** Where a quote stands, the quote itself, and the verdicts of the claims that cite it. */
function sourceText(citation: Citation, { claims }: Answer, width: number, file: string | undefined): string {
  const { marker, path, modality, plane, scope, locator, quote } = citation;
  const name = file ?? citation.doc_id ?? citation.source_uri ?? citation.unit_id;
  const head = [
    `[${marker}] ${name}`,
    ...(path === undefined ? [] : [pathText(path)]),
    `${modality}/${plane}`,
    scope,
    ...(locator === null ? [] : [locatorText(locator)]),
  ];
  const verdicts = claims
    .filter(({ citations }) => citations.includes(marker))
    .flatMap(({ verdict, score }) => (verdict === null ? [] : `${verdict} ${(score ?? 0).toFixed(2)}`));
  const lines = [...quoteLines(quote, width - INDENT.length), verdicts.join(", ")].filter((line) => line !== "");
  return [head.map(printable).join("  "), ...lines.map((line) => INDENT + line)].map((line) => `${line}\n`).join("");
}

/** A quote in quotation marks on a few lines; what does not fit is left out, and there is room to say so. */
function quoteLines(quote: string, width: number): string[] {
  const lines = Bun.wrapAnsi(`“${printable(quote)}”`, width - OMITTED.length, { hard: true }).split("\n");
  return lines.length <= QUOTE_MAX_LINES ? lines : [...lines.slice(0, QUOTE_MAX_LINES - 1), `${lines[QUOTE_MAX_LINES - 1] ?? ""}${OMITTED}`];
}
