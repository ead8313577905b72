/** The shape of log lines: their times, and their continuations. */

const PRIORITY = /^<\d{1,3}>(?:1 )?/;
const CLOCK = String.raw`\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?`;
const ZONE = String.raw`(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?`;
const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const DAY = "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?";

/** The formats of times in logs, the fuller ones first. */
const TIMES = [
  String.raw`\d{4}[-/.]\d{2}[-/.]\d{2}[T _]${CLOCK}${ZONE}`,
  String.raw`\d{1,2}[/-]${MONTH}[/-]\d{4}[: ]${CLOCK}${ZONE}`,
  String.raw`\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? ${CLOCK}(?: ?[AP]M)?`,
  String.raw`${DAY}\d{1,2} ${MONTH} \d{2,4} ${CLOCK}${ZONE}`,
  String.raw`${DAY}${MONTH} {1,2}\d{1,2} (?:\d{4} )?${CLOCK}(?: \d{4})?`,
  String.raw`[IWEF]\d{4} ${CLOCK}`,
  String.raw`\d{6} \d{6}(?: \d{1,4})?(?=[ \]])`,
  CLOCK,
  String.raw`1\d{9}(?:\.\d{1,9}|\d{3})?(?=[\s\]:,])`,
].join("|");
const TIME_AT_START = new RegExp(String.raw`^[[(]?(${TIMES})[\])]?(?:[,:]| -)?\s*`);
const CONTINUED = /^(?:\s+\S|Caused by\b|at \S+\(|\.\.\. \d+ more\b|Traceback \(most recent call last\))/;

/** A line in two: the time that it begins with, as it stands there, and the rest. A syslog priority goes with the time. */
export function splitTime(line: string): { time: string | null; rest: string } {
  const priority = PRIORITY.exec(line)?.[0].length ?? 0;
  const body = priority === 0 ? line : line.slice(priority);
  const match = TIME_AT_START.exec(body);
  return match === null ? { time: null, rest: body } : { time: match[1] ?? null, rest: body.slice(match[0].length) };
}

/** Whether a line belongs to the entry before it: a stack trace, an indented block. */
export function continuesEntry(line: string): boolean {
  return CONTINUED.test(line) && splitTime(line.trimStart()).time === null;
}
