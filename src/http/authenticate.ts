/** Who sends a request: by its token first, then by its cookie; whichever is present decides alone. `X-Access-Jwt-Assertion` is never read. */
import { Fault } from "../base/fault.ts";
import { TOKEN_MAX_CHARS } from "../base/limits.ts";
import { homeOf } from "../core/tokens/tokens.ts";
import type { Directory } from "../domain/port/directory.ts";
import type { Caller, Principal } from "../domain/principal.ts";

const SESSION_COOKIE = "console.session_token";
const BEARER = new RegExp(`^Bearer ([\\x21-\\x7e]{1,${TOKEN_MAX_CHARS}})$`, "i");

export interface Trust {
  directory: Directory;
  /** False on a listener that others can reach: published tokens are refused there. */
  trustSeeded: boolean;
}

type Identity = Pick<Caller, "principal" | "credential" | "session">;

/** Errors: `unauthorized`; `not_found` for a namespace that the super-admin names and that is none. */
export async function authenticate(trust: Trust, request: Request): Promise<Caller> {
  const identity = await identityOf(trust, request);
  const { principal } = identity;
  const asked = principal.super_admin ? request.headers.get("x-svc-namespace") : null;
  const namespace = await (asked === null ? homeOf(trust.directory, principal) : trust.directory.namespace(asked));
  if (namespace === null) throw new Fault("not_found", "no such namespace");
  return { ...identity, namespace, signal: request.signal };
}

/** Errors: `unauthorized` for credentials that are not live, or none. */
export async function identityOf(trust: Trust, request: Request): Promise<Identity> {
  const header = request.headers.get("authorization");
  if (header !== null) {
    const secret = BEARER.exec(header)?.[1];
    if (secret === undefined) throw new Fault("unauthorized", "the Authorization header is not a bearer token");
    return { principal: trusted(trust, await trust.directory.byToken(secret)), credential: "token" };
  }
  const session = cookieOf(request, SESSION_COOKIE);
  if (session === null) throw new Fault("unauthorized", "send a token in the Authorization header");
  const found = await trust.directory.bySession(session);
  if (found === null) throw new Fault("unauthorized", "the session has ended; send a token");
  return { principal: trusted(trust, found), credential: found.credential, session };
}

function trusted({ trustSeeded }: Trust, found: { principal: Principal; seeded: boolean } | null): Principal {
  if (found === null) throw new Fault("unauthorized", "the token is not valid");
  if (found.seeded && !trustSeeded) {
    throw new Fault("unauthorized", "demo tokens are published, so this listener refuses them; make one with `strata token create`");
  }
  return found.principal;
}

/** The header that gives a browser its session, or with an age of 0 takes it away. */
export function sessionCookie(value: string, maxAgeSeconds: number, secure: boolean): Record<string, string> {
  return { "set-cookie": `${SESSION_COOKIE}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}${secure ? "; Secure" : ""}` };
}

function cookieOf(request: Request, name: string): string | null {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const cut = pair.indexOf("=");
    if (cut > 0 && pair.slice(0, cut).trim() === name) return pair.slice(cut + 1).trim() || null;
  }
  return null;
}
