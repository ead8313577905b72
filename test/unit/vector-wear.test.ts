/** What upkeep of a vector table costs while it is written to. */
import { expect, test } from "bun:test";
import { isParted, isWorn, NO_WEAR, VECTOR_EXACT_MAX_ROWS } from "../../src/adapter/lancedb/wear.ts";

/** Writes commits of `size` rows until there are `rows`, from a table of `from` with a whole index. Returns the rounds, and the rows that whole builds went over. */
function written(size: number, from: number, rows: number): { rounds: number; built: number } {
  const extent = { rows: from, indexed: from > VECTOR_EXACT_MAX_ROWS, appended: 0 };
  const cost = { rounds: 0, built: 0 };
  let wear = NO_WEAR;
  for (let parts = 1; extent.rows < rows; ) {
    extent.rows += size;
    extent.appended += size;
    wear = { ...wear, commits: wear.commits + 1, unindexed: wear.unindexed + size };
    if (!isWorn(wear, extent)) continue;
    wear = NO_WEAR;
    cost.rounds += 1;
    if (extent.rows <= VECTOR_EXACT_MAX_ROWS) continue;
    parts += 1;
    if (extent.indexed && !isParted(parts, extent, false)) continue;
    Object.assign(extent, { indexed: true, appended: 0 });
    parts = 1;
    cost.built += extent.rows;
  }
  return cost;
}

test.each([100, 250, 1_000])("a table that is filled in commits of %p rows is indexed whole a bounded number of times a row, at any size", (size) => {
  for (const rows of [20_000, 100_000, 250_000, 1_000_000]) expect(written(size, 0, rows).built).toBeLessThan(3 * rows);
});

test("a commit of one row pays for as many rows of whole builds in a large table as in a smaller one", () => {
  const commits = 20_000;
  for (const rows of [10_000, 100_000, 1_000_000]) expect(written(1, rows, rows + commits).built).toBeLessThan(300 * commits);
});
