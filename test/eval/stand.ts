/** The service under measurement: the real wiring on a data directory, its HTTP edge called in process, and its functions. */
import { App } from "../../src/app/app.ts";
import { stopwatch } from "../../src/base/clock.ts";
import { EVIDENCE_MAX_MS } from "../../src/base/limits.ts";
import { createLog } from "../../src/base/log.ts";
import { type Evidence, findEvidence } from "../../src/core/answer/evidence.ts";
import { resolveView } from "../../src/core/access/view.ts";
import { RequestModels } from "../../src/core/search/models.ts";
import { beginRanking } from "../../src/core/search/rank.ts";
import { type Candidate, type Retrieval, retrieve } from "../../src/core/search/retrieve.ts";
import type { Tenant } from "../../src/core/tenant.ts";
import type { Answer } from "../../src/domain/answer.ts";
import type { ScoredSpan, TraceRound } from "../../src/domain/hit.ts";
import type { Language } from "../../src/text/language.ts";
import type { Entailment } from "../../src/domain/port/entailment.ts";
import type { Caller, Principal } from "../../src/domain/principal.ts";
import { createEdge } from "../../src/app/edge.ts";
import type { Http } from "../../src/http/server.ts";
import { parseQuery } from "../../src/core/search/query.ts";
import type { Corpus, Doc } from "./data.ts";
import { revokeNamed } from "../support/tokens.ts";
import { lanes } from "./work.ts";

/** Units of one ingest request. */
const BATCH_UNITS = 200;
/** How often a request is sent that the service had no time for. */
const ATTEMPTS = 3;

const NAMESPACE = { namespace: "eval", tier: "enterprise" } as const;
const PRINCIPAL: Principal = {
  principal_id: "eval",
  namespace: NAMESPACE.namespace,
  perms: ["read", "write"],
  scopes: ["eval"],
  active_scope: "eval",
  groups: [],
  read_only: false,
  super_admin: false,
};
const ADDRESS = "127.0.0.1";
const CALLER: Caller = { principal: PRINCIPAL, credential: "token", namespace: NAMESPACE };

/** What the measurements read of a hit on the wire. */
export interface WireHit {
  doc_id: string;
  text: string;
  evidence?: ScoredSpan[];
  metadata?: Record<string, unknown>;
  locator?: { page?: number };
}

export interface WireResult {
  hits: WireHit[];
  answer: Answer | null;
  trace: { total_ms: number; warnings: string[]; rounds?: TraceRound[] };
}

export class Stand {
  private readonly ingested = new Map<string, Promise<void>>();
  private readonly models: RequestModels;
  /** Requests that ran out of a time limit of the service at least once. */
  outOfTime = 0;

  private constructor(
    private readonly app: App,
    private readonly http: Http,
    private readonly token: string,
  ) {
    // The caches of the HTTP edge: what a request had read is not read again for a look at its candidates or evidence.
    this.models = new RequestModels(app.services.models, CALLER);
  }

  static async open(data: string): Promise<Stand> {
    const log = createLog("warn", (line) => process.stderr.write(line), false);
    const app = await App.open({ data, log });
    const { tables: directory } = app.data;
    directory.putNamespace(NAMESPACE.namespace, NAMESPACE.tier);
    directory.putPrincipal(PRINCIPAL);
    revokeNamed(directory, NAMESPACE.namespace, PRINCIPAL.principal_id);
    const token = directory.createToken({
      name: PRINCIPAL.principal_id,
      namespace: NAMESPACE.namespace,
      principal_id: PRINCIPAL.principal_id,
    }).secret;
    const hosts = { address: ADDRESS, allowed: [] };
    const http = createEdge({ services: app.services, hosts, trustSeeded: false, secureCookies: false, log });
    return new Stand(app, http, token);
  }

  /** A stand in a namespace of another language, over the same engines. */
  async inLanguage(language: Language): Promise<Stand> {
    const { tables: directory } = this.app.data;
    const namespace = `${NAMESPACE.namespace}-${language}`;
    directory.putNamespace(namespace, NAMESPACE.tier, "exact", language);
    directory.putPrincipal({ ...PRINCIPAL, namespace });
    revokeNamed(directory, namespace, PRINCIPAL.principal_id);
    const { secret } = directory.createToken({ name: PRINCIPAL.principal_id, namespace, principal_id: PRINCIPAL.principal_id });
    return new Stand(this.app, this.http, secret);
  }

  get entailment(): Entailment {
    return this.app.services.models.entailment;
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** Stores a corpus, one Unit a text, once. What a kept directory has already is not encoded again. */
  ingest(corpus: Corpus<Doc>): Promise<void> {
    const running = this.ingested.get(corpus.scope) ?? this.store(corpus);
    this.ingested.set(corpus.scope, running);
    return running;
  }

  private async store({ name, scope, docs }: Corpus<Doc>): Promise<void> {
    const filled = docs.filter(({ text }) => text.trim() !== "");
    const batches = Array.from({ length: Math.ceil(filled.length / BATCH_UNITS) }, (_, at) => filled.slice(at * BATCH_UNITS, (at + 1) * BATCH_UNITS));
    await lanes(`${name}: ${filled.length} texts in batches of ${BATCH_UNITS}`, batches, async (batch) => {
      await this.post(scope, "/v1/ingest", { units: batch.map(({ doc_id, text }) => ({ modality: "text", doc_id, text })) });
    });
  }

  search(scope: string, body: Record<string, unknown>): Promise<WireResult> {
    return this.ask(scope, "/v1/search", body);
  }

  answer(scope: string, body: Record<string, unknown>): Promise<WireResult> {
    return this.ask(scope, "/v1/answer", { ...body, answer: true });
  }

  /** One request, sent once however little time the service had for it, with its time in ms as the caller sees it. */
  async once(scope: string, path: "/v1/search" | "/v1/answer", body: Record<string, unknown>): Promise<{ result: WireResult; ms: number }> {
    const time = stopwatch();
    const result = (await this.post(scope, path, body)) as unknown as WireResult;
    return { result, ms: time() };
  }

  /** The time is that of the first attempt. */
  private async ask(scope: string, path: string, body: Record<string, unknown>): Promise<WireResult> {
    const times: number[] = [];
    const send = async () => {
      const result = (await this.post(scope, path, body)) as unknown as WireResult;
      times.push(result.trace.total_ms);
      return result;
    };
    const result = await this.untilRead(send, ranOut);
    return { ...result, trace: { ...result.trace, total_ms: times[0] ?? 0 } };
  }

  private post(scope: string, path: string, body: unknown): Promise<Record<string, unknown>> {
    return this.send(scope, "POST", path, { type: "application/json", content: JSON.stringify(body) });
  }

  /** One request through the HTTP edge. Errors: what the service answers. */
  async send(
    scope: string,
    method: "GET" | "POST",
    path: string,
    body: { type: string; content: string | Uint8Array<ArrayBuffer> } | null = null,
  ): Promise<Record<string, unknown>> {
    const headers: Record<string, string> = { host: ADDRESS, authorization: `Bearer ${this.token}`, "x-svc-scope": scope };
    if (body !== null) headers["content-type"] = body.type;
    const response = await this.http.handle(new Request(`http://${ADDRESS}${path}`, { method, headers, body: body?.content ?? null }));
    const json = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${path} answered ${JSON.stringify(json)}`);
    return json;
  }

  /** The store behind a scope, and the classes of it that the measurements read. */
  async view(scope: string): Promise<{ tenant: Tenant; visible: readonly number[] }> {
    const tenant = await this.app.tenant(CALLER.namespace);
    return { tenant, visible: (await resolveView(tenant, CALLER, scope)).classes.visible };
  }

  /** What a query means: L2-normalised. */
  async vectorOf(q: string): Promise<Float32Array> {
    return (await this.models.encode(q)).vector;
  }

  /** What the product's retrieve gives for a query that asks for `top_k` and to be reranked: everything that was read, best first. */
  async candidates(scope: string, q: string, top_k: number): Promise<Candidate[]> {
    const look = await this.looker(scope, { q, top_k });
    return (await this.untilRead(look, ({ warnings }) => warnings.some(isOutOfTime))).candidates;
  }

  /** The items that bear on a statement or question, best first, by the product's retrieve and findEvidence. `body`: of a search. */
  async evidence(scope: string, body: Record<string, unknown> & { q: string }): Promise<Evidence[]> {
    const look = await this.looker(scope, body);
    const read = async () => {
      const { candidates } = await look();
      const time = stopwatch();
      const { evidence } = await findEvidence(this.models, body.q, candidates);
      return { evidence, slow: time() >= EVIDENCE_MAX_MS };
    };
    return (await this.untilRead(read, ({ slow }) => slow)).evidence;
  }

  /** The product's retrieve for a query of the wire. */
  private async looker(scope: string, body: Record<string, unknown> & { q: string }): Promise<() => Promise<Retrieval>> {
    const { query } = parseQuery({ ...body, rerank: true }, NAMESPACE, Date.now());
    const { tenant, visible } = await this.view(scope);
    const encoded = await this.models.encode(body.q);
    return async () => retrieve(tenant, this.models, query, encoded, await beginRanking(tenant, query, visible));
  }

  /**
   * Does something again while the service runs out of a time limit: it remembers what it has read, so that the figures
   * tell of the service and not of what else the machine does.
   */
  private async untilRead<T>(read: () => Promise<T>, isShort: (result: T) => boolean): Promise<T> {
    let result = await read();
    if (isShort(result)) this.outOfTime += 1;
    for (let attempt = 1; attempt < ATTEMPTS && isShort(result); attempt += 1) result = await read();
    return result;
  }
}

function isOutOfTime(warning: string): boolean {
  return warning.includes("ran out of");
}

/** Whether candidates were left unread, or items may have been. */
function ranOut({ trace: { warnings, rounds = [] } }: WireResult): boolean {
  return rounds.some(({ ms }) => ms >= EVIDENCE_MAX_MS) || warnings.some(isOutOfTime);
}
