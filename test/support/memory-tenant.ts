/** A namespace on the reference adapters, with an encoder that compares the words of texts: searches without engines or models. */
import { silentLog } from "../../src/base/log.ts";
import { sha256 } from "../../src/base/hash.ts";
import { MemoryFullTextIndex } from "../../src/adapter/memory/full-text-index.ts";
import { MemoryStore } from "../../src/adapter/memory/namespace-store.ts";
import { MemoryObjects } from "../../src/adapter/memory/objects.ts";
import { MemoryVectorIndex } from "../../src/adapter/memory/vector-index.ts";
import { resolveView } from "../../src/core/access/view.ts";
import { answerQuestion } from "../../src/core/answer/question.ts";
import { Indexer } from "../../src/core/index/indexer.ts";
import type { Services } from "../../src/core/services.ts";
import { search } from "../../src/core/search/search.ts";
import { parseQuery } from "../../src/core/search/query.ts";
import type { Tenant } from "../../src/core/tenant.ts";
import { commit } from "../../src/core/tenant.ts";
import { PLANES, type Plane } from "../../src/domain/plane.ts";
import type { Encoder } from "../../src/domain/port/encoder.ts";
import type { Caller, Principal } from "../../src/domain/principal.ts";
import { embeddedSha256, readText, type UnitDraft, unitId } from "../../src/domain/unit.ts";
import { searchModelsOf } from "./search-models.ts";

/** Bytes of a SHA-256. */
const DIMS = 32;
const NAMESPACE = { namespace: "memory", tier: "enterprise" } as const;
export const NOW = 1_800_000_000_000;

/** Each word adds a direction of its own. */
export const wordEncoder: Encoder = {
  info: { model: "words", dims: DIMS, maxTokens: 512, floor: null },
  encode: async (text) => {
    const vector = new Float32Array(DIMS);
    for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
      for (const [at, byte] of sha256(word).entries()) vector[at] = (vector[at] ?? 0) + byte - 127;
    }
    const length = Math.hypot(...vector) || 1;
    return [{ start: 0, end: text.length, vector: vector.map((value) => value / length) }];
  },
  ready: () => true,
  close: async () => {},
};

export interface MemoryWorld {
  tenant: Tenant;
  /** Stores Units; their ids. */
  put(drafts: readonly Partial<UnitDraft>[]): Promise<string[]>;
  /** What a search answers. Errors: `bad_request`. */
  search(body: Record<string, unknown>, caller?: Caller, scope?: string): Promise<SearchAnswer>;
}
export type SearchAnswer = Awaited<ReturnType<typeof search.run>>;

export function memoryWorld(): MemoryWorld {
  const store = new MemoryStore({ namespace: NAMESPACE.namespace, now: () => NOW, model: wordEncoder.info.model });
  const vectors = Object.fromEntries(PLANES.map((plane) => [plane, new MemoryVectorIndex(plane)])) as Record<Plane, MemoryVectorIndex>;
  const fulltext = new MemoryFullTextIndex();
  const indexer = new Indexer({ store, vectors, fulltext, log: silentLog });
  const { reader } = store;
  const tenant: Tenant = { namespace: NAMESPACE, store, reader, objects: new MemoryObjects(), vectors, fulltext, features: reader.features, indexer };
  const services = { models: searchModelsOf({ encoder: wordEncoder }), answerQuestion, now: () => NOW } as unknown as Services;
  return {
    tenant,
    async put(partial) {
      const drafts = partial.map((more, index) => draftOf(index, more));
      const texts = drafts.flatMap((draft) => (draft.text === null ? [] : [{ hash: embeddedSha256(draft), text: readText(draft.path, draft.text) }]));
      const windows = await Promise.all(texts.map(async ({ hash, text }) => [hash ?? "", await wordEncoder.encode(text, "ingest")] as const));
      const stored = await commit(tenant, async (tx) => {
        for (const { scope, plane } of drafts) await tx.access.register(scope, [plane]);
        return tx.units.upsert(drafts, new Map(windows));
      });
      return stored.map(({ unit_id }) => unit_id);
    },
    async search(body, caller = person(), scope = "*") {
      const view = await resolveView(tenant, caller, scope);
      return search.run({ view, input: parseQuery(body, NAMESPACE, NOW), services });
    },
  };
}

function draftOf(index: number, more: Partial<UnitDraft>): UnitDraft {
  const where = { namespace: NAMESPACE.namespace, scope: "here", acl_owner: "owner", doc_id: null, path: null, source_uri: `unit/${index}` };
  const identity = { ...where, locator: null, modality: "text", plane: "text", text: `unit ${index}`, ...more } as const;
  return { acl_groups: [], mime: null, metadata: null, ...identity, unit_id: unitId(identity) };
}

/** Somebody of the namespace; without `more` the owner of what `put` stores. */
export function person(more: Partial<Principal> = {}): Caller {
  const all = { namespace: NAMESPACE.namespace, scopes: ["*"], active_scope: "*", groups: [], read_only: false, super_admin: false };
  return { principal: { principal_id: "owner", perms: ["read"], ...all, ...more }, credential: "token", namespace: NAMESPACE };
}
