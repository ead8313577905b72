import { rmSync } from "node:fs";
import { memoryDirectory } from "../../src/adapter/memory/directory.ts";
import { openDatabase } from "../../src/adapter/sqlite/database.ts";
import { DIRECTORY_SCHEMA, DirectoryTables } from "../../src/adapter/sqlite/directory.ts";
import { directoryOf } from "../../src/adapter/sqlite/directory-store.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { directoryConformance } from "./directory-conformance.ts";

directoryConformance("SQLite", (now) => {
  const root = temporaryDirectory();
  const db = openDatabase(`${root}/system.db`, DIRECTORY_SCHEMA, { exclusive: true });
  const close = () => {
    db.close();
    rmSync(root, { recursive: true });
  };
  return { directory: directoryOf(db, new DirectoryTables(db, now)), close };
});

directoryConformance("memory", (now) => ({ directory: memoryDirectory(now), close: () => {} }));
