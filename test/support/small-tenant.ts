/** A namespace in memory, with indexes that hold ids alone, which a test can stop and break. */
import { silentLog } from "../../src/base/log.ts";
import { resolveView } from "../../src/core/access/view.ts";
import type { Call } from "../../src/core/operation.ts";
import type { Services } from "../../src/core/services.ts";
import type { Tenant, WithTenant } from "../../src/core/tenant.ts";
import { Indexer } from "../../src/core/index/indexer.ts";
import { PLANES, type Plane } from "../../src/domain/plane.ts";
import type { Encoder } from "../../src/domain/port/encoder.ts";
import type { FullTextIndex } from "../../src/domain/port/full-text-index.ts";
import type { IndexEntry } from "../../src/domain/port/index.ts";
import type { VectorIndex } from "../../src/domain/port/vector-index.ts";
import type { Caller } from "../../src/domain/principal.ts";
import { MemoryStore } from "../../src/adapter/memory/namespace-store.ts";
import { MemoryObjects } from "../../src/adapter/memory/objects.ts";
import type { NamespaceStore } from "../../src/domain/port/store.ts";

export class FakeIndex {
  readonly uids = new Set<number>();
  puts = 0;
  /** Uids in each call of `remove`. */
  readonly removed: number[] = [];
  /** What a call waits for. */
  gate: Promise<void> = Promise.resolve();
  failing = false;

  async put(entries: readonly Pick<IndexEntry, "unit">[]): Promise<void> {
    await this.pass();
    this.puts += 1;
    for (const { unit } of entries) this.uids.add(unit.uid);
  }

  async remove(uids: readonly number[]): Promise<void> {
    await this.pass();
    this.removed.push(uids.length);
    for (const uid of uids) this.uids.delete(uid);
  }

  async state() {
    return { rows: this.uids.size, state: "ok" as const };
  }

  private async pass(): Promise<void> {
    await this.gate;
    if (this.failing) throw new Error("the index is broken");
  }
}

/** Gives every text one window at once. */
export const oneWindow: Encoder = {
  info: { model: "fake", dims: 4, maxTokens: 512, floor: null },
  encode: async (text) => [{ start: 0, end: text.length, vector: Float32Array.of(1, 0, 0, 0) }],
  ready: () => true,
  close: async () => {},
};

export interface SmallTenant {
  tenant: Tenant;
  fulltext: FakeIndex;
  text: FakeIndex;
  caller: Caller;
}

const open: Tenant[] = [];

/** Works in the tenant of this name that was opened last. */
export const withSmall: WithTenant = async (namespace, work) => {
  const tenant = open.findLast((each) => each.namespace.namespace === namespace.namespace);
  if (tenant === undefined) throw new Error(`no tenant ${namespace.namespace}`);
  return work(tenant);
};

/** Closes what `openSmall` and `smallOn` opened. */
export async function closeSmall(): Promise<void> {
  for (const each of open.splice(0).reverse()) await each.store.close();
}

export function openSmall(name = "small"): SmallTenant {
  return smallOn(new MemoryStore({ namespace: name, now: Date.now, model: oneWindow.info.model }));
}

/** On another store. */
export function smallOn(store: NamespaceStore): SmallTenant {
  const name = store.namespace;
  const planes = Object.fromEntries(PLANES.map((plane) => [plane, new FakeIndex()])) as Record<Plane, FakeIndex>;
  const fulltext = new FakeIndex();
  const indexes = { vectors: planes as unknown as Record<Plane, VectorIndex>, fulltext: fulltext as unknown as FullTextIndex };
  const indexer = new Indexer({ store, ...indexes, log: silentLog });
  const namespace = { namespace: name, tier: "enterprise" as const };
  const principal = { principal_id: "owner", namespace: name, scopes: ["*"], active_scope: "here", groups: [], read_only: false, super_admin: false };
  const caller: Caller = { principal: { ...principal, perms: ["read", "write", "admin"] }, credential: "token", namespace };
  const { reader } = store;
  const tenant: Tenant = { namespace, store, reader, objects: new MemoryObjects(), ...indexes, features: reader.features, indexer };
  open.push(tenant);
  return { tenant, fulltext, text: planes.text, caller };
}

/** A call of an operation in a small namespace, with as much of the services as it needs. */
export async function callIn<Input>(
  { tenant, caller }: Pick<SmallTenant, "tenant" | "caller">,
  input: Input,
  services: Partial<Services> = {},
): Promise<Call<Input>> {
  return { view: await resolveView(tenant, caller, null), input, services: services as Services };
}
