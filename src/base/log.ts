const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const;

export type LogLevel = keyof typeof LEVELS;
export const LOG_LEVELS = Object.keys(LEVELS) as LogLevel[];
export type LogFields = Record<string, unknown>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

function errorFields(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { name: value.name, message: value.message, stack: value.stack, cause: errorFields(value.cause) };
}

/** Writes to stderr: JSON lines when it is no terminal, short lines when it is. */
export function createLog(level: LogLevel, write: (line: string) => void, terminal: boolean): Log {
  const emit =
    (name: Exclude<LogLevel, "silent">) =>
    (message: string, fields: LogFields = {}) => {
      if (LEVELS[name] < LEVELS[level]) return;
      const plain = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, errorFields(value)]));
      if (terminal) {
        const rest = Object.entries(plain).map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`);
        write(`${name.padEnd(5)} ${[message, ...rest].join(" ")}\n`);
      } else {
        write(`${JSON.stringify({ ts: new Date().toISOString(), level: name, message, ...plain })}\n`);
      }
    };
  return { debug: emit("debug"), info: emit("info"), warn: emit("warn"), error: emit("error") };
}

export const silentLog: Log = createLog("silent", () => {}, false);
