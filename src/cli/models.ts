import { type ModelFolders, modelsFault, modelsOfBuild, selfTestModels } from "../app/models.ts";
import { defineCommand, EXIT, type ExitStatus, type Io, toggle } from "./command.ts";
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
  flags: { ...DATA, ...RUNTIME, ...JSON_OUTPUT, prove: toggle("run the models of pictures and sound on their fixtures") },
  examples: [
    ["as a table", "strata models"],
    ["every file with its whole hash, licences and origins uncut", "strata models --json"],
  ],
  faulty: "a file differs from the manifest, or a model from its fixture",
  async run({ io, env }, flags) {
    const folders = configOf(flags, env);
    if (flags.prove) return prove(io, folders, flags.json);
    const fault = await modelsFault(folders);
    const entries = modelsOfBuild().map(({ name, task, dims, licence, origin, files, included }) => {
      return { name, task, dims, licence, origin, files, verified: included ? fault === null : null };
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

async function prove(io: Io, folders: ModelFolders, asJson: boolean): Promise<ExitStatus> {
  const proofs = await selfTestModels(folders);
  const rows = proofs.map(({ model, check, deviation, tolerance, ok }) => [model, check, shown(deviation), shown(tolerance), ok ? "yes" : "NO"]);
  io.stdout.write(asJson ? json({ proofs }) : table(["MODEL", "CHECK", "DEVIATION", "TOLERANCE", "PROVEN"], rows));
  return proofs.every(({ ok }) => ok) ? EXIT.done : EXIT.faulty;
}

function shown(value: number): string {
  return value === 0 ? "0" : value.toPrecision(2);
}
