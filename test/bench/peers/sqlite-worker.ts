/** One reader of a SQLite database: the first message opens it, each further one is a query. */
import type { Mode, Query } from "./peer.ts";
import { type Opening, Reader } from "./sqlite-database.ts";

declare const self: Worker;
let reader: Reader | null = null;

self.onmessage = ({ data }: MessageEvent<Opening | { mode: Mode; query: Query }>) => {
  if ("path" in data) reader = new Reader(data);
  else self.postMessage(reader?.search(data.mode, data.query));
};
