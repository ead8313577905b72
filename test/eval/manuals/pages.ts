/** The pages of a manual: out of its Debian package, once, into a folder that later runs find. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { DataError } from "../data.ts";
import type { Manual, ManualSet } from "./sets.ts";

/** Of the Debian packages apt and dpkg. */
const TOOLS = ["apt-get", "dpkg-deb"];

/** A set with its pages, by name. `folder` holds a folder for each set; one that is missing is fetched. Errors: DataError. */
export async function withPages(set: ManualSet, folder: string): Promise<Manual> {
  const own = join(resolve(folder), set.name);
  if (!existsSync(own)) await fetchPages(set, resolve(folder), own);
  const names = readdirSync(own).sort();
  if (names.length === 0) throw new DataError(`no pages in ${own}: remove it to fetch them again`);
  return { ...set, pages: names.map((name) => ({ name, bytes: readFileSync(join(own, name)) })) };
}

/** Downloads and unpacks beside `own`, which appears when it is whole. */
async function fetchPages(set: ManualSet, folder: string, own: string): Promise<void> {
  const missing = TOOLS.filter((tool) => Bun.which(tool) === null);
  if (missing.length > 0) throw new DataError(`${missing.join(" and ")} fetch the pages of ${set.name}; without them, put the pages into ${own}`);
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, ".fetch-"));
  try {
    const [root, whole] = [join(work, "root"), join(work, "pages")];
    await unpack(set, work, root);
    mkdirSync(whole);
    const files = selected(root, set.files);
    if (files.length === 0) throw new DataError(`${set.package} has no page that ${set.name}.json names`);
    for (const [name, path] of byName(files)) copyFileSync(join(root, path), join(whole, name));
    renameSync(whole, own);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The version that the set was made on, or else the one that there is. */
async function unpack(set: ManualSet, work: string, root: string): Promise<void> {
  const exact = await run(["apt-get", "download", `${set.package}=${set.version}`], work);
  const got = exact.code === 0 ? exact : await run(["apt-get", "download", set.package], work);
  const archive = readdirSync(work).find((name) => name.endsWith(".deb"));
  if (archive === undefined) throw new DataError(`apt-get download ${set.package} failed; run apt-get update first\n${got.said.trim()}`);
  if (exact.code !== 0) process.stderr.write(`${set.name}: made on ${set.version}, which is not there any more; this is ${archive}\n`);
  const { code, said } = await run(["dpkg-deb", "-x", archive, root], work);
  if (code !== 0) throw new DataError(`dpkg-deb -x ${archive} failed: ${said.trim()}`);
}

async function run(command: string[], cwd: string): Promise<{ code: number; said: string }> {
  const child = Bun.spawn(command, { cwd, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  return { code: await child.exited, said };
}

/** Files below root that a pattern names and no `!pattern` leaves out, sorted. The `*` of a `!pattern` spans folders. */
export function selected(root: string, patterns: readonly string[]): string[] {
  const globs = patterns.filter((pattern) => !pattern.startsWith("!")).map((pattern) => new Bun.Glob(pattern));
  const without = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => spanning(pattern.slice(1)));
  const found = new Set(globs.flatMap((glob) => [...glob.scanSync({ cwd: root, onlyFiles: true, followSymlinks: true })]));
  return [...found].filter((path) => !without.some((pattern) => pattern.test(path))).sort();
}

function spanning(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

/** Paths by the last part of their names, which is what questions call pages; of two with one name, the first. */
function byName(paths: readonly string[]): Map<string, string> {
  const named = new Map<string, string>();
  for (const path of paths) if (!named.has(basename(path))) named.set(basename(path), path);
  return named;
}
