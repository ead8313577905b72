/** One request and its response over a socket of their own: no client in between tidies paths, headers or bodies. */
import { connect, type Socket } from "node:net";

export interface Outgoing {
  method: string;
  /** Path and query as they go into the request line. */
  target: string;
  headers: readonly (readonly [string, string])[];
  body: Uint8Array;
}

export interface Incoming {
  status: number;
  /** As they came, in order. */
  headers: [string, string][];
  body: Uint8Array;
  /** How the body was delimited: by its length, in chunks, by the end of the connection, or there was none. */
  framing: "length" | "chunked" | "close" | "none";
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");
const RESPONSE_MAX_MS = 180_000;

/** Sends a request and reads its whole response. Errors: when the connection ends before the response does. */
export function exchange(port: number, request: Outgoing): Promise<Incoming> {
  const { promise, resolve, reject } = Promise.withResolvers<Incoming>();
  const socket: Socket = connect(port, "127.0.0.1");
  let seen: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => end(false), RESPONSE_MAX_MS);
  function end(closed: boolean): void {
    const response = parse(seen, request.method, closed);
    if (response !== null) resolve(response);
    else reject(new Error(`${request.method} ${request.target}: the response is not whole: ${seen.toString("latin1").slice(0, 200)}`));
    clearTimeout(timer);
    socket.destroy();
  }
  socket.on("connect", () => {
    const lines = [`${request.method} ${request.target} HTTP/1.1`, ...request.headers.map(([name, value]) => `${name}: ${value}`), "", ""];
    socket.write(Buffer.concat([Buffer.from(lines.join("\r\n"), "latin1"), request.body]));
  });
  socket.on("data", (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    if (parse(seen, request.method, false) !== null) end(false);
  });
  // A server that refuses a body early may reset the connection behind its answer.
  socket.on("error", () => {});
  socket.on("close", () => end(true));
  return promise;
}

/** The response in `seen`; null while it is not whole. */
function parse(seen: Buffer, method: string, closed: boolean): Incoming | null {
  const cut = seen.indexOf(HEAD_END);
  if (cut < 0) return null;
  const [line = "", ...rest] = seen.subarray(0, cut).toString("latin1").split("\r\n");
  const headers = rest.map((header): [string, string] => {
    const colon = header.indexOf(":");
    return [header.slice(0, colon), header.slice(colon + 1).trim()];
  });
  const status = Number(line.split(" ")[1]);
  const body = seen.subarray(cut + HEAD_END.length);
  const value = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const whole = (framing: Incoming["framing"], bytes: Uint8Array): Incoming => ({ status, headers, body: bytes, framing });
  if (method === "HEAD" || status === 204 || status === 304) return whole("none", new Uint8Array());
  if (value("transfer-encoding")?.toLowerCase() === "chunked") {
    const joined = unchunked(body);
    return joined === null ? null : whole("chunked", joined);
  }
  const length = value("content-length");
  if (length !== undefined) return body.length >= Number(length) ? whole("length", body.subarray(0, Number(length))) : null;
  return closed ? whole("close", body) : null;
}

/** The bytes of a chunked body; null while its last chunk is not there. */
function unchunked(bytes: Buffer): Uint8Array | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf(LINE_END, at);
    if (end < 0) return null;
    const size = Number.parseInt(bytes.subarray(at, end).toString("latin1"), 16);
    const from = end + LINE_END.length;
    if (bytes.length < from + size + LINE_END.length) return null;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(from, from + size));
    at = from + size + LINE_END.length;
  }
}
