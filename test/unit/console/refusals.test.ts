/** Files that the page does not send, and what it says of refusals. */
import { describe, expect, test } from "bun:test";
import * as limits from "../../../src/base/limits.ts";
import { ApiError } from "../../../src/console/api.ts";
import { FILE_MAX_BYTES, mayHelpAgain, refusalOf } from "../../../src/console/files/refusals.ts";
import { phrasesOf } from "../../../src/console/search/query.ts";

describe("a file", () => {
  test("is sent up to the service's own limit", () => {
    expect(FILE_MAX_BYTES).toBe(limits.FILE_MAX_BYTES);
    expect([1, FILE_MAX_BYTES].map((size) => refusalOf({ size }))).toEqual([null, null]);
  });

  test("that is larger, or empty, is refused with words about it", () => {
    expect(refusalOf({ size: FILE_MAX_BYTES + 1 })?.message).toBe("the file has 537 MB, and one may have 537 MB: divide it");
    expect(refusalOf({ size: 0 })?.message).toBe("the file is empty");
  });

  test("is offered again unless its bytes are what is wrong", () => {
    const offered = [0, 400, 401, 409, 413, 429, 500, 503].filter((status) => mayHelpAgain(new ApiError(status, "", "")));
    expect(offered).toEqual([0, 401, 409, 429, 500, 503]);
  });
});

test("phrases of a query are what stands in quotes, and no empty ones", () => {
  expect(phrasesOf('find "turbine 7" or "oil" "" " " "open')).toEqual(['"turbine 7"', '"oil"']);
});
