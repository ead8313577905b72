/** What the environment and the flags configure. */
import { describe, expect, test } from "bun:test";
import { StartError } from "../../src/base/fault.ts";
import { DEFAULTS, readConfig } from "../../src/config.ts";

const llm = (env: Record<string, string>) => readConfig({}, env).llm;

function refusal(env: Record<string, string>): string {
  try {
    llm(env);
  } catch (error) {
    if (error instanceof StartError) return error.message;
  }
  throw new Error("nothing was refused");
}

test("defaults, environment, flags: the later beats the earlier", () => {
  expect(readConfig({}, {})).toEqual(DEFAULTS);
  expect(readConfig({}, { STRATA_PORT: "1", STRATA_DATA: "", STRATA_LLM_URL: "" })).toEqual({ ...DEFAULTS, port: 1 });
  expect(readConfig({ port: "2" }, { STRATA_PORT: "1" }).port).toBe(2);
});

describe("further hosts", () => {
  const hosts = (flags: string[] | undefined, variable?: string) =>
    readConfig({ "allowed-host": flags }, { STRATA_ALLOWED_HOSTS: variable }).allowedHosts;

  test("several flags, or several names between commas, or the variable, which a flag beats", () => {
    expect(hosts(undefined)).toEqual([]);
    expect(hosts(["a.example", "b.example, c"], "d.example")).toEqual(["a.example", "b.example", "c"]);
    expect(hosts([], "d.example,, e.example")).toEqual(["d.example", "e.example"]);
    expect(hosts(["[2001:db8::1]", "192.0.2.7"])).toEqual(["[2001:db8::1]", "192.0.2.7"]);
  });

  test.each(["https://a.example", "a.example:443", "a.example/x", "*.example", "a b", "[::1]:80", "[x]"])("%p is no name of a host", (name) => {
    expect(() => hosts([name])).toThrow(`--allowed-host (STRATA_ALLOWED_HOSTS) takes names such as strata.example`);
  });
});

describe("the chat endpoint", () => {
  const URL = "https://llm.example/v1?version=2";

  test("is off until it has an address", () => {
    expect(llm({})).toBeNull();
    expect(llm({ STRATA_LLM_MODEL: "m", STRATA_LLM_KEY: "k" })).toBeNull();
  });

  test("has an address, a model and perhaps a key", () => {
    expect(llm({ STRATA_LLM_URL: URL, STRATA_LLM_MODEL: "m" })).toEqual({ url: URL, model: "m", key: null });
    expect(llm({ STRATA_LLM_URL: URL, STRATA_LLM_MODEL: "m", STRATA_LLM_KEY: "" })?.key).toBeNull();
    expect(llm({ STRATA_LLM_URL: URL, STRATA_LLM_MODEL: "m", STRATA_LLM_KEY: "k" })?.key).toBe("k");
  });

  test.each(["secret", "file:///etc/secret", "//host/secret", "http://", "ftp://host/secret"])("%s is no address for it", (url) => {
    const message = refusal({ STRATA_LLM_URL: url, STRATA_LLM_MODEL: "m" });
    expect(message).toStartWith("STRATA_LLM_URL must be an http or https address");
    expect(message).not.toContain("secret");
  });

  test.each(["http://user:secret@host/v1", "http://secret@host/v1"])("%s carries credentials", (url) => {
    const message = refusal({ STRATA_LLM_URL: url, STRATA_LLM_MODEL: "m" });
    expect(message).toContain("STRATA_LLM_KEY");
    expect(message).not.toContain("secret");
  });

  test("an address without a model says what to set", () => {
    expect(refusal({ STRATA_LLM_URL: URL })).toContain("set it to the name of a model");
  });

  test("a key that no header can carry is not shown", () => {
    const message = refusal({ STRATA_LLM_URL: URL, STRATA_LLM_MODEL: "m", STRATA_LLM_KEY: "secret\n" });
    expect(message).toBe("STRATA_LLM_KEY must be printable ASCII without spaces");
  });
});
