/** Places in the fragment of the address, and what is searched for there. */
import { describe, expect, test } from "bun:test";
import { linkTo, placeOf } from "../../../src/console/address.ts";
import { bodyOf, parametersOf, stateOf } from "../../../src/console/search/query.ts";

describe("a link", () => {
  test.each<[string[], Record<string, string>]>([
    [["units", "u_1"], { tab: "source" }],
    [["files", "a/b ?#%.pdf"], { q: "50 % & more = less" }],
    [["search"], {}],
  ])("to %j leads there", (path, parameters) => {
    const { screen, parts, parameters: read } = placeOf(linkTo(path, { ...parameters, empty: undefined }));
    expect([screen, ...parts]).toEqual(path);
    expect(Object.fromEntries(read)).toEqual(parameters);
  });

  test("that was written by hand with broken escapes is read as it stands", () => {
    expect(placeOf("#/units/%zz").parts).toEqual(["%zz"]);
  });
});

describe("a search", () => {
  const address = "q=bearing&planes=text,audio&kinds=asr&doc=d1&path=Options&from=2026-05-16&to=2026-05-16&grouped=1&rerank=1&count=25";

  test("is the same from its address and back", () => {
    const state = stateOf(new URLSearchParams(address));
    const again = placeOf(linkTo(["search"], parametersOf(state))).parameters;
    expect(stateOf(again)).toEqual(state);
  });

  test("asks for what stands in the address, and for a whole day of its dates", () => {
    const body = bodyOf(stateOf(new URLSearchParams(address)));
    expect(body).toMatchObject({
      q: "bearing",
      top_k: 25,
      planes: ["text", "audio"],
      modalities: ["asr"],
      doc_id: "d1",
      group_by: "doc_id",
      rerank: true,
    });
    const { path, created_at } = body.filters as { path: string; created_at: { $gte: number; $lt: number } };
    expect([path, created_at.$lt - created_at.$gte]).toEqual(["Options", 86_400_000]);
  });

  test("leaves out planes, kinds and counts that there are not", () => {
    expect(stateOf(new URLSearchParams("planes=text,smell&kinds=nothing&count=1000"))).toMatchObject({ planes: ["text"], modalities: [], count: 10 });
  });
});
