/** A namespace with a few hundred or thousand Units whose texts repeat, so that filling it costs little. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Harness, openHarness } from "../support/harness.ts";
import { rowsOf } from "../support/rows.ts";

export const NAMESPACE = { namespace: "fault", tier: "enterprise" as const };
export const TOKEN = "fault-token";
const WORDS = ["anchor", "barge", "crane", "derrick", "estuary", "ferry", "gantry", "harbour"];
const MODALITIES = ["text", "image", "asr", "doc_page"];
const BATCH = 700;

export interface Owner {
  namespace: string;
  principal_id: string;
  token: string;
  active_scope: string;
  groups: string[];
}

/** Opens a data directory with one enterprise namespace and a principal that may do everything in it. */
export async function openOwned(data: string, { token, ...owner }: Owner): Promise<Harness> {
  const harness = await openHarness({ data, seed: false });
  const { tables: directory } = harness.app.data;
  if (directory.namespace(owner.namespace) !== null) return harness;
  await harness.app.data.directory.transact(async (tx) => {
    await tx.putNamespace(owner.namespace, "enterprise");
    await tx.putPrincipal({ ...owner, perms: ["read", "write", "admin"], scopes: ["*"], read_only: false, super_admin: false });
    await tx.putToken({ ...owner, name: "t", secret: token, seeded: false });
  });
  return harness;
}

export function openWorld(data: string): Promise<Harness> {
  return openOwned(data, { namespace: NAMESPACE.namespace, principal_id: "owner", token: TOKEN, active_scope: "here", groups: [] });
}

export function unit(index: number, modality?: string): Record<string, unknown> {
  const text = `common ${WORDS[index % 8]} ${WORDS[(index >> 3) % 3]}`;
  return { text, modality: modality ?? MODALITIES[index % 4], source_uri: `fault://${index}`, doc_id: `doc-${Math.floor(index / 20)}` };
}

export async function fill(harness: Harness, units: readonly Record<string, unknown>[]): Promise<void> {
  for (let at = 0; at < units.length; at += BATCH) {
    const { status, body } = await harness.call("POST", "/v1/ingest", { token: TOKEN, body: { units: units.slice(at, at + BATCH) } });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

/** What is wrong with this running service: nothing, if every Unit is in both kinds of index exactly once and can be found. */
export async function faultsOf(harness: Harness): Promise<string[]> {
  const tenant = await harness.app.tenant(NAMESPACE);
  const { vectors, fulltext } = tenant;
  const { catalog, ledger } = rowsOf(tenant);
  const faults: string[] = [];
  if (catalog.outbox.waiting().length > 0) faults.push(`the outbox is open for ${catalog.outbox.waiting()}`);
  const report = await ledger.verify();
  if (!report.intact) faults.push(`the chain breaks at ${report.break_at}: ${report.reason}`);
  const classes = catalog.classes().map(({ classId }) => classId);
  const units = (await catalog.page(classes, 100_000, 0)).filter(({ text }) => text !== null);
  for (const [target, index] of [...Object.entries(vectors), ["fulltext", fulltext] as const]) {
    const expected = units.filter((one) => target === "fulltext" || one.plane === target).map(({ uid, version }) => `${uid} ${version}`);
    const rows = (await index.rows()).map(({ uid, version }) => `${uid} ${version}`);
    if (rows.sort().join() !== expected.sort().join()) faults.push(`${target} holds ${rows.length} rows for ${expected.length} Units`);
  }
  const docs = [...new Set(units.map(({ doc_id }) => doc_id))].filter((_, index, all) => index % Math.ceil(all.length / 8) === 0);
  for (const doc of docs) faults.push(...(await searchFaults(harness, doc ?? "", units.filter(({ doc_id }) => doc_id === doc).length)));
  return faults;
}

async function searchFaults(harness: Harness, doc_id: string, expected: number): Promise<string[]> {
  const { status, body } = await harness.call("POST", "/v1/search", { token: TOKEN, body: { q: "common ferry", doc_id, top_k: 50 } });
  if (status !== 200) return [`searching ${doc_id} answers ${status} ${JSON.stringify(body)}`];
  const both = (body.hits as { scores: { legs: { leg: string }[] } }[]).filter(({ scores }) => scores.legs.length === 2);
  return both.length === expected ? [] : [`${both.length} of ${expected} Units of ${doc_id} are found by vector and by full text`];
}

export function filesUnder(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The content of everything that must not change when a start is refused: not where libraries are unpacked. */
export function fingerprint(data: string): Record<string, string> {
  const kept = filesUnder(data).filter((path) => !path.startsWith(join(data, "runtime")) && !path.startsWith(join(data, "tmp")) && !isEmptyLog(path));
  return Object.fromEntries(kept.map((path) => [path.slice(data.length), createHash("sha256").update(readFileSync(path)).digest("hex")]));
}

/** What SQLite may leave beside a file that it could not open on a full disk: it holds nothing. */
function isEmptyLog(path: string): boolean {
  return path.endsWith("-shm") || (path.endsWith("-wal") && statSync(path).size === 0);
}
