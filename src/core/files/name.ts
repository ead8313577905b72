/** The name of a file, as its sender gives it. */
import { Fault } from "../../base/fault.ts";
import { FILE_NAME_MAX_CHARS, FILE_NAME_PART_MAX_CHARS } from "../../base/limits.ts";

/** From the root of a system: `/etc/motd`, `\\host\share`, `C:\notes.txt`. */
const ABSOLUTE = /^(?:[/\\]|[a-z]:[/\\])/i;

/**
 * The name relative to the folder that the file was taken from, with "/" between its parts, without control characters and
 * `.`. Too long a last part keeps its end; of too long a name the outer folders are left out. Errors: `bad_request` for an
 * absolute name, one with `..`, and one in which nothing names the file.
 */
export function checkedName(name: string): string {
  const shown = name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
  if (ABSOLUTE.test(shown)) throw new Fault("bad_request", "the name of a file must be relative to the folder that is taken in");
  const parts = shown.split(/[/\\]/).map((part) => part.trim());
  if (parts.length > 1 && parts.includes("..")) throw new Fault("bad_request", 'the name of a file must not hold ".."');
  const last = parts.pop() ?? "";
  if (["", ".", ".."].includes(last)) throw new Fault("bad_request", "the file needs a name");
  const kept = [...parts.filter((part) => part !== "" && part !== "."), ending(last)];
  while (kept.length > 1 && kept.join("/").length > FILE_NAME_MAX_CHARS) kept.shift();
  return kept.join("/");
}

/** The last part of a name. */
export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function ending(part: string): string {
  return part.length <= FILE_NAME_PART_MAX_CHARS ? part : part.slice(-FILE_NAME_PART_MAX_CHARS).toWellFormed();
}
