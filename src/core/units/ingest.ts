/** Ingest: Units as a caller sends them become drafts, get their vectors, and are written as one batch. */
import { stopIfGone } from "../../base/abort.ts";
import { badField, Fault } from "../../base/fault.ts";
import { canonicalJson, sha256Hex } from "../../base/hash.ts";
import { UNIT_OVERHEAD_BYTES } from "../../base/limits.ts";
import { classesOf, knownClasses } from "../../domain/access.ts";
import { locatorFault, type Locator } from "../../domain/locator.ts";
import { defaultPlane, type Modality, type Plane } from "../../domain/plane.ts";
import type { Encoder, TextWindow } from "../../domain/port/encoder.ts";
import type { Caller, Principal } from "../../domain/principal.ts";
import { TIER_LIMITS } from "../../domain/tier.ts";
import { type Metadata, unitId, type UnitDraft } from "../../domain/unit.ts";
import type { UnitStatus } from "../../domain/port/units.ts";
import type { Catalog } from "../../adapter/sqlite/catalog.ts";
import { roundToStored } from "../../adapter/sqlite/vector-codec.ts";
import { checkPermissions, checkPlanes, scopeOf } from "../access/admit.ts";
import type { Tenant } from "../tenant.ts";
import type { WriteResult } from "./writer.ts";

/** A Unit as it is sent. Shapes and single ranges are checked before; what members mean together is checked here. */
export interface IngestUnit {
  text?: string;
  modality: Modality;
  plane?: Plane;
  scope?: string;
  source_uri?: string;
  mime?: string;
  locator?: Locator;
  doc_id?: string;
  acl_owner?: string;
  acl_groups?: string[];
  metadata?: Metadata;
}

export interface IngestRequest {
  /** Scope of the header or the query string; it overrides the scopes of the Units. */
  scope: string | null;
  /** The Units as they were sent, whatever their form. */
  sent: readonly unknown[];
  /** Checks the form of the request and reads it. Errors: `bad_request`, `payload_too_large`, with a pointer. */
  read: () => { units: readonly IngestUnit[]; idempotencyKey: string | null };
}

export interface IngestResponse {
  ingested: number;
  created: number;
  updated: number;
  unchanged: number;
  units: { index: number; unit_id: string; status: UnitStatus }[];
  audit_seq: number;
}

/**
 * Stores a batch whole or not at all. Resolves when it is durable and searchable. Errors: `bad_request`
 * with a pointer, `forbidden`, `upgrade_required`, `quota_exceeded`, `conflict`, `unavailable`. A caller that hangs up
 * before the batch is committed ends it, and nothing is stored.
 */
export async function ingest(tenant: Tenant, encoder: Encoder, caller: Caller, request: IngestRequest): Promise<IngestResponse> {
  checkPermissions(caller, tenant.catalog.registry(), request.scope, request.sent);
  checkPlanes(tenant.namespace.tier, request.sent);
  const { units, idempotencyKey } = request.read();
  const drafts = draftUnits(tenant.namespace.namespace, caller.principal, units, request.scope);
  const bodyHash = sha256Hex(canonicalJson({ scope: request.scope, units }));
  const replayed = replayOf(tenant, caller, idempotencyKey, bodyHash);
  if (replayed !== null) {
    // The first request may still wait for the indexes, or have been told that they are behind.
    await tenant.writer.searchable();
    return replayed;
  }
  refuseOverQuota(tenant, drafts);
  const { catalog } = tenant;
  const windows = await windowsFor(
    [{ catalog, classes: knownClasses(caller, catalog.registry(), catalog.classes()) }],
    encoder,
    drafts,
    caller.signal,
  );
  return tenant.writer.submit(weightOf(drafts, windows), () => {
    stopIfGone(caller.signal);
    const raced = replayOf(tenant, caller, idempotencyKey, bodyHash);
    if (raced !== null) return { value: raced, changed: [] };
    refuseOverQuota(tenant, drafts);
    const written = store(tenant, caller, drafts, windows, encoder.info.model);
    if (idempotencyKey !== null) {
      tenant.catalog.rememberIdempotent(caller.principal.principal_id, idempotencyKey, bodyHash, JSON.stringify(written.value));
    }
    return written;
  });
}

function replayOf(tenant: Tenant, caller: Caller, key: string | null, bodyHash: string): IngestResponse | null {
  const known = key === null ? null : tenant.catalog.idempotent(caller.principal.principal_id, key);
  if (known === null) return null;
  if (known.body_sha256 !== bodyHash) throw new Fault("conflict", "this Idempotency-Key was used with another body");
  return JSON.parse(known.response) as IngestResponse;
}

/** The Units of a principal as they will be stored. Errors: `bad_request` for what the members of one mean together. */
export function draftUnits(namespace: string, principal: Principal, units: readonly IngestUnit[], requestScope: string | null): UnitDraft[] {
  return units.map((unit, index) => draftUnit(namespace, principal, unit, requestScope, `/units/${index}`));
}

function draftUnit(namespace: string, principal: Principal, unit: IngestUnit, requestScope: string | null, pointer: string): UnitDraft {
  if (unit.text === undefined && unit.source_uri === undefined) throw badField(pointer, "needs text or source_uri (or both)");
  const fault = unit.locator && locatorFault(unit.locator);
  if (fault) throw badField(`${pointer}/locator/${fault.field}`, fault.detail);
  const identity = {
    namespace,
    scope: scopeOf(principal, requestScope, unit.scope, pointer),
    acl_owner: unit.acl_owner ?? principal.principal_id,
    doc_id: unit.doc_id ?? null,
    source_uri: unit.source_uri ?? null,
    locator: unit.locator ?? null,
    modality: unit.modality,
    plane: unit.plane ?? defaultPlane(unit.modality),
    text: unit.text ?? null,
  };
  return {
    ...identity,
    unit_id: unitId(identity),
    acl_groups: [...new Set(unit.acl_groups ?? [])].sort(),
    mime: unit.mime ?? null,
    metadata: unit.metadata === undefined ? null : sorted(unit.metadata),
  };
}

/** Members in the order of their names: metadata that says the same is the same. */
export function sorted(metadata: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Refuses a batch that would cross the tier's ceiling, as a whole. */
export function refuseOverQuota(tenant: Tenant, drafts: readonly UnitDraft[]): void {
  const { maxUnits } = TIER_LIMITS[tenant.namespace.tier];
  if (maxUnits === null) return;
  const stored = tenant.catalog.unitCount();
  if (stored + drafts.length <= maxUnits) return;
  const fresh = new Set(drafts.map((draft) => draft.unit_id).filter((unit_id) => tenant.catalog.byId(unit_id) === null)).size;
  if (stored + fresh <= maxUnits) return;
  throw new Fault(
    "quota_exceeded",
    `the ${tenant.namespace.tier} tier holds ${maxUnits} documents; ${stored} are stored and this batch adds ${fresh}. Nothing was stored`,
  );
}

/** Texts of a namespace whose vectors may be used again: those of Units in these classes. */
export interface KnownTexts {
  catalog: Catalog;
  classes: readonly number[];
}

/**
 * Vectors of every text in the drafts, by the text's hash. A text that only somebody else has is encoded again: that it is
 * stored at once must not tell that it is there.
 */
export async function windowsFor(
  known: readonly KnownTexts[],
  encoder: Encoder,
  drafts: readonly UnitDraft[],
  signal?: AbortSignal,
): Promise<Map<string, TextWindow[]>> {
  const texts = new Map(drafts.flatMap(({ text }) => (text === null ? [] : [[sha256Hex(text), text] as const])));
  const { model } = encoder.info;
  const windows = new Map(known.flatMap(({ catalog, classes }) => [...catalog.windowsWithin([...texts.keys()], model, classes)]));
  const missing = [...texts].filter(([hash]) => !windows.has(hash));
  const tenant = drafts[0]?.namespace ?? "";
  // Of a batch that is refused in part, nothing more is encoded.
  const refused = new AbortController();
  const options = { tenant, signal: AbortSignal.any([refused.signal, ...(signal === undefined ? [] : [signal])]) };
  const encoded = await Promise.all(missing.map(([, text]) => encoder.encode(text, "ingest", options))).catch((error: unknown) => {
    refused.abort();
    throw error;
  });
  missing.forEach(([hash], index) => {
    windows.set(hash, roundToStored(encoded[index] ?? []));
  });
  return windows;
}

/** What its owners know: for Units that are stored in their name. */
export function knownToOwners({ catalog }: Pick<Tenant, "catalog">, drafts: readonly UnitDraft[]): KnownTexts {
  return { catalog, classes: classesOf(new Set(drafts.map(({ acl_owner }) => acl_owner)), catalog.classes()) };
}

/** Bytes that a batch holds while it waits to be written: its texts and vectors, and what is beside them. */
export function weightOf(drafts: readonly UnitDraft[], windows: ReadonlyMap<string, readonly TextWindow[]>): number {
  const texts = drafts.reduce((sum, { text }) => sum + UNIT_OVERHEAD_BYTES + (text === null ? 0 : Buffer.byteLength(text)), 0);
  const vectors = [...windows.values()].flat().reduce((sum, { vector }) => sum + vector.byteLength, 0);
  return texts + vectors;
}

/** Writes the drafts and their audit row. Runs inside the writer's transaction. */
function store(
  tenant: Tenant,
  caller: Caller,
  drafts: readonly UnitDraft[],
  windows: ReadonlyMap<string, TextWindow[]>,
  model: string,
): WriteResult<IngestResponse> {
  const { written, changed } = storeDrafts(tenant, drafts, windows, model);
  const count = (status: UnitStatus) => written.filter((unit) => unit.status === status).length;
  const totals = { ingested: written.length, created: count("created"), updated: count("updated"), unchanged: count("unchanged") };
  const row = tenant.ledger.appendIn({
    principal_id: caller.principal.principal_id,
    action: "ingest",
    outcome: "ok",
    scope: commonScope(drafts),
    target: null,
    detail: { ...totals, units_sha256: sha256Hex(written.map(({ unit_id }) => unit_id).join("\n")) },
  });
  const units = written.map(({ unit_id, status }, index) => ({ index, unit_id, status }));
  return { value: { ...totals, units, audit_seq: row.seq }, changed };
}

/** Upserts drafts with their vectors and scopes. Runs inside a transaction. */
export function storeDrafts(
  tenant: Tenant,
  drafts: readonly UnitDraft[],
  windows: ReadonlyMap<string, TextWindow[]>,
  model: string,
): { written: { unit_id: string; status: UnitStatus }[]; changed: WriteResult<unknown>["changed"] } {
  const { planes } = TIER_LIMITS[tenant.namespace.tier];
  const changed: WriteResult<unknown>["changed"] = [];
  const written = drafts.map((draft) => {
    const hash = draft.text === null ? null : sha256Hex(draft.text);
    const own = (hash !== null && windows.get(hash)) || [];
    tenant.catalog.registerScope(draft.scope, planes);
    const { unit, status } = tenant.catalog.upsert(draft, own.length);
    if (hash !== null && status === "created") tenant.catalog.storeWindows(hash, model, own);
    if (status !== "unchanged") changed.push({ unit, windows: own });
    return { unit_id: draft.unit_id, status };
  });
  return { written, changed };
}

function commonScope(drafts: readonly UnitDraft[]): string | null {
  const scopes = new Set(drafts.map((draft) => draft.scope));
  return scopes.size === 1 ? ([...scopes][0] ?? null) : null;
}
