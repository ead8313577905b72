import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { DamageFault, StartError } from "../../src/base/fault.ts";
import { TERM_MAX_BYTES } from "../../src/base/limits.ts";
import { silentLog } from "../../src/base/log.ts";
import { MemoryFullTextIndex } from "../../src/adapter/memory/full-text-index.ts";
import { FullTextEngine } from "../../src/adapter/tantivy/full-text-index.ts";
import { loadTantivy } from "../../src/adapter/tantivy/binding.ts";
import { queryTerms, textTerms } from "../../src/text/terms.ts";
import { SEED } from "../property/seed.ts";
import { ManualSchedule } from "../support/schedule.ts";
import { ask, describeFullText, fullTextUnit, putAll } from "./fulltext-conformance.ts";

const addonPath = Bun.resolveSync("@oxdev03/node-tantivy-binding-linux-x64-gnu", import.meta.dir);
const makeEngine = () => new FullTextEngine({ addonPath, log: silentLog });

describeFullText("Tantivy", makeEngine);
describeFullText("Tantivy without memory for postings", () => new FullTextEngine({ addonPath, log: silentLog, postingsBytes: 0 }));
describeFullText("memory", () => {
  const opened = new Map<string, MemoryFullTextIndex>();
  return {
    async open(directory) {
      const index = new MemoryFullTextIndex(opened.get(directory)?.documents);
      opened.set(directory, index);
      return index;
    },
    close: async () => {},
  };
});

describe("Tantivy's own analysis", () => {
  interface Filter {
    readonly opaque: unique symbol;
  }
  interface Builder {
    filter(filter: Filter): Builder;
    build(): { analyze(text: string): string[] };
  }
  interface Analyzers {
    TextAnalyzerBuilder: new (tokenizer: unknown) => Builder;
    TokenizerStatic: { raw(): unknown };
    FilterStatic: { lowercase(): Filter; asciiFold(): Filter; removeLong(belowBytes: number): Filter; stemmer(language: "english"): Filter };
  }
  const { TextAnalyzerBuilder, TokenizerStatic, FilterStatic } = loadTantivy(addonPath) as unknown as Analyzers;
  const analyzer = new TextAnalyzerBuilder(TokenizerStatic.raw())
    .filter(FilterStatic.lowercase())
    .filter(FilterStatic.asciiFold())
    .filter(FilterStatic.removeLong(TERM_MAX_BYTES + 1))
    .filter(FilterStatic.stemmer("english"))
    .build();
  /** Of words without white space, hyphens and the like. */
  const sameTerms = (words: readonly string[]) =>
    expect(words.flatMap((word) => textTerms(word))).toEqual(words.flatMap((word) => analyzer.analyze(word.normalize("NFC"))));

  test("gives the terms of text/ for every letter and digit", () => {
    const letters = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code)).filter((char) =>
      /^[[\p{Alphabetic}\p{N}]--[\p{scx=Hira}\p{scx=Kana}]]$/v.test(char),
    );
    sameTerms(letters);
    sameTerms(letters.filter((char) => !/[\p{scx=Han}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u.test(char)).map((char) => `a${char}ings`));
  });

  test("gives the terms of text/ for made-up words", () => {
    const part = fc.constantFrom(
      ..."aeiouybdgmnprstvwxzéßΣ".split(""),
      ..."gener commun ies ied eed ing edly ly li ation fulness ogi bli ative able ement ion ll".split(" "),
    );
    fc.assert(
      fc.property(fc.array(fc.array(part, { minLength: 1, maxLength: 6 })), (words) => sameTerms(words.map((parts) => parts.join("")))),
      { seed: SEED },
    );
  });
});

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
      const opening = openDamaged(`.${part}`, damage);
      await expect(opening).rejects.toBeInstanceOf(DamageFault);
      await expect(opening).rejects.toMatchObject({ kind: "unavailable", cause: expect.any(Error) });
    }
  });

  test.each([
    ["meta.json", "{bad"],
    ["strata-index.json", "{bad"],
    ["strata-index.json", "{}"],
    ["strata-index.json", '{"version": 1}'],
  ])("a damaged %s is found: %s", async (file, content) => {
    await expect(openDamaged(file, () => Buffer.from(content))).rejects.toBeInstanceOf(DamageFault);
  });

  test("one that was built with another analysis is to be built again", async () => {
    const directory = join(root, "german");
    const german = await engine.open(directory, "de");
    await putAll(german, [fullTextUnit(1, "Die Führungen beginnen.")]);
    const { hits } = await ask(german, "", {}, { terms: queryTerms("Führung", "de") });
    expect(hits.map(({ uid }) => uid)).toEqual([1]);
    await german.close();
    await expect(engine.open(directory)).rejects.toBeInstanceOf(DamageFault);
    await expect(engine.inspect(directory, "any")).rejects.toBeInstanceOf(DamageFault);
    await (await engine.open(directory, "de")).close();
  });

  test.each(["meta.json", "strata-index.json"])("a missing %s is found", async (file) => {
    await expect(openDamaged(file, () => null)).rejects.toBeInstanceOf(DamageFault);
  });

  test("a newer format is refused with a line for the operator", async () => {
    await expect(openDamaged("strata-index.json", () => Buffer.from('{"version": 99}'))).rejects.toBeInstanceOf(StartError);
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
        new Blob(["self.onmessage = ({ data }) => { if (data.method !== 'start') process.exit(1); self.postMessage({ id: data.id }); };"]),
      ),
    );

  test("a Worker that dies makes calls fail", async () => {
    const engine = new FullTextEngine({ addonPath, log: silentLog, startWorker: dying });
    const directory = await mkdtemp(join(tmpdir(), "strata-fulltext-dying-"));
    await expect(engine.open(directory)).rejects.toMatchObject({ kind: "unavailable" });
    await expect(engine.open(directory)).rejects.toMatchObject({ kind: "unavailable" });
    await engine.close();
    await rm(directory, { recursive: true });
  });

  describe("are replaced when they die", () => {
    const settle = () => Bun.sleep(1);
    const workers: Worker[] = [];
    const startWorker = () => {
      const worker = new Worker(new URL("../../src/adapter/tantivy/full-text-worker.ts", import.meta.url).href);
      workers.push(worker);
      return worker;
    };

    test.each([
      ["writer", 0],
      ["reader", 1],
    ])("the %s: calls fail at once, and after a pause go on where they were", async (_, which) => {
      workers.length = 0;
      const time = new ManualSchedule();
      const engine = new FullTextEngine({ addonPath, log: silentLog, startWorker, schedule: time.schedule });
      const directory = await mkdtemp(join(tmpdir(), "strata-fulltext-killed-"));
      const index = await engine.open(directory);
      const units = Array.from({ length: 20 }, (_, uid) => fullTextUnit(uid, `words ${uid}`));
      await putAll(index, units);
      expect([engine.ready(), index.working()]).toEqual([true, true]);
      expect((await ask(index, "words")).hits.length).toBe(20);

      workers[which]?.terminate();
      while (engine.ready()) await settle();
      await expect(putAll(index, [fullTextUnit(20, "words 20")])).rejects.toMatchObject({ kind: "unavailable" });
      expect(index.working()).toBe(false);

      time.elapse();
      while (!engine.ready()) await settle();
      // The outbox brings it again: whether the first attempt had come to the disk or not, it is there once.
      await putAll(index, [fullTextUnit(20, "words 20")]);
      expect(index.working()).toBe(true);
      expect((await ask(index, "words")).hits.length).toBe(21);
      expect((await index.rows()).map(({ uid }) => uid)).toEqual(Array.from({ length: 21 }, (_, uid) => uid));
      expect(workers.length).toBe(3);
      await engine.close();
      await rm(directory, { recursive: true });
    });

    test("one that dies at each call is started in growing pauses", async () => {
      const time = new ManualSchedule();
      let started = 0;
      const engine = new FullTextEngine({
        addonPath,
        log: silentLog,
        schedule: time.schedule,
        startWorker: () => {
          started += 1;
          return dying();
        },
      });
      const directory = await mkdtemp(join(tmpdir(), "strata-fulltext-dying-"));
      const pauses: number[] = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await expect(engine.open(directory)).rejects.not.toBeInstanceOf(DamageFault);
        while (time.pauses.length === 0) await settle();
        pauses.push(...time.pauses);
        const before = started;
        time.elapse();
        while (started === before || !engine.ready()) await settle();
      }
      expect(pauses).toEqual([1_000, 2_000, 4_000]);
      await engine.close();
      await rm(directory, { recursive: true });
    });
  });

  test("an addon that cannot be loaded makes open fail", async () => {
    const engine = new FullTextEngine({ addonPath: "/nowhere.node", log: silentLog });
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
