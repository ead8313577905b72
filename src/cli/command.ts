/** What a command is: its help, its flags with their types, and what it runs on. Nothing here starts anything. */

/** Exit statuses of the executable. */
export const EXIT = { done: 0, failed: 1, usage: 2, faulty: 3 } as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** A call that cannot be understood: exit status 2. The message is one line for the operator. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns of the terminal, where there is one that tells. */
  readonly columns?: number;
}

/** Data goes to stdout; progress and explanations go to stderr. */
export interface Io {
  stdin(): AsyncIterable<Uint8Array>;
  stdout: Output;
  stderr: Output;
}

export type Environment = Record<string, string | undefined>;

export interface Context {
  io: Io;
  env: Environment;
  /** From the first call on, SIGINT and SIGTERM abort this signal instead of ending the process. */
  interruption(): AbortSignal;
}

/** Resolves when the signal aborts, at once if it has. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

interface FlagHelp {
  help: string;
  /** Variable of the environment that the flag beats. */
  env?: string;
  /** What holds when the flag is absent, for the help. */
  default?: string;
  /** The words that it takes, where these are few. */
  choices?: readonly string[];
}

export type Flag = FlagHelp & ({ kind: "switch" } | { kind: "value" | "list"; placeholder: string });

type Notes = Omit<FlagHelp, "help">;

export const toggle = (help: string) => ({ kind: "switch", help }) as const;

export const value = (placeholder: string, help: string, notes: Notes = {}) => ({ kind: "value", placeholder, help, ...notes }) as const;

/** A value flag that may be given several times. */
export const list = (placeholder: string, help: string, notes: Notes = {}) => ({ kind: "list", placeholder, help, ...notes }) as const;

export type FlagTable = Readonly<Record<string, Flag>>;

type FlagValue<K extends Flag["kind"]> = K extends "switch" ? boolean : K extends "list" ? string[] : string | undefined;

/** The flags of a call, by their names. */
export type FlagValues<F extends FlagTable> = {
  [K in keyof F]: FlagValue<F[K]["kind"]>;
};

/** An argument without dashes; every one is required. */
export interface Operand {
  name: string;
  help: string;
  /** The last one may be given several times. */
  several?: boolean;
  /** The words that it may be, where these are few. */
  choices?: readonly string[];
}

/** What a call does, and the call. */
export type Example = readonly [about: string, call: string];

export interface Command<F extends FlagTable = FlagTable> {
  /** What the command is for, in a few sentences. */
  purpose: string;
  operands: readonly Operand[];
  flags: F;
  /** Variables that no flag beats, each with what it means. */
  environment?: readonly (readonly [name: string, help: string])[];
  examples: readonly [Example, Example, ...Example[]];
  /** What exit status 3 means here, when it can happen. */
  faulty?: string;
  run(context: Context, flags: FlagValues<F>, operands: readonly string[]): Promise<ExitStatus>;
}

/** Binds the type of `run` to the flags beside it: the parser returns a value for each flag of the table. */
export function defineCommand<const F extends FlagTable>(command: Command<F>): Command {
  return command;
}

/** A command in the table: its name, of one word or two, and what it is for in a line. */
export interface Summary {
  name: string;
  summary: string;
}

export interface CommandEntry extends Summary {
  load: () => Promise<Command>;
}
