/** Files of pages: what they are served as, what they may load, and that browsers keep them until they change. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, HOST, openHarness } from "../support/harness.ts";
import { PAGES } from "../support/routes.ts";

let h: Harness;
beforeAll(async () => {
  h = await openHarness({ seed: false });
});
afterAll(() => h.close());

const load = (path: string, headers: Record<string, string> = {}) =>
  h.http.handle(new Request(`http://${HOST}${path}`, { headers: { host: HOST, ...headers } }));

describe.each(PAGES)("%s", (path) => {
  test("loads nothing from elsewhere, runs nothing inline and stands in no frame", async () => {
    const { status, headers } = await load(path);
    expect(status).toBe(200);
    const policy = new Map((headers.get("content-security-policy") ?? "").split("; ").map((each) => [each.split(" ")[0], each.split(" ").slice(1)]));
    expect(policy.get("default-src")).toEqual(["'none'"]);
    expect(policy.get("script-src")).toEqual(["'self'"]);
    expect(policy.get("frame-ancestors")).toEqual(["'none'"]);
    expect(new Set([...policy.values()].flat())).toEqual(new Set(["'none'", "'self'", "data:"]));
    expect([headers.get("x-content-type-options"), headers.get("referrer-policy")]).toEqual(["nosniff", "no-referrer"]);
  });

  test("is sent again only when it has changed, and compressed to who can read that", async () => {
    const plain = await load(path);
    const packed = await load(path, { "accept-encoding": "br, gzip" });
    const etag = plain.headers.get("etag") ?? "";
    expect([plain.headers.get("content-encoding"), packed.headers.get("content-encoding"), packed.headers.get("etag")]).toEqual([null, "gzip", etag]);
    expect(Buffer.from(Bun.gunzipSync(new Uint8Array(await packed.arrayBuffer()))).equals(Buffer.from(await plain.arrayBuffer()))).toBe(true);
    const again = await load(path, { "if-none-match": etag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect([plain, packed, again].map(({ headers }) => headers.get("cache-control"))).toEqual(Array(3).fill("no-cache"));
  });
});

test("the page of the API names files that there are, and no host", async () => {
  const response = await load("/docs");
  expect(response.headers.get("content-type")).toBe("text/html;charset=utf-8");
  const html = await response.text();
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => url).filter((url) => url !== "data:,");
  expect(named.sort()).toEqual(PAGES.filter((path) => path !== "/docs").sort());
  expect(html + (await (await load("/docs/start.js")).text())).not.toMatch(/https?:/);
});
