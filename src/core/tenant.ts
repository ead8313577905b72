import type { Plane } from "../domain/plane.ts";
import type { FullTextIndex } from "../domain/port/full-text-index.ts";
import type { VectorIndex } from "../domain/port/vector-index.ts";
import type { Namespace } from "../domain/principal.ts";
import type { Catalog } from "../adapter/sqlite/catalog.ts";
import type { FeatureTable } from "../adapter/sqlite/features.ts";
import type { Files } from "../adapter/sqlite/files.ts";
import type { Ledger } from "../adapter/sqlite/ledger.ts";
import type { Objects } from "../adapter/disk/objects.ts";
import type { Writer } from "./units/writer.ts";

/** Everything one namespace owns. Nothing in it reaches another namespace. */
export interface Tenant {
  readonly namespace: Namespace;
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly files: Files;
  readonly features: FeatureTable;
  readonly objects: Objects;
  readonly vectors: Readonly<Record<Plane, VectorIndex>>;
  readonly fulltext: FullTextIndex;
  readonly writer: Writer;
}
