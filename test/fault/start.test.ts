/** A data directory that cannot be used is refused with one clear line, and stays as it is. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "../../src/app/app.ts";
import { CATALOG_SCHEMA } from "../../src/adapter/sqlite/catalog-schema.ts";
import { StartError } from "../../src/base/fault.ts";
import { silentLog } from "../../src/base/log.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { canMount, Mount } from "./mount.ts";
import { fill, fingerprint, openWorld, unit } from "./small-world.ts";

setDefaultTimeout(120_000);

let template: string;
beforeAll(async () => {
  template = temporaryDirectory();
  const harness = await openWorld(template);
  await fill(
    harness,
    Array.from({ length: 40 }, (_, index) => unit(index)),
  );
  await harness.close();
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

async function refusalOf(data: string): Promise<string> {
  try {
    const app = await App.open({ data, log: silentLog });
    await app.close();
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    return (error as StartError).message;
  }
  throw new Error("it started");
}

/** Harms a copy of the template and expects a start to be refused with `words`, leaving the copy as it is. */
async function refused(harm: (data: string) => void, words: RegExp): Promise<void> {
  const data = temporaryDirectory();
  try {
    cpSync(template, data, { recursive: true });
    harm(data);
    const before = fingerprint(data);
    const message = await refusalOf(data);
    expect(message).toMatch(words);
    expect(message).not.toContain("\n");
    expect(fingerprint(data)).toEqual(before);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

function bumpVersion(path: string): void {
  const db = new Database(path);
  db.run("PRAGMA user_version = 99");
  db.close();
}

function changed(data: string, sql: string): void {
  const db = new Database(join(data, "system.db"));
  db.run(sql);
  db.close();
}

/** Another file system or the same, with garbage where SQLite expects its header. */
function garble(path: string): void {
  const file = readFileSync(path);
  file.fill(0x5a, 0, 100);
  writeFileSync(path, file);
}

test("a start says what format catalogs may have from now on", () => {
  const db = new Database(join(template, "system.db"), { readonly: true });
  expect(db.query("SELECT format FROM catalog_format").values()).toEqual([[CATALOG_SCHEMA.migrations.length]]);
  db.close();
});

describe("written by a newer version", () => {
  test("system.db", () => refused((data) => bumpVersion(join(data, "system.db")), /newer/));
  test("catalog.db", () => refused((data) => bumpVersion(join(data, "namespaces/fault/catalog.db")), /catalog of namespace fault.*newer/));
  test("any catalog, by system.db", () =>
    refused((data) => changed(data, "UPDATE catalog_format SET format = 99"), /data directory.*newer.*format 99/));
  for (const index of ["vectors/text", "fulltext"]) {
    test(index, () =>
      refused((data) => writeFileSync(join(data, "namespaces/fault", index, "strata-index.json"), '{"version":99}'), /newer|format 99/),
    );
  }
});

describe("damaged", () => {
  test("system.db", () => refused((data) => garble(join(data, "system.db")), /system\.db is damaged/));
  test("catalog.db", () => refused((data) => garble(join(data, "namespaces/fault/catalog.db")), /catalog of namespace fault is damaged/));
  test("system.db that is lost, also beside an unpacked runtime", () =>
    refused((data) => {
      rmSync(join(data, "system.db"));
      mkdirSync(join(data, "runtime"), { recursive: true });
    }, /has lost system\.db.*backup/));
  test("catalog.db that is lost, beside its note", () =>
    refused((data) => rmSync(join(data, "namespaces/fault/catalog.db")), /catalog of namespace fault is missing.*Put catalog\.db back/));
  test("catalog.db that is lost, beside uploads", () =>
    refused((data) => {
      const folder = join(data, "namespaces/fault");
      for (const name of ["catalog.db", "audit.note"]) rmSync(join(folder, name));
      mkdirSync(join(folder, "objects/ab"), { recursive: true });
      writeFileSync(join(folder, "objects/ab/abcd"), "an upload");
    }, /catalog of namespace fault is missing/));
  test("audit.key", () => refused((data) => writeFileSync(join(data, "audit.key"), "no key"), /audit\.key is damaged/));
  test("audit.key that is lost", () => refused((data) => rmSync(join(data, "audit.key")), /audit\.key is missing.*strata audit rekey/));
  test("a file of another program", () =>
    refused((data) => {
      const path = join(data, "system.db");
      rmSync(path);
      const db = new Database(path);
      db.run("CREATE TABLE theirs (x)");
      db.close();
    }, /another program/));
});

test("a directory of something else", () =>
  refused((data) => {
    rmSync(data, { recursive: true });
    mkdirSync(data);
    writeFileSync(join(data, "thesis.txt"), "years of work");
  }, /not empty and holds no strata data/));

test("held by another process", async () => {
  const program = `
    import { openDataDirectory } from ${JSON.stringify(join(import.meta.dir, "../../src/adapter/sqlite/data-directory.ts"))};
    openDataDirectory(process.argv[1], Date.now);
    console.log("held");
    setInterval(() => {}, 1000);`;
  const holder = Bun.spawn([process.execPath, "-e", program, template], { stdout: "pipe" });
  try {
    const { value } = await holder.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toBe("held\n");
    expect(await refusalOf(template)).toMatch(/in use by another strata process/);
  } finally {
    holder.kill("SIGKILL");
    await holder.exited;
  }
  // The kernel lets go of the lock of a killed process.
  const app = await App.open({ data: template, log: silentLog });
  await app.close();
});

describe.skipIf(!canMount)("on a mount (needs the right to mount)", () => {
  test("read-only", async () => {
    const mount = Mount.bind(template);
    try {
      const before = fingerprint(mount.path);
      mount.makeReadOnly();
      expect(await refusalOf(mount.path)).toMatch(/read-only/);
      expect(fingerprint(mount.path)).toEqual(before);
    } finally {
      mount.remove();
    }
  });

  test("full", async () => {
    const mount = Mount.tmpfs("64m");
    try {
      const data = join(mount.path, "data");
      cpSync(template, data, { recursive: true });
      mount.fillUp();
      const before = fingerprint(data);
      expect(await refusalOf(data)).toMatch(/full/);
      expect(fingerprint(data)).toEqual(before);
      mount.freeUp();
      const app = await App.open({ data, log: silentLog });
      await app.close();
    } finally {
      mount.remove();
    }
  });
});
