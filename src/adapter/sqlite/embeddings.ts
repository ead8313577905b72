/**
 * The vectors of what was embedded of the Units of one namespace, by its hash (`embedding.text_sha256`, `unit.embedded_sha256`),
 * as one model gave them; one that came with its Unit lies under a key of that Unit. What another model gave is never read as if it were this one's: it waits to be replaced.
 */
import type { Database } from "bun:sqlite";
import type { Span } from "../../base/span.ts";
import type { TextWindow } from "../../domain/port/encoder.ts";
import { readText } from "../../domain/unit.ts";
import { packWindows, unpackSpans, unpackWindows } from "./vector-codec.ts";

export class EmbeddingTable {
  constructor(
    private readonly db: Database,
    readonly model: string,
  ) {}

  windows(hashes: readonly string[]): Map<string, TextWindow[]> {
    return this.stored(hashes, unpackWindows);
  }

  windowsWithin(hashes: readonly string[], classes: readonly number[]): Map<string, TextWindow[]> {
    // The plus keeps to the few Units of a text, where there may be thousands of classes.
    const sql = `SELECT value AS hash FROM json_each(?) AS asked WHERE EXISTS (
      SELECT 1 FROM unit WHERE embedded_sha256 = asked.value AND +class_id IN (SELECT value FROM json_each(?)))`;
    const known = this.db.query(sql).all(JSON.stringify(hashes), JSON.stringify(classes)) as { hash: string }[];
    return this.windows(known.map(({ hash }) => hash));
  }

  spans(hashes: readonly string[]): Map<string, Span[]> {
    return this.stored(hashes, unpackSpans);
  }

  foreign(): boolean {
    const sql = `SELECT 1 FROM embedding_model AS known WHERE model <> ?
      AND EXISTS (SELECT 1 FROM embedding WHERE embedding.model = known.model)`;
    return this.db.query(sql).get(this.model) !== null;
  }

  missing(limit: number): { hash: string; text: string }[] {
    const sql = `SELECT embedded_sha256 AS hash, path, text FROM unit WHERE text IS NOT NULL AND embedded_sha256 IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM embedding WHERE text_sha256 = embedded_sha256 AND model = ?) GROUP BY embedded_sha256 LIMIT ?`;
    const rows = this.db.query(sql).all(this.model, limit) as { hash: string; path: string | null; text: string }[];
    return rows.map(({ hash, path, text }) => ({ hash, text: readText(path === null ? null : (JSON.parse(path) as string[]), text) }));
  }

  put(hash: string, windows: readonly TextWindow[]): void {
    const sql = "INSERT OR REPLACE INTO embedding (text_sha256, model, windows) VALUES (?, ?, ?)";
    this.db.query(sql).run(hash, this.model, packWindows(windows));
    this.db.query("UPDATE unit SET windows = ? WHERE embedded_sha256 = ?").run(windows.length, hash);
  }

  /** Stores the windows of a new Unit's text, unless another Unit has brought them. */
  keep(hash: string, windows: readonly TextWindow[]): void {
    const sql = "INSERT OR IGNORE INTO embedding (text_sha256, model, windows) VALUES (?, ?, ?)";
    this.db.query(sql).run(hash, this.model, packWindows(windows));
  }

  /** True when exactly these windows are stored under the key. */
  holds(key: string, windows: readonly TextWindow[]): boolean {
    const sql = "SELECT 1 FROM embedding WHERE text_sha256 = ? AND model = ? AND windows = ?";
    return this.db.query(sql).get(key, this.model, packWindows(windows)) !== null;
  }

  /** Forgets those of these keys that no Unit has. */
  removeUnused(keys: readonly string[]): void {
    const sql = `DELETE FROM embedding WHERE text_sha256 IN (SELECT value FROM json_each(?))
      AND NOT EXISTS (SELECT 1 FROM unit WHERE embedded_sha256 = text_sha256)`;
    this.db.query(sql).run(JSON.stringify(keys));
  }

  removeForeign(): void {
    this.db.query("DELETE FROM embedding WHERE model <> ?").run(this.model);
    this.db.query("DELETE FROM embedding_model WHERE model <> ?").run(this.model);
  }

  private stored<T>(hashes: readonly string[], unpack: (bytes: Uint8Array) => T): Map<string, T> {
    const sql = "SELECT text_sha256, windows FROM embedding WHERE model = ? AND text_sha256 IN (SELECT value FROM json_each(?))";
    const rows = this.db.query(sql).all(this.model, JSON.stringify(hashes)) as { text_sha256: string; windows: Uint8Array }[];
    return new Map(rows.map(({ text_sha256, windows }) => [text_sha256, unpack(windows)]));
  }
}
