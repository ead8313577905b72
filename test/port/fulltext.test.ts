import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "../../src/base/fault.ts";
import { silentLog } from "../../src/base/log.ts";
import { createFullTextEngine, type FullTextEngine } from "../../src/engine/fulltext.ts";
import { ask, describeFullText, fullTextUnit, putAll } from "./fulltext-conformance.ts";

const addonPath = Bun.resolveSync("@oxdev03/node-tantivy-binding-linux-x64-gnu", import.meta.dir);
const makeEngine = () => createFullTextEngine({ addonPath, log: silentLog });

describeFullText("Tantivy", makeEngine);

describe("Tantivy on disk", () => {
  let root: string;
  let sound: string;
  let engine: FullTextEngine;
  let copies = 0;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "strata-fulltext-disk-"));
    sound = join(root, "sound");
    engine = makeEngine();
    const index = await engine.open(sound);
    await putAll(
      index,
      Array.from({ length: 200 }, (_, uid) => fullTextUnit(uid, `words ${uid}`)),
    );
    await index.close();
  });
  afterAll(async () => {
    await engine.close();
    await rm(root, { recursive: true, force: true });
  });

  /** Opens a copy of the sound index after `damage` to one of its files. */
  async function openDamaged(ending: string, damage: (bytes: Buffer) => Buffer | null): Promise<unknown> {
    const directory = join(root, `copy-${++copies}`);
    await cp(sound, directory, { recursive: true });
    const name = (await readdir(directory)).find((file) => file.endsWith(ending));
    const path = join(directory, name ?? ending);
    const bytes = damage(await readFile(path));
    await (bytes === null ? rm(path) : writeFile(path, bytes));
    return engine.open(directory);
  }

  const flip = (bytes: Buffer) => {
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 2) ^ 0xff, bytes.length >> 2);
    return bytes;
  };
  const segments = ["fast", "fieldnorm", "idx", "pos", "store", "term"];
  test.each(segments)("a flipped bit, a cut and a missing file are found: %s", async (part) => {
    for (const damage of [flip, (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1), () => Buffer.alloc(0), () => null]) {
      await expect(openDamaged(`.${part}`, damage)).rejects.toMatchObject({ kind: "unavailable", cause: expect.any(Error) });
    }
  });

  test.each([
    ["meta.json", "{bad"],
    ["strata-index.json", "{bad"],
    ["strata-index.json", "{}"],
  ])("a damaged %s is found: %s", async (file, content) => {
    await expect(openDamaged(file, () => Buffer.from(content))).rejects.toMatchObject({ kind: "unavailable" });
  });

  test.each(["meta.json", "strata-index.json"])("a missing %s is found", async (file) => {
    await expect(openDamaged(file, () => null)).rejects.toMatchObject({ kind: "unavailable" });
  });

  test("a newer format is refused with a line for the operator", async () => {
    await expect(openDamaged("strata-index.json", () => Buffer.from('{"version": 2}'))).rejects.toBeInstanceOf(StartError);
  });

  test("a commit that was cut short before its last step is in nobody's way", async () => {
    const directory = join(root, "cut-short");
    await cp(sound, directory, { recursive: true });
    const committed = await readFile(join(directory, "meta.json"));
    const first = await engine.open(directory);
    await putAll(first, [fullTextUnit(7, "other words")]);
    await first.close();
    // The files of the commit are there, the list of segments does not know them.
    await writeFile(join(directory, "meta.json"), committed);
    expect((await readdir(directory)).some((file) => file.endsWith(".del"))).toBe(true);
    const second = await engine.open(directory);
    expect((await ask(second, "other words", { uids: [7] })).hits).toMatchObject([{ uid: 7 }]);
    await putAll(second, [fullTextUnit(7, "words again")]);
    expect((await ask(second, "again")).hits).toMatchObject([{ uid: 7 }]);
    expect((await second.rows()).length).toBe(200);
    await second.close();
  });

  test("the engine works on after all that", async () => {
    const index = await engine.open(sound);
    expect((await ask(index, "words 7", { uids: [7] })).hits).toMatchObject([{ uid: 7 }]);
    await index.close();
  });
});

describe("Tantivy's Workers", () => {
  /** Answers its start, then dies at the first call. */
  const dying = () =>
    new Worker(
      URL.createObjectURL(
        new Blob(["self.onmessage = ({ data }) => { if (data.op) process.exit(1); self.postMessage({ id: data.id, ok: true }); };"]),
      ),
    );

  test("a Worker that dies makes calls fail", async () => {
    const engine = createFullTextEngine({ addonPath, log: silentLog, startWorker: dying });
    const directory = await mkdtemp(join(tmpdir(), "strata-fulltext-dying-"));
    await expect(engine.open(directory)).rejects.toMatchObject({ kind: "unavailable" });
    await expect(engine.open(directory)).rejects.toMatchObject({ kind: "unavailable" });
    await engine.close();
    await rm(directory, { recursive: true });
  });

  test("an addon that cannot be loaded makes open fail", async () => {
    const engine = createFullTextEngine({ addonPath: "/nowhere.node", log: silentLog });
    await expect(engine.open("/nowhere")).rejects.toMatchObject({ kind: "unavailable" });
    await engine.close();
  });

  test("an engine that was never used closes, and closing twice is harmless", async () => {
    const engine = makeEngine();
    await engine.close();
    await engine.close();
    await expect(engine.open("/nowhere")).rejects.toMatchObject({ kind: "unavailable" });
  });
});
