/** Numbers, sizes and times as people read them. */

const COUNT = new Intl.NumberFormat("en");
const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const DATE_TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const EXACT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const UNITS = ["B", "kB", "MB", "GB", "TB"];

export function count(value: number): string {
  return COUNT.format(value);
}

/** `1 file`, `2 files`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Bytes in decimal units. */
export function bytes(value: number): string {
  const power = Math.min(UNITS.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** power;
  return `${power > 0 && scaled < 100 ? scaled.toFixed(1) : Math.round(scaled)} ${UNITS[power]}`;
}

/** Milliseconds into a recording: `1:07`, or `1:07:03`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** How long something took. */
export function duration(ms: number): string {
  if (ms < 1) return "under 1 ms";
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

/** ms since the epoch. */
export function date(ms: number): string {
  return DATE.format(ms);
}

export function dateTime(ms: number): string {
  return DATE_TIME.format(ms);
}

/** To the second. */
export function exactTime(ms: number): string {
  return EXACT.format(ms);
}

/** A probability, 0-1. */
export function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}
