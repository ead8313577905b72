import { examineObjects, INDEX_FAULTS, type IndexReport, isSound, type ObjectsReport, repair } from "../core/index/check.ts";
import type { VerificationReport } from "../domain/audit.ts";
import { EXTRACTOR_VERSIONS } from "../domain/extractor-version.ts";
import type { Namespace } from "../domain/principal.ts";
import type { NamespaceInspection } from "../app/inspection.ts";
import { type ModelFolders, modelsFault } from "../app/models.ts";
import { type Colours, coloursOf } from "./colours.ts";
import { type Context, defineCommand, EXIT, toggle } from "./command.ts";
import { explainAlone, requireData } from "../app/data.ts";
import { configOf, DATA, JSON_OUTPUT, RUNTIME } from "./flags.ts";
import { count, counted, json, printable, table } from "./format.ts";
import { Progress } from "./progress.ts";

interface NamespaceReport {
  namespace: string;
  indexes: IndexReport[];
  /** The indexes as they were before they were mended; null when there was nothing to mend, or no wish to. */
  mended: IndexReport[] | null;
  /** Null when the catalog is too damaged to be checked further; then there are no indexes here either. */
  audit: VerificationReport | null;
  /** What SQLite finds wrong with the catalog; empty when nothing. */
  catalog: string[];
  objects: ObjectsReport;
  /** What extractors before today's read, which is no fault: `strata reread` reads it again. */
  outdated: { files: number; units: number };
  sound: boolean;
}

interface DoctorReport {
  /** Why the model files are not those of the manifest; null when they are. */
  models: string | null;
  namespaces: NamespaceReport[];
  sound: boolean;
}

export const doctor = defineCommand({
  purpose:
    "Checks a data directory: the files of the models, each catalog and its audit chain, and every index against its catalog. It names four \
faults of an index: gap (a row is missing), orphan (a row of no Unit), stale (a row of another version) and duplicate (a row twice), says which \
index is damaged or missing, and which Units one cannot take. Without --repair it changes nothing. --repair mends the indexes from the catalog, \
which holds text and vectors, tries again what was set aside, and checks again. Files are held to their hashes; what is lost there is lost. It \
counts the files that older extractors read, which is no fault: strata reread reads them again. \
The server must not be running.",
  operands: [],
  flags: {
    repair: toggle("mend the indexes, then check again"),
    ...DATA,
    ...RUNTIME,
    ...JSON_OUTPUT,
  },
  examples: [
    ["check ./strata-data", "strata doctor"],
    ["mend the indexes of another directory", "strata doctor --repair --data /var/lib/strata"],
  ],
  faulty: "a fault remains",
  async run(context, flags) {
    const { data, runtime } = configOf({ data: flags.data, runtime: flags.runtime }, context.env);
    requireData(data);
    const report = await check(context, { data, runtime, repair: flags.repair });
    context.io.stdout.write(flags.json ? json(report) : reportText(report, coloursOf(context.io.stdout, context.env)));
    if (!flags.repair && report.namespaces.some(({ indexes }) => !indexes.every(isSound)))
      context.io.stderr.write("strata doctor --repair mends faults of indexes\n");
    return report.sound ? EXIT.done : EXIT.faulty;
  },
});

async function check(context: Context, { data, runtime, repair: mend }: ModelFolders & { repair: boolean }): Promise<DoctorReport> {
  const models = await modelsFault({ data, runtime });
  // A service with other models than those of the manifest does not start.
  if (models !== null) return { models, namespaces: [], sound: false };
  const progress = new Progress(context.io.stderr);
  try {
    const found = await inspectAll(data, runtime, progress);
    const mended = mend && found.some(({ indexes }) => !indexes.every(isSound)) ? await repairAll(context, data, runtime, found) : found;
    return { models, namespaces: mended, sound: mended.every(({ sound }) => sound) };
  } finally {
    progress.clear();
  }
}

/** Looks at every namespace and changes nothing. */
async function inspectAll(data: string, runtime: string | null, progress: Progress): Promise<NamespaceReport[]> {
  const { openInspection } = await import("../app/inspection.ts");
  const inspection = await openInspection(data, runtime).catch((error: unknown) => {
    throw explainAlone(data, error);
  });
  try {
    const reports: NamespaceReport[] = [];
    for (const namespace of inspection.namespaces) {
      progress.show(`checking ${namespace.namespace}`);
      reports.push(
        await inspection.inspect(
          namespace,
          (found) => reportOf(namespace, found),
          (catalogFaults) => damagedReport(namespace, catalogFaults),
        ),
      );
    }
    return reports;
  } finally {
    await inspection.close();
  }
}

async function reportOf({ namespace }: Namespace, { store, objects, catalogFaults, indexes }: NamespaceInspection): Promise<NamespaceReport> {
  const report = {
    namespace,
    catalog: catalogFaults(),
    audit: await store.reader.ledger.verify(),
    indexes: await indexes(),
    mended: null,
    objects: await examineObjects(store, objects),
    outdated: await store.reader.files.countOutdated(EXTRACTOR_VERSIONS, null),
  };
  return { ...report, sound: isWhole(report) };
}

/** Of a namespace whose catalog cannot be read to its end. */
function damagedReport({ namespace }: Namespace, catalog: string[]): NamespaceReport {
  const nothing = { indexes: [], mended: null, audit: null, objects: { files: 0, faults: [] }, outdated: { files: 0, units: 0 } };
  return { namespace, catalog, ...nothing, sound: false };
}

function isWhole({ catalog, audit, indexes, objects }: Omit<NamespaceReport, "sound">): boolean {
  return catalog.length === 0 && audit !== null && audit.intact && indexes.every(isSound) && objects.faults.length === 0;
}

/** Starts the service on the directory, which brings damaged indexes back, and mends what is left. */
async function repairAll(context: Context, data: string, runtime: string | null, found: readonly NamespaceReport[]): Promise<NamespaceReport[]> {
  const { openOnUse } = await import("./direct.ts");
  // A namespace whose catalog is damaged keeps no other from being mended.
  const app = await openOnUse(context, data, { ...configOf({}, context.env), runtime });
  try {
    const reports: NamespaceReport[] = [];
    for (const before of found) {
      const namespace = await app.data.directory.namespace(before.namespace);
      if (namespace === null || before.indexes.every(isSound)) {
        reports.push(before);
        continue;
      }
      const after = { ...before, indexes: await app.services.withTenant(namespace, repair), mended: before.indexes };
      reports.push({ ...after, sound: isWhole(after) });
    }
    return reports;
  } finally {
    await app.close();
  }
}

export function reportText({ models, namespaces, sound }: DoctorReport, { good, bad }: Colours): string {
  const rows = namespaces.flatMap(({ namespace, indexes }) =>
    indexes.map(({ index, state, expected, found, faults }) => {
      return [namespace, index, state, count(expected), count(found), ...INDEX_FAULTS.map((fault) => count(faults[fault].rows))];
    }),
  );
  const headings = ["NAMESPACE", "INDEX", "STATE", "EXPECTED", "FOUND", ...INDEX_FAULTS.map((fault) => fault.toUpperCase())];
  return [
    namespaces.length === 0 ? "" : table(headings, rows),
    models === null ? "models verified\n" : `models: ${models}\n`,
    ...namespaces.flatMap(namespaceLines),
    `${sound ? good("no fault found") : bad("faults remain")}\n`,
  ].join("");
}

function namespaceLines({ namespace, indexes, mended, audit, catalog, objects, outdated }: NamespaceReport): string[] {
  if (audit === null) return [`${namespace}: catalog DAMAGED: ${faultText(catalog)}; ${RESTORE}\n`];
  const chain = audit.intact
    ? `audit chain intact (${counted(audit.checked, "row")})`
    : `audit chain BROKEN at row ${audit.break_at}: ${audit.reason}`;
  const file = catalog.length === 0 ? "catalog whole" : `catalog DAMAGED: ${faultText(catalog)}`;
  const waiting = indexes
    .filter(({ pending }) => pending > 0)
    .map(({ index, pending }) => `${namespace}: ${index}: ${counted(pending, "change")} for the next start\n`);
  const found = faultLines(indexes).map((line) => `${namespace}: ${line}\n`);
  const before = faultLines(mended ?? []).map((line) => `${namespace}: before the repair: ${line}\n`);
  const stored =
    objects.files === 0
      ? []
      : [
          `${namespace}: ${counted(objects.files, "file")}, ${objects.faults.length === 0 ? "all whole" : `${count(objects.faults.length)} DAMAGED`}\n`,
        ];
  const damaged = objects.faults.map(
    ({ file_id, name, fault }) => `${namespace}: ${file_id} (${printable(name)}): its object is ${fault}; delete the file and take it in again\n`,
  );
  const older =
    outdated.files === 0
      ? []
      : [
          `${namespace}: ${counted(outdated.files, "file")} (${counted(outdated.units, "Unit")}) made by older extractors: strata reread --namespace ${namespace} reads them again\n`,
        ];
  return [`${namespace}: ${file}, ${chain}\n`, ...stored, ...damaged, ...older, ...waiting, ...before, ...found];
}

const RESTORE = "the rest of this namespace cannot be checked. Restore the data directory from a backup";
/** A damaged page brings up to a hundred lines. */
const CATALOG_FAULTS_SHOWN = 3;

function faultText(catalog: readonly string[]): string {
  const more = catalog.length - CATALOG_FAULTS_SHOWN;
  return printable([...catalog.slice(0, CATALOG_FAULTS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join("; "));
}

/** The faults of indexes, with some of the Units that they concern. */
function faultLines(indexes: readonly IndexReport[]): string[] {
  return indexes.flatMap(({ index, state, faults, quarantined }) => [
    ...(state === "damaged" ? [`${index} is damaged or missing`] : []),
    ...INDEX_FAULTS.filter((fault) => faults[fault].rows > 0).map((fault) => `${fault} in ${index}: ${faults[fault].samples.join(", ")}`),
    ...quarantined.map(({ unit_id, reason }) => `${index} cannot take ${unit_id}: ${printable(reason)}`),
  ]);
}
