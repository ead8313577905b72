import { StartError } from "../base/fault.ts";
import { BATCH_DEFAULT_UNITS, BATCH_MAX_UNITS } from "../base/limits.ts";
import { withBackend } from "./open-backend.ts";
import { type Context, defineCommand, EXIT, type ExitStatus, UsageError, list, toggle, value } from "./command.ts";
import { DEFAULT_NAMESPACE, JSON_OUTPUT, NAMESPACE_FLAG, namespaceOf, SCOPE, scopeOf, TARGET, targetOf, wholeNumber } from "./flags.ts";
import { json } from "./format.ts";
import { fileSummary, ingestFiles } from "./ingest-files.ts";
import { ingestUnits, STDIN, summary, type Totals, type UnitsOptions } from "./ingest-units.ts";

export const ingest = defineCommand({
  purpose:
    "Takes in files: pictures (JPEG, PNG, WebP, GIF, BMP, TIFF), documents (PDF, DOCX, HTML, Markdown, text), sound (WAV, MP3, FLAC, Ogg), \
video (MP4, WebM, MKV, with ffmpeg) and logs; of a folder, all that is in it. The service makes Units of what they show and say. The same file \
twice is one file, so the same command goes on where it was interrupted. One file whose name ends in .ndjson is taken for Units, one JSON \
object a line in the form that POST /v1/ingest takes: lines that are refused are named with the reason, and the others are stored; FILE.position remembers how far it is. \
Straight into a data directory, what has no groups belongs to the operator alone.",
  operands: [{ name: "PATH…", help: "files and folders; or one FILE.ndjson, or - for Units on standard input", several: true }],
  flags: {
    scope: { ...SCOPE, help: "scope for everything, beating what Units say themselves" },
    group: list("GROUP", "group that may read the files"),
    batch: value("N", `of NDJSON: Units sent together, at most ${BATCH_MAX_UNITS}`, { default: String(BATCH_DEFAULT_UNITS) }),
    restart: toggle("of NDJSON: start over instead of going on from FILE.position"),
    namespace: NAMESPACE_FLAG,
    ...TARGET,
    ...JSON_OUTPUT,
  },
  environment: [
    ["STRATA_FFMPEG", "path of ffmpeg, which video needs (default: the one on PATH)"],
    ["STRATA_MEMORY", "memory for reading files without a server, such as 2GiB (default: half of the machine's)"],
  ],
  examples: [
    [
      "a folder into a running server",
      "strata ingest ./minutes --url http://127.0.0.1:4700 --token-file token.txt --scope office/minutes --group board",
    ],
    ["Units into the data directory", "strata ingest minutes.ndjson --namespace main --scope office/minutes"],
  ],
  async run(context, flags, paths) {
    const target = targetOf(flags, context.env);
    const scope = scopeOf(flags.scope);
    const size = wholeNumber("batch", flags.batch, BATCH_MAX_UNITS, BATCH_DEFAULT_UNITS);
    const named = flags.namespace === undefined ? null : namespaceOf(flags.namespace);
    const namespace = named ?? (target.kind === "data" ? DEFAULT_NAMESPACE : null);
    const [file = STDIN] = paths;
    const units = paths.filter((path) => path === STDIN || path.endsWith(".ndjson"));
    if (units.length > 0 && paths.length > 1) throw new UsageError(`${units[0]} holds Units: ingest it by itself`);
    if (units.length === 0) return takeFiles(context, { target, namespace, scope }, paths, flags);
    if (flags.group.length > 0) throw new UsageError("--group is for files; Units name their own acl_groups");
    const totals = await ingestUnits(context, { file, target, namespace, scope, size, restart: flags.restart });
    context.io.stdout.write(flags.json ? json({ file, ...totals } satisfies Totals & { file: string }) : `${summary(totals)}\n`);
    return totals.refused > 0 ? EXIT.failed : EXIT.done;
  },
});

/** Fails when a file could not be taken in, so that a script notices; the others are in. */
async function takeFiles(
  context: Context,
  { target, namespace, scope }: Pick<UnitsOptions, "target" | "namespace" | "scope">,
  paths: readonly string[],
  flags: { group: string[]; restart: boolean; json: boolean },
): Promise<ExitStatus> {
  if (flags.restart) throw new UsageError("--restart is for NDJSON; a file that is there already is not taken in twice");
  const totals = await withBackend(context, target, { namespace }, (backend) => ingestFiles(context, backend, paths, { scope, groups: flags.group }));
  context.io.stdout.write(flags.json ? json(totals) : fileSummary(totals));
  if (totals.files === 0) throw new StartError("no file was taken in");
  return totals.skipped.some(({ reason }) => reason !== "hidden") ? EXIT.failed : EXIT.done;
}
