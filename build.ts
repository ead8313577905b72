/**
 * Builds `dist/strata`, one executable with everything inside: `bun build.ts [OUTFILE] [--without PART]...`. Without `media`
 * it has no models for pictures and sound, and is some 110 MB smaller; without `multilingual` none for languages other than
 * English, and is some 83 MB smaller.
 */
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { BunPlugin } from "bun";
import { version } from "./package.json";
import { sha256Hex } from "./src/base/hash.ts";
import { bundleConsole } from "./src/http/console-bundle.ts";
import { ASSETS, type AssetsBuild } from "./src/runtime/assets.ts";
import { hashFile, mediaModelFiles, modelManifest, multilingualModelFiles, verifyModels } from "./src/runtime/model-manifest.ts";

const ROOT = import.meta.dir;
const ENTRYPOINTS = ["src/main.ts", "src/inference/inference-worker.ts", "src/adapter/tantivy/full-text-worker.ts"];
const BUILD_ID_CHARS = 16;
/** Where the console is bundled, before it is embedded. */
const CONSOLE_FOLDER = join(ROOT, "dist/console");

/** The packages look for their addons in node_modules; in the executable our own loader knows where they lie. */
const addonLoaders: BunPlugin = {
  name: "addon-loaders",
  setup(builder) {
    const native = JSON.stringify(join(ROOT, "src/runtime/native.ts"));
    builder.onLoad({ filter: /onnxruntime-node\/dist\/binding\.js$/ }, async ({ path }) => {
      const text = await Bun.file(path).text();
      const contents = text.replace(/require\(`\.\.\/bin\/[^`]*`\)/, `require(${native}).addon("onnxruntime")`);
      if (contents === text) throw new Error(`${path} no longer loads its addon as this plugin expects`);
      return { contents, loader: "js" };
    });
    // A view, so that the package may be imported before the addons are unpacked.
    builder.onLoad({ filter: /@lancedb\/lancedb\/dist\/native\.js$/ }, () => ({
      contents: `module.exports = new Proxy({}, { get: (_, key) => require(${native}).addon("lancedb")[key] });`,
      loader: "js",
    }));
  },
};

/** A module that embeds files, given as path by name, absolute or in the checkout, and exports their paths inside the executable as `constant`. */
function embedding(constant: string, files: Readonly<Record<string, string>>): { contents: string; loader: "js" } {
  const names = Object.keys(files);
  const imports = names.map((name, index) => `import file${index} from ${JSON.stringify(resolve(ROOT, files[name] ?? ""))} with { type: "file" };`);
  const members = names.map((name, index) => `${JSON.stringify(name)}: file${index}`);
  return { contents: `${imports.join("\n")}\nexport const ${constant} = { ${members.join(", ")} };`, loader: "js" };
}

/** Fills the module that says where the files of the console lie. */
function consolePlugin(files: Readonly<Record<string, string>>): BunPlugin {
  return {
    name: "console-files",
    setup(builder) {
      builder.onLoad({ filter: /src\/http\/console-files\.ts$/ }, () => {
        const { contents, loader } = embedding("CONSOLE_FILES", files);
        return { contents: `${contents}\nexport const consoleFiles = async () => CONSOLE_FILES;`, loader };
      });
    },
  };
}

/** What can be left out. */
const PARTS = ["media", "multilingual"] as const;
type Part = (typeof PARTS)[number];

/** Fills the modules that list the files inside the executable. The files of the parts in `without` are left out. */
function embeddedFiles(without: ReadonlySet<Part>): BunPlugin {
  const modelsOf = (part: Part, names: readonly string[]) =>
    without.has(part) ? {} : Object.fromEntries(names.map((name) => [name, `models/${name}`]));
  return {
    name: "embedded-files",
    setup(builder) {
      builder.onLoad({ filter: /src\/runtime\/embedded\.ts$/ }, () => embedding("EMBEDDED", ASSETS));
      builder.onLoad({ filter: /src\/runtime\/media-model-files\.ts$/ }, () => embedding("MEDIA_FILES", modelsOf("media", mediaModelFiles())));
      builder.onLoad({ filter: /src\/runtime\/multilingual-model-files\.ts$/ }, () =>
        embedding("MULTILINGUAL_FILES", modelsOf("multilingual", multilingualModelFiles())),
      );
    },
  };
}

/** Errors: when the arguments are not understood. */
function parsedArguments(): { outfile: string; without: Set<Part> } {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { without: { type: "string", multiple: true } } });
  const without = new Set<Part>();
  for (const name of values.without ?? []) {
    const part = PARTS.find((one) => one === name);
    if (part === undefined) throw new Error(`--without ${name}: what can be left out is ${PARTS.join(" and ")}`);
    without.add(part);
  }
  return { outfile: join(ROOT, positionals[0] ?? "dist/strata"), without };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function describeAssets(): Promise<AssetsBuild> {
  const files: AssetsBuild["files"] = {};
  for (const [name, source] of Object.entries(ASSETS)) {
    const path = join(ROOT, source);
    files[name] = { bytes: (await stat(path)).size, sha256: await hashFile(path) };
  }
  const id = sha256Hex(
    Object.entries(files)
      .map(([name, { sha256 }]) => `${name} ${sha256}`)
      .join("\n"),
  ).slice(0, BUILD_ID_CHARS);
  return { id, files };
}

async function main(): Promise<void> {
  const { outfile, without } = parsedArguments();
  await verifyModels(join(ROOT, "models"), modelManifest());
  say("models verified");
  const assets = await describeAssets();
  say(`assets ${assets.id}: ${Object.keys(assets.files).join(", ")}`);

  const consoleFiles = await bundleConsole(CONSOLE_FOLDER);
  const consoleBytes = await Promise.all(Object.values(consoleFiles).map(async (path) => Bun.gzipSync(await Bun.file(path).bytes()).byteLength));
  say(`console: ${(consoleBytes.reduce((sum, bytes) => sum + bytes, 0) / 1e3).toFixed(1)} kB compressed`);

  const result = await Bun.build({
    entrypoints: ENTRYPOINTS.map((path) => join(ROOT, path)),
    // Flat names: from the executable's one bundle, `./inference-worker.ts` is then found beside it.
    naming: { entry: "[name].[ext]" },
    target: "bun",
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
    // A module is read when it is first imported, and compiled already: whole, the program takes 0.18 s of CPU to print its version.
    splitting: true,
    format: "esm",
    bytecode: true,
    define: { STRATA_VERSION: JSON.stringify(version), STRATA_ASSETS: JSON.stringify(assets) },
    loader: { ".node": "file" },
    plugins: [addonLoaders, embeddedFiles(without), consolePlugin(consoleFiles)],
    // Names stay, so that a stack in a log can be read.
    minify: { whitespace: true, syntax: true, identifiers: false },
  });
  for (const log of result.logs) say(String(log));
  const { size } = await stat(outfile);
  say(`${outfile}: strata ${version}, ${(size / 1e6).toFixed(1)} MB`);
}

await main();
