/**
 * What keeps a web page of another site from using a visitor's browser as its way in: the service answers to names it
 * knows (a page that rebinds its own name to this address sends that name as `Host`), and changes nothing for a page
 * that another site served (browsers send its `Origin` with every request that may change something).
 */
import { isIP } from "node:net";

/** What a listener is called. */
export interface HostNames {
  /** The address it is bound to, without brackets. */
  address: string;
  /** Further names, as the operator gave them: those of a proxy in front, or of the machine in its network. */
  allowed: readonly string[];
}

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "::1"];
const WILDCARD_ADDRESSES = ["0.0.0.0", "::"];
const AUTHORITY = /^(\[[^\]]+\]|[^:]+)(?::\d{0,5})?$/;

/** True when the `Host` header names this listener, whatever its port. Behind a wildcard address every IP literal does: rebinding needs a name. */
export function answersTo({ address, allowed }: HostNames, host: string | null): boolean {
  const asked = AUTHORITY.exec(host ?? "")?.[1];
  if (asked === undefined) return false;
  const name = canonicalName(asked);
  if (WILDCARD_ADDRESSES.includes(canonicalName(address)) && isIP(name) !== 0) return true;
  return [...LOOPBACK_NAMES, address, ...allowed].some((known) => canonicalName(known) === name);
}

/** In lower case, without brackets; IPv6 in its shortest form. */
function canonicalName(name: string): string {
  const bare = name.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const url = `http://[${bare}]`;
  return isIP(bare) === 6 && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : bare;
}

/** True when a page of this service sent the request. Without `tls` both schemes pass: a proxy may speak TLS without our knowing. */
export function fromOwnOrigin(request: Request, tls: boolean): boolean {
  const origin = request.headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  return (protocol === "https:" || (protocol === "http:" && !tls)) && host === request.headers.get("host")?.toLowerCase();
}

/** True when a page of another site sent the request, or one whose origin is `null`. What is no browser sends no `Origin`. */
export function fromForeignOrigin(request: Request, tls: boolean): boolean {
  return request.headers.has("origin") && !fromOwnOrigin(request, tls);
}
