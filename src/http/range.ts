/** A file as a response, whole or the part that a Range header asks for (RFC 9110, section 14). */
import { Fault } from "../base/fault.ts";
import { lastPart } from "../core/files/name.ts";

/** First and last byte. */
type Range = { first: number; last: number };

/**
 * The one range of a header; null when there is none, or one that may be ignored: another unit, several ranges, bad
 * syntax. `beyond`: it begins beyond the end.
 */
export function rangeOf(header: string | null, bytes: number): Range | "beyond" | null {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (from === "" && to === "") return null;
  if (from === "") {
    if (Number(to) === 0 || bytes === 0) return "beyond";
    return { first: Math.max(0, bytes - Number(to)), last: bytes - 1 };
  }
  const [first, last] = [Number(from), to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1)];
  if (to !== "" && Number(to) < first) return null;
  return first >= bytes ? "beyond" : { first, last };
}

/** The one error with a header of its own: how long the file is. */
function unsatisfiable(bytes: number): Response {
  const { kind, message, status } = new Fault("range_not_satisfiable", `the file has ${bytes} bytes; ask for a range within them`);
  return Response.json({ error: kind, detail: message, status }, { status, headers: { "content-range": `bytes */${bytes}` } });
}

/** Nothing in a stored file may run in the origin of the service, whatever a browser makes of it. */
const INERT = "default-src 'none'; sandbox";

export function fileResponse(
  request: Request,
  { content, bytes, mime, name, etag }: { content: Blob; bytes: number; mime: string; name: string; etag: string },
): Response {
  const headers = new Headers({
    "content-type": mime,
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(lastPart(name)).replaceAll("'", "%27")}`,
    "content-security-policy": INERT,
    "accept-ranges": "bytes",
    etag: `"${etag}"`,
  });
  const range = rangeOf(request.headers.get("range"), bytes);
  if (range === "beyond") return unsatisfiable(bytes);
  if (range === null) {
    headers.set("content-length", String(bytes));
    return new Response(content, { headers });
  }
  headers.set("content-range", `bytes ${range.first}-${range.last}/${bytes}`);
  headers.set("content-length", String(range.last - range.first + 1));
  return new Response(content.slice(range.first, range.last + 1), { status: 206, headers });
}
