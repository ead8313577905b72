/** A half-open span of UTF-16 code units. */
export interface Span {
  start: number;
  end: number;
}
