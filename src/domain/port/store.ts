/**
 * What a namespace stores, apart from its indexes and objects. It is the truth; the indexes follow from its outbox. A store is
 * bound to one namespace: no method takes one. Errors of every method: `unavailable`.
 */
import type { AccessClass } from "../access.ts";
import type { AuditEvent, AuditRow, ChainPart, VerificationReport } from "../audit.ts";
import type { Plane } from "../plane.ts";
import type { ScopeEntry } from "../scope.ts";
import type { FileReader, FileWriter, JobReader, JobWriter } from "./files.ts";
import type { Outbox } from "./outbox.ts";
import type { EmbeddingReader, EmbeddingWriter, FeatureReader, FeatureWriter, UnitReader, UnitWriter } from "./units.ts";

/** Counts the commits that changed Units, scopes or access classes. */
export type Revision = number;

export interface NamespaceStore {
  readonly namespace: string;
  /** Sees committed state only. */
  readonly reader: NamespaceReader;
  readonly outbox: Outbox;
  /**
   * One transaction over everything that the namespace stores. `work` awaits nothing but `tx`, which throws once the
   * transaction has ended. It runs once, alone; what it throws undoes it and nothing else. Transactions that wait share a
   * commit. `bytes`: about what `work` holds while it waits; with 0 it is never refused. Durable when it resolves.
   * Errors: what `work` throws; `unavailable` when too much waits, or nothing can be written.
   */
  transact<T>(work: (tx: NamespaceTransactor) => Promise<T>, bytes?: number): Promise<Committed<T>>;
  /** From now on `changed` alone gets the uids of all Units that a commit made, changed or removed, and maybe of others, before its `transact` resolves. */
  watch(changed: (uids: readonly number[]) => void): void;
  /** Refuses new transactions, waits for those that wait, and closes. */
  close(): Promise<void>;
}

export interface Committed<T> {
  value: T;
  /** What the store had come to with this commit. */
  revision: Revision;
}

export interface NamespaceReader {
  readonly units: UnitReader;
  readonly embeddings: EmbeddingReader;
  readonly features: FeatureReader;
  readonly access: AccessReader;
  readonly files: FileReader;
  readonly jobs: JobReader;
  readonly ledger: LedgerReader;
  readonly idempotency: IdempotencyReader;
  revision(): Promise<Revision>;
}

export interface NamespaceTransactor extends NamespaceReader {
  readonly units: UnitWriter;
  readonly embeddings: EmbeddingWriter;
  readonly features: FeatureWriter;
  readonly access: AccessWriter;
  readonly files: FileWriter;
  readonly jobs: JobWriter;
  readonly ledger: LedgerAppender;
  readonly idempotency: IdempotencyWriter;
}

export interface AccessReader {
  /** Every registered scope, sorted. */
  scopes(): Promise<readonly ScopeEntry[]>;
  /** Every access class. An id always stands for the same class. */
  classes(): Promise<readonly AccessClass[]>;
  /** What lies in a scope, in words; null when it is empty. */
  contentOf(scope: string): Promise<"Units" | "files" | "scopes" | null>;
}

export interface AccessWriter extends AccessReader {
  /** Registers a scope and its missing parents. Errors: `conflict` when the namespace holds NAMESPACE_MAX_SCOPES. */
  register(scope: string, planes: readonly Plane[]): Promise<void>;
  /** Writes a registry entry as given, keeping its `created_at` when it exists. */
  put(entry: Pick<ScopeEntry, "scope" | "planes" | "read_only_agents">): Promise<void>;
  /** Takes a scope out of the registry. Its access classes stay. */
  remove(scope: string): Promise<void>;
}

/** The audit chain. */
export interface LedgerReader {
  /** Rows newest first, without the first `offset` (cursors on the wire are offsets). */
  page(limit: number, offset: number): Promise<AuditRow[]>;
  /** Rows in the chain. */
  length(): Promise<number>;
  /** Rows of these actions with outcome `ok` since `since` (ms), counted. */
  countSince(actions: readonly string[], since: number): Promise<number>;
  /**
   * Recomputes the chain, or a part of it, and compares it with its signed checkpoints. `break_at` is the first row that is
   * missing, changed, or vouched for by no signature; of a part, the row that it follows when that is not the caller's.
   */
  verify(part?: ChainPart): Promise<VerificationReport>;
}

export interface LedgerAppender extends LedgerReader {
  /** The row is in the chain when the transaction commits. */
  append(event: AuditEvent): Promise<AuditRow>;
}

/** Answers by the key that a principal gave its request, for IDEMPOTENCY_TTL_MS. */
export interface IdempotencyReader {
  find(principal_id: string, key: string): Promise<{ body_sha256: string; response: string } | null>;
}

export interface IdempotencyWriter extends IdempotencyReader {
  remember(principal_id: string, key: string, body_sha256: string, response: string): Promise<void>;
}
