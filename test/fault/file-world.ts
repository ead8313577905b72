/** Files of several kinds, small, the same in every process; and what a namespace should hold of them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../src/base/hash.ts";
import { CLOCK, faultsOf, objectsIn, PAGE, put, settled, tenantOf, tone } from "../support/files.ts";
import type { Harness } from "../support/harness.ts";
import { makePdf, setLines } from "../unit/media/make-pdf.ts";
import { openOwned } from "./small-world.ts";
import { rowsOf } from "../support/rows.ts";

const NAMESPACE = "filecrash";
const TOKEN = "filecrash-token";
const SCOPES = ["north", "south", "east", "west"];
const TEXTS = 9;
const TONES = 5;

export interface WorldFile {
  key: string;
  name: string;
  scope: string;
  content: Uint8Array;
  /** Deleted in the end, or before. */
  doomed: boolean;
}

/** Uploaded, and answered with 202. */
export interface Acked {
  key: string;
  file_id: string;
  job_id: string;
}

/** Paragraphs of which each fills a chunk. They repeat, so that there is little to embed. */
const PARAGRAPHS = ["anchor", "barge", "crane"].map((word) => `The ${word} was written down by the harbour master. `.repeat(20).trim());

function text(index: number): Uint8Array {
  const paragraphs = Array.from({ length: 150 }, (_, at) => PARAGRAPHS[(at + index) % PARAGRAPHS.length] ?? "");
  return Buffer.from([`Log book ${index}`, ...paragraphs].join("\n\n"));
}

function pdf(index: number): Uint8Array {
  const pages = Array.from({ length: 12 }, (_, at) => ({
    content: setLines([`Page ${at + 1}`, `Tide table of harbour ${index}, in metres`, "High water"]),
  }));
  return makePdf(pages, { title: `Tides ${index}` });
}

/** Pictures are the same in every scope, so that files share an object. */
export function worldFiles(): WorldFile[] {
  const made: [string, Uint8Array][] = [
    ...Array.from({ length: TEXTS }, (_, index): [string, Uint8Array] => [`book${index}.txt`, text(index)]),
    ...Array.from({ length: TONES }, (_, index): [string, Uint8Array] => [`tone${index}.wav`, tone(220 + 40 * index, 3)]),
    ...Array.from({ length: 5 }, (_, index): [string, Uint8Array] => [`tides${index}.pdf`, pdf(index)]),
    ...SCOPES.flatMap((): [string, Uint8Array][] => [
      ["clock.png", CLOCK],
      ["page.png", PAGE],
    ]),
  ];
  const files = made.map(([name, content], index) => ({
    key: `${SCOPES[index % SCOPES.length]}/${index}/${name}`,
    name,
    // The pictures come in pairs: both of a pair go where their pair stands.
    scope: SCOPES[(name.endsWith(".png") ? index >> 1 : index) % SCOPES.length] ?? "",
    content,
    doomed: index % 7 === 3,
  }));
  // Kinds take turns.
  return files.toSorted((a, b) => sha256Hex(a.key).localeCompare(sha256Hex(b.key)));
}

export function openFileWorld(data: string): Promise<Harness> {
  return openOwned(data, { namespace: NAMESPACE, principal_id: "keeper", token: TOKEN, active_scope: "*", groups: [] });
}

export async function upload(h: Harness, { key, name, scope, content }: WorldFile): Promise<Acked> {
  const { status, body } = await put(h, content, { token: TOKEN, name, wait: false, headers: { "x-svc-scope": scope } });
  if (status !== 202) throw new Error(`${key}: ${status} ${JSON.stringify(body)}`);
  return { key, file_id: body.file_id, job_id: body.job.id };
}

/** Deletes a file, if it is still there. */
export async function remove(h: Harness, { file_id }: Acked): Promise<void> {
  const { status, body } = await h.call("DELETE", `/v1/files/${file_id}`, { token: TOKEN });
  if (status !== 200 && status !== 404) throw new Error(`deleting: ${status} ${JSON.stringify(body)}`);
}

export async function finish(h: Harness, { job_id, key }: Acked): Promise<string[]> {
  const job = await settled(h, job_id, TOKEN);
  return job.state === "done" ? [] : [`${key}: ${JSON.stringify(job)}`];
}

/** Files that were acknowledged and are not there with their job, and work not to be done. Returns the jobs under way, too. */
export async function missing(h: Harness, acked: readonly Acked[]): Promise<{ faults: string[]; active: number }> {
  const { files } = rowsOf(await tenantOf(h, NAMESPACE));
  const faults = acked.flatMap(({ key, file_id, job_id }) => {
    const [file, job] = [files.file(file_id), files.job(job_id)];
    if (file === null || job === null) return [`${key} was acknowledged, and ${file === null ? "the file" : "its job"} is gone`];
    return job.state === "failed" ? [`the job of ${key} failed: ${JSON.stringify(job.error)}`] : [];
  });
  return { faults, active: files.activeJobs().length };
}

const SWEPT_MAX_MS = 10_000;

/** Objects without a file that needs them, files without their object, and what was being received. */
export async function objectFaults(h: Harness, acked: readonly Acked[]): Promise<string[]> {
  const tenant = await tenantOf(h, NAMESPACE);
  const { files } = rowsOf(tenant);
  const strays = () => objectsIn(h.data, NAMESPACE).filter((name) => name.startsWith("incoming/") || !files.usesObject(name));
  // They are swept away beside the first requests.
  for (const deadline = Date.now() + SWEPT_MAX_MS; strays().length > 0 && Date.now() < deadline; ) await Bun.sleep(20);
  const stray = strays();
  const lost = acked.flatMap(({ key, file_id }) => {
    const file = files.file(file_id);
    if (file === null || !files.usesObject(file.sha256)) return [];
    const path = join(h.data, "namespaces", NAMESPACE, "objects", file.sha256.slice(0, 2), file.sha256);
    return existsSync(path) && sha256Hex(readFileSync(path)) === file.sha256 ? [] : [`the object of ${key} is not what it was`];
  });
  return [...stray.map((name) => `${name} is nobody's object`), ...lost];
}

export function indexFaults(h: Harness): Promise<string[]> {
  return faultsOf(h, NAMESPACE);
}

/** Every Unit of every file, as far as it does not tell the time: by key. */
export async function contents(h: Harness, acked: readonly Acked[]): Promise<Record<string, string[]>> {
  const { files, catalog, features: seen } = rowsOf(await tenantOf(h, NAMESPACE));
  const all = Object.fromEntries(
    acked.map(({ key, file_id }) => {
      const units = [...catalog.byUids(files.uids(file_id)).values()];
      const told = units.map(({ uid, unit_id, text: says, locator, metadata, modality }) =>
        JSON.stringify({ unit_id, modality, text: says, locator, metadata, content: seen.embeddings([uid]).get(uid)?.embedding.slice(0, 4) ?? null }),
      );
      return [key, told.sort()];
    }),
  );
  return { ...all, "units in all": [String(catalog.unitCount())] };
}

/** Processes for media work of the service in `data`, whoever their parent is. */
export function mediaProcesses(data: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => read(pid, "cmdline").includes("\0__media") && read(pid, "environ").includes(`TMPDIR=${join(data, "tmp")}`));
}

function read(pid: number, what: "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8");
  } catch {
    return "";
  }
}
