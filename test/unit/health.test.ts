import { expect, test } from "bun:test";
import { healthOf } from "../../src/domain/health.ts";
import { PLANES } from "../../src/domain/plane.ts";

const all = { inference: true, planes: PLANES, fulltext: true, catalog: null };

test("ok while everything works", () => {
  expect(healthOf(all)).toEqual({ status: "ok", catalog: null, vectorIndex: [...PLANES], inference: true });
});

test("degraded while a part does not", () => {
  expect(healthOf({ ...all, inference: false })).toMatchObject({ status: "degraded", inference: false });
  expect(healthOf({ ...all, fulltext: false })).toMatchObject({ status: "degraded", inference: true });
  expect(healthOf({ ...all, catalog: "not written" })).toMatchObject({ status: "degraded", catalog: "not written" });
  expect(healthOf({ ...all, planes: ["audio", "text"] })).toEqual({
    status: "degraded",
    catalog: null,
    vectorIndex: ["audio", "text"],
    inference: true,
  });
});

test("down while no plane can be searched", () => {
  expect(healthOf({ ...all, planes: [] })).toEqual({ status: "down", catalog: null, vectorIndex: [], inference: true });
});
