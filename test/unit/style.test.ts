/** The house rules that no other tool checks: who may import whom, owners of native packages, sizes, and a quiet stdout. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const SRC = join(import.meta.dir, "../../src");
const FILE_MAX_LINES = 400;
const FUNCTION_MAX_LINES = 70;

/** Who may import whom, by name. A room is a folder of src/, one of adapter/, or a file that stands alone. */
const BELOW_CORE = ["text", "language", "domain", "base"];
const ADAPTERS = ["adapter/sqlite", "adapter/disk", "adapter/lancedb", "adapter/tantivy", "adapter/chat", "adapter/memory", "adapter/resident"];
const MAY_IMPORT: Record<string, string[]> = {
  base: [],
  domain: ["text", "base"],
  text: ["base"],
  language: ["text", "base"],
  runtime: ["base"],
  ...Object.fromEntries(ADAPTERS.map((adapter) => [adapter, ["domain", "text", "runtime", "base"]])),
  inference: ["text", "runtime", "domain", "base"],
  media: ["inference", "text", "runtime", "domain", "base"],
  core: BELOW_CORE,
  // Runs in browsers too.
  client: [],
  console: ["client"],
  http: ["core", ...BELOW_CORE],
  mcp: ["core", ...BELOW_CORE],
  config: ["domain", "base"],
  app: ["http", "mcp", "core", ...ADAPTERS, "inference", "media", "runtime", "config", ...BELOW_CORE],
  cli: ["app", "http", "mcp", "core", "config", "client", ...BELOW_CORE],
  // Besides the command line it starts the processes and Workers that the executable runs as.
  main: ["cli", "media", "runtime"],
};
/** Each package with native code, or that shapes what imports it, and how many files may import it. */
const OWNED = [
  "@lancedb/lancedb",
  "apache-arrow",
  "onnxruntime-node",
  "@huggingface/tokenizers",
  "elysia",
  "@fastify/busboy",
  "@imagemagick/magick-wasm",
  "@hyzyla/pdfium",
  "fflate",
  "chardet",
  "chrono-node/en",
  "htmlparser2",
  "mpg123-decoder",
  "@wasm-audio-decoders/flac",
  "@wasm-audio-decoders/ogg-vorbis",
  "ogg-opus-decoder",
];

interface Source {
  path: string;
  lines: string[];
  imports: string[];
}

const sources: Source[] = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(SRC)]
  .filter((path) => !path.endsWith(".d.ts"))
  .sort()
  .map((path) => {
    const text = readFileSync(join(SRC, path), "utf8");
    const imports = [...text.matchAll(/(?:\bfrom|\bimport|\brequire\(|\bimport\(|new URL\()\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
    return { path, lines: text.trimEnd().split("\n"), imports };
  });

function room(path: string): string {
  const [folder = "", second = ""] = path.split("/");
  if (!path.includes("/")) return path.replace(/\.ts$/, "");
  return folder === "adapter" ? `${folder}/${second}` : folder;
}

function importedFiles({ path, imports }: Source): string[] {
  const targets = imports.filter((name) => name.startsWith(".")).map((name) => relative(SRC, join(SRC, dirname(path), name)));
  return targets.filter((target) => !target.startsWith("..") && /\.tsx?$/.test(target));
}

test("there is something to look at", () => {
  expect(sources.length).toBeGreaterThan(40);
  expect(sources.flatMap(importedFiles).length).toBeGreaterThan(100);
});

test("every file is in a room", () => {
  const homeless = sources.map(({ path }) => path).filter((path) => MAY_IMPORT[room(path)] === undefined);
  expect(homeless).toEqual([]);
});

test("a room imports those that it may", () => {
  const wrong = sources.flatMap((source) =>
    importedFiles(source)
      .filter((target) => room(target) !== room(source.path) && !MAY_IMPORT[room(source.path)]?.includes(room(target)))
      .map((target) => `${source.path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("base and domain import no technology", () => {
  const allowed: Record<string, RegExp> = { base: /^(?:node:|canonicalize$)/, domain: /^canonicalize$/ };
  const wrong = sources.flatMap(({ path, imports }) =>
    imports.filter((name) => !name.startsWith(".") && allowed[room(path)]?.test(name) === false).map((name) => `${path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("the client is written for any engine with fetch", () => {
  const libraries = /^(?:openapi-fetch$|eventsource-parser\/)/;
  const wrong = sources.filter(
    ({ path, lines, imports }) =>
      room(path) === "client" &&
      (imports.some((name) => !name.startsWith("./") && !libraries.test(name)) || lines.some((line) => /\b(?:Bun|process|Buffer)\./.test(line))),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("what is English has one door", () => {
  const english = (path: string) => path.startsWith("language/en/");
  const wrong = sources.filter(
    ({ path, imports }) => !english(path) && path !== "language/language.ts" && imports.some((name) => name.includes("/en/")),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("SQLite is its adapter's alone", () => {
  const wrong = sources.filter(({ path, imports }) => imports.includes("bun:sqlite") && room(path) !== "adapter/sqlite").map(({ path }) => path);
  expect(wrong).toEqual([]);
});

for (const owned of OWNED) {
  test(`one file imports ${owned}`, () => {
    const importers = sources.filter(({ imports }) => imports.includes(owned)).map(({ path }) => path);
    expect(importers.length, importers.join(", ")).toBe(1);
  });
}

test("no file is longer than a subject should be", () => {
  const long = sources.filter(({ lines }) => lines.length > FILE_MAX_LINES).map(({ path, lines }) => `${path}: ${lines.length} lines`);
  expect(long).toEqual([]);
});

/**
 * Functions by their layout, which the formatter keeps: the line that opens one ends in `{`, and the
 * first line after it that begins with `}` at the same indentation closes it.
 */
function functionsOf({ path, lines }: Source): { name: string; length: number }[] {
  const opens = /^(\s*)(?!\s|if |for |while |switch |try |do |else|\}|return \{|.*\b(?:class|interface|enum|namespace)\b)(.*(?:\)|=>|\): .*)) \{$/;
  return lines.flatMap((line, index) => {
    const [, indent = "", head = ""] = opens.exec(line) ?? [];
    if (head === "" || head.startsWith("//") || head.startsWith("*")) return [];
    const end = lines.findIndex((later, at) => at > index && later.startsWith(`${indent}}`));
    return [{ name: `${path}:${index + 1} ${head.trim()}`, length: end - index + 1 }];
  });
}

test("no function is longer than a screen", () => {
  const functions = sources.flatMap(functionsOf);
  expect(functions.length).toBeGreaterThan(200);
  expect(functions.filter(({ length }) => length > FUNCTION_MAX_LINES).map(({ name, length }) => `${name}: ${length} lines`)).toEqual([]);
});

test("nothing writes to the console", () => {
  const loud = sources.flatMap(({ path, lines }) =>
    lines.filter((line) => /\bconsole\.(log|info|warn|error|debug|trace|table|dir)\b/.test(line)).map((line) => `${path}: ${line.trim()}`),
  );
  expect(loud).toEqual([]);
});

describe("tests", () => {
  const TEST = join(import.meta.dir, "..");
  const tests = [...new Bun.Glob("**/*.ts").scanSync(TEST)].sort().map((path) => ({ path, text: readFileSync(join(TEST, path), "utf8") }));
  /** Places where `wrong` matches, as `path:line`. */
  const places = (wrong: RegExp) =>
    tests.flatMap(({ path, text }) => [...text.matchAll(wrong)].map(({ index }) => `${path}:${text.slice(0, index).split("\n").length}`));

  test("wait for what they expect of a promise", () => {
    // A statement that begins with `expect(`, and not with `await` or `return`.
    expect(places(/^ *expect\((?:(?!;\n)[\s\S])*?\)\s*\.(?:rejects|resolves)\b/gm)).toEqual([]);
  });

  test("draw from the seed of the run", () => {
    const count = (text: string, word: RegExp) => [...text.matchAll(word)].length;
    const own = tests.filter(({ text }) => count(text, /\bfc\.assert\(/g) > count(text, /\bseed: SEED\b/g));
    expect(own.map(({ path }) => path).filter((path) => path !== "unit/style.test.ts")).toEqual([]);
    expect(places(/\bMath\.random\(/g).filter((place) => !place.startsWith("unit/style."))).toEqual([]);
  });
});
