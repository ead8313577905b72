/** A span inside a source: what part of it a Unit stands for. */
export type Locator =
  | { kind: "time_range"; t_start_ms: number; t_end_ms: number }
  | { kind: "bbox"; page?: number; x: number; y: number; w: number; h: number }
  | { kind: "char_span"; start: number; end: number }
  | { kind: "line_range"; start: number; end: number };

/** Floating point slack of a box that touches the edge: 0.1 + 0.9 must fit. */
const EDGE_SLACK = 1e-9;

/** The member that makes the span impossible and why, or null. Types and single ranges are the schema's. */
export function locatorFault(locator: Locator): { field: string; detail: string } | null {
  switch (locator.kind) {
    case "time_range":
      return locator.t_end_ms < locator.t_start_ms ? { field: "t_end_ms", detail: "must not precede t_start_ms" } : null;
    case "bbox":
      if (locator.x + locator.w > 1 + EDGE_SLACK) return { field: "w", detail: "x + w must not exceed 1" };
      return locator.y + locator.h > 1 + EDGE_SLACK ? { field: "h", detail: "y + h must not exceed 1" } : null;
    case "char_span":
    case "line_range":
      return locator.end < locator.start ? { field: "end", detail: "must not precede start" } : null;
  }
}
