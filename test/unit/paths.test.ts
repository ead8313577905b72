/** How many files of the core somebody opens who follows an operation to the ports: by imports of values, from the operation's own file on. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const CORE = join(import.meta.dir, "../../src/core");

/** Files of the core that `path` imports values from. */
function opened(path: string): string[] {
  const text = readFileSync(join(CORE, path), "utf8");
  const imports = [...text.matchAll(/^import (?!type )([^;]*?) from "(\.[^"]+)";/gm)];
  const valued = imports.filter(([, names = ""]) => !/^\{(?:\s*type [\w ]+,?)+\s*\}$/.test(names));
  return valued.map(([, , name = ""]) => relative(CORE, join(CORE, dirname(path), name))).filter((target) => !target.startsWith(".."));
}

function followed(start: string): string[] {
  const found = [start];
  for (const path of found) found.push(...opened(path).filter((next) => existsSync(join(CORE, next)) && !found.includes(next)));
  return [...new Set(found)];
}

/** The most files that each path may have. */
const PATHS = { "units/get.ts": 5, "units/ingest.ts": 9, "files/accept.ts": 9, "search/search.ts": 12, "answer/answer.ts": 19 };

test.each(Object.entries(PATHS))("%s leads to the ports through at most %p files", (operation, most) => {
  const path = followed(operation);
  process.stdout.write(`${operation}: ${path.length} files\n`);
  expect(path.length, path.join(", ")).toBeLessThanOrEqual(most);
  expect(path.length).toBeGreaterThan(3);
});
