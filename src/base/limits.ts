/**
 * Every limit of the service, with its unit in its name and its reason beside it.
 * A number that bounds a queue, a batch, a loop or a body stands here, or for files in limits-media.ts, and nowhere else.
 */
export * from "./limits-media.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

/** HTTP bodies. */
export const BODY_MAX_BYTES = 16 * MIB;
/** A query with its filters: 4,096 characters and at most 64 nodes of at most 256 values. */
export const QUERY_BODY_MAX_BYTES = 4 * MIB;
/** A token to exchange is all that anybody unknown may send. */
export const SMALL_BODY_MAX_BYTES = 16 * KIB;
/** No schema of ours nests deeper than 10; filters take 6 of them. */
export const JSON_MAX_DEPTH = 32;
/** `X-Request-Id` is echoed and logged. */
export const REQUEST_ID_MAX_CHARS = 128;
/** A body brings this much, or its end, in every ten seconds of waiting: 16 MiB have 11 minutes, 512 MiB have 6 hours. */
export const BODY_PIECE_BYTES = 256 * KIB;
export const BODY_PIECE_MAX_MS = 10 * SECOND_MS;
/** Of JSON bodies that are not whole yet: thirty of the largest. */
export const BODIES_ARRIVING_MAX_BYTES = 512 * MIB;
/** Requests in work at once; beyond it a 429 is cheaper than a queue that times out. */
export const REQUESTS_IN_WORK_MAX = 512;
/** Files that are on their way at once: each has a descriptor, and a slow sender takes hours. */
export const UPLOADS_IN_WORK_MAX = 128;
/** Of each of these three, what one namespace may have: others find some left. */
export const NAMESPACE_SHARE_MAX = 0.75;
export const RETRY_AFTER_SECONDS = 1;
/** Connections beyond what was open when listening began: each costs some KiB here and in the kernel. */
export const CONNECTIONS_MAX = 4_096;
/** Listening goes on once this many have gone, not with every one. */
export const CONNECTIONS_RESUME = 256;
/** Descriptors that connections leave to stores, processes and uploads; under a small limit, half of what is free. */
export const DESCRIPTORS_RESERVED = 1_024;
/** With a lower limit a search and an ingest would not have enough. */
export const DESCRIPTORS_MIN = 256;
/** How often they are counted: a flood opens some hundred in this time. */
export const CONNECTIONS_LOOK_MS = 50;
/** Nothing has moved on a connection without work for this long: it is closed. Proxies keep theirs for 60 s or less. */
export const CONNECTION_IDLE_SECONDS = 120;
/** What a Worker opens as it starts. Bun ends the process when one finds no descriptor. */
export const WORKER_DESCRIPTORS = 32;
/** SIGTERM waits this long for running requests. */
export const DRAIN_MAX_MS = 10 * SECOND_MS;

/** Ingest. */
export const BATCH_MAX_UNITS = 1_000;
export const TEXT_MAX_BYTES = 256 * KIB;
export const URI_MAX_CHARS = 2_048;
export const ID_MAX_CHARS = 256;
export const GROUPS_MAX = 64;
export const METADATA_MAX_KEYS = 64;
export const METADATA_KEY_MAX_CHARS = 64;
export const METADATA_STRING_MAX_CHARS = 2_048;
export const METADATA_ARRAY_MAX_ITEMS = 64;
/** Canonical JSON of one Unit's metadata. */
export const METADATA_MAX_BYTES = 16 * KIB;
export const IDEMPOTENCY_KEY_MAX_CHARS = 128;
export const IDEMPOTENCY_TTL_MS = 24 * HOUR_MS;
/** What waits for the writer of one namespace, vectors included: two of the largest batches; beyond it ingest answers 503. */
export const INGEST_QUEUE_MAX_BYTES = 4 * BODY_MAX_BYTES;
/** What one transaction of the writer takes up (group commit); a larger batch goes alone. */
export const COMMIT_MAX_BYTES = 8 * MIB;
/** A Unit or a text that waits, beside its bytes and vectors: ids, metadata, promises. */
export const UNIT_OVERHEAD_BYTES = KIB;

/** Scopes. */
export const SCOPE_MAX_SEGMENTS = 8;
export const SCOPE_SEGMENT_MAX_CHARS = 64;
/** Scopes of one namespace: every request looks through all of them. */
export const NAMESPACE_MAX_SCOPES = 10_000;

/** Search. */
export const QUERY_MAX_CHARS = 4_096;
export const TOP_K_MAX = 50;
export const TOP_K_DEFAULT = 10;
export const FILTER_MAX_DEPTH = 6;
export const FILTER_MAX_NODES = 64;
export const FILTER_LIST_MAX_ITEMS = 256;
/** Terms of one full-text query: each costs a posting list. */
export const QUERY_MAX_TERMS = 64;
/**
 * Candidates of each leg that are fused: twice top_k, and at least this many. Deeper legs were worse on
 * SciFact (docs/benchmark.md): a distant place in one leg should not outweigh a near one in another.
 */
export const LEG_DEPTH_MIN = 20;
/** A leg that comes back short asks for this many times more, until it is exhausted or at LEG_DEPTH_MAX. */
export const LEG_REFILL_FACTOR = 4;
/** Candidates that one leg is asked for at most: a filter that lets fewer than one in a hundred of them through is too much for it. */
export const LEG_DEPTH_MAX = 5_000;
/** Rows of windows that a vector leg reads at most to find its Units: those of 60 texts of 256 KiB. */
export const VECTOR_ROWS_MAX = 20_000;
/** Rounds of a search by groups: each finds one more document at least, and TOP_K_MAX are asked for at most. */
export const GROUP_ROUNDS_MAX = 50;
/**
 * Rows of Units that loops on the main thread handle before everything else gets its turn: the slowest, cosines of
 * pictures, takes 5 ms for them.
 */
export const UNITS_BEFORE_YIELD = 1_000;
/** Full-text candidates that are scored again with the statistics the caller may see. */
export const RESCORE_MIN = 200;
/** Reciprocal rank fusion's k (Cormack, Clarke and Büttcher, SIGIR 2009). */
export const RRF_K = 60;
/** Up to this many matches an inexpressible filter becomes a list of ids. */
export const FILTER_IDS_MAX = 2_000;
/** Units that are looked at to make that list: a second of the main thread, shared with all others. */
export const FILTER_SCAN_MAX_UNITS = 200_000;
export const SNIPPET_MAX_CHARS = 320;
export const HIGHLIGHTS_MAX = 64;
/** Query vectors kept, by who asked and the hash of the text: about 2 KiB each. */
export const QUERY_VECTOR_CACHE_MAX = 4_096;

/** Embedding. A window and the next share a quarter. */
export const WINDOW_STRIDE_TOKENS = 384;
/** Texts of one namespace that wait for an encoder: nearly four of the largest batches; beyond it its callers get 503. */
export const ENCODER_QUEUE_MAX_BYTES = 4 * BODY_MAX_BYTES;

/** Texts that are encoded again in one commit when the model changes: some seconds of work. */
export const REEMBED_BATCH_TEXTS = 256;

/** Listings. */
export const PAGE_DEFAULT = 100;
export const PAGE_MAX = 100;

/** Sessions. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
export const SESSION_MAX_MS = 7 * 24 * HOUR_MS;
/** A sliding session is written again only this often, so that reads stay reads. */
export const SESSION_TOUCH_MS = 60 * SECOND_MS;
export const TOKEN_MAX_CHARS = 512;
/** Live tokens: a listing carries all of them. */
export const NAMESPACE_MAX_TOKENS = 10_000;
/** Scopes that a principal is granted: every request holds each registered scope against each of them. */
export const GRANTS_MAX = 64;

/** Tiers. */
export const FREE_TIER_MAX_UNITS = 25_000;

/** Audit. */
export const AUDIT_VERIFY_CHUNK_ROWS = 2_000;

/** Vector tables. */
/**
 * LanceDB's own defaults are 6 GiB and 1 GiB. All that searches of four tables of 12,500 rows keep in both caches is
 * 21 MiB, and larger ones made none of them faster.
 */
export const VECTOR_INDEX_CACHE_BYTES = 64 * MIB;
export const VECTOR_METADATA_CACHE_BYTES = 16 * MIB;
/** Up to this many rows an exact scan is as fast as an index, and owes nothing to rows a caller cannot see. */
export const VECTOR_EXACT_MAX_ROWS = 4_000;
/** Commits between two rounds of upkeep: a query reads the fragment that each leaves, and 15 of them cost it a third more. */
export const VECTOR_COMMITS_MAX = 16;
/** Rows beside the index, which every query scans, before they are added to it. */
export const VECTOR_UNINDEXED_MAX_ROWS = 1_000;
/** Deleted and replaced rows before a table is written again without them: this share of the live ones, */
export const VECTOR_STALE_MAX_SHARE = 0.2;
/** and at least this many, so that a small table is not written again for every change. */
export const VECTOR_STALE_MIN_ROWS = 500;
/**
 * Each round of upkeep appends a part to the index of vectors, with a fragment that stays apart from the others; beyond this
 * many the index is built whole. Every query searches each part: one with 8 took 28 ms over four tables, with one 18 ms.
 */
export const VECTOR_INDEX_PARTS_MAX = 8;
/** Writing has paused when nothing was written to a table for this long: less than a person needs to go on to a search. */
export const VECTOR_PAUSE_MS = SECOND_MS;
/** A round of upkeep in a pause comes after this many commits since the last round, so that few writes with long pauses make few rounds, */
export const VECTOR_PAUSE_COMMITS = 4;
/** or after this many rows beside the index. */
export const VECTOR_PAUSE_UNINDEXED_ROWS = 250;
/** In a pause an index of more parts is built whole, */
export const VECTOR_PAUSE_INDEX_PARTS_MAX = 2;
/** when more than this share of the rows was written since the last time: so a row is indexed again a fixed number of times while a table grows. */
export const VECTOR_PAUSE_APPENDED_MAX_SHARE = 0.1;

/** Engines. */
/** A worker that died twice in a row, or an index that cannot be used, is tried again after this long: what was short for a moment is there again. */
export const BACKOFF_FIRST_MS = SECOND_MS;
/** The longest pause between attempts: nobody waits longer than this once the cause has gone. */
export const BACKOFF_MAX_MS = 30 * SECOND_MS;

/** Heaps of the C library, one a core and at least this many: with a single one, threads wait for each other. */
export const HEAPS_MIN = 2;

/** How often a Unit is written alone after the process ended with it in hand: twice in a row is no coincidence. */
export const INDEX_ATTEMPTS_ALONE_MAX = 2;
/** What is kept of the words of a library about a Unit that it does not take. */
export const QUARANTINE_REASON_MAX_CHARS = 500;

/** Memory that LanceDB let go of is given back to the system after this long without a vector search or a write. */
export const MEMORY_IDLE_MS = 2_000;

/** Full text. */
export const FULLTEXT_WRITER_HEAP_BYTES = 30_000_000;
export const FULLTEXT_STATS_CACHE_MAX = 20_000;
/** Class sets whose size and average length are remembered, per index. */
export const FULLTEXT_CLASS_SETS_MAX = 256;
/** A candidate's terms are read by unpacking its block: Tantivy's own 16 KiB would be twenty documents for one. */
export const FULLTEXT_STORE_BLOCK_BYTES = 2 * KIB;
/** Rows that one message of a full-text listing carries, so that searches pass in between. */
export const FULLTEXT_ROWS_PAGE = 5_000;
/** Bytes of a segment read at once while its checksum is verified. */
export const CHECKSUM_CHUNK_BYTES = 4 * MIB;
/** Quoted phrases of one full-text query: each reads positions. */
export const QUERY_MAX_PHRASES = 8;
/** Words of one quoted phrase; the rest of a longer one is not required. */
export const PHRASE_MAX_WORDS = 32;
/** A longer word is no word of a language: it is neither indexed nor searched. UTF-8, after folding. */
export const TERM_MAX_BYTES = 64;
/** Words whose stem is remembered, per worker. */
export const STEM_CACHE_MAX_WORDS = 50_000;

/** Inference. */
/** A word of more tokens than this may be cut inside: 64 is half the overlap of two windows. */
export const WINDOW_PIECE_MAX_TOKENS = 64;
/** Inference workers beyond the one for queries end, and let go of their models, after this long without work. */
export const INFERENCE_IDLE_MS = 30 * SECOND_MS;
/** Steps that inference is nicer than what serves requests: a search should not wait while answers fill every core. */
export const INFERENCE_NICE = 10;
/** Jobs of one class in hand per worker: one runs, one waits beside it, so that the worker never idles for a message. */
export const INFERENCE_PIPELINE_DEPTH = 2;
/** A job whose worker died runs once more: a second death is taken as its fault. */
export const INFERENCE_TASK_MAX_ATTEMPTS = 2;
/** Pairs that wait for a reranker or an entailment model: 20 s of two workers; beyond it callers get 503. */
export const PAIRS_QUEUE_MAX = 4_000;
/** A question; longer ones are read up to here. */
export const RERANK_QUERY_MAX_TOKENS = 64;
/** A sentence or two. The time for a pair grows with its tokens: 195 take four times as long as 32. */
export const RERANK_TEXT_MAX_TOKENS = 128;
/** One to four sentences; with the hypothesis and three special tokens it stays inside the 256 the model was trained at. */
export const NLI_PREMISE_MAX_TOKENS = 176;
/** One fact. */
export const NLI_HYPOTHESIS_MAX_TOKENS = 64;
/** UTF-16 units of a pair's text that are tokenised for each token wanted: English has 5, and a long text costs nothing more. */
export const PAIR_UNITS_PER_TOKEN_MAX = 16;
/** A self-test vector may differ by this much in each component: rounding between CPU families stays far below. */
export const SELFTEST_MAX_DIFFERENCE = 0.01;
/** A self-test logit, of a range of about 22, may differ by this much: int8 rounds differently on other CPU families. */
export const SELFTEST_LOGIT_MAX_DIFFERENCE = 0.5;

/** Chat endpoint. */
/** A dozen short sentences take a few hundred tokens; a model that thinks first takes some more. */
export const CHAT_MAX_TOKENS = 2_048;
/** The whole exchange: a person waits, and the built-in synthesiser answers in their place. */
export const CHAT_MAX_MS = 20 * SECOND_MS;
/** Many times what the tokens above weigh, streamed with their envelopes. */
export const CHAT_MAX_BYTES = MIB;
/** Exchanges at once: more would only wait inside the endpoint until they time out. */
export const CHAT_IN_FLIGHT_MAX = 4;
/** Sentences taken from what the model wrote: each is verified on its own. */
export const CHAT_CLAIMS_MAX = 12;
/** Twice what the tokens above usually spell; a longer text is not what was asked for. */
export const CHAT_TEXT_MAX_CHARS = 16 * KIB;

/** Unpacked files. */
/** Files are hashed and copied in pieces of this size, so that a model is never held whole. */
export const FILE_CHUNK_BYTES = MIB;
/** A temporary unpack folder this old belongs to a start that died. */
export const UNPACK_STALE_MS = HOUR_MS;

/** Reranking. */
/** Candidates that the cross-encoder reads, or `top_k` if that is more: beyond a dozen the first stage is seldom wrong enough. */
export const RERANK_CANDIDATES = 12;
/** Twelve passages take 0.1 s on two free cores, fifty on a busy one this long; then a search goes on with what is scored. */
export const RERANK_MAX_MS = 3_000;
/** Relevance scores kept, by who asked and the hash of query and passage. */
export const RERANK_CACHE_MAX = 50_000;
/** Beyond this a text is highlighted in its best window only. */
export const LONG_TEXT_CHARS = 16_384;
/** Sentences are looked for in this much of a text, around the match. */
export const REGION_MAX_CHARS = 4_096;

/** Answers. */
/** Rounds of retrieve, find evidence, verify, cite. */
export const ANSWER_ROUNDS_MAX = 3;
/** No further round begins after this long. */
export const ANSWER_ROUNDS_MS = 4_000;
/** Units that are looked into for sentences in one round. */
export const EVIDENCE_UNITS = 6;
/** Sentences of one Unit that the cross-encoder reads: those that share most words with the question. */
export const EVIDENCE_SENTENCES_PER_UNIT = 10;
/** Sentences that are read again with the sentence before them. */
export const EVIDENCE_IN_CONTEXT = 16;
/** The search for evidence goes on with what is scored after this long. */
export const EVIDENCE_MAX_MS = 3_000;
/** Sentences of an answer by one part of the question. */
export const ANSWER_SENTENCES_PER_PART = 3;
/** Passages that a claim is compared with to find one that contradicts it. */
export const CONTRADICTION_CANDIDATES = 8;
/** Evidence that a chat model is given. */
export const CHAT_EVIDENCE_MAX = 8;
/** Sentences of a premise; the card of the entailment model: one to four. */
export const PREMISE_MAX_SENTENCES = 4;
/** How often an answer is put together again because evidence was deleted or closed to the caller meanwhile. */
export const RECHECKS_MAX = 3;
/** Units that are no evidence are looked for among this many of a ranking, and this often: more of them could crowd out others. */
export const EXCLUSION_DEPTH = 100;
export const EXCLUSION_ROUNDS_MAX = 4;
/** A longer run of prose is cut: an answer quotes whole sentences, and the verifying model reads about 170 tokens. */
export const SENTENCE_MAX_CHARS = 1_000;
/** Single facts of one claim: each is verified alone, and a sentence of more is a list. */
export const FACTS_MAX = 4;
/** Parts of one question: each is searched and answered alone. */
export const QUESTION_PARTS_MAX = 4;

/** The command line. */

/** Units of one ingest request: large enough to keep the encoders busy, small enough to show progress. */
export const BATCH_DEFAULT_UNITS = 200;
/** One batch is encoded while the other is written. */
export const BATCHES_IN_FLIGHT_MAX = 2;
/** Text of one ingest request; a batch closes early rather than pass the service's limit on bodies. */
export const BATCH_MAX_BYTES = BODY_MAX_BYTES / 2;
/** One line of NDJSON: more than any valid Unit needs, and a file without line ends does not fill the memory. */
export const LINE_MAX_BYTES = 2 * MIB;
/** A file is read in pieces of this size. */
export const READ_CHUNK_BYTES = 256 * KIB;
/** Bytes at each end of the part already ingested that tell this file from another one. */
export const FINGERPRINT_BYTES = 64 * KIB;
/** How often a request that the server cannot take now is sent again. */
export const RETRIES_MAX = 8;
/** A server may ask for a pause, within reason. */
export const RETRY_AFTER_MAX_MS = 30_000;
/** A batch of long texts takes minutes on a small machine; a silent server is given up on after this. */
export const REQUEST_MAX_MS = 900 * SECOND_MS;
/** A progress line is drawn at most this often. */
export const PROGRESS_INTERVAL_MS = 100;
