/** The sounds, films and pictures of `test/recorded`, and the ffmpeg of this machine, which only tests of video need. */
import { join } from "node:path";
import { findFfmpeg } from "../../src/media/video/ffmpeg.ts";

/** Path of a recorded file. */
export function recorded(name: string): string {
  return join(import.meta.dir, "../recorded", name);
}

/** A copy of its bytes, which a test may change. */
export function recordedBytes(name: string): Promise<Uint8Array> {
  return Bun.file(recorded(name)).bytes();
}

/** Path of the ffmpeg that Strata would run here; null: there is none. */
export const FFMPEG = findFfmpeg(null, process.env.PATH ?? null);

/** For `skipIf`, beside a name that says "needs ffmpeg". */
export const withoutFfmpeg = FFMPEG === null;
