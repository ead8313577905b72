/** What `npm test` runs, and what the output of a suite says. */

/** Folders of tests: what is cheapest to read first, and a short one last, so that two lanes end together. Measurements have commands of their own. */
export const SUITES = ["unit", "port", "audit", "property", "http", "fault", "hostile", "acceptance", "quality", "injection"];
/** Folders of tests that use programs which `npm ci` does not bring: Python, a browser. `npm run integration` and CI run them. */
export const INTEGRATION = ["integration", "browser"];
const EVERY = [...SUITES, ...INTEGRATION];

export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  /** Names of the tests that were skipped; each says what it needs. */
  notRun: string[];
  /** Of each test that failed its error and its name, in lines. */
  failures: string[];
}

/** The suites to run: those that are named, `--integration`, or `--all`. Errors: a name that is none, with those that are. */
export function suitesNamed(names: readonly string[]): string[] {
  if (names.length === 0) return SUITES;
  const wanted = names.flatMap((name) => (name === "--all" ? EVERY : name === "--integration" ? INTEGRATION : [name]));
  const unknown = wanted.filter((name) => !EVERY.includes(name));
  if (unknown.length > 0) throw new Error(`no such suite: ${unknown.join(", ")}. There are ${EVERY.join(", ")}`);
  return EVERY.filter((name) => wanted.includes(name));
}

/** Of `bun test`, by its output and its exit status. A crash and a suite without a test are a failure each. */
export function outcomeOf(output: string, code: number): Outcome {
  const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(output)?.[1] ?? 0);
  const [passed, failed, skipped] = [count("pass"), count("fail"), count("skip") + count("todo")];
  const amiss = code !== 0 || passed + failed + skipped === 0;
  // Behind a long run it lists them once more.
  const notRun = [...new Set([...output.matchAll(/^\((?:skip|todo)\) (.*)$/gm)].map(([, name = ""]) => name))];
  return { passed, failed: amiss ? Math.max(1, failed) : failed, skipped, notRun, failures: failuresOf(output) };
}

const FAILURE_MAX_LINES = 20;

/** What `bun test` says of each failed test: the lines of its error, its name, and whether it timed out. */
function failuresOf(output: string): string[] {
  // By the line of its name: behind a long run these are listed once more, without their errors.
  const failures = new Map<string, string>();
  let error: string[] | null = null;
  const lines = output.split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("error: ")) error = [];
    const result = /^\((pass|fail|skip|todo)\) /.exec(line)?.[1];
    if (result === undefined) {
      error?.push(line);
      continue;
    }
    const timedOut = lines.slice(index + 1, index + 2).filter((next) => next.startsWith("  ^ "));
    if (result === "fail" && !failures.has(line)) failures.set(line, [...(error ?? []).slice(0, FAILURE_MAX_LINES), line, ...timedOut].join("\n"));
    error = null;
  }
  return [...failures.values()];
}

export function total(outcomes: readonly Outcome[]): Outcome {
  const sum = (key: "passed" | "failed" | "skipped") => outcomes.reduce((all, outcome) => all + outcome[key], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    notRun: outcomes.flatMap(({ notRun }) => notRun),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
}

/** Where everything must run, a test that did not run has failed. */
export function strictly({ failed, skipped, failures, ...rest }: Outcome): Outcome {
  return { ...rest, failed: failed + skipped, skipped: 0, failures: [...failures, ...rest.notRun.map((name) => `(skip) ${name}`)] };
}

/** The last line of a run. */
export function summary({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
