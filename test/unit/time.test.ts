import { expect, test } from "bun:test";
import { parseFilter } from "../../src/domain/filter.ts";
import { instantOf } from "../../src/domain/time.ts";

const NOW = Date.UTC(2026, 2, 1, 13, 30);
const at = (text: string) => {
  const instant = instantOf(text, NOW);
  return instant === null ? null : new Date(instant).toISOString();
};

test("dates and times, in UTC unless they say otherwise", () => {
  expect(at("2026-01-31")).toBe("2026-01-31T00:00:00.000Z");
  expect(at("2024-02-29")).toBe("2024-02-29T00:00:00.000Z");
  expect(at("2026-01-31T08:00Z")).toBe("2026-01-31T08:00:00.000Z");
  expect(at("2026-01-31T08:00:05.25+02:00")).toBe("2026-01-31T06:00:05.250Z");
});

test("counted from now", () => {
  expect(at("now")).toBe("2026-03-01T13:30:00.000Z");
  expect(at("today")).toBe("2026-03-01T00:00:00.000Z");
  expect(at("-90m")).toBe("2026-03-01T12:00:00.000Z");
  expect(at("-12h")).toBe("2026-03-01T01:30:00.000Z");
  expect(at("-7d")).toBe("2026-02-22T13:30:00.000Z");
  expect(at("-1w")).toBe(at("-7d"));
});

test.each([
  "",
  "2026",
  "2026-1-1",
  "2026-02-30",
  "2026-13-01",
  "2026-01-31T08:00",
  "2026-01-31T25:00Z",
  "31.1.2026",
  "7d",
  "-7",
  "-7y",
  "-1234567d",
  "TODAY",
  " now",
  "1e3",
])("%p is no point in time", (text) => {
  expect(instantOf(text, NOW)).toBeNull();
});

test("stand in ranges over created_at, and nowhere else", () => {
  expect(parseFilter({ created_at: { $gte: "-1d", $lt: "today" } }, NOW)).toEqual({
    op: "range",
    field: "created_at",
    bounds: { gte: NOW - 86_400_000, lt: Date.UTC(2026, 2, 1) },
  });
  const refusal = (filter: unknown) => {
    try {
      parseFilter(filter, NOW);
    } catch (error) {
      return (error as Error).message;
    }
    return "none";
  };
  expect(refusal({ created_at: { $gte: "yesterday" } })).toStartWith(
    "/filters/created_at/$gte: created_at compares with ms since the epoch, or a date (",
  );
  expect(refusal({ created_at: "2026-01-01" })).toStartWith(
    "/filters/created_at: created_at compares with ms since the epoch; dates stand in ranges",
  );
  expect(refusal({ "locator.t_end_ms": { $lt: "now" } })).toStartWith("/filters/locator.t_end_ms/$lt: locator.t_end_ms compares with an integer");
  expect(refusal({ "metadata.day": { $lt: "now" } })).toStartWith("/filters/metadata.day/$lt: must be a number");
});
