/** Recordings as the page plays and draws them. */
import { ApiError, contentUrl, fileContent, target } from "../api.ts";

export interface Recording {
  /** Address for a player. */
  url: string;
  /** Loudest moment of each of PEAKS equal parts, 0-1; null when it is too long to be decoded here. */
  peaks: Float32Array | null;
  durationMs: number | null;
}

const PEAKS = 2000;
/** Larger ones are played as they come, without being decoded: ten minutes of WAV, an hour of speech in Opus. */
const DECODED_MAX_BYTES = 24e6;

interface Shared {
  opening: Promise<Recording>;
  users: number;
}

const shared = new Map<string, Shared>();

/** A recording, which all that show it at the same time share. `release` it after use. Errors, of the promise: ApiError. */
export function shareRecording(fileId: string): { opening: Promise<Recording>; release(): void } {
  const key = `${target.namespace ?? ""} ${fileId}`;
  const one = shared.get(key) ?? { opening: open(fileId), users: 0 };
  shared.set(key, one);
  one.users += 1;
  const release = () => {
    one.users -= 1;
    if (one.users > 0) return;
    if (shared.get(key) === one) shared.delete(key);
    one.opening.then(({ url }) => url.startsWith("blob:") && URL.revokeObjectURL(url)).catch(() => {});
  };
  return { opening: one.opening, release };
}

async function open(fileId: string): Promise<Recording> {
  const aborting = new AbortController();
  const response = await fileContent(fileId, aborting.signal);
  const bytes = Number(response.headers.get("content-length") ?? Number.NaN);
  if (!(bytes <= DECODED_MAX_BYTES)) {
    aborting.abort();
    if (target.namespace !== null) throw new ApiError(0, "too_long", "This recording is too long to be played from another namespace");
    return { url: contentUrl(fileId), peaks: null, durationMs: null };
  }
  const content = await response.blob();
  const url = URL.createObjectURL(content);
  try {
    // Offline contexts need no leave to play. The rate is low, since only peaks are looked at.
    const decoded = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(await content.arrayBuffer());
    return { url, peaks: peaksOf(decoded.getChannelData(0)), durationMs: decoded.duration * 1000 };
  } catch {
    return { url, peaks: null, durationMs: null };
  }
}

/** Scaled to the loudest moment of all. */
function peaksOf(samples: Float32Array): Float32Array {
  const peaks = new Float32Array(PEAKS);
  let loudest = 0.01;
  samples.forEach((sample, at) => {
    const part = Math.min(PEAKS - 1, Math.floor((at / samples.length) * PEAKS));
    const level = Math.abs(sample);
    if (level > (peaks[part] ?? 0)) peaks[part] = level;
    if (level > loudest) loudest = level;
  });
  return peaks.map((peak) => peak / loudest);
}
