/** Points in time as callers write them beside milliseconds since the epoch. UTC. */

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const AGO = /^-(\d{1,6})([mhdw])$/;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNIT_MS: Record<string, number> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: DAY_MS, w: 7 * DAY_MS };

export const INSTANT_FORMS = "a date (2026-01-31), a time (2026-01-31T08:00:00Z), now, today, or how long ago (-30m, -12h, -7d, -2w)";

/** In ms since the epoch: a day is its first moment, and what lies back is counted from `now` (ms). Null for anything else. */
export function instantOf(text: string, now: number): number | null {
  if (text === "now") return now;
  if (text === "today") return now - (now % DAY_MS);
  const [, count, unit = ""] = AGO.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (UNIT_MS[unit] as number);
  const day = DAY.test(text) ? text : MOMENT.exec(text)?.[1];
  // A day that no month has is taken for one of the next month: it comes back as another.
  if (day === undefined || !isDay(day)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}

function isDay(day: string): boolean {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}
