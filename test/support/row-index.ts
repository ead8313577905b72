/** A namespace whose catalog is real and whose indexes hold rows and nothing else. */
import { openNamespaceStore } from "../../src/app/data.ts";
import type { Schedule } from "../../src/base/backoff.ts";
import { systemClock } from "../../src/base/clock.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { silentLog } from "../../src/base/log.ts";
import type { Tenant } from "../../src/core/tenant.ts";
import { Indexer } from "../../src/core/index/indexer.ts";
import { PLANES, type Plane } from "../../src/domain/plane.ts";
import type { FullTextIndex } from "../../src/domain/port/full-text-index.ts";
import type { IndexEntry, IndexedRow } from "../../src/domain/port/index.ts";
import type { VectorIndex } from "../../src/domain/port/vector-index.ts";
import { unitId } from "../../src/domain/unit.ts";
import { MemoryObjects } from "../../src/adapter/memory/objects.ts";
import { openDataDirectory } from "../../src/adapter/sqlite/data-directory.ts";
import { rowsOf } from "./rows.ts";

type Entry = Pick<IndexEntry, "unit" | "windows">;

export class RowIndex {
  held: IndexedRow[] = [];
  /** What happens before Units are taken; it may throw, or never end. */
  taking: (texts: (string | null)[]) => Promise<void> | void = () => {};
  /** What happens before rows are removed. */
  removing: () => void = () => {};

  constructor(private readonly fulltext: boolean) {}

  async put(entries: readonly Entry[]): Promise<void> {
    await this.taking(entries.map(({ unit }) => unit.text));
    this.drop(entries.map(({ unit }) => unit.uid));
    for (const { unit, windows } of entries) {
      const rows = this.fulltext ? [0] : windows.map((_, window) => window);
      this.held.push(...rows.map((window) => ({ uid: unit.uid, version: unit.version, window })));
    }
  }

  async remove(uids: readonly number[]): Promise<void> {
    this.removing();
    this.drop(uids);
  }

  rows = async () => this.held;
  state = async () => ({ rows: this.held.length, state: "ok" as const });
  working = () => true;
  close = async () => {};

  private drop(uids: readonly number[]): void {
    this.held = this.held.filter(({ uid }) => !uids.includes(uid));
  }
}

export interface RowWorld {
  tenant: Tenant;
  planes: Record<Plane, RowIndex>;
  words: RowIndex;
  /** Stores Units of two windows each, and those of null without text, as ingest does. */
  store(texts: readonly (string | null)[]): void;
  /** Opens the same catalog again, as the next process does, with the indexes as they are. `between`: while nobody has it open. */
  restart(between?: () => void): RowWorld;
  close(): void;
}

const MODEL = "m";

export function openRowWorld(root: string, schedule?: Schedule, planes = emptyPlanes(), words = new RowIndex(true)): RowWorld {
  const data = openDataDirectory(root, systemClock);
  const store = openNamespaceStore(data, "main", { model: MODEL });
  const vectors = planes as unknown as Record<Plane, VectorIndex>;
  const fulltext = words as unknown as FullTextIndex;
  const indexer = new Indexer({ store, vectors, fulltext, log: silentLog, ...(schedule ? { schedule } : {}) });
  const namespace = { namespace: "main", tier: "pro" } as const;
  const { reader } = store;
  const tenant: Tenant = { namespace, store, reader, objects: new MemoryObjects(), vectors, fulltext, features: reader.features, indexer };
  const close = () => {
    void store.close();
    data.close();
  };
  const restart = (between = () => {}) => {
    close();
    between();
    return openRowWorld(root, schedule, planes, words);
  };
  return { tenant, planes, words, store: (texts) => storeUnits(tenant, texts), restart, close };
}

function emptyPlanes(): Record<Plane, RowIndex> {
  return Object.fromEntries(PLANES.map((plane) => [plane, new RowIndex(false)])) as Record<Plane, RowIndex>;
}

function storeUnits(tenant: Tenant, texts: readonly (string | null)[]): void {
  const { catalog, ledger } = rowsOf(tenant);
  const window = { start: 0, end: 1, vector: new Float32Array([1, 0]) };
  ledger.transact(() => {
    for (const text of texts) {
      const identity = { namespace: "main", scope: "a", acl_owner: "p", doc_id: null, path: null, source_uri: "s", locator: null } as const;
      const unit = { ...identity, modality: "text", plane: "text", text } as const;
      catalog.upsert({ ...unit, unit_id: unitId(unit), acl_groups: [], mime: null, metadata: null }, text === null ? 0 : 2);
      if (text !== null) catalog.embeddings.put(sha256Hex(text), [window, window]);
    }
  });
}
