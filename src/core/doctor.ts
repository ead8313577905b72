/**
 * Compares the indexes of a namespace with its catalog, which is the truth, and mends them from it.
 * For a namespace that nobody writes to.
 */
import type { IndexedRow, IndexState } from "../domain/ports.ts";
import { PLANES } from "../domain/plane.ts";
import type { Unit } from "../domain/unit.ts";
import type { IndexTarget } from "../store/outbox.ts";
import type { Tenant } from "./tenant.ts";

/**
 * gap: a row is missing; orphan: a row of no Unit of this index; stale: a row of another version than the
 * Unit's; duplicate: a row that is there more than once.
 */
export const INDEX_FAULTS = ["gap", "orphan", "stale", "duplicate"] as const;
export type IndexFault = (typeof INDEX_FAULTS)[number];

export interface FaultReport {
  /** Rows concerned. */
  rows: number;
  /** Some of the Units: `unit_id`, or `uid N` for rows of none. */
  samples: string[];
}

export interface IndexReport {
  index: IndexTarget;
  state: IndexState["state"];
  expected: number;
  found: number;
  faults: Record<IndexFault, FaultReport>;
}

/** What to mend: Units to index again, and uids to take out. */
interface Findings {
  report: IndexReport;
  again: Set<number>;
  orphans: Set<number>;
}

const TARGETS: readonly IndexTarget[] = [...PLANES, "fulltext"];
const SAMPLES_MAX = 5;
const SCAN_BATCH_UNITS = 500;

/** One report for each index of the namespace. Errors: those of the indexes. */
export async function examine(tenant: Tenant): Promise<IndexReport[]> {
  return (await findings(tenant)).map(({ report }) => report);
}

/** Writes every Unit with a fault to its index again and takes orphans out. Returns what is left afterwards. */
export async function repair(tenant: Tenant): Promise<IndexReport[]> {
  for (const { report, again, orphans } of await findings(tenant)) {
    await indexOf(tenant, report.index).remove([...orphans]);
    reopen(tenant, report.index, [...again]);
  }
  await tenant.writer.replay();
  return examine(tenant);
}

export function isSound({ state, faults }: IndexReport): boolean {
  return state !== "failing" && INDEX_FAULTS.every((fault) => faults[fault].rows === 0);
}

function indexOf(tenant: Tenant, target: IndexTarget) {
  return target === "fulltext" ? tenant.fulltext : tenant.vectors[target];
}

function reopen(tenant: Tenant, target: IndexTarget, uids: readonly number[]): void {
  for (let at = 0; at < uids.length; at += SCAN_BATCH_UNITS) {
    const units = [...tenant.catalog.byUids(uids.slice(at, at + SCAN_BATCH_UNITS)).values()];
    tenant.ledger.transact(() => tenant.catalog.outbox.reopen(target, units));
  }
}

async function findings(tenant: Tenant): Promise<Findings[]> {
  const found: Findings[] = [];
  // One index after another: the rows of a single one are in memory at a time.
  for (const target of TARGETS) found.push(await compare(tenant, target));
  return found;
}

async function compare(tenant: Tenant, target: IndexTarget): Promise<Findings> {
  const index = indexOf(tenant, target);
  const { state } = await index.state();
  const rows = await index.rows();
  const byUid = Map.groupBy(rows, ({ uid }) => uid);
  const result = emptyFindings(target, state, rows.length);
  for (let after = 0; ; ) {
    const entries = tenant.catalog.unitsAfter(after, SCAN_BATCH_UNITS);
    for (const { unit, windows } of entries) {
      if (unit.text === null || (target !== "fulltext" && unit.plane !== target)) continue;
      compareUnit(result, unit, target === "fulltext" ? 1 : windows.length, byUid.get(unit.uid) ?? []);
      byUid.delete(unit.uid);
    }
    const last = entries.at(-1);
    if (last === undefined) break;
    after = last.unit.uid;
  }
  for (const [uid, strays] of byUid) {
    result.orphans.add(uid);
    note(result.report, "orphan", strays.length, `uid ${uid}`);
  }
  return result;
}

function emptyFindings(index: IndexTarget, state: IndexState["state"], found: number): Findings {
  const none = (): FaultReport => ({ rows: 0, samples: [] });
  const faults = { gap: none(), orphan: none(), stale: none(), duplicate: none() };
  return { report: { index, state, expected: 0, found, faults }, again: new Set(), orphans: new Set() };
}

/** A Unit has the windows 0 to `expected` - 1 in an index, each once and of its version. */
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

/** The files of a namespace, and those whose bytes are not what was taken in. */
export interface ObjectsReport {
  files: number;
  faults: { file_id: string; name: string; fault: "missing" | "changed" }[];
}

/** Holds the object of every file to its hash. */
export async function examineObjects({ files, objects }: Tenant): Promise<ObjectsReport> {
  const report: ObjectsReport = { files: 0, faults: [] };
  for (const { file_id, name, sha256 } of files.stored()) {
    report.files += 1;
    const fault = await objects.fault(sha256);
    if (fault !== null) report.faults.push({ file_id, name, fault });
  }
  return report;
}
