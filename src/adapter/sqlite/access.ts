/** Scopes and access classes of one namespace, kept in memory by the revision at which each of the two last changed. */
import type { Database } from "bun:sqlite";
import { Fault } from "../../base/fault.ts";
import { NAMESPACE_MAX_SCOPES } from "../../base/limits.ts";
import type { AccessClass } from "../../domain/access.ts";
import type { Plane } from "../../domain/plane.ts";
import { lineage, parentScope, type ScopeEntry } from "../../domain/scope.ts";

interface ScopeRow {
  scope: string;
  planes: string;
  read_only_agents: number;
  created_at: number;
}

interface ClassRow {
  class_id: number;
  scope: string;
  owner: string;
  groups: string;
}

export class AccessTable {
  /** When scopes and classes last changed, as far as is known here; -1: nothing is known. */
  private readonly seen = { scopes: -1, classes: -1 };
  private readonly scopeByPath = new Map<string, ScopeEntry>();
  private readonly classByKey = new Map<string, AccessClass>();
  private lastClass = 0;
  /** What `scopes` and `classes` gave, until something changes. */
  private readonly listed: { scopes: readonly ScopeEntry[] | null; classes: readonly AccessClass[] | null } = { scopes: null, classes: null };

  constructor(
    private readonly db: Database,
    private readonly namespace: string,
    private readonly now: () => number,
  ) {}

  scopes(): readonly ScopeEntry[] {
    this.refresh();
    this.listed.scopes ??= [...this.scopeByPath.values()].sort((a, b) => (a.scope < b.scope ? -1 : 1));
    return this.listed.scopes;
  }

  classes(): readonly AccessClass[] {
    this.refresh();
    this.listed.classes ??= [...this.classByKey.values()];
    return this.listed.classes;
  }

  contentOf(scope: string): "Units" | "files" | "scopes" | null {
    if (this.scopes().some(({ parent }) => parent === scope)) return "scopes";
    const units = "SELECT 1 FROM unit WHERE class_id IN (SELECT class_id FROM access_class WHERE scope = ?) LIMIT 1";
    if (this.db.query(units).get(scope) !== null) return "Units";
    return this.db.query("SELECT 1 FROM file WHERE scope = ? LIMIT 1").get(scope) === null ? null : "files";
  }

  register(scope: string, planes: readonly Plane[]): void {
    this.refresh();
    const missing = lineage(scope).filter((path) => !this.scopeByPath.has(path));
    if (missing.length > 0 && this.scopeByPath.size + missing.length > NAMESPACE_MAX_SCOPES) {
      throw new Fault(
        "conflict",
        `a namespace holds at most ${NAMESPACE_MAX_SCOPES} scopes; an admin removes empty ones with DELETE /v1/scopes/PATH`,
      );
    }
    for (const path of missing) this.put({ scope: path, planes: [...planes], read_only_agents: false });
  }

  put({ scope, planes, read_only_agents }: Pick<ScopeEntry, "scope" | "planes" | "read_only_agents">): void {
    this.refresh();
    const created_at = this.scopeByPath.get(scope)?.created_at ?? this.now();
    this.db
      .query("INSERT OR REPLACE INTO scope (scope, planes, read_only_agents, created_at) VALUES (?, ?, ?, ?)")
      .run(scope, JSON.stringify(planes), read_only_agents ? 1 : 0, created_at);
    this.scopeByPath.set(scope, this.entryOf(scope, [...planes], read_only_agents, created_at));
    this.changed("scopes");
  }

  /** A class id is never used for another class: the classes of the scope stay. */
  remove(scope: string): void {
    this.refresh();
    this.db.query("DELETE FROM scope WHERE scope = ?").run(scope);
    this.scopeByPath.delete(scope);
    this.changed("scopes");
  }

  /** The class of Units with this scope, owner and groups, made when it is new. */
  classOf(scope: string, owner: string, acl_groups: readonly string[]): number {
    this.refresh();
    const groups = [...new Set(acl_groups)].sort();
    const known = this.classByKey.get(classKey({ scope, owner, groups }));
    if (known) return known.classId;
    const { class_id } = this.db
      .query("INSERT INTO access_class (scope, owner, groups) VALUES (?, ?, ?) RETURNING class_id")
      .get(scope, owner, JSON.stringify(groups)) as { class_id: number };
    this.learn({ classId: class_id, scope, owner, groups });
    this.changed("classes");
    return class_id;
  }

  /** After a rollback the file may count to the same revision with other rows. */
  forget(): void {
    Object.assign(this.seen, { scopes: -1, classes: -1 });
    this.classByKey.clear();
    this.lastClass = 0;
  }

  private changed(what: "scopes" | "classes"): void {
    const sql = `UPDATE revision SET revision = revision + 1, ${what} = revision + 1 RETURNING revision`;
    this.seen[what] = (this.db.query(sql).get() as { revision: number }).revision;
    this.listed[what] = null;
  }

  private refresh(): void {
    const now = this.db.query("SELECT scopes, classes FROM revision").get() as { scopes: number; classes: number };
    if (this.seen.scopes !== now.scopes) this.readScopes();
    if (this.seen.classes !== now.classes) this.readClasses();
    Object.assign(this.seen, now);
  }

  private readScopes(): void {
    this.scopeByPath.clear();
    this.listed.scopes = null;
    const sql = "SELECT scope, planes, read_only_agents, created_at FROM scope ORDER BY scope";
    for (const { scope, planes, read_only_agents, created_at } of this.db.query(sql).all() as ScopeRow[]) {
      this.scopeByPath.set(scope, this.entryOf(scope, JSON.parse(planes) as Plane[], read_only_agents === 1, created_at));
    }
  }

  /** Classes are only ever added: those that are known are not read again. */
  private readClasses(): void {
    this.listed.classes = null;
    const sql = "SELECT class_id, scope, owner, groups FROM access_class WHERE class_id > ? ORDER BY class_id";
    for (const { class_id, groups, ...row } of this.db.query(sql).all(this.lastClass) as ClassRow[]) {
      this.learn({ classId: class_id, ...row, groups: JSON.parse(groups) as string[] });
    }
  }

  private learn(acl: AccessClass): void {
    this.classByKey.set(classKey(acl), acl);
    this.lastClass = acl.classId;
  }

  private entryOf(scope: string, planes: Plane[], read_only_agents: boolean, created_at: number): ScopeEntry {
    return { scope, namespace: this.namespace, parent: parentScope(scope), planes, read_only_agents, created_at };
  }
}

function classKey(acl: Omit<AccessClass, "classId">): string {
  return JSON.stringify([acl.scope, acl.owner, acl.groups]);
}
