import { expect, test } from "bun:test";
import * as limits from "../../src/base/limits.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** What caches and queues of one process may take of the memory beside its stores and models. */
const CACHES_MAX_BYTES = 64 * MIB;
/** Float32, as the encoder gives it. */
const VECTOR_BYTES = 384 * 4;

/** `parts` are products of a count and what one takes; together they fit `budget`. */
function fits(budget: number, ...parts: [count: number, each: number][]): void {
  expect(parts.reduce((sum, [count, each]) => sum + count * each, 0)).toBeLessThanOrEqual(budget);
}

test("bodies fit what is kept for bodies that arrive", () => {
  fits(limits.BODIES_ARRIVING_MAX_BYTES, [30, limits.BODY_MAX_BYTES]);
  // One namespace's share takes a whole body of the largest kind.
  fits(limits.BODIES_ARRIVING_MAX_BYTES * limits.NAMESPACE_SHARE_MAX, [1, limits.BODY_MAX_BYTES]);
});

test("the largest filter and query fit a query's body", () => {
  fits(limits.QUERY_BODY_MAX_BYTES, [limits.FILTER_MAX_NODES * limits.FILTER_LIST_MAX_ITEMS, limits.ID_MAX_CHARS]);
  expect(limits.FILTER_MAX_DEPTH).toBeLessThan(limits.JSON_MAX_DEPTH);
});

test("a body's Units fit the queues of a namespace", () => {
  const overhead = limits.BATCH_MAX_UNITS * limits.UNIT_OVERHEAD_BYTES;
  // Two of the largest batches, with a vector for every window of their text: English has 5 bytes a token.
  const windows = limits.BODY_MAX_BYTES / 5 / 384 + limits.BATCH_MAX_UNITS;
  fits(limits.INGEST_QUEUE_MAX_BYTES, [2, limits.BODY_MAX_BYTES + overhead], [2, windows * VECTOR_BYTES]);
  fits(limits.ENCODER_QUEUE_MAX_BYTES, [3, limits.BODY_MAX_BYTES + overhead]);
  fits(limits.INGEST_QUEUE_MAX_BYTES, [1, limits.COMMIT_MAX_BYTES]);
  fits(limits.BODY_MAX_BYTES, [1, limits.TEXT_MAX_BYTES + limits.METADATA_MAX_BYTES]);
});

test("the command line's batches are the service's", () => {
  fits(limits.LINES_BATCH_MAX_BYTES, [1, limits.LINE_MAX_BYTES]);
  expect(limits.BATCH_DEFAULT_UNITS).toBeLessThanOrEqual(limits.BATCH_MAX_UNITS);
});

test("caches fit their budget", () => {
  fits(
    CACHES_MAX_BYTES,
    [limits.QUERY_VECTOR_CACHE_MAX, VECTOR_BYTES + 256],
    // A key of a hash and an id, and a number.
    [limits.RERANK_CACHE_MAX, 200],
    // A word and its term; one cache on the main thread, two in the full-text Workers.
    [3 * limits.STEM_CACHE_MAX_WORDS, 2 * limits.TERM_MAX_BYTES],
    [limits.FULLTEXT_STATS_CACHE_MAX, 2 * limits.TERM_MAX_BYTES],
  );
});

test("connections, requests and uploads fit the descriptors kept for them", () => {
  fits(limits.CONNECTIONS_MAX, [
    1,
    limits.REQUESTS_IN_WORK_MAX + limits.UPLOADS_IN_WORK_MAX + limits.STREAMS_IN_WORK_MAX + limits.CONNECTIONS_RESUME,
  ]);
  fits(limits.DESCRIPTORS_RESERVED, [limits.UPLOADS_IN_WORK_MAX, 1], [4, limits.WORKER_DESCRIPTORS]);
});

test("a chat model's answer fits what is read of it", () => {
  fits(limits.CHAT_MAX_BYTES, [limits.CHAT_MAX_TOKENS, 256]);
  fits(limits.CHAT_MAX_BYTES, [limits.CHAT_TEXT_MAX_CHARS, 4]);
});

test("what is searched for fits what is looked at", () => {
  // Rows of windows: those of the largest texts, once for each hit.
  fits(limits.VECTOR_ROWS_MAX, [limits.TOP_K_MAX, limits.TEXT_MAX_BYTES / 4 / 384]);
  fits(limits.GROUP_ROUNDS_MAX, [1, limits.TOP_K_MAX]);
  fits(limits.LEG_DEPTH_MAX, [limits.TOP_K_MAX, 100]);
  fits(limits.FILTER_SCAN_MAX_UNITS, [1, limits.FILTER_IDS_MAX]);
});

test("media processes fit their grants of memory", () => {
  expect(limits.MEDIA_PROCESS_FIRST_BYTES).toBeLessThanOrEqual(limits.MEDIA_PROCESS_MAX_BYTES);
  for (const bytes of Object.values(limits.MEDIA_MIN_BYTES)) expect(bytes).toBeLessThanOrEqual(limits.MEDIA_PROCESS_FIRST_BYTES);
  fits(limits.MEMORY_MIN_BYTES, [1, Math.min(...Object.values(limits.MEDIA_MIN_BYTES))]);
  fits(limits.MEDIA_PROCESS_FIRST_BYTES, [1, limits.PDF_HEAP_MAX_BYTES]);
});
