/**
 * Quality, measured through the product's own code on claims and questions:
 *
 *     npm run eval [-- [retrieval] [rerank] [evidence] [verify] [answers] [abstain] [manuals] [languages] [media] [mixed] [calibrate]] [flags]
 *
 *     --scifact DIR   claims.jsonl and corpus.jsonl.gz (../shared/eval/scifact)
 *     --xquad DIR     questions.json, and xquad.LANGUAGE.json for other languages (../shared/eval/xquad)
 *     --sets DIR      question sets on manuals, NAME.json (../shared/eval/manuals)
 *     --pages DIR     pages of the manuals, a folder for each set; what is missing is fetched there (~/.cache/strata-eval)
 *     --only NAMES    the sets of these names alone, parted by commas
 *     --keep DIR      keeps the data directory, so that a second run skips reading files and the encoding
 *     --limit N       the first N claims, questions and questions of each set alone, over the whole corpora
 *     --curves        also ranking quality by the weight of the cross-encoder
 *     --json FILE     writes all figures
 *     --cases FILE    writes one line of JSON for each claim and question that was looked at
 *
 * Without names all of them run but `mixed`, which looks at what `manuals` and `media` look at, in one place, and
 * `calibrate`, which prints the weights of src/core/answer/evidence.ts.
 * Tables go to stdout as Markdown, progress to stderr. Exits 1 when a bar is missed, 2 when the arguments, the data or
 * the service make measuring impossible.
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { temporaryDirectory } from "../support/scratch.ts";
import { abstain } from "./abstain.ts";
import { answers } from "./answers.ts";
import { Bench, type Data } from "./bench.ts";
import { calibrate } from "./calibrate.ts";
import { DataError, loadSciFact, loadXquad } from "./data.ts";
import { evidenceSentences } from "./evidence.ts";
import { languages } from "./languages.ts";
import { manuals } from "./manuals/manuals.ts";
import { withPages } from "./manuals/pages.ts";
import { loadSets, type Manual, REPORTING_SETS, TUNING_SETS } from "./manuals/sets.ts";
import { media } from "./media/media.ts";
import { checkTools } from "./media/tools.ts";
import { mixed } from "./mixed.ts";
import { type Bar, type Measured, summary } from "./report.ts";
import { rerank } from "./rerank.ts";
import { retrieval } from "./retrieval.ts";
import { Stand } from "./stand.ts";
import { verification } from "./verification.ts";

interface Measurement {
  needs: readonly ("claims" | "questions" | "manuals")[];
  /** Throws a DataError for what the machine lacks. */
  check?: () => void;
  /** True for one that runs only when it is named. */
  onRequest?: boolean;
  run: (bench: Bench) => Promise<Measured>;
}

/** In the order in which they run. */
const MEASUREMENTS: Record<string, Measurement> = {
  retrieval: { needs: ["claims"], run: retrieval },
  rerank: { needs: ["questions", "claims"], run: rerank },
  evidence: { needs: ["questions", "claims"], run: evidenceSentences },
  verify: { needs: ["claims"], run: verification },
  answers: { needs: ["questions"], run: answers },
  abstain: { needs: ["questions"], run: abstain },
  manuals: { needs: ["manuals"], run: manuals },
  languages: { needs: ["questions"], run: languages },
  media: { needs: ["questions"], check: checkTools, run: media },
  mixed: { needs: ["manuals"], check: checkTools, onRequest: true, run: mixed },
  calibrate: { needs: ["questions", "manuals"], onRequest: true, run: calibrate },
};

interface Options {
  wanted: string[];
  scifact: string;
  xquad: string;
  sets: string;
  pages: string;
  /** Names of sets on manuals. */
  only: string[];
  limit: number;
  curves: boolean;
  keep: string | undefined;
  json: string | undefined;
  cases: string | undefined;
}

/** Errors: DataError. */
function readArguments(args: string[]): Options {
  const { values, positionals } = parse(args);
  const unknown = positionals.find((name) => !Object.hasOwn(MEASUREMENTS, name));
  if (unknown !== undefined) throw new DataError(`no measurement ${unknown}: there are ${Object.keys(MEASUREMENTS).join(", ")}`);
  const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit);
  if (!(limit >= 1) || (Number.isFinite(limit) && !Number.isInteger(limit))) throw new DataError("--limit takes a whole number of at least 1");
  const wanted = Object.entries(MEASUREMENTS)
    .filter(([name, { onRequest = false }]) => (positionals.length === 0 ? !onRequest : positionals.includes(name)))
    .map(([name]) => name);
  const { keep, json, cases } = values;
  return { ...values, only: setsNamed(values.only), keep, json, cases, limit, wanted };
}

/** All sets, or those that are named. Errors: DataError. */
function setsNamed(names: string | undefined): string[] {
  const sets = [...TUNING_SETS, ...REPORTING_SETS];
  if (names === undefined) return sets;
  const wanted = names.split(",");
  const unknown = wanted.find((name) => !sets.includes(name));
  if (unknown !== undefined) throw new DataError(`no set ${unknown}: there are ${sets.join(", ")}`);
  return sets.filter((name) => wanted.includes(name));
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        scifact: { type: "string", default: "../shared/eval/scifact" },
        xquad: { type: "string", default: "../shared/eval/xquad" },
        sets: { type: "string", default: "../shared/eval/manuals" },
        pages: { type: "string", default: join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "strata-eval") },
        only: { type: "string" },
        keep: { type: "string" },
        limit: { type: "string" },
        curves: { type: "boolean", default: false },
        json: { type: "string" },
        cases: { type: "string" },
      },
    });
  } catch (error) {
    throw new DataError(error instanceof Error ? error.message : String(error));
  }
}

/** Reads what the wanted measurements need, before anything is started. Errors: DataError. */
async function load({ wanted, scifact, xquad, sets, pages, only, limit }: Options): Promise<Data> {
  for (const name of wanted) MEASUREMENTS[name]?.check?.();
  const needs = new Set(wanted.flatMap((name) => MEASUREMENTS[name]?.needs ?? []));
  const claims = needs.has("claims") ? await loadSciFact(scifact, limit) : null;
  const questions = needs.has("questions") ? await loadXquad(xquad, limit) : null;
  if (questions !== null && questions.skipped > 0) {
    process.stderr.write(`${questions.skipped} questions have no answer where it is said to stand: left out\n`);
  }
  return { claims, questions, manuals: needs.has("manuals") ? await loadManuals({ sets, only, limit, pages }) : null };
}

/** Errors: DataError. */
async function loadManuals({ sets, only, limit, pages }: Pick<Options, "sets" | "only" | "limit" | "pages">): Promise<Manual[]> {
  const loaded: Manual[] = [];
  for (const set of loadSets(sets, only, limit)) loaded.push(await withPages(set, pages));
  return loaded;
}

/** Runs what is wanted, printing each as it is done. */
async function measure(bench: Bench, wanted: readonly string[]): Promise<Map<string, Measured>> {
  const done = new Map<string, Measured>();
  for (const name of wanted) {
    process.stderr.write(`== ${name}\n`);
    const measured = await (MEASUREMENTS[name] as Measurement).run(bench);
    process.stdout.write(`## ${measured.title}\n\n${measured.text}\n`);
    done.set(name, measured);
  }
  return done;
}

async function write(done: ReadonlyMap<string, Measured>, { json, cases }: Options, seconds: number, outOfTime: number): Promise<void> {
  if (json !== undefined) {
    const figures = Object.fromEntries([...done].map(([name, measured]) => [name, measured.figures]));
    const bars = [...done.values()].flatMap((measured) => measured.bars);
    await Bun.write(json, `${JSON.stringify({ seconds, outOfTime, bars, ...figures }, null, 2)}\n`);
  }
  if (cases === undefined) return;
  const lines = [...done].flatMap(([measurement, measured]) => (measured.cases ?? []).map((one) => JSON.stringify({ measurement, ...one })));
  await Bun.write(cases, `${lines.join("\n")}\n`);
}

async function main(args: string[]): Promise<number> {
  const began = performance.now();
  const options = readArguments(args);
  const data = await load(options);
  const stand = await Stand.open(options.keep === undefined ? temporaryDirectory() : resolve(options.keep));
  try {
    const done = await measure(new Bench(stand, data, options.curves), options.wanted);
    const bars: Bar[] = [...done.values()].flatMap((measured) => measured.bars);
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(
      `## Summary\n\n${summary(bars)}\n${seconds} s; ${stand.outOfTime} requests ran out of a time limit of the service and were sent again.\n`,
    );
    await write(done, options, seconds, stand.outOfTime);
    return bars.some(({ met }) => met === false) ? 1 : 0;
  } finally {
    await stand.close();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const expected = error instanceof DataError;
  process.stderr.write(`eval: ${expected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 2;
}
