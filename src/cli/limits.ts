/** Limits of the command line alone, with their units and reasons. Those of the service stand in base/limits.ts. */
import { BODY_MAX_BYTES } from "../base/limits.ts";

/** Units of one ingest request: large enough to keep the encoders busy, small enough to show progress. */
export const BATCH_DEFAULT_UNITS = 200;
/** One batch is encoded while the other is written. */
export const BATCHES_IN_FLIGHT_MAX = 2;
/** Text of one ingest request; a batch closes early rather than pass the service's limit on bodies. */
export const BATCH_MAX_BYTES = BODY_MAX_BYTES / 2;
/** One line of NDJSON: more than any valid Unit needs, and a file without line ends does not fill the memory. */
export const LINE_MAX_BYTES = 2 * 1024 * 1024;
/** A file is read in pieces of this size. */
export const READ_CHUNK_BYTES = 256 * 1024;
/** Bytes at each end of the part already ingested that tell this file from another one. */
export const FINGERPRINT_BYTES = 64 * 1024;
/** How often a request that the server cannot take now is sent again. */
export const RETRIES_MAX = 8;
/** A server may ask for a pause, within reason. */
export const RETRY_AFTER_MAX_MS = 30_000;
/** A batch of long texts takes minutes on a small machine; a silent server is given up on after this. */
export const REQUEST_MAX_MS = 15 * 60_000;
/** A progress line is drawn at most this often. */
export const PROGRESS_INTERVAL_MS = 100;
