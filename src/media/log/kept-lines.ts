/** The lines of a log as they are, a few to a chunk, so that ids and values are found that templates leave out: by words, not by meaning. */
import { CHUNK_MAX_CHARS, CHUNK_TARGET_WORDS, LOG_KEPT_MAX_CHARS } from "../../base/limits.ts";
import type { ExtractedUnit } from "../../domain/media.ts";
import { LOG_LINES } from "../../domain/unit.ts";

export class KeptLines {
  /** Lines beyond LOG_KEPT_MAX_CHARS, from the first one that does not fit. */
  left = 0;
  private kept = 0;
  private units: ExtractedUnit[] = [];
  private held: string[] = [];
  private chars = 0;
  private words = 0;
  private first = 0;
  private last = 0;

  /** Complete chunks that wait to be taken. */
  get waiting(): number {
    return this.units.length;
  }

  /** A line that is not blank; `number` from 1. */
  add(number: number, text: string): void {
    if (this.left > 0 || this.kept + text.length > LOG_KEPT_MAX_CHARS) {
      this.left += 1;
      this.close();
      return;
    }
    this.kept += text.length + 1;
    if (this.words >= CHUNK_TARGET_WORDS || this.chars + text.length > CHUNK_MAX_CHARS) this.close();
    if (this.held.length === 0) this.first = number;
    this.last = number;
    this.held.push(text);
    this.chars += text.length + 1;
    this.words += text.match(/\S+/g)?.length ?? 0;
  }

  take(): ExtractedUnit[] {
    return this.units.splice(0);
  }

  /** Completes the chunk that is open. */
  close(): void {
    if (this.held.length === 0) return;
    const metadata = { text_source: LOG_LINES };
    const locator = { kind: "line_range", start: this.first, end: this.last } as const;
    this.units.push({ modality: "chunk", path: [], text: this.held.splice(0).join("\n").toWellFormed(), locator, metadata, features: null });
    this.chars = 0;
    this.words = 0;
  }
}
