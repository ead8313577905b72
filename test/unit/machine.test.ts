import { describe, expect, test } from "bun:test";
import { openSync } from "node:fs";
import { machineFault } from "../../src/base/machine.ts";

const errorOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};
const system = (code: string) => Object.assign(new Error(`${code}: something`), { code });

describe("the machine is to blame", () => {
  test.each([
    ["Node's code", system("EMFILE"), "too many open files (raise the limit: ulimit -n)"],
    ["SQLite's code", system("SQLITE_FULL"), "no space left on the disk"],
    ["SQLite's code with the step that failed", system("SQLITE_IOERR_WRITE"), "the disk does not answer"],
    ["a message that begins with the code", new Error("ENOSPC: no space left on device, write"), "no space left on the disk"],
    ["LanceDB's words", new Error("lance error: LanceError(IO): Generic LocalFileSystem error: Too many open files (os error 24)"), "too many open"],
    ["Tantivy's words", new Error('IoError { io_error: Os { code: 24, kind: Uncategorized, message: "Too many open files" }'), "too many open"],
    ["a failing disk", new Error("Input/output error (os error 5)"), "the disk does not answer"],
    ["no permission", system("EACCES"), "permission denied"],
    ["a number without a word here", new Error("odd (os error 110)"), "error number 110"],
    ["no memory", new RangeError("Out of memory"), "no memory left"],
    ["a cause below", new Error("not available", { cause: new Error("opening", { cause: system("ENFILE") }) }), "the system has too many"],
  ])("%s", (_, error, words) => expect(machineFault(error)).toStartWith(words));
});

describe("the file or the program is to blame", () => {
  test.each([
    ["a missing file", errorOf(() => openSync("/nowhere/at/all", "r"))],
    ["a missing file, in LanceDB's words", new Error("Not found: data/1.lance, No such file or directory (os error 2)")],
    ["something else in its place", new Error("Not a directory (os error 20)")],
    ["a checksum", new Error("x.term does not match its checksum")],
    ["no error", "what"],
  ])("%s", (_, error) => expect(machineFault(error)).toBeNull());
});
