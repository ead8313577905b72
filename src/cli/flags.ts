/** Flags that several commands share, and what their values mean. */
import { closeSync, openSync, readSync } from "node:fs";
import { StartError } from "../base/fault.ts";
import { TOKEN_FILE_MAX_BYTES, TOKEN_MAX_CHARS } from "../base/limits.ts";
import { type Config, type ConfigFlags, DEFAULTS, readConfig } from "../config.ts";
import { ALL_SCOPES, isScopePath, SCOPE_RULE } from "../domain/scope.ts";
import { type Environment, type FlagValues, UsageError, toggle, value } from "./command.ts";

/** Where commands work when they are told no namespace: the one that the demo makes. */
export const DEFAULT_NAMESPACE = "demo";
/** fetch takes no other characters in a header, and no token of ours has any. */
const TOKEN = /^[\x21-\x7e]+$/;
const NAMESPACE = /^[a-z0-9][a-z0-9-]{0,62}$/;

export const DATA = {
  data: value("DIR", "data directory", { env: "STRATA_DATA", default: DEFAULTS.data }),
} as const;
export const RUNTIME = {
  runtime: value("DIR", "where native libraries and models are unpacked, or lie already; nobody but root and the service's user may write there", {
    env: "STRATA_RUNTIME",
    default: "runtime/ in the data directory",
  }),
} as const;
export const JSON_OUTPUT = {
  json: toggle("print JSON"),
} as const;
export const SCOPE = value("SCOPE", "scope path, or * for all that the caller may use");
export const NAMESPACE_FLAG = value("NS", "namespace", { default: DEFAULT_NAMESPACE });
/** Either a data directory that no server holds, or a running server. */
export const TARGET = {
  ...DATA,
  url: value("URL", "ask the server at this address instead of opening the data directory; --data beats the variable", { env: "STRATA_URL" }),
  "token-file": value("FILE", "file with the API token for the server"),
  token: value("TOKEN", "the token itself, which others on this machine can read in the list of processes", { env: "STRATA_TOKEN" }),
} as const;

/** A data directory to open, or a server to ask. */
export type Target = { kind: "data"; path: string } | { kind: "server"; url: string; token: string | null };

/** Errors: UsageError that names the flag. */
export function configOf(flags: ConfigFlags, env: Environment): Config {
  try {
    return readConfig(flags, env);
  } catch (error) {
    throw error instanceof StartError ? new UsageError(error.message) : error;
  }
}

/** Errors: UsageError; StartError for a file without a token. `anonymous`: the command may go to a server without a token. */
export function targetOf(flags: FlagValues<typeof TARGET>, env: Environment, { anonymous = false } = {}): Target {
  const { data, token: given, "token-file": file } = flags;
  if (flags.url !== undefined && data !== undefined) throw new UsageError("--data and --url exclude each other");
  if (given !== undefined && file !== undefined) throw new UsageError("--token and --token-file exclude each other");
  const url = flags.url ?? (data === undefined ? env.STRATA_URL || undefined : undefined);
  if (url === undefined) {
    if (given !== undefined || file !== undefined) {
      throw new UsageError(`--token${given === undefined ? "-file" : ""} goes with --url; a data directory is opened without a token`);
    }
    return { kind: "data", path: configOf({ data }, env).data };
  }
  const token = file === undefined ? (given ?? (env.STRATA_TOKEN || null)) : tokenIn(file);
  if (token === null && !anonymous) throw new UsageError("a server needs a token: --token-file FILE, STRATA_TOKEN or --token TOKEN");
  if (token !== null && !TOKEN.test(token)) throw new UsageError("--token (STRATA_TOKEN) holds characters that no token has");
  return { kind: "server", url: serverUrl(url), token };
}

/** The token in a file, alone on its line. Errors: StartError, which says nothing of what is in the file. */
export function tokenIn(file: string): string {
  const token = readToken(file).trim();
  if (token.length <= TOKEN_MAX_CHARS && TOKEN.test(token)) return token;
  throw new StartError(`${file} holds no token: one line of up to ${TOKEN_MAX_CHARS} printable characters without blanks`);
}

/** No more of the file than a token can take, with what an editor leaves around it. */
function readToken(file: string): string {
  try {
    const descriptor = openSync(file, "r");
    try {
      const bytes = new Uint8Array(TOKEN_FILE_MAX_BYTES);
      return new TextDecoder().decode(bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0)));
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    throw new StartError(`cannot read the token file ${file}: ${(cause as NodeJS.ErrnoException).code}`, { cause });
  }
}

function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const http = url !== null && (url.protocol === "http:" || url.protocol === "https:");
  if (!http || url.search !== "" || url.hash !== "")
    throw new UsageError(`--url (STRATA_URL) must look like http://127.0.0.1:${DEFAULTS.port}; it is "${text}"`);
  return url.href.replace(/\/+$/, "");
}

/** Errors: UsageError. */
export function namespaceOf(text: string, what = "--namespace"): string {
  if (!NAMESPACE.test(text)) throw new UsageError(`${what} must be 1-63 lower-case letters, digits or "-", not "-" first; it is "${text}"`);
  return text;
}

/** Errors: UsageError. */
export function scopeOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (text !== ALL_SCOPES && !isScopePath(text)) throw new UsageError(`--scope must be ${SCOPE_RULE}, or *; it is "${text}"`);
  return text;
}

/** A whole number from 1 to `most`. Errors: UsageError. */
export function wholeNumber(flag: string, text: string | undefined, most: number, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 1 && value <= most)) throw new UsageError(`--${flag} must be a whole number from 1 to ${most}; it is "${text}"`);
  return value;
}

/** A number, not below 0. Errors: UsageError. */
export function numberOf(flag: string, text: string): number {
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) throw new UsageError(`--${flag} must be a number such as 0.5, not below 0; it is "${text}"`);
  return Number(text);
}

/** One of a few words. Errors: UsageError. */
export function oneOf<T extends string>(flag: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new UsageError(`--${flag} must be one of ${choices.join(", ")}; it is "${text}"`);
  return found;
}
