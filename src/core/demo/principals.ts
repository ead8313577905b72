/** The principals and tokens of the demo. */
import type { Principal } from "../../domain/principal.ts";
import { ALL_SCOPES } from "../../domain/scope.ts";
import { TIER_LIMITS, type Tier } from "../../domain/tier.ts";

/** The namespace of a super-admin that names none. */
export const DEMO_NAMESPACE = "demo";
/** The one scope and the one group of the demo's read-only principal. */
export const READER_SCOPE = "harbour/ops";
const READER_GROUP = "ops";
const ADMIN_GROUPS = ["engineering", "finance", "hr", "ops"];

export const SEED_NAMESPACES: readonly { namespace: string; tier: Tier }[] = [
  { namespace: DEMO_NAMESPACE, tier: "enterprise" },
  { namespace: "free", tier: "free" },
  { namespace: "pro", tier: "pro" },
  { namespace: "enterprise", tier: "enterprise" },
];

interface SeedPrincipal extends Principal {
  token: string;
}

function tierPrincipal(tier: Tier): SeedPrincipal {
  return {
    principal_id: `${tier}-owner`,
    namespace: tier,
    perms: TIER_LIMITS[tier].admin ? ["read", "write", "admin"] : ["read", "write"],
    scopes: [ALL_SCOPES],
    active_scope: ALL_SCOPES,
    groups: [READER_GROUP],
    read_only: false,
    super_admin: false,
    token: `strata_tier_${tier}`,
  };
}

/** Who the newcomer is: part of the story is hidden from this one. */
export const DEMO_READER: SeedPrincipal = {
  principal_id: "demo-reader",
  namespace: DEMO_NAMESPACE,
  perms: ["read"],
  scopes: [READER_SCOPE],
  active_scope: READER_SCOPE,
  groups: [READER_GROUP],
  read_only: true,
  super_admin: false,
  token: "strata_demo_reader",
};

/** Published with the product, so a listener that others can reach refuses these tokens. */
export const SEED_PRINCIPALS: readonly SeedPrincipal[] = [
  {
    principal_id: "demo-admin",
    namespace: DEMO_NAMESPACE,
    perms: ["read", "write", "admin"],
    scopes: [ALL_SCOPES],
    active_scope: ALL_SCOPES,
    groups: ADMIN_GROUPS,
    read_only: false,
    super_admin: false,
    token: "strata_demo_admin",
  },
  DEMO_READER,
  tierPrincipal("free"),
  tierPrincipal("pro"),
  tierPrincipal("enterprise"),
  {
    principal_id: "super-admin",
    namespace: DEMO_NAMESPACE,
    perms: ["read", "write", "admin"],
    scopes: [ALL_SCOPES],
    active_scope: ALL_SCOPES,
    groups: [],
    read_only: false,
    super_admin: true,
    token: "strata_super_admin",
  },
];
