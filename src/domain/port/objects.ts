/** Bytes of files, by their hash. */

/** Bytes that were received whole and synced. They have no name yet: keep or discard them. */
export interface Received {
  path: string;
  bytes: number;
  sha256: string;
}

/** The objects of one namespace. Errors of every method: `unavailable`. */
export interface ObjectStore {
  /** Takes a stream in. Errors: `payload_too_large` beyond FILE_MAX_BYTES; what the stream throws. Nothing is left then. */
  receive(chunks: AsyncIterable<Uint8Array>): Promise<Received>;
  discard(received: Received): Promise<void>;
  /**
   * Gives received bytes their name, durably, and holds the object until `release`: by then a file must be recorded that
   * uses it, or nobody wants it.
   */
  keep(received: Received): Promise<void>;
  /** Ends a hold. `used`: a file uses the object. */
  release(sha256: string, used: boolean): Promise<void>;
  /** The bytes of an object, read as they are asked for; null when there is none. */
  open(sha256: string): Promise<Blob | null>;
  /** Runs `work` on a file with the bytes, which lasts as long as `work` does and is only read. */
  onDisk<T>(object: Received | string, work: (path: string) => Promise<T>): Promise<T>;
  /** What is wrong with an object; null when its bytes are those of its name. */
  fault(sha256: string): Promise<"missing" | "changed" | null>;
  /** Removes an object that no file uses, unless one is about to. */
  remove(sha256: string): Promise<void>;
  /**
   * Removes what uploads and removals left that an earlier process did not finish. It may run beside everything else: what is
   * in hand stays. Ends early when `signal` aborts; repeating it is harmless. Returns how much it removed.
   */
  sweep(isUsed: (sha256: string) => Promise<boolean>, signal?: AbortSignal): Promise<number>;
}
