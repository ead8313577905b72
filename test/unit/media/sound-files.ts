/** Sounds for tests, and what is asked of them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "../../../src/base/fault.ts";
import type { SourceFile } from "../../../src/domain/media.ts";
import { decodeSound } from "../../../src/media/audio/decode.ts";
import type { SoundWatch } from "../../../src/media/audio/decoder.ts";

/** What is said in `speech/` of the recorded files. */
export const SENTENCE = "Please send the report to the office before noon on Friday, and bring the blue folder with you.";

/** A folder of a test file's own; `remove` it in the end. */
export async function soundFolder(): Promise<{ path(name: string): string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "strata-sound-"));
  return { path: (name) => join(folder, name), remove: () => rm(folder, { recursive: true }) };
}

export function sourceFile(path: string, kind: "sound" | "video" = "sound"): SourceFile {
  return { path, bytes: Bun.file(path).size, name: "file", format: { kind, mime: `${kind}/x` } };
}

/** All of a sound, and what was noted about it. */
export async function decoded(path: string): Promise<{ samples: Float32Array<ArrayBuffer>; notes: string[] }> {
  const watch: SoundWatch = { readBytes: 0, notes: [] };
  const pieces: Float32Array[] = [];
  for await (const piece of decodeSound(sourceFile(path), watch)) pieces.push(piece.slice());
  return { samples: joined(...pieces), notes: watch.notes };
}

/** What a generator or a promise fails with, which must be a fault about the file. */
export async function faultOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof Fault)) throw new Error(`a fault was expected, not ${String(error)}`);
  if (error.kind !== "bad_request") throw new Error(`a fault about the file was expected, not ${error.kind}`);
  return error.message;
}

/** The highest correlation of two sounds when one is moved by at most `reach` samples. */
export function likeness(one: Float32Array, other: Float32Array, reach = 40): number {
  let best = -1;
  for (let lag = -reach; lag <= reach; lag++) {
    let [product, first, second] = [0, 0, 0];
    for (let at = 0; at < one.length; at++) {
      const [a, b] = [one[at] ?? 0, other[at + lag] ?? 0];
      product += a * b;
      first += a * a;
      second += b * b;
    }
    best = Math.max(best, product / Math.sqrt(first * second + 1e-12));
  }
  return best;
}

/** Sounds one after another. */
export function joined(...parts: Float32Array[]): Float32Array<ArrayBuffer> {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A WAV file of 16 kHz, mono, 16 bits. */
export function wav(samples: Float32Array): Uint8Array {
  const whole = Int16Array.from(samples, (value) => Math.round(value * 32_767));
  return Buffer.concat([wavHeader({ data: whole.byteLength }), new Uint8Array(whole.buffer)]);
}

/** A WAV header of 16 bits with these numbers; `data`: bytes of sound. */
export function wavHeader({ rate = 16_000, channels = 1, data = 0 }: { rate?: number; channels?: number; data?: number }): Uint8Array {
  const view = new DataView(new ArrayBuffer(44));
  const write = (text: string, offset: number) => new Uint8Array(view.buffer).set(Buffer.from(text, "latin1"), offset);
  write("RIFF", 0);
  write("WAVEfmt ", 8);
  write("data", 36);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint16(32, 2 * channels, true);
  view.setUint16(34, 16, true);
  view.setUint32(40, data, true);
  return new Uint8Array(view.buffer);
}
