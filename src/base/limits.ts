/**
 * Every limit of the service by subject, with its unit in its name and its reason beside it: the numbers that bound a
 * queue, a batch, a loop or a body. Those of files are in limits-media.ts. A number that was tuned on data stands beside its
 * algorithm. test/unit/limits.test.ts checks products of limits against what they share.
 */
export * from "./limits-media.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

// --- HTTP bodies

export const BODY_MAX_BYTES = 16 * MIB;
/** The body of a query: the longest text, and a filter of at most 64 nodes of at most 256 values. */
export const QUERY_BODY_MAX_BYTES = 4 * MIB;
/** The body of a request without a credential: a token to exchange for a session. */
export const SMALL_BODY_MAX_BYTES = 16 * KIB;
/** No schema of ours nests deeper than 10; filters take 6 of them. */
export const JSON_MAX_DEPTH = 32;
/** `X-Request-Id` is echoed and logged. */
export const REQUEST_ID_MAX_CHARS = 128;
/** A body must bring BODY_PIECE_BYTES, or end, in every BODY_PIECE_MAX_MS: so 16 MiB may take 11 minutes, 512 MiB 6 hours. */
export const BODY_PIECE_BYTES = 256 * KIB;
export const BODY_PIECE_MAX_MS = 10 * SECOND_MS;
/** All JSON bodies that are being received: about thirty of the largest. */
export const BODIES_ARRIVING_MAX_BYTES = 512 * MIB;
/** Requests served at once; beyond it a request gets 429, since a longer queue would time out. */
export const REQUESTS_IN_WORK_MAX = 512;
/** Uploads received at once: each takes a descriptor, and a slow one takes hours. */
export const UPLOADS_IN_WORK_MAX = 128;
/** Requests whose work is followed as events, at once: they take no place among those above. */
export const STREAMS_IN_WORK_MAX = 128;
/** How often an event stream says that its work goes on. Proxies give up after 60 s of silence, some after 30. */
export const STREAM_HEARTBEAT_MS = 10 * SECOND_MS;
/** The share of each of the four limits above that one namespace may use. */
export const NAMESPACE_SHARE_MAX = 0.75;
export const RETRY_AFTER_SECONDS = 1;
/** Open connections: each takes some KiB here and in the kernel. */
export const CONNECTIONS_MAX = 4_096;
/** At CONNECTIONS_MAX listening stops, until this many connections have closed. */
export const CONNECTIONS_RESUME = 256;
/** Descriptors kept free of connections for stores, processes and uploads; under a small limit of the system, half of those that are free. */
export const DESCRIPTORS_RESERVED = 1_024;
/** The smallest limit of the system to start under: a search and an ingest take about this many. */
export const DESCRIPTORS_MIN = 256;
/** How often descriptors are counted: some hundred connections can be opened in this time. */
export const CONNECTIONS_LOOK_MS = 50;
/** A connection without a request is closed after this long without traffic. Proxies keep theirs for 60 s or less. */
export const CONNECTION_IDLE_SECONDS = 120;
/** Descriptors that must be free before a Worker starts: Bun ends the process when a starting Worker finds none. */
export const WORKER_DESCRIPTORS = 32;
/** The longest wait for running requests after SIGTERM. */
export const DRAIN_MAX_MS = 10 * SECOND_MS;

// --- MCP

/** A message of MCP: a call of ingest brings what a body of ingest may. */
export const MCP_MESSAGE_MAX_BYTES = BODY_MAX_BYTES;
/** Tools that one client calls at once over standard input: more would only wait for the models. */
export const MCP_CALLS_IN_WORK_MAX = 32;

// --- Ingest

export const BATCH_MAX_UNITS = 1_000;
export const TEXT_MAX_BYTES = 256 * KIB;
export const URI_MAX_CHARS = 2_048;
export const ID_MAX_CHARS = 256;
export const GROUPS_MAX = 64;
/** Numbers of a vector that comes with its Unit: more than any encoder of ours gives. */
export const VECTOR_MAX_DIMS = 4_096;
/** Parts of a Unit's path: deeper headings than any document is read by. */
export const PATH_MAX_PARTS = 16;
/** A part is a heading or a term. */
export const PATH_PART_MAX_CHARS = 500;
/** What models read of a path, of its end where it is longer: about 64 tokens, so that the text has room beside it. */
export const PATH_READ_MAX_CHARS = 280;
export const METADATA_MAX_KEYS = 64;
export const METADATA_KEY_MAX_CHARS = 64;
export const METADATA_STRING_MAX_CHARS = 2_048;
export const METADATA_ARRAY_MAX_ITEMS = 64;
/** Canonical JSON of one Unit's metadata. */
export const METADATA_MAX_BYTES = 16 * KIB;
/** One line of NDJSON: more than any valid Unit needs, and a file without line ends does not fill the memory. */
export const LINE_MAX_BYTES = 2 * MIB;
/** Lines of a stream of Units that are stored together, or fewer that reach so many bytes: all streams (UPLOADS_IN_WORK_MAX) hold 1 GiB at most, two batches each. */
export const LINES_BATCH_MAX_BYTES = 4 * MIB;
export const IDEMPOTENCY_KEY_MAX_CHARS = 128;
export const IDEMPOTENCY_TTL_MS = 24 * HOUR_MS;
/** What waits for the writer of one namespace, vectors included: two of the largest batches; beyond it ingest answers 503. */
export const INGEST_QUEUE_MAX_BYTES = 4 * BODY_MAX_BYTES;
/** What one transaction of the writer takes up (group commit); a larger batch goes alone. */
export const COMMIT_MAX_BYTES = 8 * MIB;
/** What a Unit or a text that waits takes beside its bytes and vectors: ids, metadata, promises. */
export const UNIT_OVERHEAD_BYTES = KIB;

// --- Scopes

export const SCOPE_MAX_SEGMENTS = 8;
export const SCOPE_SEGMENT_MAX_CHARS = 64;
/** The longest scope path, with its slashes. */
export const SCOPE_MAX_CHARS = SCOPE_MAX_SEGMENTS * (SCOPE_SEGMENT_MAX_CHARS + 1);
/** Scopes of one namespace: every request goes through all of them. */
export const NAMESPACE_MAX_SCOPES = 10_000;

/**
 * Scopes and access classes that are kept, for each namespace, of what its callers may use and read: of a thousand callers with
 * 400, of twenty with 20,000.
 */
export const VIEWS_MAX_ITEMS = 400_000;

// --- Search

export const QUERY_MAX_CHARS = 4_096;
export const TOP_K_MAX = 50;
export const TOP_K_DEFAULT = 10;
export const FILTER_MAX_DEPTH = 6;
export const FILTER_MAX_NODES = 64;
export const FILTER_LIST_MAX_ITEMS = 256;
/** Terms of one full-text query: each costs a posting list. */
export const QUERY_MAX_TERMS = 64;
/** A leg with too few hits after the checks asks again for this many times more, until it is exhausted or at LEG_DEPTH_MAX. */
export const LEG_REFILL_FACTOR = 4;
/** Candidates of one leg: a filter that fewer than one candidate in a hundred passes gives an incomplete ranking. */
export const LEG_DEPTH_MAX = 5_000;
/** Rows of windows that the vector leg reads of a plane at most to find its Units: those of 60 texts of 256 KiB. */
export const VECTOR_ROWS_MAX = 20_000;
/** Rounds of a search grouped by document: each finds at least one more document, and at most TOP_K_MAX are wanted. */
export const GROUP_ROUNDS_MAX = 50;
/**
 * Rows of Units that loops on the main thread handle in one turn of the event loop: the slowest loop, cosines of pictures,
 * takes 5 ms for them.
 */
export const UNITS_BEFORE_YIELD = 1_000;
/** A filter that the engines cannot evaluate is sent to them as the list of its matches, up to this many. */
export const FILTER_IDS_MAX = 2_000;
/** Units that are tested to make that list, or numbers of a range: a second of the main thread, in turns with other requests. */
export const FILTER_SCAN_MAX_UNITS = 200_000;
/** Fields of one search that are counted. */
export const FACETS_MAX_FIELDS = 16;
/** Values of one field that are told, the most frequent ones. */
export const FACET_VALUES_MAX = 100;
/** Units that full text matches and facets count: about 50 ms of the main thread, in turns with other requests. */
export const FACET_UNITS_MAX = 10_000;
/** What a place in one leg may count for, where it counts for 1 by default: more is as good as that leg alone. */
export const LEG_WEIGHT_MAX = 100;
/** Words of one query that are looked up as misspelt. */
export const SPELLING_WORDS_MAX = 4;
/** Searches for terms near one word: each finds another one at least. */
export const SPELLING_ROUNDS_MAX = 8;
/** Documents of one such search whose terms are compared. */
export const SPELLING_DOCUMENTS_MAX = 20;
/** Terms near one word whose forms are compared with it, and Units in which forms of each are looked for. */
export const SPELLING_TERMS_MAX = 6;
export const SPELLING_EXAMPLES_MAX = 10;
export const SNIPPET_MAX_CHARS = 320;
export const HIGHLIGHTS_MAX = 64;
/** Query vectors kept, by who asked and the hash of the text: about 2 KiB each. */
export const QUERY_VECTOR_CACHE_MAX = 4_096;

/** Texts of one namespace that wait for an encoder: nearly four of the largest batches; beyond it its callers get 503. */
export const ENCODER_QUEUE_MAX_BYTES = 4 * BODY_MAX_BYTES;

/** Texts that are encoded again in one commit when the model changes: some seconds of work. */
export const REEMBED_BATCH_TEXTS = 256;

// --- Listings

export const PAGE_DEFAULT = 100;
export const PAGE_MAX = 100;
/** Places in listings of Units at which a page ended, in a namespace: about 200 bytes each. */
export const LIST_BOOKMARKS_MAX = 4_096;
/** Files that a listing reads at once: a page of those that may be read, where none is hidden. */
export const FILES_PAGE = 100;

// --- Sessions

export const SESSION_IDLE_MS = 12 * HOUR_MS;
export const SESSION_MAX_MS = 7 * 24 * HOUR_MS;
/** A session's expiry is written at most this often, so that most requests write nothing. */
export const SESSION_TOUCH_MS = 60 * SECOND_MS;
export const TOKEN_MAX_CHARS = 512;
/** Live tokens: a listing carries all of them. */
export const NAMESPACE_MAX_TOKENS = 10_000;
/** Scopes that a principal is granted: every request compares each scope of the namespace with each of them. */
export const GRANTS_MAX = 64;

// --- Tiers

export const FREE_TIER_MAX_UNITS = 25_000;

// --- Audit

export const AUDIT_VERIFY_CHUNK_ROWS = 2_000;
/** Rows that `strata audit verify` asks to be checked at a time, some seconds' work: as much is lost when it ends halfway. */
export const AUDIT_VERIFY_PART_ROWS = 1_000_000;

// --- Vector tables

/**
 * LanceDB's own defaults are 6 GiB and 1 GiB. All that searches of four tables of 12,500 rows keep in both caches is
 * 21 MiB, and larger ones made none of them faster. Tables that are searched on disk share these, and writes and upkeep others.
 */
export const VECTOR_INDEX_CACHE_BYTES = 64 * MIB;
export const VECTOR_METADATA_CACHE_BYTES = 16 * MIB;

/**
 * Vectors are kept in memory up to this share of what reading files may take (`--memory`), which is half of the machine's by
 * default: a plane that finds it spent is answered from its table, pictures and sounds from the catalog.
 */
export const VECTOR_MEMORY_SHARE = 0.5;

// --- Engines

/** The first pause before a worker is started or an index is read again: long enough for a short lack of memory or descriptors to pass. */
export const BACKOFF_FIRST_MS = SECOND_MS;
/** The longest pause between attempts, and so the longest wait after the cause has gone. */
export const BACKOFF_MAX_MS = 30 * SECOND_MS;

/** Namespaces that are opened at once after a start: each takes some 30 ms of the main thread, which requests share. */
export const OPENING_MAX = 2;
/** Namespaces that are open at once, whatever the machine has: each has 2 threads, and 8 once it was written to. */
export const NAMESPACES_OPEN_MAX = 256;
/** And on the smallest machine: seeding holds five. */
export const NAMESPACES_OPEN_MIN = 8;
/** Descriptors of an open namespace: 5 of its catalog, 2 of the writer of its full text. */
export const NAMESPACE_DESCRIPTORS = 8;
/** Memory of an open namespace of a few Units that was written to; without a write it takes 2 MiB. */
export const NAMESPACE_BYTES = 10 * MIB;
/** Open namespaces take up to this share of the descriptors, and of what reading files may take (`--memory`). */
export const NAMESPACES_SHARE = 0.25;
/** Requests that wait for their namespaces while all open ones are in use are refused when none of them has got its own for this long. */
export const NAMESPACE_WAIT_MS = 30 * SECOND_MS;

/** Heaps of the C library, one a core and at least this many: with a single one, threads wait for each other. */
export const HEAPS_MIN = 2;

/** How often a Unit is written alone after the process ended during its write: after the second time it is set aside. */
export const INDEX_ATTEMPTS_ALONE_MAX = 2;
/** The part of a library's error message that is kept for a Unit that was set aside. */
export const QUARANTINE_REASON_MAX_CHARS = 500;

/** Memory that LanceDB freed is given back to the system after this long without a vector search or a write. */
export const MEMORY_IDLE_MS = 2_000;

// --- Full text

export const FULLTEXT_WRITER_HEAP_BYTES = 30_000_000;
export const FULLTEXT_STATS_CACHE_MAX = 20_000;
/** Class sets whose size and average length are remembered, per index. */
export const FULLTEXT_CLASS_SETS_MAX = 256;
/** Memory for the postings of all indexes: some 1.7 million texts of three sentences; or, if that is less, this share of what reading files may take. */
export const FULLTEXT_POSTINGS_BYTES = 256 * MIB;
export const FULLTEXT_MEMORY_SHARE = 1 / 8;
/** Memory for the stored records that were read last, over all indexes, for queries that postings alone do not answer. */
export const FULLTEXT_RECORDS_BYTES = 32 * MIB;
/** Rows that one message of a full-text listing carries, so that searches pass in between. */
export const FULLTEXT_ROWS_PAGE = 5_000;
/** Bytes of a segment read at once while its checksum is verified. */
export const CHECKSUM_CHUNK_BYTES = 4 * MIB;
/** Quoted phrases of one full-text query: each reads positions. */
export const QUERY_MAX_PHRASES = 8;
/** Words of one quoted phrase; the rest of a longer one is not required. */
export const PHRASE_MAX_WORDS = 32;
/** A longer word is neither indexed nor searched: no language has one. UTF-8, after folding. */
export const TERM_MAX_BYTES = 64;
/** Words whose term is cached, per thread. */
export const STEM_CACHE_MAX_WORDS = 50_000;
/** Words whose pieces the tokenizer of the multilingual model keeps, per thread. */
export const WORD_PIECES_CACHE_MAX = 20_000;

// --- Inference

/** Inference workers beyond the one for queries end, and free their models, after this long without work. */
export const INFERENCE_IDLE_MS = 30 * SECOND_MS;
/** Tasks of one priority that a worker has: one runs and one waits, so that the worker need not wait for a message. */
export const INFERENCE_PIPELINE_DEPTH = 2;
/** The same of queries: the main thread takes some 15 ms for the vectors of a million Units and hears no reply meanwhile, and a query is encoded in 3. */
export const QUERY_PIPELINE_DEPTH = 4;
/** Runs of a task whose worker dies: after the second death the task is taken for the cause, and fails. */
export const INFERENCE_TASK_MAX_ATTEMPTS = 2;
/** Pairs that wait for a reranker or an entailment model: 20 s of two workers; beyond it callers get 503. */
export const PAIRS_QUEUE_MAX = 4_000;
/** Tokens of a question that the reranker reads. */
export const RERANK_QUERY_MAX_TOKENS = 64;
/** Tokens of a passage that the reranker reads: PATH_READ_MAX_CHARS of its path, and some sentences. 195 tokens take four times as long as 32. */
export const RERANK_TEXT_MAX_TOKENS = 192;
/** Tokens of a premise, of one to four sentences; with the hypothesis and three special tokens it fits the 256 that the model was trained with. */
export const NLI_PREMISE_MAX_TOKENS = 176;
/** Tokens of a hypothesis: one sentence. */
export const NLI_HYPOTHESIS_MAX_TOKENS = 64;
/** UTF-16 units of a pair's text that are tokenised for each token wanted: English has 5, and a long text costs nothing more. */
export const PAIR_UNITS_PER_TOKEN_MAX = 16;

// --- Chat endpoint

/** A dozen short sentences take a few hundred tokens; a model that thinks first takes some more. */
export const CHAT_MAX_TOKENS = 2_048;
/** The whole exchange, after which the answer is composed without the chat model: a caller waits. */
export const CHAT_MAX_MS = 20 * SECOND_MS;
/** A response with CHAT_MAX_TOKENS, streamed with an envelope for each token, stays far below. */
export const CHAT_MAX_BYTES = MIB;
/** Exchanges at once: more would only wait inside the endpoint until they time out. */
export const CHAT_IN_FLIGHT_MAX = 4;
/** Sentences taken from what the model wrote: each is verified on its own. */
export const CHAT_CLAIMS_MAX = 12;
/** Twice what the tokens above usually spell; a longer text is not what was asked for. */
export const CHAT_TEXT_MAX_CHARS = 16 * KIB;

// --- Unpacked files

/** Files are hashed and copied in pieces of this size, so that a model is never held whole. */
export const FILE_CHUNK_BYTES = MIB;
/** A temporary unpack folder of this age belongs to a start that died. */
export const UNPACK_STALE_MS = HOUR_MS;

// --- Reranking

/** Twelve passages take 0.1 s on two free cores, fifty on a busy one this long; then a search goes on with what is scored. */
export const RERANK_MAX_MS = 3_000;
/** Relevance scores kept, by who asked and the hash of query and passage. */
export const RERANK_CACHE_MAX = 50_000;
/** A longer text is highlighted in its best window only. */
export const LONG_TEXT_CHARS = 16_384;
/** Sentences are looked for in this much of a text, around the match. */
export const REGION_MAX_CHARS = 4_096;

// --- Answers

/** Units that are looked into for items. */
export const EVIDENCE_UNITS = 5;
/** Code of at most this many characters is one item; longer code is an item a line. */
export const CODE_ITEM_MAX_CHARS = 240;
/** Items that the cross-encoder reads for one part of a question: those that share most words with it, in the best Units. */
export const EVIDENCE_ITEMS_MAX = 12;
/** A quote is an item with its neighbours, up to this many words. */
export const QUOTE_MAX_WORDS = 80;
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
/** A longer run of prose is cut: an answer quotes whole sentences, and the verifying model reads about 170 tokens. */
export const SENTENCE_MAX_CHARS = 1_000;
/** Parts of one question: each is searched and answered alone. */
export const QUESTION_PARTS_MAX = 4;

// --- The command line

/** Units of one ingest request: large enough to keep the encoders busy, small enough to show progress. */
export const BATCH_DEFAULT_UNITS = 200;
/** Refused lines that `strata ingest` names: a file of another kind is refused line by line. */
export const REFUSALS_LISTED_MAX = 20;
/** One batch is encoded while the other is written. */
export const BATCHES_IN_FLIGHT_MAX = 2;
/** A file is read in pieces of this size. */
export const READ_CHUNK_BYTES = 256 * KIB;
/** Bytes at each end of the part already ingested that tell this file from another one. */
export const FINGERPRINT_BYTES = 64 * KIB;
/** What server.json of a data directory may hold: an address and a few numbers. */
export const SERVER_FILE_MAX_BYTES = 4 * KIB;
/** What a file with a token may hold: the token, and what an editor leaves around it. */
export const TOKEN_FILE_MAX_BYTES = 4 * KIB;
/** How often a request that the server cannot take now is sent again. */
export const RETRIES_MAX = 8;
/** The longest `Retry-After` of a server that is obeyed. */
export const RETRY_AFTER_MAX_MS = 30_000;
/** The longest wait for a response: a batch of long texts takes minutes on a small machine. */
export const REQUEST_MAX_MS = 900 * SECOND_MS;
/** The rate of long work is that of its last seconds: it follows a file that takes longer, and does not jump with each batch. */
export const PACE_WINDOW_MS = 15 * SECOND_MS;
/** A progress line is drawn at most this often. */
export const PROGRESS_INTERVAL_MS = 100;
