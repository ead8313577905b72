/** Search models that a test makes up. */
import { CachedReranker, QueryEncoder, RequestModels, type SearchModels } from "../../src/core/search/models.ts";
import type { Encoder } from "../../src/domain/port/encoder.ts";
import type { Entailment } from "../../src/domain/port/entailment.ts";
import type { Reranker } from "../../src/domain/port/reranker.ts";
import type { Caller } from "../../src/domain/principal.ts";

/** Somebody in a namespace. */
export function callerOf(principal_id: string, namespace = "n", home = namespace): Caller {
  const all = { perms: ["read"] as const, scopes: ["*"], active_scope: "*", groups: [], read_only: false, super_admin: false };
  const principal = { ...all, perms: [...all.perms], principal_id, namespace: home };
  return { principal, credential: "token", namespace: { namespace, tier: "enterprise" } };
}

/** Windows of the text's length, and a count of what was encoded. */
export function countingEncoder(onEncode: () => Promise<unknown> = async () => {}): Encoder & { encoded: string[] } {
  const encoded: string[] = [];
  return {
    encoded,
    info: { model: "counting", dims: 4, maxTokens: 512, floor: null },
    encode: async (text) => {
      encoded.push(text);
      await onEncode();
      return [{ start: 0, end: text.length, vector: Float32Array.of(1, 0, 0, 0) }];
    },
    ready: () => true,
    close: async () => {},
  };
}

const NOTHING: Reranker = { model: "none", score: async (_query, texts) => texts.map(() => null) };
const NO_ENTAILMENT: Entailment = { model: "none", judge: async () => [] };

interface Models {
  encoder?: Encoder;
  reranker?: Reranker;
  entailment?: Entailment;
}

export function searchModelsOf({ encoder = countingEncoder(), reranker = NOTHING, entailment = NO_ENTAILMENT }: Models): SearchModels {
  return { queries: new QueryEncoder(encoder), reranker: new CachedReranker(reranker), entailment, chat: null };
}

export function requestModelsOf(models: Models, caller = callerOf("ann")): RequestModels {
  return new RequestModels(searchModelsOf(models), caller);
}
