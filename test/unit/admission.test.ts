/** What may be stored: permissions and planes, judged on Units as they were sent, whatever their form. */
import { describe, expect, test } from "bun:test";
import { Fault } from "../../src/base/fault.ts";
import { checkPermissions, checkPlanes, scopeOf } from "../../src/core/units/admission.ts";
import type { Caller, Principal } from "../../src/domain/principal.ts";

const principal: Principal = {
  principal_id: "writer",
  namespace: "n",
  perms: ["read", "write"],
  scopes: ["town"],
  active_scope: "town",
  groups: ["crew"],
  read_only: false,
  super_admin: false,
};
const callerOf = (more: Partial<Principal> = {}): Caller => ({
  principal: { ...principal, ...more },
  credential: "token",
  namespace: { namespace: "n", tier: "enterprise" },
});

/** The fault of a check as `kind pointer`; null when there is none. */
function refusal(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Fault) return `${error.kind} ${error.pointer}`;
    throw error;
  }
}

describe("permissions", () => {
  const permission = (sent: readonly unknown[], requestScope: string | null = null, more: Partial<Principal> = {}) =>
    refusal(() => checkPermissions(callerOf(more), [], requestScope, sent));

  const CASES: [string, unknown, string | null][] = [
    ["nothing said", {}, null],
    ["its own scope and what is below", { scope: "town/hall" }, null],
    ["a foreign scope", { scope: "port" }, "forbidden /units/1/scope"],
    ["its own name", { acl_owner: "writer" }, null],
    ["another owner", { acl_owner: "ghost" }, "forbidden /units/1/acl_owner"],
    ["its own group", { acl_groups: ["crew"] }, null],
    ["a foreign group", { acl_groups: ["crew", "elders"] }, "forbidden /units/1/acl_groups/1"],
    ["a foreign group among what are no groups", { acl_groups: [5, null, "elders"] }, "forbidden /units/1/acl_groups/2"],
    ["another owner beside a scope that cannot be read", { scope: 5, acl_owner: "ghost" }, "forbidden /units/1/acl_owner"],
    ["a scope of another type", { scope: ["port"] }, null],
    ["a scope that is no path", { scope: "/port" }, null],
    ["a scope that climbs", { scope: "../port" }, null],
    ["an owner of another type", { acl_owner: { name: "ghost" } }, null],
    ["groups of another type", { acl_groups: "elders" }, null],
    ["a number", 5, null],
    ["null", null, null],
    ["a list", ["port"], null],
  ];
  test.each(CASES)("%s", (_name, unit, expected) => {
    expect(permission([{}, unit])).toBe(expected);
  });

  test("the scope of the request stands for those of the Units, whatever they are", () => {
    expect(permission([{ scope: "port" }, { scope: 5 }], "town")).toBeNull();
    expect(permission([{ scope: "town" }], "port")).toBe("forbidden /units/0/scope");
    expect(permission([{ scope: "port" }], "*")).toBe("forbidden /units/0/scope");
    expect(permission([{ scope: "town" }], "no path")).toBeNull();
  });

  test("an active scope of all stands for the default one", () => {
    expect(permission([{}], null, { active_scope: "*" })).toBe("forbidden /units/0/scope");
    expect(permission([{}], null, { active_scope: "*", scopes: ["*"] })).toBeNull();
    expect(scopeOf({ ...principal, active_scope: "*" }, null, undefined, "")).toBe("default");
  });

  test("an admin writes for others", () => {
    expect(permission([{ acl_owner: "ghost", acl_groups: ["elders"] }], null, { perms: ["read", "write", "admin"] })).toBeNull();
  });
});

test("planes: of the Unit, else of its modality; what is neither is no plane", () => {
  const plane = (...sent: unknown[]) => refusal(() => checkPlanes("free", sent));
  expect(plane({ modality: "text" }, { plane: "doc_visual" }, { modality: "asr", plane: "text" })).toBeNull();
  expect(plane({ modality: "text" }, { modality: "asr" })).toBe("upgrade_required /units/1/plane");
  expect(plane({ modality: "nonsense", plane: "visual" })).toBe("upgrade_required /units/0/plane");
  expect(plane({ modality: "nonsense" }, { modality: "asr", plane: "smell" }, { modality: ["asr"] }, {}, null, "asr")).toBeNull();
  expect(refusal(() => checkPlanes("pro", [{ modality: "asr" }, { plane: "visual" }]))).toBeNull();
});
