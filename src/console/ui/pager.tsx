import { count } from "../format.ts";
import { Button } from "./button.tsx";

export interface PagerProps {
  /** How many rows were passed over. */
  offset: number;
  /** Rows on this page. */
  shown: number;
  /** Where the next page begins; null at the end. */
  next: number | null;
  /** Rows of a full page. */
  size: number;
  onMove(offset: number): void;
}

/** Back and forth through the pages of a listing. */
export function Pager({ offset, shown, next, size, onMove }: PagerProps) {
  if (offset === 0 && next === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <Button size="small" icon="left" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - size))}>
        Back
      </Button>
      <span class="muted">
        {count(offset + 1)}–{count(offset + shown)}
      </span>
      <Button size="small" icon="right" disabled={next === null} onClick={() => next !== null && onMove(next)}>
        Next
      </Button>
    </nav>
  );
}
