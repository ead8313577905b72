import { describe, expect, test } from "bun:test";
import { aclAllows, bypassesAcl, clampScope, mayWrite, permsIn, splitClasses } from "../../src/domain/access.ts";
import type { Caller, Perm, Principal } from "../../src/domain/principal.ts";
import type { ScopeEntry } from "../../src/domain/scope.ts";

function principal(more: Partial<Principal> = {}): Principal {
  return {
    principal_id: "me",
    namespace: "n",
    perms: ["read", "write"],
    scopes: ["a"],
    active_scope: "a",
    groups: ["g"],
    read_only: false,
    super_admin: false,
    ...more,
  };
}

function caller(more: Partial<Principal> = {}, rest: Partial<Omit<Caller, "principal">> = {}): Caller {
  return { principal: principal(more), credential: "token", namespace: { namespace: "n", tier: "enterprise" }, ...rest };
}

function registry(...scopes: string[]): ScopeEntry[] {
  return scopes.map((scope) => ({
    scope,
    namespace: "n",
    parent: null,
    planes: ["text"],
    read_only_agents: scope.startsWith("guarded"),
    created_at: 0,
  }));
}

const SCOPES = registry("a/c", "a", "ab", "a/b", "a/b/x", "d");

describe("clampScope", () => {
  test("runs against the asked path and what lies below it, sorted", () => {
    expect(clampScope(principal(), "a/b", SCOPES)).toEqual({
      requested: "a/b",
      allowed: ["a", "a/b", "a/b/x", "a/c"],
      effective: ["a/b", "a/b/x"],
    });
  });
  test("a grant covers no path that only begins alike", () => {
    expect(clampScope(principal(), "*", SCOPES).effective).not.toContain("ab");
    expect(clampScope(principal({ scopes: ["a/b"] }), "a", SCOPES).effective).toEqual(["a/b", "a/b/x"]);
  });
  test("the active scope stands in when none is asked", () => {
    expect(clampScope(principal({ active_scope: "a/c" }), null, SCOPES)).toMatchObject({ requested: "a/c", effective: ["a/c"] });
  });
  test("* is all that is allowed, never more", () => {
    expect(clampScope(principal(), "*", SCOPES).effective).toEqual(["a", "a/b", "a/b/x", "a/c"]);
    expect(clampScope(principal({ scopes: [] }), "*", SCOPES).effective).toEqual([]);
    expect(clampScope(principal({ scopes: ["*"] }), "*", SCOPES).effective.length).toBe(6);
    expect(clampScope(principal({ scopes: [], super_admin: true }), "*", SCOPES).effective.length).toBe(6);
  });
  test("an unknown scope and one that is not allowed look the same", () => {
    const { requested: _d, ...forbidden } = clampScope(principal(), "d", SCOPES);
    const { requested: _n, ...unknown } = clampScope(principal(), "nope", SCOPES);
    expect(forbidden).toEqual(unknown);
    expect(forbidden.effective).toEqual([]);
  });
});

describe("permsIn", () => {
  const guarded = registry("guarded", "open");
  const admin: Perm[] = ["read", "write", "admin"];

  test("read_only leaves read alone, everywhere, also a person", () => {
    expect(permsIn(caller({ perms: admin, read_only: true }), "open", guarded)).toEqual(["read"]);
    expect(permsIn(caller({ perms: ["write"], read_only: true }, { credential: "person" }), "open", guarded)).toEqual([]);
  });
  test("read_only_agents binds tokens without admin, in the scope and below it", () => {
    expect(permsIn(caller(), "guarded", guarded)).toEqual(["read"]);
    expect(permsIn(caller(), "guarded/deep/er", guarded)).toEqual(["read"]);
    expect(permsIn(caller(), "guardedness", guarded)).toEqual(["read", "write"]);
    expect(permsIn(caller(), "open", guarded)).toEqual(["read", "write"]);
    expect(permsIn(caller({}, { credential: "person" }), "guarded", guarded)).toEqual(["read", "write"]);
    expect(permsIn(caller({ perms: admin }), "guarded", guarded)).toEqual(admin);
  });
  test("a tier without admin has none, and then the guard binds", () => {
    const pro = { namespace: { namespace: "n", tier: "pro" as const } };
    expect(permsIn(caller({ perms: admin }, pro), "open", guarded)).toEqual(["read", "write"]);
    expect(permsIn(caller({ perms: admin }, pro), "guarded", guarded)).toEqual(["read"]);
  });
  test("the super-admin is never coerced", () => {
    const free = { namespace: { namespace: "n", tier: "free" as const } };
    expect(permsIn(caller({ perms: admin, super_admin: true, read_only: true }, free), "guarded", guarded)).toEqual(admin);
  });
});

test("mayWrite needs the grant and the permission", () => {
  const entries = registry("a", "guarded");
  expect(mayWrite(caller(), "a/new", entries)).toBe(true);
  expect(mayWrite(caller(), "b", entries)).toBe(false);
  expect(mayWrite(caller({ perms: ["read"] }), "a", entries)).toBe(false);
  expect(mayWrite(caller({ scopes: ["*"] }), "guarded/x", entries)).toBe(false);
});

describe("the ACL", () => {
  test("lets owners, members and admins read", () => {
    expect(aclAllows(caller(), { owner: "me", groups: [] })).toBe(true);
    expect(aclAllows(caller(), { owner: "you", groups: ["x", "g"] })).toBe(true);
    expect(aclAllows(caller(), { owner: "you", groups: ["x"] })).toBe(false);
    expect(aclAllows(caller(), { owner: "g", groups: ["me"] })).toBe(false);
    expect(aclAllows(caller({ perms: ["read", "admin"] }), { owner: "you", groups: [] })).toBe(true);
  });
  test("binds an admin that is read-only, and one in a tier without admins", () => {
    expect(bypassesAcl(caller({ perms: ["read", "admin"], read_only: true }))).toBe(false);
    expect(bypassesAcl(caller({ perms: ["read", "admin"] }, { namespace: { namespace: "n", tier: "pro" } }))).toBe(false);
    expect(bypassesAcl(caller({ super_admin: true }))).toBe(true);
  });
  test("splits the classes of the effective scopes and drops the others", () => {
    const classes = [
      { classId: 1, scope: "a", owner: "me", groups: [] },
      { classId: 2, scope: "a", owner: "you", groups: [] },
      { classId: 3, scope: "b", owner: "me", groups: [] },
      { classId: 4, scope: "a/b", owner: "you", groups: ["g"] },
    ];
    expect(splitClasses(caller(), ["a", "a/b"], classes)).toEqual({ visible: [1, 4], hidden: [2] });
    expect(splitClasses(caller(), [], classes)).toEqual({ visible: [], hidden: [] });
    expect(splitClasses(caller({ super_admin: true }), ["a", "b"], classes)).toEqual({ visible: [1, 2, 3], hidden: [] });
  });
});
