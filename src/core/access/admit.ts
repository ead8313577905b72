/** Whether a caller may ask for an operation at all. What it may see is decided by the view, what it may store by core/units/admission.ts. */
import { Fault } from "../../base/fault.ts";
import { TIER_LIMITS } from "../../domain/tier.ts";
import type { Access } from "../operation.ts";
import type { View } from "./view.ts";

/** The refusal (`forbidden`) of a caller without the permission, or of another namespace than the operation's; null when it may. */
export function lacksPermission({ anyOf, within }: Access, { caller, perms }: View): Fault | null {
  if (anyOf.length > 0 && !anyOf.some((perm) => perms.includes(perm))) {
    return new Fault("forbidden", `this needs the ${anyOf.join(" or ")} permission`);
  }
  if (within === undefined || caller.principal.super_admin || caller.namespace.namespace === within) return null;
  return new Fault("forbidden", `this needs an admin of the namespace ${within}, or the super-admin`);
}

/** The refusal (`upgrade_required`) of a feature that the tier has not; null when it has it, or the operation needs none. */
export function lacksFeature({ feature }: Access, { caller }: View): Fault | null {
  const { tier } = caller.namespace;
  return feature === null || TIER_LIMITS[tier][feature] ? null : new Fault("upgrade_required", `the ${tier} tier has no ${feature}`);
}
