import type { Plane } from "../domain/plane.ts";
import type { FullTextIndex, VectorIndex } from "../domain/ports.ts";
import type { Namespace } from "../domain/principal.ts";
import type { Catalog } from "../store/catalog.ts";
import type { Contents } from "../store/contents.ts";
import type { Files } from "../store/files.ts";
import type { Ledger } from "../store/ledger.ts";
import type { Objects } from "../store/objects.ts";
import type { Writer } from "./writer.ts";

/** Everything one namespace owns. Nothing in it reaches another namespace. */
export interface Tenant {
  readonly namespace: Namespace;
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly files: Files;
  readonly contents: Contents;
  readonly objects: Objects;
  readonly vectors: Readonly<Record<Plane, VectorIndex>>;
  readonly fulltext: FullTextIndex;
  readonly writer: Writer;
}
