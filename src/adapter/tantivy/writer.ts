/** The writer's half of the full text: adds, deletes and commits. Every call is synchronous inside Tantivy. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../../base/durable-files.ts";
import { assert } from "../../base/fault.ts";
import { FULLTEXT_WRITER_HEAP_BYTES } from "../../base/limits.ts";
import { fieldValues, metadataTokens } from "../../domain/filter.ts";
import type { Unit } from "../../domain/unit.ts";
import type { Language } from "../../text/language.ts";
import { pathTerms, textTerms } from "../../text/terms.ts";
import { type IndexWriter, META_FILE, type Schema, type Tantivy, type TantivyDocument, type TantivyIndex } from "./binding.ts";
import { collectSoon } from "./collect.ts";
import { column, fullTextSchema, INTEGER_FIELDS, KEYWORD_FIELDS } from "./query.ts";
import { formatRecord } from "./record.ts";
import { type IndexMeta, removeStrays, verifySegments } from "./segments.ts";

/** A record is read by decompressing its block: Tantivy's default of 16 KiB would decompress twenty documents for one. */
const FULLTEXT_STORE_BLOCK_BYTES = 2 * 1024;

interface WritableIndex {
  index: TantivyIndex;
  directory: string;
  /** Opened by the first write and kept. It has threads and a lock. */
  writer: IndexWriter | null;
}

/** `index` is a number that the caller gives to a directory when it opens it. */
export class Writer {
  private readonly indexes = new Map<number, WritableIndex>();
  private readonly schema: Schema;

  constructor(private readonly tantivy: Tantivy) {
    this.schema = fullTextSchema(tantivy);
  }

  /** Creates the index where there is none. Errors: when it is damaged or has another schema. The reader opens it after the writer. */
  open(index: number, directory: string): void {
    if (existsSync(join(directory, META_FILE))) verifySegments(directory);
    else this.create(directory);
    const found = new this.tantivy.Index(this.schema, directory, true);
    found.configReader("manual");
    this.indexes.set(index, { index: found, directory, writer: null });
  }

  /** The addon takes no settings, so they are written into the list of segments of the empty index. */
  private create(directory: string): void {
    new this.tantivy.Index(this.schema, directory, true).configReader("manual");
    const path = join(directory, META_FILE);
    const meta = JSON.parse(readFileSync(path, "utf8")) as IndexMeta;
    meta.index_settings.docstore_blocksize = FULLTEXT_STORE_BLOCK_BYTES;
    writeDurably(path, JSON.stringify(meta));
  }

  /** Replaces what the index holds of the Units, in one commit. */
  put(index: number, units: readonly Unit[], language: Language): void {
    this.write(index, (writer) => {
      for (const unit of units) {
        writer.deleteDocumentsByTerm("uid", unit.uid);
        const document = this.document(unit, language);
        if (document) writer.addDocument(document);
      }
    });
  }

  remove(index: number, uids: readonly number[]): void {
    this.write(index, (writer) => {
      for (const uid of uids) writer.deleteDocumentsByTerm("uid", uid);
    });
  }

  /** Waits for merges and releases the index. */
  close(index: number): void {
    this.release(this.opened(index));
    this.indexes.delete(index);
    collectSoon();
  }

  /** Closes every index, before the Worker ends. */
  exit(): void {
    for (const index of this.indexes.keys()) this.close(index);
  }

  private opened(index: number): WritableIndex {
    const found = this.indexes.get(index);
    assert(found !== undefined, `full-text index ${index} is open`);
    return found;
  }

  /**
   * After a failure the writer is closed without a commit, and the next write opens another. The reload releases merged
   * segments, whose files would stay otherwise.
   */
  private write(index: number, change: (writer: IndexWriter) => void): void {
    const held = this.opened(index);
    held.writer ??= this.openWriter(held);
    try {
      change(held.writer);
      held.writer.commit();
      held.index.reload();
    } catch (error) {
      this.release(held);
      throw error;
    }
  }

  private openWriter({ index, directory }: WritableIndex): IndexWriter {
    removeStrays(directory);
    return index.writer(FULLTEXT_WRITER_HEAP_BYTES, 1);
  }

  private release(held: WritableIndex): void {
    const { writer } = held;
    held.writer = null;
    writer?.waitMergingThreads();
  }

  /** Null when the Unit has no text. A text without a term becomes a document that no query finds, but `rows` lists it. */
  private document(unit: Unit, language: Language): TantivyDocument | null {
    if (unit.text === null) return null;
    const body = textTerms(unit.text, language);
    const path = pathTerms(unit.path, language);
    const terms = [...path, ...body];
    const document = new this.tantivy.Document();
    document.addUnsigned("uid", unit.uid);
    document.addUnsigned("classId", unit.classId);
    document.addUnsigned("len", terms.length);
    document.addText("body", body.join(" "));
    document.addText("path_terms", path.join(" "));
    document.addText("record", formatRecord(unit, terms));
    for (const token of metadataTokens(unit.metadata)) document.addText("tags", token);
    for (const field of KEYWORD_FIELDS) for (const value of present(document, unit, field)) document.addText(column(field), String(value));
    for (const field of INTEGER_FIELDS) for (const value of present(document, unit, field)) document.addInteger(column(field), Number(value));
    return document;
  }
}

function present(document: TantivyDocument, unit: Unit, field: (typeof KEYWORD_FIELDS | typeof INTEGER_FIELDS)[number]) {
  const values = fieldValues(unit, field);
  if (values.length > 0) document.addText("present", field);
  return values;
}
