/** The files of an index on disk: their checksums, and files that no commit lists. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { CHECKSUM_CHUNK_BYTES } from "../../base/limits.ts";
import { META_FILE } from "./binding.ts";

/** The parts of a segment on disk. */
const SEGMENT_PARTS = ["fast", "fieldnorm", "idx", "pos", "store", "term"];
/** A part ends with a JSON footer, the footer's length and a magic number, both u32. */
const FOOTER_TAIL_BYTES = 8;
export interface IndexMeta {
  index_settings: { docstore_blocksize: number };
  segments: { segment_id: string; deletes: { opstamp: number } | null }[];
}

/** The segments of the last commit, in the order of a searcher's. Errors: throws when their list is damaged. */
function committedSegments(directory: string): IndexMeta["segments"] {
  return (JSON.parse(readFileSync(join(directory, META_FILE), "utf8")) as IndexMeta).segments;
}

/**
 * Takes a snapshot of the index and returns the ids of its segments, in order: none when another commit or a merge came in between,
 * so that nothing tells which of the two it holds.
 */
export function segmentsAt(directory: string, takeSnapshot: () => void): string[] {
  const before = committedSegments(directory).map(({ segment_id }) => segment_id);
  takeSnapshot();
  const after = committedSegments(directory).map(({ segment_id }) => segment_id);
  return before.join() === after.join() ? after : [];
}

/** The files that the last commit is made of. Errors: throws when the list of segments is damaged. */
function committedFiles(directory: string): string[] {
  return committedSegments(directory).flatMap(({ segment_id, deletes }) => {
    const segment = segment_id.replaceAll("-", "");
    const files = SEGMENT_PARTS.map((part) => `${segment}.${part}`);
    return deletes ? [...files, `${segment}.${deletes.opstamp}.del`] : files;
  });
}

/** Tantivy aborts the process when it meets a damaged segment, so every committed file is checked first. Errors: throws on damage. */
export function verifySegments(directory: string): void {
  for (const file of committedFiles(directory)) verifyChecksum(join(directory, file));
}

const SEGMENT_FILE = /^[0-9a-f]{32}\.(?:\d+\.del|[a-z]+)$/;

/**
 * Removes the files of a commit that was cut short or failed. The next writer numbers its files from the last commit on,
 * and refuses to overwrite one.
 */
export function removeStrays(directory: string): void {
  const committed = new Set(committedFiles(directory));
  for (const file of readdirSync(directory)) {
    if (SEGMENT_FILE.test(file) && !committed.has(file)) rmSync(join(directory, file), { force: true });
  }
}

function verifyChecksum(path: string): void {
  const file = openSync(path, "r");
  try {
    const size = fstatSync(file).size;
    const tail = readAt(file, Math.max(0, size - FOOTER_TAIL_BYTES), FOOTER_TAIL_BYTES);
    const end = size - FOOTER_TAIL_BYTES - (tail.length === FOOTER_TAIL_BYTES ? tail.readUInt32LE(0) : size);
    if (end < 0) throw new Error(`${path} is cut short`);
    const footer = JSON.parse(readAt(file, end, size - FOOTER_TAIL_BYTES - end).toString()) as { crc: number };
    let crc = 0;
    for (let at = 0; at < end; at += CHECKSUM_CHUNK_BYTES) crc = crc32(readAt(file, at, Math.min(CHECKSUM_CHUNK_BYTES, end - at)), crc);
    if (crc !== footer.crc) throw new Error(`${path} does not match its checksum`);
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(file, buffer, 0, bytes, position));
}
