/**
 * Every limit of the service, with its unit in its name and its reason beside it.
 * A number that bounds a queue, a batch, a loop or a body stands here and nowhere else.
 */

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
/** Requests in work at once; beyond it a 429 is cheaper than a queue that times out. */
export const REQUESTS_IN_FLIGHT_MAX = 512;
export const RETRY_AFTER_SECONDS = 1;
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
/** A Unit that waits, beside its text and vectors: ids, metadata, objects. */
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
/** A leg that comes back short asks for this many times more, until it is exhausted. */
export const LEG_REFILL_FACTOR = 4;
/** Full-text candidates that are scored again with the statistics the caller may see. */
export const RESCORE_MIN = 200;
/** Reciprocal rank fusion's k (Cormack, Clarke and Büttcher, SIGIR 2009). */
export const RRF_K = 60;
/** Up to this many matches an inexpressible filter becomes a list of ids. */
export const FILTER_IDS_MAX = 2_000;
export const SNIPPET_MAX_CHARS = 320;
export const HIGHLIGHTS_MAX = 64;
/** Query vectors kept, by who asked and the hash of the text: about 2 KiB each. */
export const QUERY_VECTOR_CACHE_MAX = 4_096;

/** Embedding. A window and the next share a quarter. */
export const WINDOW_STRIDE_TOKENS = 384;
/** Texts of one namespace that wait for an encoder: nearly four of the largest batches; beyond it its callers get 503. */
export const ENCODER_QUEUE_MAX_BYTES = 4 * BODY_MAX_BYTES;
/** A text that waits, beside its bytes: its order, promise and message. */
export const ENCODER_TEXT_OVERHEAD_BYTES = 512;

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
/** LanceDB's own default is 6 GiB. */
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
/** Each round of upkeep appends a part to an index; beyond this it is built anew. */
export const VECTOR_INDEX_PARTS_MAX = 8;

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
export const INFERENCE_JOB_MAX_ATTEMPTS = 2;
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
export const WRITTEN_CLAIMS_MAX = 12;
/** Twice what the tokens above usually spell; a longer text is not what was asked for. */
export const WRITTEN_MAX_CHARS = 16 * KIB;

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
export const RELEVANCE_CACHE_MAX = 50_000;
/** Beyond this a text is highlighted in its best window only. */
export const LONG_TEXT_CHARS = 16_384;
/** Sentences are looked for in this much of a text, around the match. */
export const REGION_MAX_CHARS = 4_096;

/** Answers. */
/** Rounds of retrieve, localize, verify, cite. */
export const ANSWER_ROUNDS_MAX = 3;
/** No further round begins after this long. */
export const ANSWER_ROUNDS_MS = 4_000;
/** Units that are looked into for sentences in one round. */
export const EVIDENCE_UNITS = 6;
/** Sentences of one Unit that the cross-encoder reads: those that share most words with the question. */
export const EVIDENCE_SENTENCES_PER_UNIT = 10;
/** Sentences that are read again with the sentence before them. */
export const EVIDENCE_IN_CONTEXT = 16;
/** Localization goes on with what is scored after this long. */
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
export const UNFIT_DEPTH = 100;
export const UNFIT_ROUNDS_MAX = 4;
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

/** Files. */
export const FILE_MAX_BYTES = 512 * MIB;
export const FILE_NAME_MAX_CHARS = 255;
/** Content legs: what scores less is not shown. The first is the recipe's own, the others are measured in docs/search.md. */
export const PICTURE_SCORE_MIN = 0.02;
export const SOUND_SCORE_MIN = 2;
export const SOUND_COSINE_MIN = 0.7;
/** Cosine of two pictures from which they are near-duplicates: above the 99th percentile of unrelated photos. */
export const NEAR_DUPLICATE_MIN = 0.75;
/** Multipart fields beside the file: groups, metadata, a doc_id. */
export const FILE_FIELDS_MAX_BYTES = 64 * KIB;
export const FILE_FIELDS_MAX = 16;
/** Files that one `strata ingest` has under way: enough to keep two workers busy. */
export const FILES_IN_FLIGHT_MAX = 4;
/** How often a client asks how far a job is. */
export const JOB_POLL_MS = 200;
/** Files of one namespace that wait to be worked on; beyond it an upload answers 503. */
export const JOBS_WAITING_MAX = 10_000;
/** Units of a file that are stored together. More would hold other writers up, fewer would commit for every page. */
export const FILE_BATCH_UNITS = 64;
export const FILE_BATCH_MS = SECOND_MS;
/** A part of a file that loses its process this often is what brings it down. Each time it has twice the time of the time before. */
export const JOB_LOSSES_MAX = 3;
/** The pause before a job that the machine held up is taken up again: twice as long each time. */
export const JOB_PAUSE_MS = 2 * SECOND_MS;
export const JOB_PAUSE_MAX_MS = 60 * SECOND_MS;
/** A file keeps its place for this long while a namespace with fewer places waits: going on elsewhere takes a process and its models a second or two. */
export const JOB_TURN_MS = 5 * SECOND_MS;
/** Notes of a job: the first ones tell enough. */
export const JOB_NOTES_MAX = 100;
/** Each may take some hundred MiB; on a large machine embedding needs the other cores. */
export const MEDIA_PROCESSES_MAX = 4;
/** A process that works on one file is stopped beyond this: nearly all files of any kind stay below half of it, */
export const MEDIA_PROCESS_FIRST_BYTES = 1024 * MIB;
/** and one that does not is read again with this much: a legal file of any kind stays well below. */
export const MEDIA_PROCESS_MAX_BYTES = 2 * 1024 * MIB;
/** The memory without which a kind of file cannot be read: its models, and a file of common size. */
export const MEDIA_MIN_BYTES = { log: 128 * MIB, document: 256 * MIB, picture: 512 * MIB, sound: 512 * MIB, video: 1024 * MIB };
/** The smallest budget that can be set. */
export const MEMORY_MIN_BYTES = 128 * MIB;
export const MEDIA_MEMORY_POLL_MS = 100;
/** A part of a file that takes longer is taken for endless: 60 s of speech or a dense page take seconds, on a busy machine a minute. */
export const MEDIA_PART_MAX_MS = 300 * SECOND_MS;
/** A process of media work ends when it has had nothing to do for this long. */
export const MEDIA_IDLE_MS = 30 * SECOND_MS;
/** The niceness of media work: below queries (0) and embedding (10). */
export const MEDIA_NICE = 15;
/** A preview waits this long for memory that files have. */
export const PREVIEW_MEMORY_WAIT_MS = 20 * SECOND_MS;
/** Previews and similarity: somebody waits. */
export const PREVIEW_NICE = 5;
/** A look takes a second; what takes this long keeps everybody else waiting. */
export const PREVIEW_MAX_MS = 60 * SECOND_MS;
export const PREVIEW_WAITING_MAX = 64;
export const PREVIEW_SIDE_PIXELS = 512;
export const PICTURE_MAX_PIXELS = 40_000_000;
/** A side may be long and thin; a decoder must not be asked for more. */
export const PICTURE_MAX_SIDE_PIXELS = 32_000;
export const DOCUMENT_MAX_PAGES = 2_000;
export const SOUND_MAX_MS = 4 * HOUR_MS;
export const VIDEO_MAX_MS = 4 * HOUR_MS;

/** Pictures. */
/** The largest legal picture with three channels of 16 bits is 240 MB. The decoder holds a second copy of the file. */
export const PICTURE_FILE_MAX_BYTES = 256 * MIB;
/** Pages of one TIFF: a scanner's stack. Each is read like a picture of its own. */
export const PICTURE_MAX_PAGES = 200;
/** Pixels that the decoder may hold at once: two of the largest picture at five bytes each (CMYK and alpha), to turn it upright. */
export const PICTURE_DECODER_MAX_BYTES = 2 * 5 * PICTURE_MAX_PIXELS;
/** Rows are copied out of the decoder in strips of about this size, so that it never holds the whole picture twice. */
export const PICTURE_STRIP_BYTES = 4 * MIB;
/** Longest side of a thumbnail. */
export const PREVIEW_MAX_SIDE_PIXELS = 2_048;
/** Text lines of one picture: beyond it the best-scored are read. 400 lines take about 40 s. */
export const OCR_MAX_LINES = 400;
/** Characters of a block of lines: a page of text has 3,000. */
export const OCR_BLOCK_MAX_CHARS = 8_192;
/** Regions that the layout model finds on one page: pages have a dozen, and each is compared with each. */
export const LAYOUT_REGIONS_MAX = 100;
/** Labels of a picture in its metadata. */
export const PICTURE_LABELS_MAX = 5;
/** Labels of a picture that are kept to be searched. */
export const CONTENT_LABELS_MAX = 10;

/** Documents and logs. */
/** A kind of file is told by this much of its beginning: a DOCX names its main part here or at its end. */
export const SNIFF_HEAD_BYTES = 64 * KIB;
/** The directory of a ZIP is at its end, after a comment of at most 64 KiB: this finds it in all that a program writes. */
export const SNIFF_TAIL_BYTES = 66 * KIB;
/** A chunk is closed at the next paragraph from this length on: some 200 words, what one embedding window holds. */
export const CHUNK_TARGET_CHARS = 800;
export const CHUNK_MAX_CHARS = 1_200;
/** A heading opens a new chunk once the one before it has this much: shorter sections share one. */
export const CHUNK_SECTION_MIN_CHARS = 400;
/** Text is cut into chunks window by window, so that a file of 512 MiB is never held whole. */
export const TEXT_WINDOW_CHARS = 256 * KIB;
/** Chunks that one step of the work on a text hands over. */
export const DOCUMENT_PART_UNITS = 64;
/** A longer run of text without a block's end goes on in the next block. */
export const BLOCK_MAX_CHARS = 16 * KIB;
/** Titles and headings in metadata; what is longer is no heading but a paragraph in its clothes. */
export const HEADING_MAX_CHARS = 200;
/** Elements within each other: browsers stop at 512, but a page that forgets to close some has more. A tag costs the parser one step a level. */
export const MARKUP_MAX_DEPTH = 10_000;
/** A tag with its attributes, or a comment: the parser holds it whole. A page with its pictures inside has some MiB. */
export const MARKUP_TOKEN_MAX_BYTES = 32 * MIB;
/** Entries of a ZIP: a DOCX of 2,000 pages with a picture on each has fewer. */
export const ARCHIVE_MAX_ENTRIES = 10_000;
export const ARCHIVE_DIRECTORY_MAX_BYTES = 4 * MIB;
/** One entry, inflated: the text of 2,000 pages of WordprocessingML is about 60 MiB. */
export const ARCHIVE_ENTRY_MAX_BYTES = 128 * MIB;
/** Everything that is inflated of one archive. */
export const ARCHIVE_MAX_BYTES = 192 * MIB;
/** Deflate makes at most 1,032 bytes of one: a piece of this size never fills more than 17 MiB before it is counted. */
export const INFLATE_PIECE_BYTES = 16 * KIB;
/** PDFium's memory, the file included: beyond the file of 512 MiB, what the largest page may decode to. */
export const PDF_HEAP_MAX_BYTES = 896 * MIB;
/** A page of A4 at 150 dpi: what OCR reads a line of 8 points from. */
export const PAGE_RENDER_SIDE_PIXELS = 1_754;
/** Characters of one page's text layer: a page of tiny print has 20,000. */
export const PAGE_TEXT_MAX_CHARS = 256 * KIB;
/** Objects of one page that are looked at to tell whether it may hold a figure: a map has a million. */
export const PAGE_OBJECTS_MAX = 5_000;
/** Forms within forms on a page that are looked into. */
export const PAGE_FORMS_MAX_DEPTH = 4;
/** Figures and tables of one page. */
export const PDF_PAGE_REGIONS_MAX = 32;
/** A longer line of a log is cut: the rest is data, not message. */
export const LOG_LINE_MAX_CHARS = 8_192;
/** Words of a line that tell its template; the rest of a longer line is one variable. */
export const LOG_LINE_MAX_WORDS = 200;
/** Lines that one entry may have (a stack trace); the next line then opens a new one. */
export const LOG_ENTRY_MAX_LINES = 10_000;
/** Templates of one log: programs have some hundred; beyond it lines join the nearest template. */
export const LOG_TEMPLATES_MAX = 4_000;
/** Of a template's text: thousands of long ones would keep the encoder busy for half an hour. */
export const LOG_TEMPLATE_MAX_CHARS = 1_000;
/** Children of a node of the parse tree, as in Drain (He et al., ICWS 2017). */
export const LOG_TREE_MAX_CHILDREN = 100;
/** Templates of one leaf, each of which a line is compared with: lines of a log that share their length and first word have some dozens. */
export const LOG_LEAF_MAX_TEMPLATES = 256;
/** Masked lines whose template is remembered. */
export const LOG_LINE_CACHE_MAX = 4_096;
/** Masked messages of one template that are counted apart, to find the states that it tells of. */
export const LOG_VARIANTS_MAX = 32;
/** States of one template ("accepted", "declined") that become Units of their own. */
export const LOG_STATES_MAX = 4;
/** A sign of life, and a place in the progress, at least this often in a long log. */
export const LOG_PART_BYTES = 16 * MIB;
/** The example of a template in metadata. */
export const LOG_EXAMPLE_MAX_CHARS = 500;

/** Sound. */
/** Slower is no sound, and would stretch a small file without end. */
export const SOUND_MIN_RATE_HZ = 1_000;
/** Twice what studios use. */
export const SOUND_MAX_RATE_HZ = 768_000;
/** Channels of a WAV file: large microphone arrays have as many. */
export const SOUND_MAX_CHANNELS = 32;
/** The layouts that Vorbis and Opus name have at most 8; each costs memory for a whole page at once. */
export const OGG_MAX_CHANNELS = 8;
/** Streams of one Ogg chain: one a song in four hours of radio, and each takes a decoder of its own. */
export const OGG_LINKS_MAX = 256;
/** One Ogg packet over several pages: the largest in use is a page of comments with a picture. */
export const OGG_PACKET_MAX_BYTES = 8 * MIB;
/** Frames or packets that may be damaged; beyond it a file is no sound. */
export const SOUND_ERRORS_MAX = 100;
/** Of the sound that a header promises this share must be there. */
export const SOUND_MIN_SHARE = 0.5;
/** Patches that the sound model takes at once: the rate of the card was measured with these. */
export const YAMNET_BATCH_PATCHES = 16;
/** A label with a lower mean score is noise: it is not kept to be searched. */
export const SOUND_LABEL_FLOOR = 0.002;
/** Labels of a sound in its metadata, and the mean score from which it is said to be heard (the card's search by words). */
export const SOUND_LABELS_MAX = 5;
export const SOUND_LABEL_HEARD = 0.1;
/** Mean probability of a segment's words: what is made up for a bell has 0.03, of real speech 99 in 100 have 0.26 or more. */
export const SPEECH_CONFIDENCE_MIN = 0.1;
/** A waveform shows at most this much: more is a block of ink. */
export const SOUND_PREVIEW_MAX_MS = 600 * SECOND_MS;

/** PDFium's memory never shrinks: beyond this it is let go of after the document, and the next one starts it again in 10 ms. */
export const PDF_HEAP_KEEP_BYTES = 96 * MIB;
/** PDFium keeps what it has read of a document: it is opened anew after its memory grew by this much. */
export const PDF_HEAP_GROWTH_MAX_BYTES = 64 * MIB;
/** Drawn pages that wait for the garbage collector: eight. */
export const PICTURES_UNCOLLECTED_MAX_BYTES = 64 * MIB;

/** Video. */
/** A frame of the largest legal picture and the dozen before it that it is built on. */
export const FFMPEG_MAX_BYTES = 1_536 * MIB;
/** One allocation of ffmpeg's: such a frame with 16 bits a colour. */
export const FFMPEG_ALLOCATION_MAX_BYTES = 320 * MIB;
/** How often its memory is looked at. */
export const FFMPEG_CHECK_MS = 100;
/** The longest wait for its next output: a key frame of a long shot in 4K takes seconds. */
export const FFMPEG_STALL_MS = 60 * SECOND_MS;
/** All waits of one run: four hours of full HD on one slow core. */
export const FFMPEG_WAIT_MAX_MS = 3 * HOUR_MS;
/** What is kept of what it says. */
export const FFMPEG_MESSAGES_MAX_BYTES = 256 * KIB;
/** Pictures looked at each second to find where a shot ends: a cut is placed to an eighth of a second. */
export const SHOT_FRAMES_PER_SECOND = 4;
/** A shorter shot says little that the ones beside it do not. */
export const SHOT_MIN_MS = 1 * SECOND_MS;
/** A video is worked on in blocks of this length, where shots end too: a camera that never cuts is looked at this often. */
export const VIDEO_BLOCK_MS = 30 * SECOND_MS;
/** Longer side of a key frame: text of one thirtieth of its height can still be read. */
export const KEY_FRAME_MAX_SIDE_PIXELS = 1_280;

/** Hostile files. */
/** A process that holds more than this behind a file gets no other one: the next has at least as much for itself. */
export const MEDIA_PROCESS_KEEP_BYTES = MEDIA_PROCESS_FIRST_BYTES / 2;
/** Markup is parsed in pieces of this size, so that what it comes to is counted while it is read. */
export const MARKUP_PIECE_CHARS = 256 * KIB;
/** Ends of elements times the elements they are looked for among: a page of 512 MiB with 20 levels takes 1,000 million, which take some 20 s. */
export const MARKUP_MAX_STEPS = 2_000_000_000;

/** Resizing. */
/** Rows of a picture that are looked at at once: they stay in a core's own cache. */
export const RESIZE_STRIP_BYTES = 256 * KIB;
