/**
 * The vectors of the texts of one namespace, as one model gave them. What another model gave is never read as if it were
 * this one's: it waits to be replaced.
 */
import type { Database } from "bun:sqlite";
import type { Span } from "../../base/span.ts";
import type { TextWindow } from "../../domain/port/encoder.ts";
import { packWindows, unpackSpans, unpackWindows } from "./vector-codec.ts";

export class Embeddings {
  constructor(
    private readonly db: Database,
    readonly model: string,
  ) {}

  /** The windows of a text, by its SHA-256; none when it has no vectors of this model. */
  windows(text_sha256: string): TextWindow[] {
    const stored = this.stored(text_sha256);
    return stored === null ? [] : unpackWindows(stored);
  }

  /** The spans of a text's windows, in order. */
  spans(text_sha256: string): Span[] {
    const stored = this.stored(text_sha256);
    return stored === null ? [] : unpackSpans(stored);
  }

  /** True while a text has vectors of another model. */
  foreign(): boolean {
    return this.db.query("SELECT 1 FROM embedding WHERE model <> ? LIMIT 1").get(this.model) !== null;
  }

  /** Texts of Units that have no vectors of this model, at most `limit`. */
  missing(limit: number): { hash: string; text: string }[] {
    const sql = `SELECT content_sha256 AS hash, text FROM unit WHERE text IS NOT NULL AND content_sha256 IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM embedding WHERE text_sha256 = content_sha256 AND model = ?) GROUP BY content_sha256 LIMIT ?`;
    return this.db.query(sql).all(this.model, limit) as { hash: string; text: string }[];
  }

  /** Stores the windows of a text that had none of this model. Runs in a transaction of the caller. */
  add(text_sha256: string, windows: readonly TextWindow[]): void {
    const sql = "INSERT OR REPLACE INTO embedding (text_sha256, model, windows) VALUES (?, ?, ?)";
    this.db.query(sql).run(text_sha256, this.model, packWindows(windows));
    this.db.query("UPDATE unit SET windows = ? WHERE content_sha256 = ?").run(windows.length, text_sha256);
  }

  /** Forgets what other models gave. */
  removeForeign(): void {
    this.db.query("DELETE FROM embedding WHERE model <> ?").run(this.model);
  }

  private stored(text_sha256: string): Uint8Array | null {
    const sql = "SELECT windows FROM embedding WHERE text_sha256 = ? AND model = ?";
    return (this.db.query(sql).get(text_sha256, this.model) as { windows: Uint8Array } | null)?.windows ?? null;
  }
}
