/**
 * `FILE.position`: how much of FILE is acknowledged, so that an ingest that was stopped goes on from
 * there. It names the destination and carries a fingerprint of what was read: another file of the same
 * name, or another destination, is noticed.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, statSync } from "node:fs";
import { replaceFile } from "../base/durable-files.ts";
import { StartError } from "../base/fault.ts";
import { sha256Hex } from "../base/hash.ts";
import { FINGERPRINT_BYTES } from "../base/limits.ts";
import type { Position } from "../base/lines.ts";

const VERSION = 1;

interface Stored extends Position {
  version: number;
  /** Directory or address, namespace and scope. */
  destination: string;
  run: string;
  fingerprint: string;
}

export interface Progressed {
  position: Position;
  /** Names the ingest across its restarts. */
  run: string;
}

export class PositionFile {
  readonly path: string;

  constructor(
    private readonly file: string,
    private readonly destination: string,
  ) {
    this.path = `${file}.position`;
  }

  /** Where to go on, or null at the start. Errors: StartError when the position is not one of this file and destination. */
  read(): Progressed | null {
    if (!existsSync(this.path)) return null;
    const refuse = (why: string) => new StartError(`${this.path} ${why}; --restart ingests the file from its beginning`);
    const stored = parse(readFileSync(this.path, "utf8"));
    if (stored === null) throw refuse("cannot be read");
    if (stored.destination !== this.destination) throw refuse(`belongs to an ingest into ${stored.destination}, not ${this.destination}`);
    if (statSync(this.file).size < stored.offset || fingerprint(this.file, stored.offset) !== stored.fingerprint) {
      throw refuse(`says that ${stored.line} lines are ingested, but ${this.file} has other lines now`);
    }
    return {
      position: { offset: stored.offset, line: stored.line },
      run: stored.run,
    };
  }

  /** Replaces the file as a whole, synced: a crash leaves the old position or the new one. */
  save({ position, run }: Progressed): void {
    const stored: Stored = {
      version: VERSION,
      ...position,
      run,
      destination: this.destination,
      fingerprint: fingerprint(this.file, position.offset),
    };
    try {
      replaceFile(this.path, `${JSON.stringify(stored)}\n`);
    } catch (cause) {
      throw new StartError(`cannot write ${this.path}: is its directory writable?`, { cause });
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

function parse(text: string): Stored | null {
  try {
    const value = JSON.parse(text) as Partial<Stored>;
    const whole = [value.offset, value.line].every((number) => Number.isSafeInteger(number) && (number ?? -1) >= 0);
    const words = [value.destination, value.run, value.fingerprint].every((word) => typeof word === "string");
    return value.version === VERSION && whole && words ? (value as Stored) : null;
  } catch {
    return null;
  }
}

/** SHA-256 over the first and the last bytes of the part that is read. */
function fingerprint(file: string, offset: number): string {
  const length = Math.min(FINGERPRINT_BYTES, offset);
  const bytes = new Uint8Array(2 * length);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, bytes, 0, length, 0);
    readSync(descriptor, bytes, length, length, offset - length);
  } finally {
    closeSync(descriptor);
  }
  return sha256Hex(bytes);
}
