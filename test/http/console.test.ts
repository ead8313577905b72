/** The console as it is served: its page, its files, the policy they come with, and whom the demo lets in by a click. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Harness, HOST, openHarness } from "../support/harness.ts";
import { DEMO_NAMESPACE } from "../../src/core/demo/principals.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; \
form-action 'none'; frame-ancestors 'none'; media-src 'self' blob:";
const COMPRESSED_MAX_BYTES = 250_000;

const get = (h: Harness, path: string, headers: Record<string, string> = {}) =>
  h.http.handle(new Request(`http://${HOST}${path}`, { headers: { host: HOST, ...headers } }));

/** The addresses that a page or a style sheet names. */
const named = (text: string) => [...text.matchAll(/(?:src|href)="([^"]+)"|url\(([^)]+)\)/g)].map(([, attribute, url]) => attribute ?? url ?? "");

describe("the page and its files", () => {
  let h: Harness;
  beforeAll(async () => {
    h = await openHarness({ seed: false });
  });
  afterAll(() => h.close());

  test("need nobody to be signed in, run nothing inline and load nothing from elsewhere", async () => {
    const page = await get(h, "/");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html;charset=utf-8"]);
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
    const files = named(html);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      expect(file).toMatch(/^\/console\/[\w-]+-[a-z0-9]{8}\.(?:js|css|svg)$/);
      const response = await get(h, file);
      expect([file, response.status, response.headers.get("content-security-policy")]).toEqual([file, 200, POLICY]);
      if (file.endsWith(".css")) expect(named(await response.text())).toEqual([]);
    }
    expect(page.headers.get("content-security-policy")).toBe(POLICY);
  });

  test("are small", async () => {
    const files = named(await (await get(h, "/")).text());
    const packed = await Promise.all(["/", ...files].map(async (path) => (await get(h, path, { "accept-encoding": "gzip" })).arrayBuffer()));
    expect(packed.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(COMPRESSED_MAX_BYTES);
  });

  test.each(["/console/index.html", "/console/none.js", "/console/..%2f..%2fetc%2fpasswd", "/console/"])("%s is no file of it", async (path) => {
    const response = await get(h, path);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([404, "not_found"]);
  });

  test("offer nobody where there is no demo", async () => {
    expect(await (await get(h, "/console/demo.json")).json()).toEqual({ namespace: null, principals: [], questions: [] });
  });
});

describe("the demo", () => {
  let h: Harness;
  beforeAll(async () => {
    h = await openSeeded();
  }, START_MS);
  afterAll(() => h.close());

  const offered = async ({ http }: Pick<Harness, "http">) =>
    (await (await http.handle(new Request(`http://${HOST}/console/demo.json`, { headers: { host: HOST } }))).json()) as {
      namespace: string | null;
      principals: { name: string; token: string }[];
      questions: string[];
    };

  test("offers the reader and the admin, with tokens that sign in", async () => {
    const { namespace, principals, questions } = await offered(h);
    expect([namespace, principals.map(({ name }) => name), questions.length > 0]).toEqual([DEMO_NAMESPACE, ["demo-reader", "demo-admin"], true]);
    for (const { name, token } of principals) {
      const { status, body } = await h.call("POST", "/v1/session", { token: null, body: { token } });
      expect([status, body.principal_id]).toEqual([200, name]);
    }
  });

  test("offers nobody on a listener that others can reach", async () => {
    expect(await offered(h.front({ trustSeeded: false }))).toEqual({ namespace: null, principals: [], questions: [] });
  });

  test("offers no principal whose token is revoked", async () => {
    const { body } = await h.call("GET", "/v1/admin/tokens");
    const [reader] = body.tokens.filter((token: { principal_id: string }) => token.principal_id === "demo-reader");
    await h.call("DELETE", `/v1/admin/tokens/${reader.id}`);
    expect((await offered(h)).principals.map(({ name }) => name)).toEqual(["demo-admin"]);
  });
});
