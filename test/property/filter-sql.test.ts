/** The catalog's SQL for a filter finds exactly what matches() lets through. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { type Filter, MATCH_ALL, matches, parseFilter } from "../../src/domain/filter.ts";
import { type UnitDraft, unitId } from "../../src/domain/unit.ts";
import { openDataDirectory } from "../../src/adapter/sqlite/data-directory.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { Random } from "./random.ts";
import { SEED } from "./seed.ts";
import { planeOf, randomDrafts, randomQuery } from "./world.ts";
import { openRows } from "../support/rows.ts";

const TEXTS = ["plain", "o'clock", "50%_", "a\\b", "höhe", "海海", "😀x", "x' OR '1'='1"];
const NUMBERS = [0, -1, 1.5, 1e21, 1e-7, 9_007_199_254_740_991, 123_456_789_012_345_680_000];

/** Filters that the engines leave to SQL, over values that are easily got wrong. */
function oddFilter(random: Random): Filter {
  const text = random.pick(TEXTS);
  return parseFilter(
    random.pick<unknown>([
      { "metadata.text": { $prefix: text.slice(0, text.startsWith("😀") ? 2 : 1) } },
      { "metadata.text": { $prefix: text } },
      { "metadata.text": { $ne: text } },
      { "metadata.number": { $gte: random.pick(NUMBERS) } },
      { "metadata.number": { $lt: random.pick(NUMBERS) } },
      { "metadata.number": random.pick(NUMBERS) },
      { $not: { "metadata.number": { $gt: random.pick(NUMBERS), $lte: random.pick(NUMBERS) } } },
      { "metadata.text": { $in: [] } },
      { doc_id: { $in: [] } },
      { path: text },
      { path: { $nin: [text, random.pick(TEXTS)] } },
      { path: { $prefix: text.slice(0, 2) } },
      { path: { $exists: random.chance(0.5) } },
      { "metadata.a.b-c_d": { $exists: random.chance(0.5) } },
    ]),
  );
}

test("over random Units and filters", async () => {
  const random = new Random(SEED);
  const root = temporaryDirectory();
  const data = openDataDirectory(root, () => 1_000);
  const store = openRows(data, "n", { now: () => 1_000 });
  const units = store.ledger.transact(() =>
    randomDrafts(random, 300, TEXTS).map(({ text, doc_id, mime, locator, metadata, acl_groups, ...rest }) => {
      const identity = {
        ...rest,
        path: random.chance(0.6) ? [random.pick(TEXTS), ...random.some(TEXTS, 0.3)] : null,
        plane: planeOf(rest) as UnitDraft["plane"],
        namespace: "n",
        text: text ?? null,
        doc_id: doc_id ?? null,
        locator: locator ?? null,
      };
      const odd = { text: random.pick(TEXTS), number: random.pick(NUMBERS), ...(random.chance(0.3) ? { "a.b-c_d": true } : {}) };
      const draft = {
        ...identity,
        unit_id: unitId(identity),
        acl_groups,
        mime: mime ?? null,
        metadata: random.chance(0.9) ? { ...metadata, ...odd } : null,
      };
      return store.catalog.upsert(draft, 1).unit;
    }),
  );
  const all = store.catalog.classes().map(({ classId }) => classId);
  let matched = 0;
  for (let round = 0; round < 600; round += 1) {
    const { body } = randomQuery(random, ["q"]);
    const filter = random.chance(0.4) ? oddFilter(random) : body.filters === undefined ? MATCH_ALL : parseFilter(body.filters);
    const classes = random.chance(0.3) ? [...new Set(units.slice(0, 40).map(({ classId }) => classId))] : null;
    const expected = units.filter((unit) => matches(filter, unit) && (classes === null || classes.includes(unit.classId))).map(({ uid }) => uid);
    const { uids: found } = await store.store.reader.units.matching(filter, classes ?? all, 1_000, 1_000);
    const uids = found.sort((a, b) => a - b);
    expect({ filter, uids }).toEqual({ filter, uids: expected });
    const among = await store.store.reader.units.passing(
      filter,
      units.map(({ uid }) => uid),
    );
    expect([...among].filter((uid) => expected.includes(uid) || classes === null).sort((a, b) => a - b)).toEqual(expected);
    matched += uids.length;
  }
  expect(matched).toBeGreaterThan(10_000);
  await store.close();
  data.close();
  rmSync(root, { recursive: true, force: true });
});
