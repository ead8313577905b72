import type { Plane } from "../domain/plane.ts";
import type { Encoder } from "../domain/port/encoder.ts";
import type { FeatureIndex } from "../domain/port/feature-index.ts";
import type { FullTextIndex } from "../domain/port/full-text-index.ts";
import type { IndexName } from "../domain/port/index.ts";
import type { ObjectStore } from "../domain/port/objects.ts";
import type { NamespaceReader, NamespaceStore, NamespaceTransactor } from "../domain/port/store.ts";
import type { VectorIndex } from "../domain/port/vector-index.ts";
import type { Namespace } from "../domain/principal.ts";
import type { Indexer } from "./index/indexer.ts";

/** Everything one namespace owns. Nothing in it reaches another namespace. */
export interface Tenant {
  readonly namespace: Namespace;
  readonly store: NamespaceStore;
  /** Of the store. */
  readonly reader: NamespaceReader;
  readonly objects: ObjectStore;
  /** Absent: the English one. */
  readonly encoder?: Encoder;
  readonly vectors: Readonly<Record<Plane, VectorIndex>>;
  readonly fulltext: FullTextIndex;
  /** Of pictures and sounds. */
  readonly features: FeatureIndex;
  readonly indexer: Indexer;
}

/**
 * Works in a namespace, which is opened, and made, when it is not open, and stays open meanwhile: nothing of the tenant is
 * used afterwards. Errors: those of `work`; `unavailable` when the namespace cannot be opened.
 */
export type WithTenant = <T>(namespace: Namespace, work: (tenant: Tenant) => Promise<T>) => Promise<T>;

/**
 * One transaction, answered when it is durable and what it changed can be searched. `indexes`: those that its changes concern;
 * null: all of them. Errors: as NamespaceStore.transact; `unavailable` when one of these indexes does not follow.
 */
export async function commit<T>(
  { store, indexer }: Pick<Tenant, "store" | "indexer">,
  work: (tx: NamespaceTransactor) => Promise<T>,
  { bytes = 0, indexes = null }: { bytes?: number; indexes?: readonly IndexName[] | null } = {},
): Promise<T> {
  const { value, revision } = await store.transact(work, bytes);
  await indexer.caughtUp(revision, indexes);
  return value;
}
