/** Question sets on manuals: their files, and what counts as an answer of theirs. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DataError } from "../data.ts";

/** What a reader must see beside the words of an answer to know that they are it. */
export const NEEDS = ["sentence", "heading", "term", "table", "list", "code", "two places"] as const;
export type Need = (typeof NEEDS)[number];

/** What answers a question: places, each by one of its alternatives. */
export type Gold = readonly (readonly string[])[];

/** A question that the pages answer, or one that sounds as if they did. */
export type SetQuestion = { id: string; q: string } & ({ absent: true } | { absent?: false; gold: Gold; page: string; needs: Need });

export interface ManualSet {
  name: string;
  /** The Debian package that holds the pages, and the version that the questions were made on. */
  package: string;
  version: string;
  /** Globs below the root of the package; `!` leaves out. */
  files: string[];
  questions: SetQuestion[];
  /** False: `--limit` left questions out. */
  whole: boolean;
}

/** A set with its pages. */
export interface Manual extends ManualSet {
  pages: Page[];
}

export interface Page {
  name: string;
  bytes: Uint8Array;
}

/** Sets that may be looked into and chosen on. */
export const TUNING_SETS = ["git", "gimp", "octave", "slurm"];
/** Sets that are reported on and never chosen on. */
export const REPORTING_SETS = ["rsyslog", "bash", "apache", "fontforge"];

/** The sets of a folder by their names, each with its first `limit` questions of either kind. Errors: DataError. */
export function loadSets(folder: string, names: readonly string[], limit: number): ManualSet[] {
  const root = resolve(folder);
  if (!existsSync(root)) throw new DataError(`no folder ${root}: name the right one with --sets`);
  return names.map((name) => {
    const path = join(root, `${name}.json`);
    if (!existsSync(path)) throw new DataError(`no ${name}.json in ${root}: name the right folder with --sets`);
    const set = parsed(readFileSync(path, "utf8"), path);
    const questions = [false, true].flatMap((absent) => set.questions.filter((one) => (one.absent ?? false) === absent).slice(0, limit));
    return { ...set, questions, whole: questions.length === set.questions.length };
  });
}

function parsed(text: string, path: string): Omit<ManualSet, "whole"> {
  try {
    return JSON.parse(text);
  } catch {
    throw new DataError(`${path} is not JSON`);
  }
}

const FOLDED = new Map<string, string>([
  ..."‘’‚‛′´`".split("").map((mark) => [mark, "'"] as const),
  ..."“”„″«»".split("").map((mark) => [mark, '"'] as const),
  ..."‐‑‒–—―−".split("").map((dash) => [dash, "-"] as const),
  ..."\u00ad\u200b\u200c\u200d\ufeff".split("").map((invisible) => [invisible, ""] as const),
  ["…", "..."],
]);

/** A text as golds are looked for in it: lower case, quotes and dashes of ASCII (a backtick is a quote), single blanks. */
export function plain(text: string): string {
  const folded = [...text].map((letter) => FOLDED.get(letter) ?? letter).join("");
  return folded.toLowerCase().trim().split(/\s+/).join(" ");
}

/** Of each place, whether the text has one of its alternatives. */
export function places(gold: Gold, text: string): boolean[] {
  const own = plain(text);
  return gold.map((alternatives) => alternatives.some((one) => own.includes(plain(one))));
}
