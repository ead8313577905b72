/**
 * The demo: four namespaces, their principals and published tokens, and a story to search. Seeding
 * again restores what it made, but for tokens that were revoked, and touches nothing else.
 */
import { Fault } from "../../base/fault.ts";
import { BATCH_MAX_UNITS } from "../../base/limits.ts";
import type { Plane } from "../../domain/plane.ts";
import { EXTRACTOR_VERSIONS } from "../../domain/extractor-version.ts";
import { fileId, isActive, newJobId, type StoredFile } from "../../domain/file.ts";
import type { ExtractedUnit } from "../../domain/media.ts";
import type { AuditDetail } from "../../domain/audit.ts";
import type { Directory, DirectoryReader, DirectoryTransactor, Seeding } from "../../domain/port/directory.ts";
import type { Encoder, TextWindow } from "../../domain/port/encoder.ts";
import type { NamespaceTransactor } from "../../domain/port/store.ts";
import { languageOf, type Namespace, type Perm, type Principal } from "../../domain/principal.ts";
import { ENGLISH } from "../../text/language.ts";
import type { Upserted } from "../../domain/port/units.ts";
import { TIER_LIMITS, type Tier } from "../../domain/tier.ts";
import type { UnitDraft } from "../../domain/unit.ts";
import { type DemoFile, recordedUnits } from "./demo-files.ts";
import { DEMO_NAMESPACE, SEED_NAMESPACES, SEED_PRINCIPALS } from "./principals.ts";
import { draftOf, keepWith } from "../files/drafts.ts";
import { draftUnits, type IngestUnit, refuseOverQuota } from "../units/drafts.ts";
import { indexesOf, storeDrafts, weightOf } from "../units/store.ts";
import { knownToOwners, windowsFor } from "../units/vectors.ts";
import { commit, type Tenant, type WithTenant } from "../tenant.ts";

/** The demo data set: Units in ingest form and the scopes they live in. */
export interface DemoData {
  units: readonly IngestUnit[];
  scopes: readonly { scope: string; planes: Plane[]; read_only_agents: boolean }[];
  /** Of the demo namespace alone. */
  files: readonly { record: DemoFile; path: string }[];
}

export interface SeedReport {
  namespaces: { namespace: string; tier: Tier }[];
  principals: { principal_id: string; namespace: string; perms: Perm[]; scopes: string[]; groups: string[]; read_only: boolean }[];
  scopes: { namespace: string; scope: string }[];
  tokens: { name: string; token: string; principal_id: string; namespace: string }[];
  counts: {
    units: number;
    scopes: number;
    principals: number;
    tokens: number;
    by_plane: Record<string, number>;
    by_modality: Record<string, number>;
  };
}

interface SeedPart {
  tenant: Tenant;
  drafts: UnitDraft[];
  files: PreparedFile[];
}

/** A demo file whose bytes are stored, with its Units. */
interface PreparedFile {
  file: Omit<StoredFile, "created_at" | "updated_at">;
  units: ExtractedUnit[];
  drafts: UnitDraft[];
}

/** Who seeds when there is no token yet; may make the super-admin. */
export const FIRST_RUN: Seeding = { principal_id: "first-run", super_admin: true };

/** What seeding works on. */
export interface SeedOptions {
  directory: Directory;
  withTenant: WithTenant;
  encoder: Encoder;
  data: DemoData;
}

/**
 * Seeds every namespace: one commit in the catalog of each, and one in the directory for what all share. What can be
 * refused is refused before the first of them, with nothing changed: `conflict`, `quota_exceeded`, `unavailable`. From
 * then on the directory says that seeding has begun, until its own commit; what a crash or a failure leaves undone
 * `finishSeeding` does, or the next seeding.
 */
export function seed(options: SeedOptions, by: Seeding): Promise<SeedReport> {
  return write(options, by, {});
}

/** Finishes a seeding that has begun, if there is one. Returns whether there was. Errors: as seed. */
export async function finishSeeding(options: Omit<SeedOptions, "data">, demo: () => Promise<DemoData>): Promise<boolean> {
  const begun = await options.directory.begunSeeding();
  if (begun === null) return false;
  await write({ ...options, data: await demo() }, begun, { resumed: true });
  return true;
}

async function write(options: SeedOptions, by: Seeding, detail: AuditDetail): Promise<SeedReport> {
  await refuseImpostor(options.directory, by);
  await refuseOthers(options.directory);
  return withAll(options.withTenant, SEED_NAMESPACES, (tenants) => writeAll(options, tenants, by, detail));
}

/** Works in several namespaces at once. */
function withAll<T>(withTenant: WithTenant, namespaces: readonly Namespace[], work: (tenants: Tenant[]) => Promise<T>): Promise<T> {
  const [first, ...rest] = namespaces;
  if (first === undefined) return work([]);
  return withTenant(first, (tenant) => withAll(withTenant, rest, (tenants) => work([tenant, ...tenants])));
}

async function writeAll(
  { directory, encoder, data }: SeedOptions,
  tenants: readonly Tenant[],
  by: Seeding,
  detail: AuditDetail,
): Promise<SeedReport> {
  for (const { namespace } of tenants) refuseLanguage(namespace);
  const parts = tenants.map((tenant) => draftPart(tenant, data));
  for (const { tenant, drafts } of parts) await refuseOverQuota(tenant.reader.units, tenant.namespace.tier, drafts);
  const windows = await windowsFor(
    await Promise.all(parts.map(({ tenant, drafts }) => knownToOwners(tenant.reader, drafts))),
    encoder,
    parts.flatMap(({ drafts }) => drafts),
  );
  const begun = await directory.transact((tx) => tx.beginSeeding(by));
  for (const part of parts) {
    const { tenant, drafts, files } = part;
    await keepObjects(part, data);
    const store = async (tx: NamespaceTransactor) => {
      await writePart(tx, part, data, windows);
      const event = { ...detail, units: drafts.length };
      await tx.ledger.append({ principal_id: by.principal_id, action: "seed", outcome: "ok", scope: null, target: null, detail: event });
    };
    await commit(tenant, store, { bytes: weightOf(drafts, windows), indexes: indexesOf(drafts) });
    for (const { file } of files) await tenant.objects.release(file.sha256, true);
  }
  await directory.transact(async (tx) => {
    await putPrincipals(tx, begun);
    await tx.endSeeding();
  });
  return report(directory, parts, data);
}

/** The demo is written in English. Errors: `conflict`. */
function refuseLanguage(namespace: Namespace): void {
  const language = languageOf(namespace);
  if (language !== ENGLISH)
    throw new Fault("conflict", `namespace ${namespace.namespace} has the language ${language}, and what is seeded is English`);
}

/** Refuses when an ordinary principal has the super-admin's name: its tokens would become a super-admin's. Errors: `conflict`. */
async function refuseImpostor(directory: DirectoryReader, { super_admin }: Seeding): Promise<void> {
  const supers = await knownAmong(directory, super_admin ? SEED_PRINCIPALS.filter((seeded) => seeded.super_admin) : []);
  const taken = supers.find((known) => !known.super_admin);
  if (taken === undefined) return;
  throw new Fault("conflict", `${taken.principal_id} is an ordinary principal of namespace ${taken.namespace}: no super-admin is made of it`);
}

/**
 * Refuses where a namespace with the name of a tier was not made by seeding: whoever knows a published token would read it.
 * `demo` is what commands take where none is named, and an admin of all of it gives no more than it has. Errors: `conflict`.
 */
async function refuseOthers(directory: DirectoryReader): Promise<void> {
  for (const { namespace } of SEED_NAMESPACES) {
    if (namespace === DEMO_NAMESPACE || (await directory.namespace(namespace)) === null) continue;
    if ((await directory.tokens(namespace)).some(({ seeded }) => seeded)) continue;
    throw new Fault(
      "conflict",
      `namespace ${namespace} was not made by seeding, which would put published tokens into it; seed another data directory`,
    );
  }
}

/** The principals of these names, as they are. */
async function knownAmong(directory: DirectoryReader, seeded: readonly Pick<Principal, "namespace" | "principal_id">[]): Promise<Principal[]> {
  const known = await Promise.all(seeded.map(({ namespace, principal_id }) => directory.principal(namespace, principal_id)));
  return known.filter((principal) => principal !== null);
}

/** Scopes, files and Units of one namespace. */
async function writePart(
  tx: NamespaceTransactor,
  { tenant, drafts, files }: SeedPart,
  data: DemoData,
  windows: ReadonlyMap<string, TextWindow[]>,
): Promise<void> {
  for (const scope of scopesOf(tenant, data)) await tx.access.put(scope);
  for (const { file } of files) {
    await tx.files.put(file);
    await tx.units.remove(await tx.files.beginReading(file.file_id));
  }
  const stored = new Map((await storeDrafts(tx, tenant.namespace.tier, drafts, windows)).map((each) => [each.unit_id, each]));
  for (const prepared of files) await keepFile(tx, prepared, stored);
}

async function putPrincipals(directory: DirectoryTransactor, by: Seeding): Promise<void> {
  for (const { namespace, tier } of SEED_NAMESPACES) await directory.putNamespace(namespace, tier);
  for (const { token, ...principal } of SEED_PRINCIPALS) {
    if (principal.super_admin && !by.super_admin) continue;
    await directory.putPrincipal(principal);
    await directory.putToken({ name: nameOf(token), secret: token, seeded: true, ...principal });
  }
}

function nameOf(token: string): string {
  return token.replace("strata_", "");
}

function scopesOf(tenant: Tenant, data: DemoData): DemoData["scopes"] {
  const { planes } = TIER_LIMITS[tenant.namespace.tier];
  return data.scopes.map((entry) => ({ ...entry, planes: entry.planes.filter((plane) => planes.includes(plane)) }));
}

/** The demo Units that a namespace's tier can hold, as its first principal would ingest them. */
function draftPart(tenant: Tenant, data: DemoData): SeedPart {
  const { namespace } = tenant.namespace;
  const owner = SEED_PRINCIPALS.find((principal) => principal.namespace === namespace);
  if (owner === undefined) throw new Fault("internal_error", `no seeded principal for ${namespace}`);
  const { planes } = TIER_LIMITS[tenant.namespace.tier];
  const all = draftUnits(namespace, owner, data.units, null);
  if (all.length > BATCH_MAX_UNITS) throw new Fault("internal_error", "the demo data set is larger than a batch");
  const files = namespace === DEMO_NAMESPACE ? data.files.map(({ record }) => prepareFile(namespace, owner.principal_id, record)) : [];
  const drafts = [...all.filter(({ plane }) => planes.includes(plane)), ...files.flatMap((prepared) => prepared.drafts)];
  return { tenant, drafts, files };
}

function prepareFile(namespace: string, acl_owner: string, record: DemoFile): PreparedFile {
  const { units: _, ...facts } = record;
  const file_id = fileId({ namespace, scope: record.scope, acl_owner, sha256: record.sha256 });
  const file = { ...facts, file_id, acl_owner, metadata: null, extractor: EXTRACTOR_VERSIONS[record.kind] };
  const units = recordedUnits(record);
  return { file, units, drafts: units.map((unit) => draftOf(namespace, file, unit)) };
}

/** Stores the bytes of the files, held until their records are written. */
async function keepObjects({ tenant, files }: SeedPart, data: DemoData): Promise<void> {
  for (const { file } of files) {
    const path = data.files.find(({ record }) => record.sha256 === file.sha256)?.path ?? "";
    await tenant.objects.keep(await tenant.objects.receive(Bun.file(path).stream() as AsyncIterable<Uint8Array>));
  }
}

/** Links the stored Units to their file, removes those that an older record gave, and writes its job as done. */
async function keepFile(tx: NamespaceTransactor, { file, units, drafts }: PreparedFile, stored: ReadonlyMap<string, Upserted>): Promise<void> {
  const own = drafts.flatMap(({ unit_id }) => stored.get(unit_id) ?? []);
  await keepWith(tx, file.file_id, own, units);
  await tx.units.remove(await tx.files.endReading(file.file_id, file.extractor));
  const last = await tx.jobs.lastOf(file.file_id);
  if (last !== null && (isActive(last) || last.units === units.length)) return;
  const job = await tx.jobs.enqueue(newJobId(), file.file_id);
  await tx.jobs.put({ ...job, state: "done", stage: "done", progress: 1, units: units.length, created: units.length });
}

/** What of the seed exists now, without revoked tokens, and nothing else of these namespaces. */
async function report(directory: DirectoryReader, parts: readonly SeedPart[], data: DemoData): Promise<SeedReport> {
  const scopes = parts.flatMap(({ tenant }) => scopesOf(tenant, data).map(({ scope }) => ({ namespace: tenant.namespace.namespace, scope })));
  const drafts = parts.flatMap((part) => part.drafts);
  const principals = await knownAmong(directory, SEED_PRINCIPALS);
  const live = await Promise.all(SEED_PRINCIPALS.map(({ token }) => directory.byToken(token)));
  const tokens = SEED_PRINCIPALS.filter((_, index) => live[index] !== null);
  return {
    namespaces: [...SEED_NAMESPACES],
    principals: principals.map(({ principal_id, namespace, perms, scopes: grants, groups, read_only }) => {
      return { principal_id, namespace, perms, scopes: grants, groups, read_only };
    }),
    scopes,
    tokens: tokens.map(({ token, principal_id, namespace }) => ({ name: nameOf(token), token, principal_id, namespace })),
    counts: {
      units: drafts.length,
      scopes: scopes.length,
      principals: principals.length,
      tokens: tokens.length,
      by_plane: tally(drafts.map(({ plane }) => plane)),
      by_modality: tally(drafts.map(({ modality }) => modality)),
    },
  };
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
