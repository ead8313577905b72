/** Units as a caller sends them become drafts: what will be stored, but for its vectors. */
import { badField, Fault } from "../../base/fault.ts";
import { type Locator, locatorFault } from "../../domain/locator.ts";
import { defaultPlane, type Modality, type Plane } from "../../domain/plane.ts";
import type { Principal } from "../../domain/principal.ts";
import type { UnitReader } from "../../domain/port/units.ts";
import { TIER_LIMITS, type Tier } from "../../domain/tier.ts";
import { type Metadata, type UnitDraft, unitId } from "../../domain/unit.ts";
import { scopeOf } from "./admission.ts";
import { sorted } from "./metadata.ts";

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
  path?: string[];
  acl_owner?: string;
  acl_groups?: string[];
  metadata?: Metadata;
  /** Its own, in place of one by the encoder: numbers, or the base64 of little-endian floats of 32 bits. */
  vector?: number[] | string;
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
    path: unit.path === undefined || unit.path.length === 0 ? null : unit.path,
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

/** Refuses a batch that would cross the tier's ceiling, as a whole. `leaving`: Units that the batch is to replace, which do not count. */
export async function refuseOverQuota(
  units: UnitReader,
  tier: Tier,
  drafts: readonly UnitDraft[],
  leaving: () => Promise<number> = async () => 0,
): Promise<void> {
  const { maxUnits } = TIER_LIMITS[tier];
  if (maxUnits === null) return;
  const stored = (await units.count(null)) - (await leaving());
  if (stored + drafts.length <= maxUnits) return;
  const ids = [...new Set(drafts.map(({ unit_id }) => unit_id))];
  const fresh = ids.length - (await units.byIds(ids)).size;
  if (stored + fresh <= maxUnits) return;
  throw new Fault(
    "quota_exceeded",
    `the ${tier} tier holds ${maxUnits} documents; ${stored} are stored and this batch adds ${fresh}. Nothing was stored`,
  );
}
