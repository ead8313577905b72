/** Postings in memory against the index on disk that they are read from. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadTantivy } from "../../src/adapter/tantivy/binding.ts";
import { fullTextSchema, QueryBuilder } from "../../src/adapter/tantivy/query.ts";
import { Reader } from "../../src/adapter/tantivy/reader.ts";
import { PostingsMemory, ResidentPostings } from "../../src/adapter/tantivy/resident.ts";
import { Writer } from "../../src/adapter/tantivy/writer.ts";
import { MATCH_ALL } from "../../src/domain/filter.ts";
import { PLANES } from "../../src/domain/plane.ts";
import type { FullTextQuery } from "../../src/domain/port/full-text-index.ts";
import type { Unit } from "../../src/domain/unit.ts";
import { ENGLISH } from "../../src/text/language.ts";
import { queryTerms } from "../../src/text/terms.ts";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";
import { fullTextUnit } from "./fulltext-conformance.ts";

const tantivy = loadTantivy(Bun.resolveSync("@oxdev03/node-tantivy-binding-linux-x64-gnu", import.meta.dir));
const queries = new QueryBuilder(tantivy, fullTextSchema(tantivy));
const WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split(" ");
const DEPTH = 5_000;
const PLENTY_BYTES = 2 ** 30;

function unitOf(uid: number, random: Random, version: number): Unit {
  const text = Array.from({ length: random.integer(3, 30) }, () => random.pick(WORDS.slice(0, random.integer(1, WORDS.length)))).join(" ");
  return fullTextUnit(uid, text, { version, classId: random.integer(1, 4), plane: random.pick(PLANES), path: random.chance(0.2) ? ["beta"] : null });
}

function queryOf(text: string, classes: number[] | null, more: Partial<FullTextQuery> = {}): FullTextQuery {
  return { terms: queryTerms(text), planes: PLANES, limit: DEPTH, restriction: { classes, filter: MATCH_ALL, uids: null }, ...more };
}

const QUERIES = ["alpha", "kappa iota", "beta theta zeta", "nothing"].flatMap((text) => [
  queryOf(text, null),
  queryOf(text, [2, 3]),
  queryOf(text, [1], { planes: ["text", "audio"], limit: 7 }),
]);

/** An index with its writer and a reader that answers from disk, in this thread. */
class OnDisk {
  readonly writer = new Writer(tantivy);
  readonly disk = new Reader(tantivy, 0);
  private readonly index;

  constructor(directory: string) {
    mkdirSync(directory);
    this.writer.open(1, directory);
    this.disk.open(1, directory);
    this.index = tantivy.Index.open(directory);
    this.index.configReader("manual");
  }

  put(units: readonly Unit[]): number[] {
    this.writer.put(1, units, ENGLISH);
    return this.reloaded(units.map(({ uid }) => uid));
  }

  remove(uids: readonly number[]): number[] {
    this.writer.remove(1, uids);
    return this.reloaded(uids);
  }

  get searcher() {
    return this.index.searcher();
  }

  close(): void {
    this.disk.exit();
    this.writer.exit();
  }

  private reloaded(uids: readonly number[]): number[] {
    this.index.reload();
    this.disk.reload(1, uids);
    return [...uids];
  }
}

describe("postings in memory", () => {
  let root: string;
  let indexes = 0;
  const opened: OnDisk[] = [];
  const open = () => {
    const index = new OnDisk(join(root, `index-${++indexes}`));
    opened.push(index);
    return index;
  };
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "strata-postings-"));
  });
  afterAll(async () => {
    for (const index of opened) index.close();
    await rm(root, { recursive: true, force: true });
  });

  function expectSame(resident: ResidentPostings, { disk }: OnDisk): void {
    for (const query of QUERIES) {
      // To this depth the index on disk looks at every match.
      const { hits } = disk.search(1, { ...query, limit: DEPTH });
      const expected = { hits: hits.slice(0, query.limit), exhausted: hits.length <= query.limit };
      expect(resident.whole?.search(query)).toEqual(expected);
      expect(resident.whole?.matching(query)).toEqual(disk.matching(1, query));
      const { classes } = query.restriction;
      const missing = query.terms.scored.map((term) => resident.whole?.frequency(term, classes) === 0);
      expect(missing).toEqual(query.terms.scored.map((term) => disk.missing(1, [term], classes).length > 0));
    }
  }

  const readAll = (resident: ResidentPostings, index: OnDisk) => {
    let turns = 0;
    for (; resident.reading; turns += 1) resident.read(index.searcher);
    return turns;
  };

  test("that are read while Units change answer as the index on disk, and so after every further commit", () => {
    const random = new Random(SEED);
    const index = open();
    const resident = new ResidentPostings(new PostingsMemory(PLENTY_BYTES), queries);
    const written = (version: number) => {
      const units = Array.from({ length: random.integer(1, 300) }, () => random.integer(0, 2_000)).map((uid) => unitOf(uid, random, version));
      const changed = index.put([...new Map(units.map((unit) => [unit.uid, unit])).values()]);
      resident.follow(changed, index.searcher);
      resident.follow(index.remove(Array.from({ length: random.integer(1, 60) }, () => random.integer(0, 2_000))), index.searcher);
    };
    index.put(Array.from({ length: 1_500 }, (_, uid) => unitOf(uid, random, 0)));
    for (let version = 1; version <= 3; version += 1) {
      resident.read(index.searcher);
      expect(resident.whole).toBeNull();
      written(version);
    }
    expect(readAll(resident, index)).toBeGreaterThan(1);
    expectSame(resident, index);
    for (let version = 4; version <= 12; version += 1) {
      written(version);
      // They are read again when most of their rows are of documents that are gone.
      readAll(resident, index);
      expectSame(resident, index);
    }
  });

  test("where memory does not suffice nothing is held, and others have what there is", () => {
    const random = new Random(SEED);
    const index = open();
    index.put(Array.from({ length: 600 }, (_, uid) => unitOf(uid, random, 1)));
    const measured = new ResidentPostings(new PostingsMemory(PLENTY_BYTES), queries);
    readAll(measured, index);
    const { bytes } = measured.whole as NonNullable<typeof measured.whole>;
    const memory = new PostingsMemory(bytes);
    const [first, second] = [new ResidentPostings(memory, queries), new ResidentPostings(memory, queries)];
    readAll(first, index);
    readAll(second, index);
    expect([first.whole === null, second.whole, second.reading]).toEqual([false, null, false]);
    first.release();
    expect(memory.take(bytes)).toBe(true);
  });
});
