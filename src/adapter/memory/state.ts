/** What a namespace's store holds: tables of rows that never change. A transaction works on a copy of the tables. */
import type { AccessClass } from "../../domain/access.ts";
import type { AuditRow } from "../../domain/audit.ts";
import type { Job, StoredFile } from "../../domain/file.ts";
import type { Features } from "../../domain/media.ts";
import type { TextWindow } from "../../domain/port/encoder.ts";
import type { Lease } from "../../domain/port/files.ts";
import type { IndexName } from "../../domain/port/index.ts";
import type { InHand, Quarantined } from "../../domain/port/outbox.ts";
import type { ScopeEntry } from "../../domain/scope.ts";
import type { Unit } from "../../domain/unit.ts";

export interface State {
  revision: number;
  lastUid: number;
  units: Map<number, Unit>;
  uidById: Map<string, number>;
  /** By model and SHA-256 of the text. */
  windows: Map<string, readonly TextWindow[]>;
  features: Map<number, Features & { model: string }>;
  scopes: Map<string, ScopeEntry>;
  classes: Map<number, AccessClass>;
  files: Map<string, StoredFile>;
  fileOfUnit: Map<number, string>;
  /** Of Units of a file that is being read; absent: settled. */
  standing: Map<number, "former" | "fresh">;
  jobs: Map<string, Job>;
  leases: Map<string, Lease>;
  audit: Map<number, AuditRow>;
  /** By principal and key. */
  answers: Map<string, { body_sha256: string; response: string; created_at: number }>;
  /** Versions that an index should come to, by index and uid. */
  waiting: Map<string, { index: IndexName; uid: number; version: number }>;
  removals: Map<string, { index: IndexName; uid: number }>;
  aside: Map<string, Omit<Quarantined, "unit_id"> & { index: IndexName }>;
  inHand: Map<IndexName, InHand>;
}

export interface StoreOptions {
  namespace: string;
  now: () => number;
  /** The model whose vectors are read and written. */
  model: string;
}

/** The tables as they are at the time of a call, and what those of others do for them. */
export interface Context extends StoreOptions {
  state(): State;
  access(): { classOf(scope: string, owner: string, groups: readonly string[]): number };
  outbox(): { again(index: IndexName, uids: readonly number[]): void };
  embeddings(): {
    windowsOf(hash: string | null): readonly TextWindow[];
    keep(hash: string, windows: readonly TextWindow[] | undefined): void;
    forget(hash: string | null): void;
  };
}

export function emptyState(): State {
  return {
    revision: 0,
    lastUid: 0,
    units: new Map(),
    uidById: new Map(),
    windows: new Map(),
    features: new Map(),
    scopes: new Map(),
    classes: new Map(),
    files: new Map(),
    fileOfUnit: new Map(),
    standing: new Map(),
    jobs: new Map(),
    leases: new Map(),
    audit: new Map(),
    answers: new Map(),
    waiting: new Map(),
    removals: new Map(),
    aside: new Map(),
    inHand: new Map(),
  };
}

export function copyOf(state: State): State {
  const copied = Object.entries(state).map(([name, table]) => [name, table instanceof Map ? new Map(table) : table]);
  return Object.fromEntries(copied) as unknown as State;
}

/** A key of two parts. */
export function pair(a: string | number, b: string | number): string {
  return JSON.stringify([a, b]);
}
