/** Texts as they are: passages, tables, logs. */
import type { Span, Unit } from "../types.ts";
import { MarkedText } from "./marked-text.tsx";
import { blocksOf, type TextTable } from "./table.ts";

export interface PassageProps {
  text: string;
  marks: readonly Span[];
}

/** A passage with its tables as tables. */
export function Passage({ text, marks }: PassageProps) {
  return (
    <div class="passage">
      {blocksOf(text).map(({ start, end, table }) =>
        table === null ? (
          <p key={start} class="prose" dir="auto">
            <MarkedText text={text} marks={marks} shown={{ start, end }} />
          </p>
        ) : (
          <Rows key={start} table={table} words={marks.map((mark) => text.slice(mark.start, mark.end).toLowerCase())} />
        ),
      )}
    </div>
  );
}

/** Cells that hold one of `words` are marked as a whole. */
function Rows({ table: { headers, rows }, words }: { table: TextTable; words: readonly string[] }) {
  const marked = (cell: string) => words.some((word) => cell.toLowerCase().includes(word));
  return (
    <div class="table-scroll">
      <table class="data-table">
        {headers.length > 0 && (
          <thead>
            <tr>
              {headers.map((header) => (
                <th key={header} scope="col" dir="auto">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} dir="auto">
                  {marked(cell) ? <mark>{cell}</mark> : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Lines of a log with their numbers. */
export function LogLines({ text, marks, first }: PassageProps & { first: number }) {
  const lines = text.split("\n");
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  return (
    <pre class="log">
      {lines.map((line, at) => (
        <code key={first + at} class={`log-line ${levelOf(line)}`}>
          <span class="line-number" aria-hidden="true">
            {first + at}
          </span>
          <span dir="auto">
            <MarkedText text={text} marks={marks} shown={{ start: starts[at] ?? 0, end: (starts[at] ?? 0) + line.length }} />
          </span>
        </code>
      ))}
    </pre>
  );
}

/** How grave a line is by its own word for it. */
function levelOf(line: string): "error" | "warning" | "" {
  if (/\b(?:ERROR|FATAL|CRITICAL|EMERG|ALERT)\b/.test(line)) return "error";
  return /\bWARN(?:ING)?\b/.test(line) ? "warning" : "";
}

const BLANK = "<*>";

/** What many lines of a log have in common, with one of them. */
export function LogPattern({ unit }: { unit: Pick<Unit, "text" | "metadata"> }) {
  const { count: times, example, last_example, first_time, last_time } = unit.metadata ?? {};
  return (
    <div class="stack tight">
      <pre class="log pattern">
        {(unit.text ?? "").split(BLANK).map((part, at) => (
          <span key={at}>
            {at > 0 && (
              <span class="blank" title="Differs from line to line">
                …
              </span>
            )}
            {part}
          </span>
        ))}
      </pre>
      {typeof times === "number" && (
        <p class="muted small">
          {times === 1 ? "Once" : `${times} times`}
          {typeof first_time === "string" && `, ${times === 1 ? "at" : "from"} ${first_time}`}
          {typeof last_time === "string" && last_time !== first_time && ` to ${last_time}`}
        </p>
      )}
      {[example, last_example].map(
        (line) =>
          typeof line === "string" &&
          line !== unit.text && (
            <code key={line} class="example">
              {line}
            </code>
          ),
      )}
    </div>
  );
}
