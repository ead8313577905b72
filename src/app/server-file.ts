/**
 * `server.json` in a data directory: where the server that holds it listens, for commands of the same user on the same
 * machine. Whether there is such a server is told by the lock alone. The file is written when the server listens and removed
 * at its end; what a killed one left is removed by whoever takes the lock next.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { replaceFile } from "../base/durable-files.ts";
import { HeldError } from "../base/fault.ts";
import { SERVER_FILE_MAX_BYTES } from "../base/limits.ts";
import { isLoopback } from "../config.ts";

const VERSION = 1;
const PRIVATE_MODE = 0o600;
const OTHERS_MASK = 0o077;
const PORT_MAX = 65_535;

export interface ServerFile {
  version: typeof VERSION;
  /** Address that this machine reaches it by. */
  host: string;
  port: number;
  pid: number;
  /** The demo was asked for and its published tokens are taken. */
  demo: boolean;
}

/** A server that holds a data directory, on loopback. */
export interface HoldingServer {
  url: string;
  pid: number;
  demo: boolean;
}

function serverFile(root: string): string {
  return join(resolve(root), "server.json");
}

/** Says where this process, which holds the lock of `root`, listens. Errors: those of the file system. */
export function tellServer(root: string, server: Omit<ServerFile, "version" | "pid">): void {
  const content: ServerFile = { version: VERSION, ...server, pid: process.pid };
  rmSync(`${serverFile(root)}.tmp`, { force: true });
  replaceFile(serverFile(root), `${JSON.stringify(content)}\n`, PRIVATE_MODE);
}

/** For whoever holds the lock of `root` and does not listen. */
export function forgetServer(root: string): void {
  rmSync(serverFile(root), { force: true });
}

/**
 * The server that `server.json` of a held data directory names. Null when there is none, or none to be trusted: the file must
 * be this user's and closed to others, its address on loopback, its process alive.
 */
export function holdingServer(root: string): HoldingServer | null {
  const found = parse(readOwn(serverFile(root)));
  if (found === null || !isLoopback(found.host) || !isAlive(found.pid)) return null;
  const { host, port, pid, demo } = found;
  return { url: httpUrl(host, port), pid, demo };
}

export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Says which server it is that holds the directory, where that is known. Passes other errors on. */
export function explainHeld(root: string, error: unknown): unknown {
  const server = error instanceof HeldError ? holdingServer(root) : null;
  if (server === null) return error;
  const { url } = server;
  return new HeldError(
    `data directory ${resolve(root)} is held by ${serverText(server)}; reach it with --url ${url} and --token-file FILE, or stop it`,
    {
      cause: error,
    },
  );
}

export function serverText({ url, pid }: HoldingServer): string {
  return `the server at ${url} (process ${pid})`;
}

/** A regular file of this user that nobody else may touch; null for anything else. Follows no link. */
function readOwn(path: string): string | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { mode, uid, size } = fstatSync(descriptor);
    const regular = (mode & constants.S_IFMT) === constants.S_IFREG;
    const own = uid === process.geteuid?.() && (mode & OTHERS_MASK) === 0;
    return regular && own && size <= SERVER_FILE_MAX_BYTES ? readFileSync(descriptor, "utf8") : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function parse(text: string | null): ServerFile | null {
  if (text === null) return null;
  try {
    const { version, host, port, pid, demo } = JSON.parse(text) as Partial<ServerFile>;
    const numbers = Number.isInteger(port) && (port ?? 0) > 0 && (port ?? 0) <= PORT_MAX && Number.isInteger(pid) && (pid ?? 0) > 0;
    if (version !== VERSION || !numbers || typeof host !== "string" || typeof demo !== "boolean") return null;
    return { version, host, port, pid, demo } as ServerFile;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
