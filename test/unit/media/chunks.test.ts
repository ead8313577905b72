import { expect, test } from "bun:test";
import fc from "fast-check";
import { CHUNK_MAX_CHARS, CHUNK_TARGET_CHARS } from "../../../src/base/limits.ts";
import { type Chunk, chunk } from "../../../src/media/document/chunks.ts";
import { SEED } from "../../property/seed.ts";

const sentence = "The crane lifted the rotor over the pier and set it down without a sound. ";

/** Chunks lie in order, apart, trimmed, are what they say, and hold all that is not blank. */
function check(text: string, chunks: readonly Chunk[]): void {
  let end = 0;
  let held = "";
  for (const each of chunks) {
    expect(each.start).toBeGreaterThanOrEqual(end);
    expect(each.text).toBe(text.slice(each.start, each.end));
    expect(each.text.trim()).toBe(each.text);
    expect(each.text.length).toBeGreaterThan(0);
    expect(each.text.length).toBeLessThanOrEqual(CHUNK_MAX_CHARS);
    expect(each.text.isWellFormed()).toBe(true);
    end = each.end;
    held += each.text;
  }
  expect(held.replace(/\s+/g, "")).toBe(text.replace(/\s+/g, ""));
}

const piece = fc.oneof(
  fc.constantFrom(
    sentence,
    "\n\n",
    "\n",
    "# Heading\n",
    "Short Heading\n\n",
    "- item\n",
    "🎈",
    "世界。",
    " ",
    "\t\r\n",
    "x".repeat(1_500),
    "🎈".repeat(700),
  ),
  fc.string({ unit: "grapheme", maxLength: 80 }),
);
const texts = fc.array(piece, { maxLength: 120 }).map((parts) => parts.join("").toWellFormed());

test("chunks of any text", () => {
  fc.assert(
    fc.property(texts, (text) => check(text, chunk(text))),
    { seed: SEED, numRuns: 300 },
  );
});

test("chunks close at paragraphs once they are long enough", () => {
  const chunks = chunk(`${sentence.repeat(4).trim()}\n\n`.repeat(12));
  expect(chunks.every(({ text }) => text.endsWith("sound."))).toBe(true);
  const inner = chunks.slice(0, -1);
  expect(inner.length).toBeGreaterThan(2);
  expect(inner.every(({ text }) => text.length >= CHUNK_TARGET_CHARS && text.length % (sentence.length * 4 + 1) === sentence.length * 4 - 1)).toBe(
    true,
  );
});

test("a long paragraph is cut between sentences", () => {
  for (const { text } of chunk(sentence.repeat(60))) expect(text).toMatch(/^The .* sound\.$/);
});

test("a heading goes with what follows it", () => {
  const chunks = chunk(`${sentence.repeat(13)}\n\nThe Second Part\n\n${sentence.repeat(6)}\n\n## Third\n\n${sentence.repeat(7)}`);
  expect(chunks.map(({ text }) => text.split("\n")[0])).toEqual([sentence.repeat(13).trim(), "The Second Part", "## Third"]);
});

test("headings with nothing between them do not wait for ever", () => {
  check("# A\n".repeat(2_000), chunk("# A\n".repeat(2_000)));
});

test("hostile texts are cut in time that grows with their length", () => {
  const began = process.cpuUsage();
  for (const unit of [". ", "x", "\n", "# x\n", '."', "🎈", `.${" ".repeat(2_000)}`, "a-\n"]) {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(chunk(text).reduce((sum, each) => sum + each.text.length, 0)).toBeLessThanOrEqual(text.length);
  }
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(10_000);
});
