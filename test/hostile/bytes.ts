/** Files byte by byte: numbers in both orders, pieces joined, and streams of what is too large to hold. */
import { constants, deflateRawSync } from "node:zlib";
import { bytesOf } from "../unit/media/make-picture.ts";

export { bytesOf };

export type Piece = number[] | Uint8Array | string;

export const le16 = (value: number): number[] => [value & 0xff, (value >>> 8) & 0xff];
export const le32 = (value: number): number[] => [...le16(value), ...le16(value >>> 16)];
export const be16 = (value: number): number[] => [(value >>> 8) & 0xff, value & 0xff];
export const be32 = (value: number): number[] => [...be16(value >>> 16), ...be16(value)];

export function repeated(piece: Piece, times: number): Uint8Array {
  const once = Buffer.from(bytesOf(piece));
  return once.length === 0 ? once : Buffer.alloc(once.length * times, once);
}

/** The first `share` of a file. */
export function cutTo(bytes: Uint8Array, share: number): Uint8Array {
  return bytes.subarray(0, Math.floor(bytes.length * share));
}

/** `bytes` with `piece` written over what lies at `at`. */
export function patched(bytes: Uint8Array, at: number, piece: Piece): Uint8Array {
  const changed = Buffer.from(bytes);
  changed.set(bytesOf(piece), at);
  return changed;
}

/** Where `text` first stands in `bytes`. Errors: when it does not, since a case would then not be what it says. */
export function placeOf(bytes: Uint8Array, text: string, from = 0): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(text, from, "latin1");
  if (at < 0) throw new Error(`${JSON.stringify(text)} is not in the file`);
  return at;
}

/** A seeded source of whole numbers below `below`. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The same noise for the same seed. */
export function noise(length: number, seed = 1): Uint8Array {
  const random = randomOf(seed);
  return Uint8Array.from({ length }, () => random(256));
}

/** A body that is made while it is sent. */
export function streamed(pieces: () => Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces()[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

const MIB = 1024 * 1024;
/** An empty block, the last. */
const DEFLATE_END = [3, 0];

/** Raw deflate that inflates to so many MiB of `fill`: one packed MiB, again and again. */
export function deflatedRun(mebibytes: number, fill: string): Uint8Array {
  const whole = fill.repeat(Math.ceil(MIB / fill.length)).slice(0, MIB);
  const one = deflateRawSync(whole, { finishFlush: constants.Z_FULL_FLUSH });
  return bytesOf(repeated(one, mebibytes), DEFLATE_END);
}

/** The same with the header of zlib, and without its checksum, which readers do without. */
export function zlibRun(mebibytes: number, fill: string): Uint8Array {
  return bytesOf([0x78, 0x9c], deflatedRun(mebibytes, fill));
}
