/** Reads the configuration from flags, then the environment, then defaults. No other file reads the environment. */
import { isIP } from "node:net";
import { LOG_LEVELS, type LogLevel } from "./base/log.ts";
import { StartError } from "./base/fault.ts";
import { MEMORY_MIN_BYTES } from "./base/limits.ts";
import type { ChatEndpoint } from "./domain/port/chat-model.ts";

export interface Config {
  /** Data directory. */
  data: string;
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Names beside its address that the service is reached by; a request for another host is refused. */
  allowedHosts: readonly string[];
  log: LogLevel;
  /** The chat endpoint that may write answers; null: none, and nothing is ever sent anywhere. From the environment alone. */
  llm: ChatEndpoint | null;
  /** Bytes that reading files may take, with previews and ffmpeg; null: half of what the machine has. */
  memory: number | null;
  /** Where the native libraries and the models are unpacked, or lie already; null: in the data directory. */
  runtime: string | null;
  /** Where to look for ffmpeg, which video needs: its path, or else the search path. */
  ffmpeg: { setting: string | null; path: string | null };
}

export const DEFAULTS: Config = {
  data: "./strata-data",
  host: "127.0.0.1",
  port: 4700,
  allowedHosts: [],
  log: "info",
  llm: null,
  memory: null,
  runtime: null,
  ffmpeg: { setting: null, path: null },
};

/** Flags as the command line gives them; undefined where it gives none. */
export interface ConfigFlags {
  data?: string | undefined;
  host?: string | undefined;
  port?: string | undefined;
  "allowed-host"?: readonly string[] | undefined;
  log?: string | undefined;
  memory?: string | undefined;
  runtime?: string | undefined;
}

type Environment = Record<string, string | undefined>;

const PORT_MAX = 65_535;

/** Errors: StartError that names the flag and the variable. */
export function readConfig(flags: ConfigFlags, env: Environment): Config {
  return {
    data: flags.data ?? (env.STRATA_DATA || DEFAULTS.data),
    host: flags.host ?? (env.STRATA_HOST || DEFAULTS.host),
    port: portOf(flags.port ?? (env.STRATA_PORT || String(DEFAULTS.port))),
    allowedHosts: hostsOf(flags["allowed-host"] ?? [], env),
    log: levelOf(flags.log ?? (env.STRATA_LOG || DEFAULTS.log)),
    llm: llmOf(env),
    memory: memoryOf(flags.memory ?? (env.STRATA_MEMORY || null)),
    runtime: flags.runtime ?? (env.STRATA_RUNTIME || null),
    ffmpeg: { setting: env.STRATA_FFMPEG || null, path: env.PATH || null },
  };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= PORT_MAX)) throw new StartError(`--port (STRATA_PORT) must be a number from 0 to ${PORT_MAX}; it is "${text}"`);
  return port;
}

/** Names of hosts, each flag and the variable with one or several between commas. */
function hostsOf(flags: readonly string[], { STRATA_ALLOWED_HOSTS: variable = "" }: Environment): string[] {
  const names = (flags.length > 0 ? flags : [variable]).flatMap((list) => list.split(",")).map((name) => name.trim());
  const given = names.filter((name) => name !== "");
  const odd = given.find((name) => !/^[A-Za-z0-9._-]+$/.test(name) && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 6);
  if (odd === undefined) return given;
  throw new StartError(`--allowed-host (STRATA_ALLOWED_HOSTS) takes names such as strata.example, without scheme, port or path; it has "${odd}"`);
}

const SIZE_UNITS = { MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, MB: 10 ** 6, GB: 10 ** 9, TB: 10 ** 12 };

function memoryOf(text: string | null): number | null {
  if (text === null) return null;
  const [, number, unit] = /^(\d{1,12}(?:\.\d{1,6})?)\s?([A-Za-z]+)$/.exec(text) ?? [];
  const factor = Object.entries(SIZE_UNITS).find(([name]) => name.toLowerCase() === unit?.toLowerCase())?.[1];
  if (number === undefined || factor === undefined) {
    throw new StartError(`--memory (STRATA_MEMORY) must be a size such as 2GiB or 512MiB (${Object.keys(SIZE_UNITS).join(", ")}); it is "${text}"`);
  }
  const bytes = Math.floor(Number(number) * factor);
  if (!(bytes >= MEMORY_MIN_BYTES))
    throw new StartError(`--memory (STRATA_MEMORY) must be at least ${MEMORY_MIN_BYTES / SIZE_UNITS.MiB}MiB; it is "${text}"`);
  return bytes;
}

function levelOf(text: string): LogLevel {
  const level = LOG_LEVELS.find((name) => name === text);
  if (level === undefined) throw new StartError(`STRATA_LOG must be one of ${LOG_LEVELS.join(", ")}; it is "${text}"`);
  return level;
}

/** No message shows a value: an address may hold a password or a key. */
function llmOf({ STRATA_LLM_URL: address, STRATA_LLM_MODEL: model, STRATA_LLM_KEY: key }: Environment): ChatEndpoint | null {
  if (!address) return DEFAULTS.llm;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new StartError("STRATA_LLM_URL must be an http or https address, such as http://127.0.0.1:8080/v1");
  }
  if (url.username !== "" || url.password !== "") {
    throw new StartError("STRATA_LLM_URL must not carry a user name or password; a key goes into STRATA_LLM_KEY");
  }
  if (!model) throw new StartError("STRATA_LLM_URL needs STRATA_LLM_MODEL too: set it to the name of a model that this endpoint has");
  // fetch takes no other characters in a header, and its own message would show them.
  if (key && !/^[\x21-\x7e]+$/.test(key)) throw new StartError("STRATA_LLM_KEY must be printable ASCII without spaces");
  return { url: url.href, model, key: key || null };
}

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
