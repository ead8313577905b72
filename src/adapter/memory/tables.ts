/** The tables of a namespace over a state: of what is committed, or of what a transaction has made of it. */
import { Fault } from "../../base/fault.ts";
import { randomToken } from "../../base/hash.ts";
import { IDEMPOTENCY_TTL_MS, NAMESPACE_MAX_SCOPES } from "../../base/limits.ts";
import {
  type AuditEvent,
  type AuditRow,
  type ChainPart,
  GENESIS,
  isWhole,
  type RowMark,
  sealRow,
  type VerificationReport,
  WHOLE_CHAIN,
} from "../../domain/audit.ts";
import type { ExtractorVersions } from "../../domain/extractor-version.ts";
import { isActive, type Job, type StoredFile } from "../../domain/file.ts";
import type { Plane } from "../../domain/plane.ts";
import type { FileCursor, Lease, OutdatedFile } from "../../domain/port/files.ts";
import type { IndexEntry, IndexName } from "../../domain/port/index.ts";
import type { InHand } from "../../domain/port/outbox.ts";
import { lineage, parentScope, type ScopeEntry } from "../../domain/scope.ts";
import type { Unit } from "../../domain/unit.ts";
import { type Context, pair, type State, type StoreOptions } from "./state.ts";
import { embeddingTable, featureTable, unitTable } from "./units.ts";

export type Tables = ReturnType<typeof tablesOf>;

export function tablesOf(state: () => State, options: StoreOptions) {
  const context: Context = { ...options, state, access: () => access, outbox: () => outbox, embeddings: () => embeddings };
  const access = accessTable(context);
  const outbox = outboxTable(context);
  const embeddings = embeddingTable(context);
  return {
    access,
    outbox,
    embeddings,
    units: unitTable(context),
    features: featureTable(context),
    files: fileTable(context),
    jobs: jobTable(context),
    ledger: ledgerTable(context),
    idempotency: idempotencyTable(context),
    revisions: { revision: () => state().revision },
  };
}

function accessTable({ state, namespace, now }: Context) {
  const table = {
    scopes: () => [...state().scopes.values()].sort((a, b) => (a.scope < b.scope ? -1 : 1)),
    classes: () => [...state().classes.values()],
    contentOf(scope: string) {
      if (table.scopes().some(({ parent }) => parent === scope)) return "scopes" as const;
      if ([...state().units.values()].some((unit) => unit.scope === scope)) return "Units" as const;
      return [...state().files.values()].some((file) => file.scope === scope) ? ("files" as const) : null;
    },
    register(scope: string, planes: readonly Plane[]) {
      const missing = lineage(scope).filter((path) => !state().scopes.has(path));
      if (missing.length > 0 && state().scopes.size + missing.length > NAMESPACE_MAX_SCOPES) {
        throw new Fault("conflict", `a namespace holds at most ${NAMESPACE_MAX_SCOPES} scopes`);
      }
      for (const path of missing) table.put({ scope: path, planes: [...planes], read_only_agents: false });
    },
    put(entry: Pick<ScopeEntry, "scope" | "planes" | "read_only_agents">) {
      const created_at = state().scopes.get(entry.scope)?.created_at ?? now();
      state().scopes.set(entry.scope, { ...entry, namespace, parent: parentScope(entry.scope), created_at });
      state().revision += 1;
    },
    remove(scope: string) {
      state().scopes.delete(scope);
      state().revision += 1;
    },
    classOf(scope: string, owner: string, acl_groups: readonly string[]): number {
      const groups = [...new Set(acl_groups)].sort();
      const wanted = JSON.stringify([scope, owner, groups]);
      const known = table.classes().find((acl) => JSON.stringify([acl.scope, acl.owner, acl.groups]) === wanted);
      if (known !== undefined) return known.classId;
      const classId = state().classes.size + 1;
      state().classes.set(classId, { classId, scope, owner, groups });
      state().revision += 1;
      return classId;
    },
  };
  return table;
}

function fileTable({ state, now }: Context) {
  const unitsOf = (file_id: string): Unit[] => table.uids(file_id).flatMap((uid) => state().units.get(uid) ?? []);
  const table = {
    byId: (file_id: string) => state().files.get(file_id) ?? null,
    newest(scopes: readonly string[], after: FileCursor | null, limit: number): StoredFile[] {
      const order = (a: FileCursor, b: FileCursor) => b.created_at - a.created_at || (a.file_id > b.file_id ? -1 : a.file_id < b.file_id ? 1 : 0);
      const listed = [...state().files.values()].filter(({ scope }) => scopes.includes(scope)).sort(order);
      return listed.filter((file) => after === null || order(file, after) > 0).slice(0, limit);
    },
    countUnits: (file_id: string, classes: readonly number[]) => table.unitIds(file_id, classes).length,
    ofUnit: (uid: number) => state().files.get(state().fileOfUnit.get(uid) ?? "") ?? null,
    unitIds: (file_id: string, classes: readonly number[]) =>
      unitsOf(file_id)
        .filter(({ classId }) => classes.includes(classId))
        .map(({ unit_id }) => unit_id),
    uids: (file_id: string) =>
      [...state().fileOfUnit]
        .filter(([, own]) => own === file_id)
        .map(([uid]) => uid)
        .sort((a, b) => a - b),
    hasUnits: (file_id: string, classes: readonly number[] | null) =>
      unitsOf(file_id).some(({ classId }) => classes === null || classes.includes(classId)),
    withUnits: () =>
      [...state().files.values()].filter(({ file_id }) => table.hasUnits(file_id, null)).sort((a, b) => (a.file_id < b.file_id ? -1 : 1)),
    bytesIn: (classes: readonly number[]) =>
      table.withUnits().reduce((sum, { file_id, bytes }) => sum + (table.hasUnits(file_id, classes) ? bytes : 0), 0),
    usesObject: (sha256: string) => [...state().files.values()].some((file) => file.sha256 === sha256),
    put(file: Omit<StoredFile, "created_at" | "updated_at">): StoredFile {
      const stored = { ...file, created_at: state().files.get(file.file_id)?.created_at ?? now(), updated_at: now() };
      state().files.set(file.file_id, stored);
      return stored;
    },
    groupsOfUnits(file_id: string): string[][] {
      const different = new Set(unitsOf(file_id).map(({ acl_groups }) => JSON.stringify(acl_groups)));
      return [...different].sort().map((groups) => JSON.parse(groups) as string[]);
    },
    addUnits(file_id: string, uids: readonly number[], as: "settled" | "fresh" = "settled") {
      for (const uid of uids) {
        if (as === "settled" || state().standing.get(uid) === "former") state().standing.delete(uid);
        else if (!state().fileOfUnit.has(uid)) state().standing.set(uid, "fresh");
        state().fileOfUnit.set(uid, file_id);
      }
    },
    remove(file_id: string) {
      state().files.delete(file_id);
      for (const job of state().jobs.values()) if (job.file_id === file_id) state().jobs.delete(job.job_id);
    },
  };
  return { ...table, ...fileReadings({ state }, table.uids) };
}

/** What is kept of the reading of files: which Units are of before, and which extractor read them. */
function fileReadings({ state }: Pick<Context, "state">, uidsOf: (file_id: string) => number[]) {
  const standing = (file_id: string, which: "former" | "fresh") => uidsOf(file_id).filter((uid) => state().standing.get(uid) === which);
  const settle = (uids: readonly number[]) => {
    for (const uid of uids) state().standing.delete(uid);
  };
  const older = (versions: ExtractorVersions) =>
    [...state().files.values()].filter(({ extractor, kind }) => extractor < versions[kind]).sort((a, b) => (a.file_id < b.file_id ? -1 : 1));
  const madeOf = (file_id: string) => [...state().jobs.values()].findLast((job) => job.file_id === file_id && job.state === "done")?.units ?? null;
  return {
    beginReading(file_id: string) {
      const fresh = standing(file_id, "fresh");
      for (const uid of uidsOf(file_id)) if (!fresh.includes(uid)) state().standing.set(uid, "former");
      return fresh;
    },
    endReading(file_id: string, extractor: number) {
      const file = state().files.get(file_id);
      if (file !== undefined) state().files.set(file_id, { ...file, extractor });
      settle(standing(file_id, "fresh"));
      return standing(file_id, "former");
    },
    abandonReading(file_id: string) {
      settle(standing(file_id, "former"));
      return standing(file_id, "fresh");
    },
    formerUnits: (file_id: string) => standing(file_id, "former").length,
    outdated: (versions: ExtractorVersions, scopes: readonly string[], after: string, limit: number): OutdatedFile[] =>
      older(versions)
        .filter(({ scope, file_id }) => scopes.includes(scope) && file_id > after)
        .slice(0, limit)
        .map((file) => {
          const own = uidsOf(file.file_id).length - standing(file.file_id, "fresh").length;
          return { file, units: own, made: madeOf(file.file_id) };
        }),
    countOutdated(versions: ExtractorVersions, scopes: readonly string[] | null) {
      const files = older(versions).filter(({ scope }) => scopes === null || scopes.includes(scope));
      return { files: files.length, units: files.reduce((sum, { file_id }) => sum + uidsOf(file_id).length, 0) };
    },
  };
}

const LOST = "the job is gone, or somebody else works on it";

/** Jobs stand in the order in which they were made. */
function jobTable({ state, now }: Context) {
  const holds = ({ job_id, token }: Lease) => state().jobs.has(job_id) && state().leases.get(job_id)?.token === token;
  const table = {
    byId: (job_id: string) => state().jobs.get(job_id) ?? null,
    lastOf: (file_id: string) => [...state().jobs.values()].findLast((job) => job.file_id === file_id) ?? null,
    active: () => [...state().jobs.values()].filter(isActive),
    activeCount: () => table.active().length,
    wasDone: (file_id: string) => [...state().jobs.values()].some((job) => job.file_id === file_id && job.state === "done"),
    enqueue(job_id: string, file_id: string, asked_by: string | null = null): Job {
      const zero = { progress: 0, next_part: 0, units: 0, created: 0, notes: [], error: null, created_at: now(), updated_at: now() };
      const job: Job = { job_id, file_id, asked_by, extractor: null, state: "queued", stage: "waiting", ...zero };
      state().jobs.set(job_id, job);
      return job;
    },
    put(job: Job) {
      if (state().jobs.has(job.job_id)) state().jobs.set(job.job_id, { ...job, updated_at: now() });
    },
    lease(job_id: string, forMs: number): Lease | null {
      const job = table.byId(job_id);
      const taken = (state().leases.get(job_id)?.expires_at ?? 0) > now();
      if (job === null || !isActive(job) || taken) return null;
      const lease = { job_id, token: randomToken(12), expires_at: now() + forMs };
      state().leases.set(job_id, lease);
      return lease;
    },
    renew(lease: Lease, forMs: number): Lease {
      if (!holds(lease)) throw new Fault("conflict", LOST);
      const renewed = { ...lease, expires_at: now() + forMs };
      state().leases.set(lease.job_id, renewed);
      return renewed;
    },
    advance(lease: Lease, job: Job) {
      if (!holds(lease)) throw new Fault("conflict", LOST);
      table.put(job);
    },
    release(lease: Lease) {
      if (holds(lease)) state().leases.delete(lease.job_id);
    },
  };
  return table;
}

function ledgerTable({ state, namespace, now }: Context) {
  const rows = (): AuditRow[] => [...state().audit.values()];
  return {
    page: (limit: number, offset: number) =>
      rows()
        .reverse()
        .slice(offset, offset + limit),
    length: () => state().audit.size,
    countSince: (actions: readonly string[], since: number) =>
      rows().filter(({ action, outcome, ts }) => outcome === "ok" && ts >= since && actions.includes(action)).length,
    verify({ after, limit }: ChainPart = WHOLE_CHAIN): VerificationReport {
      const known = [GENESIS, ...rows()][after.seq]?.row_hash === after.row_hash;
      const whole = (row: AuditRow, before: RowMark) => row.seq === before.seq + 1 && row.prev_hash === before.row_hash && isWhole(row);
      let last = after;
      for (const row of known ? rows().slice(after.seq, after.seq + limit) : []) {
        if (!whole(row, last)) break;
        last = row;
      }
      const intact = known && last.seq === Math.min(rows().length, after.seq + limit);
      const end = { checked: last.seq - after.seq, head_seq: last.seq, head_hash: last.row_hash };
      const fault = intact ? { break_at: null, reason: null } : { break_at: known ? last.seq + 1 : after.seq, reason: "the row is not whole" };
      return {
        namespace,
        intact,
        ...end,
        ...fault,
        ...(after.seq > 0 && { after: after.seq }),
        ...(intact && last.seq < rows().length && { more: true }),
      };
    },
    append(event: AuditEvent): AuditRow {
      const last = rows().at(-1) ?? GENESIS;
      const row = sealRow(event, { seq: last.seq + 1, ts: now(), namespace, prev_hash: last.row_hash });
      state().audit.set(row.seq, row);
      return row;
    },
  };
}

function idempotencyTable({ state, now }: Context) {
  return {
    find(principal_id: string, key: string) {
      const found = state().answers.get(pair(principal_id, key));
      if (found === undefined || found.created_at <= now() - IDEMPOTENCY_TTL_MS) return null;
      return { body_sha256: found.body_sha256, response: found.response };
    },
    remember(principal_id: string, key: string, body_sha256: string, response: string) {
      state().answers.set(pair(principal_id, key), { body_sha256, response, created_at: now() });
    },
  };
}

/** As the port; what it changes is kept when the transaction around it commits. */
function outboxTable({ state, now, embeddings }: Context) {
  const waitingFor = (index: IndexName) => [...state().waiting.values()].filter((row) => row.index === index).sort((a, b) => a.uid - b.uid);
  const table = {
    waiting: () => [...new Set([...state().waiting.values(), ...state().removals.values()].map(({ index }) => index))],
    pending(index: IndexName, after: number, limit: number): IndexEntry[] {
      const units = waitingFor(index).flatMap(({ uid }) => (uid > after ? (state().units.get(uid) ?? []) : []));
      return units.slice(0, limit).map((unit) => ({ unit, windows: index === "fulltext" ? [] : embeddings().windowsOf(unit.embeddedSha256) }));
    },
    pendingUids: (index: IndexName) => waitingFor(index).map(({ uid }) => uid),
    removals: (index: IndexName, limit: number) =>
      [...state().removals.values()]
        .filter((row) => row.index === index)
        .map(({ uid }) => uid)
        .sort((a, b) => a - b)
        .slice(0, limit),
    take(index: IndexName, inHand: InHand) {
      state().inHand.set(index, inHand);
    },
    taken: (index: IndexName) => state().inHand.get(index) ?? null,
    putBack(index: IndexName) {
      state().inHand.delete(index);
    },
    done(index: IndexName, units: readonly Pick<Unit, "uid" | "version">[]) {
      for (const { uid, version } of units) {
        if ((state().waiting.get(pair(index, uid))?.version ?? 0) <= version) state().waiting.delete(pair(index, uid));
      }
      table.putBack(index);
    },
    removed(index: IndexName, uids: readonly number[]) {
      for (const uid of uids) state().removals.delete(pair(index, uid));
    },
    again(index: IndexName, uids: readonly number[] | "all") {
      const chosen = uids === "all" ? [...state().units.keys()].filter((uid) => !state().aside.has(pair(index, uid))) : uids;
      for (const uid of chosen) {
        const unit = state().units.get(uid);
        state().aside.delete(pair(index, uid));
        if (unit === undefined || unit.text === null || (index !== "fulltext" && unit.plane !== index)) continue;
        state().waiting.set(pair(index, uid), { index, uid, version: unit.version });
      }
    },
    setAside(index: IndexName, unit: Pick<Unit, "uid" | "version">, reason: string) {
      table.done(index, [unit]);
      state().aside.set(pair(index, unit.uid), { index, uid: unit.uid, reason, since: now() });
    },
    quarantined: (index: IndexName) =>
      [...state().aside.values()]
        .filter((row) => row.index === index)
        .sort((a, b) => a.uid - b.uid)
        .map(({ uid, reason, since }) => ({ uid, unit_id: state().units.get(uid)?.unit_id ?? "", reason, since })),
    settledRows(index: IndexName): number {
      const settled = [...state().units.values()].filter(
        ({ uid, text, plane }) =>
          text !== null &&
          (index === "fulltext" || plane === index) &&
          !state().waiting.has(pair(index, uid)) &&
          !state().aside.has(pair(index, uid)),
      );
      if (index === "fulltext") return settled.length;
      return settled.reduce((sum, unit) => sum + embeddings().windowsOf(unit.embeddedSha256).length, 0);
    },
  };
  return table;
}
