/** The tables of a catalog over one connection: the writer's, whose transactions see what they wrote, or a reader's. */
import type { Database } from "bun:sqlite";
import { AccessTable } from "./access.ts";
import { EmbeddingTable } from "./embeddings.ts";
import { FeatureTable } from "./features.ts";
import { FileTable, JobTable } from "./files.ts";
import { IdempotencyTable } from "./idempotency.ts";
import { OutboxTable } from "./outbox.ts";
import { UnitTable } from "./units.ts";

export type Tables = ReturnType<typeof tablesOf>;

/** What the tables of a namespace are. */
export interface CatalogOptions {
  namespace: string;
  now: () => number;
  /** The model whose vectors are read and written. */
  model: string;
}

export function tablesOf(db: Database, { namespace, now, model }: CatalogOptions) {
  const access = new AccessTable(db, namespace, now);
  const embeddings = new EmbeddingTable(db, model);
  const outbox = new OutboxTable(db, now);
  const touched = new Set<number>();
  return {
    /** Units that were made, changed or removed. */
    touched,
    units: new UnitTable(db, { namespace, now, access, embeddings, outbox, touched }),
    embeddings,
    features: new FeatureTable(db, touched),
    access,
    files: new FileTable(db, now),
    jobs: new JobTable(db, now),
    idempotency: new IdempotencyTable(db, now),
    outbox,
  };
}

/** What the catalog has come to. */
export function revisionOf(db: Database): number {
  return (db.query("SELECT revision FROM revision").get() as { revision: number }).revision;
}
