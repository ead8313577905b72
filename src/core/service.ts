/**
 * The use cases, one method each: what HTTP and the command line both call. A caller is authenticated
 * before it gets here. Every use is written to the namespace's audit chain before its result is returned.
 */
import { Fault } from "../base/fault.ts";
import { sha256Hex } from "../base/hash.ts";
import { clampScope, permsIn, type ScopeClamp, splitClasses } from "../domain/access.ts";
import { type AuditAction, type AuditDetail, type ShownRow, shownTo, type VerificationReport } from "../domain/audit.ts";
import type { Features } from "../domain/media.ts";
import type { Encoder } from "../domain/port/encoder.ts";
import type { Extractor } from "../domain/port/extractor.ts";
import type { Caller, Namespace, Perm } from "../domain/principal.ts";
import type { SearchQuery, SimilarQuery } from "../domain/query.ts";
import { ALL_SCOPES, isScopePath, type ScopeEntry } from "../domain/scope.ts";
import type { Unit } from "../domain/unit.ts";
import type { Directory } from "../adapter/sqlite/directory.ts";
import { auditId, FileService, NO_UNIT, readableUnit } from "./files/file-service.ts";
import { hiddenByAcl } from "./search/hidden-count.ts";
import { ingest, type IngestRequest, type IngestResponse } from "./units/ingest.ts";
import type { JobRunner } from "./jobs/runner.ts";
import type { SearchModels } from "./search/models.ts";
import { removeScope } from "./scopes/remove.ts";
import { search, type SearchResult } from "./search/search.ts";
import { type DemoData, FIRST_RUN, finishSeeding, seed, type SeedOptions, type SeedReport } from "./demo/seed.ts";
import { type QueryExample, queryExampleOf, similar, type SimilarResult } from "./search/similar.ts";
import { type CatalogStats, catalogStats } from "./stats/stats.ts";
import type { Tenant } from "./tenant.ts";
import { createToken, listTokens, recordIn, revokeToken, type TokenOptions, type TokenRequest, type TokenView } from "./tokens/tokens.ts";

/** The resolved enforcement context, as every data route reports it. */
export interface Context {
  principal: { principal_id: string; namespace: string; read_only: boolean; groups: string[] };
  active_scope: string;
  requested_scope: string;
  effective_scopes: string[];
  allowed_scopes: string[];
  perms: Perm[];
  folders_visible: number;
  folders_total: number;
}

/** State of the running service. `vectorIndex` names the vector tables. */
export interface Health {
  status: "ok" | "degraded" | "down";
  vectorIndex: string[];
  inference: boolean;
}

export interface UnitPage {
  units: Unit[];
  hidden_by_acl: number;
  next_cursor: number | null;
}

export interface AuditPage {
  rows: ShownRow[];
  next_cursor: number | null;
}

export interface ServiceOptions {
  directory: Directory;
  encoder: Encoder;
  models: SearchModels;
  demo: () => Promise<DemoData>;
  now: () => number;
  extractor: Extractor;
  jobs: JobRunner;
  /** Opens a namespace's store, making it when it is new. */
  openTenant: (namespace: Namespace) => Promise<Tenant>;
}

export class Service {
  readonly files: FileService;
  /** Only one seeding at a time: two would interleave their batches. */
  private seeding: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ServiceOptions) {
    this.files = new FileService({
      extractor: options.extractor,
      jobs: options.jobs,
      clamp: (caller, scope) => this.clamp(caller, scope),
      record: (caller, action, scope, target) => this.record(caller, action, scope, target),
    });
  }

  /** What a caller may do here, and where. `scope` null: the principal's active scope. */
  async clamp(caller: Caller, scope: string | null): Promise<{ tenant: Tenant; clamp: ScopeClamp; perms: Perm[] }> {
    const tenant = await this.options.openTenant(caller.namespace);
    const registry = tenant.catalog.registry();
    const clamp = clampScope(caller.principal, scope, registry);
    return { tenant, clamp, perms: permsIn(caller, clamp.requested, registry) };
  }

  async context(caller: Caller, scope: string | null): Promise<Context> {
    const { clamp, perms } = await this.clamp(caller, scope);
    return contextOf(caller, clamp, perms);
  }

  async scopes(caller: Caller): Promise<ScopeEntry[]> {
    const { tenant, clamp } = await this.clamp(caller, null);
    return tenant.catalog.registry().filter((entry) => clamp.allowed.includes(entry.scope));
  }

  /** Removes an empty scope. Errors: `not_found`, `conflict`. */
  async removeScope(caller: Caller, scope: string): Promise<void> {
    const { tenant, clamp } = await this.clamp(caller, null);
    await removeScope(tenant, caller, clamp, scope);
  }

  /** Hits and, when the query asks for one, an answer. `action`: the route that it came by. */
  async search(
    caller: Caller,
    scope: string | null,
    query: SearchQuery,
    warnings: readonly string[],
    action: "search" | "answer",
  ): Promise<SearchResult & { context: Context }> {
    const { tenant, clamp, perms } = await this.clamp(caller, scope);
    const result = await search(tenant, this.options.models, caller, clamp, query, warnings);
    // What was asked, not what was found: everybody who reads the namespace may read the chain.
    const detail = { q_sha256: sha256Hex(query.q), mode: query.mode, top_k: query.top_k, rerank: query.rerank, answer: query.answer };
    await this.record(caller, action, clamp.requested, null, detail);
    return { ...result, context: contextOf(caller, clamp, perms) };
  }

  /** Units like another one, or like a picture or sound that was sent. Errors: `not_found` as `unit`, `bad_request`. */
  async similar(caller: Caller, scope: string | null, query: SimilarQuery, sent: Features | null): Promise<SimilarResult & { context: Context }> {
    const { tenant, clamp, perms } = await this.clamp(caller, scope);
    const unit = query.unit_id === null ? null : readableUnit(tenant, caller, clamp, query.unit_id);
    const detail = { by: query.unit_id === null ? "content" : "unit", top_k: query.top_k };
    await this.record(caller, "similar", clamp.requested, query.unit_id === null ? null : auditId(query.unit_id), detail);
    if (query.unit_id !== null && unit === null) throw new Fault("not_found", NO_UNIT);
    const example = unit === null ? ({ by: "content", content: sent } as QueryExample) : queryExampleOf(tenant, this.options.encoder, unit);
    const result = await similar(tenant, caller, clamp, query, example, unit?.uid ?? null);
    return { ...result, context: contextOf(caller, clamp, perms) };
  }

  async units(caller: Caller, scope: string | null, limit: number, offset: number): Promise<UnitPage & { context: Context }> {
    const { tenant, clamp, perms } = await this.clamp(caller, scope);
    const { visible, hidden } = splitClasses(caller, clamp.effective, tenant.catalog.classes());
    const units = await tenant.catalog.page(visible, limit + 1, offset);
    const more = units.length > limit;
    const { hidden_by_acl } = await hiddenByAcl(caller, hidden, () => tenant.catalog.scans.count(hidden));
    await this.record(caller, "units.list", clamp.requested, null, { limit, cursor: offset });
    return {
      units: units.slice(0, limit),
      hidden_by_acl,
      next_cursor: more ? offset + limit : null,
      context: contextOf(caller, clamp, perms),
    };
  }

  /** One Unit. Errors: `not_found`, the same for an unknown id and for one that is hidden or out of scope. */
  async unit(caller: Caller, scope: string | null, unit_id: string): Promise<Unit> {
    const { tenant, clamp } = await this.clamp(caller, scope);
    const unit = readableUnit(tenant, caller, clamp, unit_id);
    await this.record(caller, "unit.get", clamp.requested, auditId(unit_id));
    if (unit === null) throw new Fault("not_found", NO_UNIT);
    return unit;
  }

  async stats(caller: Caller, scope: string | null): Promise<CatalogStats> {
    const { tenant, clamp } = await this.clamp(caller, scope);
    return catalogStats(tenant, this.options.encoder.info, caller, clamp, this.options.now());
  }

  async auditPage(caller: Caller, limit: number, offset: number): Promise<AuditPage> {
    const tenant = await this.options.openTenant(caller.namespace);
    const rows = tenant.ledger.page(limit, offset).map((row) => shownTo(caller, row));
    const more = offset + limit < tenant.ledger.length;
    // This listing appends a row itself, which moves the rows of the next page on by one.
    const next_cursor = more ? offset + limit + 1 : null;
    await this.record(caller, "audit.list", null, null, { limit, cursor: offset });
    return { rows, next_cursor };
  }

  async auditVerify(caller: Caller): Promise<VerificationReport> {
    const tenant = await this.options.openTenant(caller.namespace);
    const report = await tenant.ledger.verify();
    await this.record(caller, "audit.verify", null, null, { intact: report.intact, checked: report.checked });
    return report;
  }

  async ingest(caller: Caller, request: IngestRequest): Promise<IngestResponse> {
    return ingest(await this.options.openTenant(caller.namespace), this.options.encoder, caller, request);
  }

  /** Seeds the demo. `caller` null: the open first run. */
  seed(caller: Caller | null): Promise<SeedReport> {
    return this.aloneWithSeed(async (options) => {
      if (caller === null && options.directory.hasTokens()) throw new Fault("unauthorized", "tokens exist: seeding again needs an admin");
      return seed({ ...options, data: await this.options.demo() }, caller?.principal ?? FIRST_RUN);
    });
  }

  /** Finishes a seeding that a crash or a failure cut short. Returns whether there was one. */
  finishSeeding(): Promise<boolean> {
    return this.aloneWithSeed((options) => finishSeeding(options, this.options.demo));
  }

  private aloneWithSeed<T>(work: (options: Omit<SeedOptions, "data">) => Promise<T>): Promise<T> {
    const { directory, openTenant, encoder } = this.options;
    const run = this.seeding.then(() => work({ directory, openTenant, encoder }));
    this.seeding = run.catch(() => {});
    return run;
  }

  /** Makes a token in the caller's namespace; the secret is returned this once. Errors: as core/tokens/tokens.ts. */
  async createToken(caller: Caller, request: TokenRequest): Promise<{ view: TokenView; secret: string }> {
    return createToken(await this.tokenOptions(caller), caller, request);
  }

  async tokens(caller: Caller): Promise<TokenView[]> {
    return listTokens(await this.tokenOptions(caller), caller);
  }

  /** Errors: `not_found`. */
  async revokeToken(caller: Caller, id: string): Promise<TokenView> {
    return revokeToken(await this.tokenOptions(caller), caller, id);
  }

  private async tokenOptions(caller: Caller): Promise<TokenOptions> {
    const { ledger } = await this.options.openTenant(caller.namespace);
    return { directory: this.options.directory, record: recordIn(ledger) };
  }

  /** Exchanges a live API token for a session. */
  async openSession(caller: Caller, token: string): Promise<{ secret: string; expires_at: number }> {
    await this.record(caller, "session.create", null);
    return this.options.directory.openSession(token);
  }

  async closeSession(caller: Caller, secret: string): Promise<void> {
    await this.record(caller, "session.delete", null);
    this.options.directory.closeSession(secret);
  }

  /** Writes a refusal down: who was denied what, and why. `target`: what the path of the request names, if anything. */
  async denied(caller: Caller, action: AuditAction, scope: string | null, target: string | null, fault: Fault): Promise<void> {
    // A token may come by mistake where its id belongs; a scope is no secret.
    const named = action === "scope.delete" ? recordable : auditId;
    await this.append(caller, action, "denied", scope, target && named(target), { error: fault.kind });
  }

  private record(caller: Caller, action: AuditAction, scope: string | null, target: string | null = null, detail: AuditDetail = {}): Promise<void> {
    return this.append(caller, action, "ok", scope, target, detail);
  }

  private async append(
    caller: Caller,
    action: AuditAction,
    outcome: "ok" | "denied",
    scope: string | null,
    target: string | null,
    detail: AuditDetail,
  ): Promise<void> {
    const { ledger } = await this.options.openTenant(caller.namespace);
    await ledger.append({ principal_id: caller.principal.principal_id, action, outcome, scope: scope && recordable(scope), target, detail });
  }
}

/** What a caller asks for as its scope may be anything of any length; only a scope is written down as it is. */
function recordable(scope: string): string {
  return scope === ALL_SCOPES || isScopePath(scope) ? scope : sha256Hex(scope);
}

function contextOf(caller: Caller, clamp: ScopeClamp, perms: Perm[]): Context {
  const { principal_id, read_only, groups, active_scope } = caller.principal;
  return {
    principal: { principal_id, namespace: caller.namespace.namespace, read_only, groups },
    active_scope,
    requested_scope: clamp.requested,
    effective_scopes: clamp.effective,
    allowed_scopes: clamp.allowed,
    perms,
    folders_visible: clamp.folders_visible,
    folders_total: clamp.folders_total,
  };
}
