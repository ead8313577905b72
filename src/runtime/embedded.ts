/**
 * The files inside the executable that can be used from a disk only, by the name that `ASSETS` gives. Empty in the checkout:
 * in the executable build.ts replaces this module by one that embeds the files. A file that is only read (the demo data) is
 * not listed here: its reader imports it with `{ type: "file" }` and opens the path with `Bun.file`, compiled or not.
 */
export const EMBEDDED: Readonly<Record<string, string>> = {};
