/** Distinguishes errors of the machine (descriptors, memory, space, permissions) from errors of a file. */

/** What operators are told for an error number of Linux. */
const REASONS: Readonly<Record<number, string>> = {
  1: "permission denied",
  5: "the disk does not answer (I/O error)",
  11: "no thread or memory left",
  12: "no memory left",
  13: "permission denied",
  23: "the system has too many open files",
  24: "too many open files (raise the limit: ulimit -n)",
  28: "no space left on the disk",
  30: "the file system is read-only",
  122: "the disk quota is used up",
};
const NUMBERS: Readonly<Record<string, number>> = {
  EPERM: 1,
  EIO: 5,
  EAGAIN: 11,
  ENOMEM: 12,
  EACCES: 13,
  ENFILE: 23,
  EMFILE: 24,
  ENOSPC: 28,
  EROFS: 30,
  EDQUOT: 122,
  SQLITE_FULL: 28,
  SQLITE_IOERR: 5,
  SQLITE_NOMEM: 12,
  SQLITE_READONLY: 30,
};
/** SQLite extends its codes with the step that failed: `SQLITE_IOERR_WRITE`. */
const SQLITE_CODE = /^SQLITE_[A-Z]+/;
/** ENOENT, EEXIST, ENOTDIR, EISDIR, EINVAL: a file is missing or of the wrong kind, which is no lack of the machine. */
const OF_THE_FILE = [2, 17, 20, 21, 22];
/** How Rust's libraries print an error number: `(os error 24)`, or `Os { code: 24, …` in their debug form. */
const PRINTED = /os error (\d+)|\bOs \{ code: (\d+)/;
const NO_MEMORY = /out of memory|cannot allocate|allocation failed/i;

/**
 * What the machine lacked when `error` or one of its causes came up: descriptors, memory, space or permissions. Null for
 * every other error: the file or the program is wrong.
 */
export function machineFault(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const number = errorNumber(cause);
    if (number !== null && !OF_THE_FILE.includes(number)) return REASONS[number] ?? `error number ${number} of the system`;
    if (NO_MEMORY.test(cause.message)) return "no memory left";
  }
  return null;
}

function errorNumber(error: Error): number | null {
  const { code } = error as NodeJS.ErrnoException;
  const name = code ?? /^(E[A-Z]+):/.exec(error.message)?.[1] ?? "";
  const named = NUMBERS[SQLITE_CODE.exec(name)?.[0] ?? name];
  if (named !== undefined) return named;
  const printed = PRINTED.exec(error.message);
  return printed === null ? null : Number(printed[1] ?? printed[2]);
}
