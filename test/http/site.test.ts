/** Pages of other sites: the names that a listener answers to, and what an `Origin` of another site may not do. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answersTo } from "../../src/http/site.ts";
import { type Answer, type Harness, HOST, openHarness } from "../support/harness.ts";
import { ADMIN, brokenChains, cookieOf, READER, SUPER, unitCount } from "../support/people.ts";
import { isRoute, NAMES, type RouteName, TABLE } from "../support/routes.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";

const FORBIDDEN = "403 forbidden";
const UNKNOWN_ID = `u_${"a".repeat(32)}`;
const pathOf = (name: RouteName) => TABLE[name].path.replace(":id", UNKNOWN_ID).replace("*", "nowhere");

let h: Harness;
beforeAll(async () => {
  h = await openSeeded();
}, START_MS);
afterAll(() => h.close());

const outcome = ({ status, body }: Answer): string => (status < 300 ? String(status) : `${status} ${body.error}`);

describe("the names of a listener", () => {
  const LOOPBACK = ["localhost", "localhost:4700", "LocalHost:1", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:4700", "[0:0:0:0:0:0:0:1]"];
  const OTHERS = [null, "", "evil.example", "evil.example:4700", "localhost.evil.example", "127.0.0.1.evil.example", "localhost.", "x@localhost"];
  const MALFORMED = ["localhost:4700:1", "localhost/", "[::1", "::1", "localhost, evil.example", "localhost:x", "http://localhost"];
  const known = (address: string, allowed: string[], hosts: readonly (string | null)[]) =>
    hosts.filter((host) => answersTo({ address, allowed }, host));

  test("loopback names always, and nothing that merely looks like one", () => {
    for (const address of ["127.0.0.1", "::1", "192.0.2.7", "0.0.0.0", "::"]) {
      expect(known(address, [], LOOPBACK)).toEqual(LOOPBACK);
      expect(known(address, [], [...OTHERS, ...MALFORMED])).toEqual([]);
    }
  });

  test("bound to one address: that address, and no other", () => {
    expect(known("192.0.2.7", [], ["192.0.2.7", "192.0.2.7:4700", "192.0.2.8", "[2001:db8::1]"])).toEqual(["192.0.2.7", "192.0.2.7:4700"]);
    expect(known("2001:db8:0::1", [], ["[2001:DB8::1]:80", "[2001:db8::2]"])).toEqual(["[2001:DB8::1]:80"]);
    expect(known("127.0.0.1", [], ["192.0.2.7", "127.0.0.2"])).toEqual([]);
  });

  test("bound to a wildcard: any IP literal, no name", () => {
    for (const address of ["0.0.0.0", "::"]) {
      expect(known(address, [], ["192.0.2.7:4700", "[2001:db8::2]", "192.0.2.7.nip.example", "300.0.0.1", "strata.example"])).toEqual([
        "192.0.2.7:4700",
        "[2001:db8::2]",
      ]);
    }
  });

  test("and what the operator allows", () => {
    const hosts = ["strata.example", "STRATA.example:443", "www.strata.example", "example", "strata.example.evil.example", "[2001:db8::5]"];
    expect(known("127.0.0.1", ["Strata.example", "[2001:db8:0::5]"], hosts)).toEqual(["strata.example", "STRATA.example:443", "[2001:db8::5]"]);
  });
});

describe("another Host", () => {
  test.each(NAMES)("%s answers 400 to it, whoever asks", async (name) => {
    for (const token of [null, "strata_nobody", READER, SUPER]) {
      for (const host of ["evil.example", "evil.example:4700", ""]) {
        const answer = await h.call(TABLE[name].method, pathOf(name), { token, headers: { host, origin: `http://${host}` } });
        expect(`${host} ${outcome(answer)}`).toBe(`${host} 400 bad_request`);
        expect(Object.keys(answer.body).sort()).toEqual(["detail", "error", "status"]);
      }
    }
  });

  test("it comes before an unknown route", async () => {
    for (const method of ["GET", "POST", "PUT"]) {
      expect(outcome(await h.call(method, "/v1/nothing", { headers: { host: "evil.example" } }))).toBe("400 bad_request");
    }
  });

  test("a name that the operator allows is answered", async () => {
    const { call } = h.front({ hosts: { address: "127.0.0.1", allowed: ["strata.example"] } });
    expect(outcome(await call("GET", "/v1/context", { headers: { host: "strata.example" } }))).toBe("200");
    expect(outcome(await call("GET", "/v1/context", { headers: { host: "other.example" } }))).toBe("400 bad_request");
  });

  test("the open first run is no way in for a page that rebinds its name", async () => {
    const fresh = await openHarness({ seed: false });
    try {
      const headers = { host: "evil.example:4700", origin: "http://evil.example:4700" };
      expect(outcome(await fresh.call("POST", "/v1/admin/seed", { token: null, headers }))).toBe("400 bad_request");
      const blind = { origin: "http://evil.example" };
      expect(outcome(await fresh.call("POST", "/v1/admin/seed", { token: null, headers: blind }))).toBe(FORBIDDEN);
      expect(fresh.app.data.tables.namespaces()).toEqual([]);
      expect(fresh.app.data.tables.hasTokens()).toBe(false);
    } finally {
      await fresh.close();
    }
  });
});

describe("an Origin of another site", () => {
  const FOREIGN = [
    "http://evil.example",
    "https://evil.example",
    "null",
    "http://127.0.0.1:4701",
    "http://localhost:4700",
    `http://${HOST}.evil.example`,
  ];
  /** By hand: a search changes nothing, although it is a POST. */
  const READING = ["search", "answer", "similar"];
  const changing = NAMES.filter((name) => TABLE[name].method !== "GET" && !READING.includes(name));

  test("the routes that change something are those that are said to", () => {
    expect(NAMES.filter((name) => TABLE[name].changesState)).toEqual(changing);
    expect(changing).toContain("openSession");
    expect(changing).toContain("seed");
  });

  test.each(changing)("%s is refused, with and without a credential", async (name) => {
    const cookie = await cookieOf(h, ADMIN);
    const before = await unitCount(h);
    const callers = [{ token: null }, { token: "strata_nobody" }, { token: ADMIN }, { token: SUPER }, { token: null, headers: { cookie } }];
    for (const origin of FOREIGN) {
      for (const caller of callers) {
        const answer = await h.call(TABLE[name].method, pathOf(name), { ...caller, body: "{", headers: { ...caller.headers, origin } });
        expect(`${origin} ${outcome(answer)}`).toBe(`${origin} ${FORBIDDEN}`);
      }
    }
    expect(await unitCount(h)).toBe(before);
  });

  test("a token is not exchanged for it", async () => {
    const answer = await h.call("POST", "/v1/session", { token: null, body: { token: ADMIN }, headers: { origin: "http://evil.example" } });
    expect([outcome(answer), answer.headers.get("set-cookie")]).toEqual([FORBIDDEN, null]);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])("%s of an unknown route is refused before it is unknown", async (method) => {
    expect(isRoute(method, "/v1/nothing")).toBe(false);
    for (const token of [null, ADMIN]) {
      expect(outcome(await h.call(method, "/v1/nothing", { token, headers: { origin: "http://evil.example" } }))).toBe(FORBIDDEN);
      expect(outcome(await h.call(method, "/v1/nothing", { token, headers: { origin: `http://${HOST}` } }))).toBe("404 not_found");
    }
  });

  test("it reads like everybody else", async () => {
    const headers = { origin: "http://evil.example" };
    expect(outcome(await h.call("GET", "/v1/context", { headers }))).toBe("200");
    expect(outcome(await h.call("POST", "/v1/search", { headers, body: { q: "turbine", top_k: 1 } }))).toBe("200");
    expect(outcome(await h.call("POST", "/v1/search", { headers, token: null, body: { q: "turbine" } }))).toBe("401 unauthorized");
    expect(outcome(await h.call("OPTIONS", "/v1/ingest", { headers }))).toBe("404 not_found");
  });

  test("our own is taken, in any case, and behind TLS with its scheme alone", async () => {
    const body = { token: READER };
    const open = (call: Harness["call"], headers: Record<string, string>) => call("POST", "/v1/session", { token: null, body, headers });
    expect(outcome(await open(h.call, { origin: `http://${HOST}` }))).toBe("200");
    expect(outcome(await open(h.call, { host: "LOCALHOST:4700", origin: "http://localhost:4700" }))).toBe("200");
    const tls = h.front({ secureCookies: true });
    expect(outcome(await open(tls.call, { origin: `https://${HOST}` }))).toBe("200");
    expect(outcome(await open(tls.call, { origin: `http://${HOST}` }))).toBe(FORBIDDEN);
  });
});

test("every chain is whole", async () => {
  expect(await brokenChains(h)).toEqual([]);
});
