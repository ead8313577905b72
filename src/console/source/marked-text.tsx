import type { Span } from "../types.ts";
import { runsOf } from "./runs.ts";

export interface MarkedTextProps {
  text: string;
  /** Offsets into `text`, in any order. */
  marks: readonly Span[];
  /** The part of `text` to show; all of it by default. */
  shown?: Span;
}

/** A text with what matches in it marked; always as text, never as HTML. */
export function MarkedText({ text, marks, shown = { start: 0, end: text.length } }: MarkedTextProps) {
  return <>{runsOf(text, marks, shown).map((run) => (run.marked ? <mark key={run.at}>{run.text}</mark> : run.text))}</>;
}
