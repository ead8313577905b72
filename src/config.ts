/** The only reader of the environment. A flag beats the environment, the environment beats the default. */
import { LOG_LEVELS, type LogLevel } from "./base/log.ts";
import { StartError } from "./base/fault.ts";

export interface Config {
  /** Data directory. */
  data: string;
  host: string;
  /** 0 picks a free port. */
  port: number;
  log: LogLevel;
}

export const DEFAULTS: Config = { data: "./strata-data", host: "127.0.0.1", port: 4700, log: "info" };

/** Flags as the command line gives them; undefined where it gives none. */
export interface ConfigFlags {
  data?: string | undefined;
  host?: string | undefined;
  port?: string | undefined;
  log?: string | undefined;
}

const PORT_MAX = 65_535;

/** Errors: StartError that names the flag and the variable. */
export function readConfig(flags: ConfigFlags, env: Record<string, string | undefined>): Config {
  return {
    data: flags.data ?? (env.STRATA_DATA || DEFAULTS.data),
    host: flags.host ?? (env.STRATA_HOST || DEFAULTS.host),
    port: portOf(flags.port ?? (env.STRATA_PORT || String(DEFAULTS.port))),
    log: levelOf(flags.log ?? (env.STRATA_LOG || DEFAULTS.log)),
  };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= PORT_MAX)) throw new StartError(`--port (STRATA_PORT) must be a number from 0 to ${PORT_MAX}; it is "${text}"`);
  return port;
}

function levelOf(text: string): LogLevel {
  const level = LOG_LEVELS.find((name) => name === text);
  if (level === undefined) throw new StartError(`STRATA_LOG must be one of ${LOG_LEVELS.join(", ")}; it is "${text}"`);
  return level;
}

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
