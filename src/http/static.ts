/**
 * Files of pages, which everybody may load: compressed once, kept by browsers until they change, and under a policy that
 * lets a page load nothing from elsewhere. Imported with `{ type: "file" }`, they are found in the checkout and in the executable.
 */
import { extname } from "node:path";
import { once } from "../base/once.ts";
import { sha256Hex } from "../base/hash.ts";

/** Content-Security-Policy, by directive. */
export type Policy = Readonly<Record<string, string>>;

export interface Site {
  /** Path of each file, by the URL path that serves it. */
  files: Readonly<Record<string, string>>;
  policy: Policy;
}

/** Scripts, styles, pictures and requests of this origin; nothing inline, nothing in a frame. */
export const SELF_ALONE: Policy = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "connect-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
};

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html;charset=utf-8",
  ".js": "text/javascript;charset=utf-8",
  ".css": "text/css;charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};
/** Compressed already. */
const DENSE = [".png", ".woff2"];
const ETAG_CHARS = 32;

interface Loaded {
  etag: string;
  plain: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer> | null;
}

/** What answers requests for the files of a site, by URL path. Each is read when it is first asked for. */
export function serveSite({ files, policy }: Site): Record<string, (request: Request) => Promise<Response>> {
  const csp = Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => {
      const loaded = once(() => load(file));
      return [path, async (request: Request) => respond(request, await loaded(), typeOf(file), csp)];
    }),
  );
}

function typeOf(file: string): string {
  const type = TYPES[extname(file)];
  if (type === undefined) throw new Error(`no content type is known for ${file}`);
  return type;
}

async function load(file: string): Promise<Loaded> {
  const plain = new Uint8Array(await Bun.file(file).arrayBuffer());
  // Weak, since both forms have it.
  return { etag: `W/"${sha256Hex(plain).slice(0, ETAG_CHARS)}"`, plain, gzip: DENSE.includes(extname(file)) ? null : Bun.gzipSync(plain) };
}

function respond({ headers: asked }: Request, { etag, plain, gzip }: Loaded, type: string, csp: string): Response {
  const packed = gzip !== null && /\bgzip\b/.test(asked.get("accept-encoding") ?? "") ? gzip : null;
  const headers = {
    "content-type": type,
    "content-security-policy": csp,
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
    vary: "accept-encoding",
    etag,
    ...(packed === null ? {} : { "content-encoding": "gzip" }),
  };
  if (asked.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(packed ?? plain, { headers });
}
