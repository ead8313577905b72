import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "../base/fault.ts";
import { borrowAssets, findAssets, verifyEmbedded } from "../runtime/assets.ts";
import { defaultMemoryBytes } from "../runtime/memory.ts";
import { HAS_MEDIA_MODELS, mediaEntries, mediaModelFile, WITHOUT_MEDIA } from "../runtime/media-models.ts";
import { isMediaEntry, modelManifest } from "../runtime/model-manifest.ts";
import { createExtractor } from "../media/extractor.ts";
import type { Proof } from "../media/selftest/check.ts";
import { runtimeDirectory } from "../adapter/sqlite/data-directory.ts";
import { defineCommand, EXIT, type ExitStatus, type Io } from "./command.ts";
import { configOf, DATA, JSON_OUTPUT, RUNTIME } from "./flags.ts";
import { json, table } from "./format.ts";

const SHORT_HASH_CHARS = 12;
/** A licence or an origin may take sentences; the table shows how they begin. */
const CELL_MAX_CHARS = 64;

export const models = defineCommand({
  purpose:
    "Lists the models inside the executable with their licence and origin, and compares the files that run with the hashes of the manifest: \
those that lie unpacked in the data directory or in --runtime, or else those in the executable. It writes nothing there. With --prove, the \
models of pictures and sound are run on the fixtures that came with them, and what they give is compared with what they should.",
  operands: [],
  flags: { ...DATA, ...RUNTIME, ...JSON_OUTPUT, prove: { kind: "switch", help: "run the models of pictures and sound on their fixtures" } },
  examples: [
    { about: "as a table", call: "strata models" },
    { about: "every file with its whole hash, licences and origins uncut", call: "strata models --json" },
  ],
  faulty: "a file differs from the manifest, or a model from its fixture",
  async run({ io, env }, flags) {
    const { data, runtime } = configOf(flags, env);
    const folder = runtime ?? runtimeDirectory(data);
    if (flags.prove) return prove(io, folder, flags.json);
    const fault = await modelsFault(folder);
    const entries = modelManifest().map((entry) => {
      const { name, task, licence, origin, files } = entry;
      return {
        name,
        task,
        dims: "dims" in entry ? entry.dims : null,
        licence,
        origin,
        files,
        verified: isMediaEntry(entry) && !HAS_MEDIA_MODELS ? null : fault === null,
      };
    });
    const rows = entries.map(({ name, task, dims, licence, origin, files, verified }) => {
      return [
        name,
        task,
        String(dims ?? "-"),
        clip(licence),
        clip(origin),
        files[0]?.sha256.slice(0, SHORT_HASH_CHARS) ?? "",
        verified === null ? "left out" : verified ? "yes" : "NO",
      ];
    });
    const headings = ["MODEL", "TASK", "DIMS", "LICENCE", "ORIGIN", "SHA256", "VERIFIED"];
    io.stdout.write(flags.json ? json({ models: entries }) : table(headings, rows));
    if (fault !== null) io.stderr.write(`strata: ${fault}\n`);
    return fault === null ? EXIT.done : EXIT.faulty;
  },
});

function clip(text: string): string {
  return text.length > CELL_MAX_CHARS ? `${text.slice(0, CELL_MAX_CHARS - 1)}…` : text;
}

async function prove(io: Io, runtime: string, asJson: boolean): Promise<ExitStatus> {
  if (!HAS_MEDIA_MODELS) throw new StartError(WITHOUT_MEDIA);
  const temporary = await mkdtemp(join(tmpdir(), "strata-models-"));
  try {
    const { paths } = await borrowAssets(runtime, temporary);
    const extractor = createExtractor({ addons: paths.addons, workers: 1, temporary, ffmpeg: null, memoryBytes: defaultMemoryBytes() });
    const proofs: Proof[] = await extractor.prove().finally(() => extractor.close());
    const rows = proofs.map(({ model, check, deviation, tolerance, ok }) => [model, check, shown(deviation), shown(tolerance), ok ? "yes" : "NO"]);
    io.stdout.write(asJson ? json({ proofs }) : table(["MODEL", "CHECK", "DEVIATION", "TOLERANCE", "PROVEN"], rows));
    return proofs.every(({ ok }) => ok) ? EXIT.done : EXIT.faulty;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function shown(value: number): string {
  return value === 0 ? "0" : value.toPrecision(2);
}

/** Why the model files that would run are not those of the manifest; null when they are. `runtime`: where they lie, if they do. */
export async function modelsFault(runtime: string): Promise<string | null> {
  try {
    if ((await findAssets(runtime)) === null) await verifyEmbedded();
    for (const { name, files } of HAS_MEDIA_MODELS ? mediaEntries() : []) {
      for (const { file } of files) await mediaModelFile(name, file);
    }
    return null;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}
