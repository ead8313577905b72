/** Compares the indexes of a namespace with its store, and repairs them from it. Nobody may write to the namespace meanwhile. */
import { DamageFault } from "../../base/fault.ts";
import type { IndexedRow, IndexName, IndexState, Inspected } from "../../domain/port/index.ts";
import { PLANES } from "../../domain/plane.ts";
import type { Unit } from "../../domain/unit.ts";
import type { ObjectStore } from "../../domain/port/objects.ts";
import type { Outbox } from "../../domain/port/outbox.ts";
import type { NamespaceStore } from "../../domain/port/store.ts";
import type { Tenant } from "../tenant.ts";

/**
 * gap: a row is missing; orphan: a row of no Unit of this index; stale: a row of another version than the
 * Unit's; duplicate: a row that is there more than once.
 */
export const INDEX_FAULTS = ["gap", "orphan", "stale", "duplicate"] as const;
export type IndexFault = (typeof INDEX_FAULTS)[number];

export interface FaultReport {
  /** How many rows have the fault. */
  rows: number;
  /** Some of the Units concerned: `unit_id`, or `uid N` for rows that belong to none. */
  samples: string[];
}

export interface IndexReport {
  index: IndexName;
  /** `damaged`: the index cannot be read, or is missing. */
  state: IndexState["state"] | "damaged";
  expected: number;
  found: number;
  faults: Record<IndexFault, FaultReport>;
  /** Units whose changes wait in the outbox, which is no fault. */
  pending: number;
  /** Units that the index cannot take, with its error. */
  quarantined: { unit_id: string; reason: string }[];
}

/** Opens an index for reading. Errors: DamageFault when it is damaged or missing. */
export type Inspect = (target: IndexName) => Promise<Inspected>;

/** A report with what a repair needs: uids to index again, and uids to remove. */
interface Findings {
  report: IndexReport;
  again: Set<number>;
  orphans: Set<number>;
}

const TARGETS: readonly IndexName[] = [...PLANES, "fulltext"];
const SAMPLES_MAX = 5;
const SCAN_BATCH_UNITS = 500;

/** One report for each index of the namespace. Errors: those of the indexes. */
export async function examine(store: NamespaceStore, inspect: Inspect): Promise<IndexReport[]> {
  return (await findings(store, inspect)).map(({ report }) => report);
}

/** As `examine`, of indexes that are open. */
export function examineOpen(tenant: Tenant): Promise<IndexReport[]> {
  return examine(tenant.store, inspectOpen(tenant));
}

/** Indexes every Unit with a fault, or in quarantine, again, and removes orphans. Returns the reports afterwards. */
export async function repair(tenant: Tenant): Promise<IndexReport[]> {
  const { store, indexer } = tenant;
  for (const { report, again, orphans } of await findings(store, inspectOpen(tenant))) {
    for (const { uid } of await store.outbox.quarantined(report.index)) again.add(uid);
    await indexOf(tenant, report.index).remove([...orphans]);
    await store.outbox.again(report.index, [...again]);
  }
  await indexer.replay();
  return examineOpen(tenant);
}

export function isSound({ state, faults, quarantined }: IndexReport): boolean {
  return state !== "failing" && state !== "damaged" && quarantined.length === 0 && INDEX_FAULTS.every((fault) => faults[fault].rows === 0);
}

function indexOf(tenant: Tenant, target: IndexName) {
  return target === "fulltext" ? tenant.fulltext : tenant.vectors[target];
}

function inspectOpen(tenant: Tenant): Inspect {
  return async (target) => {
    const index = indexOf(tenant, target);
    return { rows: () => index.rows(), state: () => index.state(), close: async () => {} };
  };
}

async function findings(store: NamespaceStore, inspect: Inspect): Promise<Findings[]> {
  const found: Findings[] = [];
  // One after another, so that the rows of only one index are in memory at a time.
  for (const target of TARGETS) found.push(await lookAt(store, target, inspect));
  return found;
}

async function lookAt(store: NamespaceStore, target: IndexName, inspect: Inspect): Promise<Findings> {
  const quarantined = (await store.outbox.quarantined(target)).map(({ unit_id, reason }) => ({ unit_id, reason }));
  try {
    const index = await inspect(target);
    try {
      const { state } = await index.state();
      return await compare(store, emptyFindings(target, state, quarantined), await index.rows());
    } finally {
      await index.close();
    }
  } catch (error) {
    if (!(error instanceof DamageFault)) throw error;
    const { report, ...nothing } = emptyFindings(target, "damaged", quarantined);
    return { report: { ...report, expected: await store.outbox.settledRows(target) }, ...nothing };
  }
}

/** Compares an index's rows with the store. Units in the outbox or in quarantine are left out. */
async function compare(store: NamespaceStore, result: Findings, rows: readonly IndexedRow[]): Promise<Findings> {
  const { report } = result;
  const target = report.index;
  const { pending, apart } = await unsettled(store.outbox, target);
  report.pending = pending;
  report.found = rows.length;
  const byUid = Map.groupBy(
    rows.filter(({ uid }) => !apart.has(uid)),
    ({ uid }) => uid,
  );
  for (let after = 0; ; ) {
    const entries = await store.reader.units.entriesAfter(after, SCAN_BATCH_UNITS);
    for (const { unit, windows } of entries) {
      if (unit.text === null || apart.has(unit.uid) || (target !== "fulltext" && unit.plane !== target)) continue;
      compareUnit(result, unit, target === "fulltext" ? 1 : windows.length, byUid.get(unit.uid) ?? []);
      byUid.delete(unit.uid);
    }
    const last = entries.at(-1);
    if (last === undefined) break;
    after = last.unit.uid;
  }
  for (const [uid, strays] of byUid) {
    result.orphans.add(uid);
    note(report, "orphan", strays.length, `uid ${uid}`);
  }
  return result;
}

/** `apart`: uids whose rows may differ from the store, in the outbox or in quarantine. `pending`: how many are in the outbox. */
async function unsettled(outbox: Outbox, target: IndexName): Promise<{ pending: number; apart: Set<number> }> {
  const waiting = new Set([...(await outbox.pendingUids(target)), ...(await outbox.removals(target, Number.MAX_SAFE_INTEGER))]);
  const aside = (await outbox.quarantined(target)).map(({ uid }) => uid);
  return { pending: waiting.size, apart: waiting.union(new Set(aside)) };
}

function emptyFindings(index: IndexName, state: IndexReport["state"], quarantined: IndexReport["quarantined"]): Findings {
  const faults = Object.fromEntries(INDEX_FAULTS.map((fault) => [fault, { rows: 0, samples: [] }])) as unknown as IndexReport["faults"];
  return { report: { index, state, expected: 0, found: 0, faults, pending: 0, quarantined }, again: new Set(), orphans: new Set() };
}

/** Counts the faults of one Unit, which should have the windows 0 to `expected` - 1, each once and of its version. */
function compareUnit({ report, again }: Findings, unit: Unit, expected: number, rows: readonly IndexedRow[]): void {
  const stale = rows.filter(({ version, window }) => version !== unit.version || window >= expected).length;
  const present = new Set(rows.map(({ window }) => window).filter((window) => window < expected)).size;
  const distinct = new Set(rows.map(({ version, window }) => `${version}/${window}`)).size;
  report.expected += expected;
  const faults = { gap: expected - present, stale, duplicate: rows.length - distinct };
  for (const [fault, count] of Object.entries(faults)) {
    if (count === 0) continue;
    again.add(unit.uid);
    note(report, fault as IndexFault, count, unit.unit_id);
  }
}

function note(report: IndexReport, fault: IndexFault, rows: number, sample: string): void {
  const entry = report.faults[fault];
  entry.rows += rows;
  if (entry.samples.length < SAMPLES_MAX) entry.samples.push(sample);
}

/** The number of files of a namespace, and those whose object is missing or has changed. */
export interface ObjectsReport {
  files: number;
  faults: { file_id: string; name: string; fault: "missing" | "changed" }[];
}

/** Compares the object of every file with its hash. */
export async function examineObjects(store: NamespaceStore, objects: ObjectStore): Promise<ObjectsReport> {
  const report: ObjectsReport = { files: 0, faults: [] };
  for (const { file_id, name, sha256 } of await store.reader.files.withUnits()) {
    report.files += 1;
    const fault = await objects.fault(sha256);
    if (fault !== null) report.faults.push({ file_id, name, fault });
  }
  return report;
}
