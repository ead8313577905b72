/** The shape of log lines: their times, their continuations, and whether a text is a log. */

/** The time of an entry begins within this much: a number, a level or a name may stand before it. */
const TIME_SEARCH_CHARS = 64;
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
const TIME_ANYWHERE = new RegExp(String.raw`(?:^|[\s[(|<>])(${TIMES})`);
const LEVEL_AT_START = /^\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)\b[\]:|\s]/;
const CONTINUED = /^(?:\s+\S|Caused by\b|at \S+\(|\.\.\. \d+ more\b|Traceback \(most recent call last\))/;

/** Lines of a head that are checked, and the least that make a log. */
const LINES_MAX = 200;
const LINES_MIN = 3;
const ENTRIES_MIN_SHARE = 0.6;

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

/** Whether most entries of a text begin with a time, a syslog priority or a level. `head`: its beginning. */
export function looksLikeLog(head: string): boolean {
  const lines = head.split(/\r?\n/, LINES_MAX).filter((line) => line.trim() !== "" && !CONTINUED.test(line));
  if (lines.length < LINES_MIN) return false;
  const entries = lines.filter((line) => isEntry(line.slice(0, TIME_SEARCH_CHARS + 40)));
  return entries.length >= lines.length * ENTRIES_MIN_SHARE;
}

function isEntry(line: string): boolean {
  if (PRIORITY.test(line) || LEVEL_AT_START.test(line)) return true;
  const match = TIME_ANYWHERE.exec(line);
  return match !== null && match.index <= TIME_SEARCH_CHARS;
}
