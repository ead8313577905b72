/** The claims and questions that are measured on, from folders that somebody names. */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { sha256Hex } from "../../src/base/hash.ts";
import type { Span } from "../../src/base/span.ts";

/** A text of the corpus; `doc_id` is the Unit's. */
export interface Doc {
  doc_id: string;
  text: string;
}

/** A corpus under a scope of its own: another corpus in a kept directory gets another one. */
export interface Corpus<D extends Doc> {
  name: string;
  scope: string;
  docs: D[];
  byId: ReadonlyMap<string, D>;
}

/** An abstract: its text is the title and the sentences, joined by spaces. */
export interface Abstract extends Doc {
  title: string;
  sentences: string[];
  /** Of each sentence in `text`, UTF-16. */
  spans: Span[];
}

export type Label = "SUPPORT" | "CONTRADICT";

export interface ClaimEvidence {
  doc_id: string;
  label: Label;
  /** Numbers of sentences of the abstract, from 0. */
  sentences: number[];
}

export interface Claim {
  id: string;
  claim: string;
  cited: string[];
  evidence: ClaimEvidence[];
}

export interface SciFact {
  corpus: Corpus<Abstract>;
  claims: Claim[];
}

/** A question with the paragraph that answers it and the places of its answers there, UTF-16. */
export interface Question {
  id: string;
  question: string;
  doc_id: string;
  paragraph: string;
  answers: (Span & { text: string })[];
  half: Half;
}

/** Every second article may be chosen on; the others are reported on and never chosen on. */
export type Half = "tuning" | "reporting";

export interface Xquad {
  folder: string;
  corpus: Corpus<Doc>;
  questions: Question[];
  /** Questions that were left out since no answer of theirs stands where it is said to stand. */
  skipped: number;
}

/** What is wrong with the flags or with the data that they name. */
export class DataError extends Error {}

function file(flag: string, folder: string, name: string): Bun.BunFile {
  const root = resolve(folder);
  if (!existsSync(root)) throw new DataError(`no folder ${root}: name the right one with --${flag}`);
  const path = join(root, name);
  if (!existsSync(path)) throw new DataError(`no ${name} in ${root}: name the right folder with --${flag}`);
  return Bun.file(path);
}

function parsed<T>(text: string, flag: string, name: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new DataError(`${name} of --${flag} is not JSON: ${text.slice(0, 60)}`);
  }
}

function lines<T>(text: string, flag: string, name: string): T[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parsed<T>(line, flag, name));
}

export function corpusOf<D extends Doc>(name: string, docs: readonly D[]): Corpus<D> {
  const hash = sha256Hex(JSON.stringify(docs.map(({ doc_id, text }) => [doc_id, text])));
  return { name, scope: `eval/${name}-${hash.slice(0, 12)}`, docs: [...docs], byId: new Map(docs.map((doc) => [doc.doc_id, doc])) };
}

interface RawAbstract {
  doc_id: string | number;
  title: string;
  sentences: string[];
}

interface RawClaim {
  id: string | number;
  claim: string;
  cited_doc_ids?: (string | number)[];
  evidence?: { doc_id: string | number; label: Label; sentences: number[] }[];
}

/** The first `limit` claims over all abstracts. Errors: DataError. */
export async function loadSciFact(folder: string, limit: number): Promise<SciFact> {
  const claimsFile = file("scifact", folder, "claims.jsonl");
  const packed = file("scifact", folder, "corpus.jsonl.gz");
  const claims = lines<RawClaim>(await claimsFile.text(), "scifact", "claims.jsonl").map((raw) => ({
    id: String(raw.id),
    claim: raw.claim,
    cited: [...new Set((raw.cited_doc_ids ?? []).map(String))],
    evidence: (raw.evidence ?? []).map((one) => ({ ...one, doc_id: String(one.doc_id) })),
  }));
  const corpus = lines<RawAbstract>(new TextDecoder().decode(Bun.gunzipSync(await packed.bytes())), "scifact", "corpus.jsonl.gz");
  if (claims.length === 0 || corpus.length === 0) throw new DataError("--scifact: there are no claims or no abstracts");
  return { corpus: corpusOf("scifact", corpus.map(abstractOf)), claims: claims.slice(0, limit) };
}

function abstractOf({ doc_id, title, sentences }: RawAbstract): Abstract {
  let at = title.length;
  const spans = sentences.map((sentence) => {
    const start = at + 1;
    at = start + sentence.length;
    return { start, end: at };
  });
  return { doc_id: String(doc_id), title, sentences, spans, text: [title, ...sentences].join(" ") };
}

interface RawArticle {
  title?: string;
  paragraphs: { context: string; qas?: { id?: string | number; question: string; answers?: { text: string; answer_start: number }[] }[] }[];
}

/** Languages of which a folder has XQuAD, as `xquad.LANGUAGE.json`. */
export function xquadLanguages(folder: string): string[] {
  return readdirSync(resolve(folder)).flatMap((name) => /^xquad\.([a-z]{2})\.json$/.exec(name)?.[1] ?? []);
}

/** The first `limit` questions that have an answer, over all paragraphs of all articles. Errors: DataError. */
export async function loadXquad(folder: string, limit: number, name = "questions.json"): Promise<Xquad> {
  const json = parsed<RawArticle[] | { data: RawArticle[] }>(await file("xquad", folder, name).text(), "xquad", name);
  const docs: Doc[] = [];
  const questions: Question[] = [];
  let skipped = 0;
  (Array.isArray(json) ? json : json.data).forEach(({ paragraphs }, article) => {
    const half: Half = article % 2 === 0 ? "tuning" : "reporting";
    paragraphs.forEach(({ context, qas = [] }, paragraph) => {
      const doc_id = `article-${article}-paragraph-${paragraph}`;
      docs.push({ doc_id, text: context });
      qas.forEach(({ id, question, answers = [] }, number) => {
        const placed = answers.flatMap((answer) => placeOf(context, answer) ?? []);
        if (placed.length === 0 && answers.length > 0) skipped += 1;
        if (placed.length > 0)
          questions.push({ id: String(id ?? `${doc_id}-${number}`), question, doc_id, paragraph: context, answers: placed, half });
      });
    });
  });
  if (questions.length === 0) throw new DataError("--xquad: no question has an answer in its paragraph");
  return { folder, corpus: corpusOf("xquad", docs), questions: questions.slice(0, limit), skipped };
}

/** From code points to UTF-16; null when the answer does not stand there. */
function placeOf(context: string, { text, answer_start }: { text: string; answer_start: number }): (Span & { text: string }) | null {
  const start = [...context.slice(0, 2 * answer_start)].slice(0, answer_start).join("").length;
  const end = start + text.length;
  return text !== "" && context.slice(start, end) === text ? { start, end, text } : null;
}
