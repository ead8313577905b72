/** Bytes of files, by their hash. */

/** Bytes that were received whole and synced. They have no name yet: keep or discard them. */
export interface Received {
  path: string;
  bytes: number;
  sha256: string;
}
