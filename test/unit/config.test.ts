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

describe("memory", () => {
  const memory = (flag: string | undefined, variable?: string) => readConfig({ memory: flag }, { STRATA_MEMORY: variable }).memory;

  test("is a size with its unit; a flag beats the variable", () => {
    expect(memory(undefined)).toBeNull();
    expect(memory(undefined, "")).toBeNull();
    expect(memory("2GiB", "1GiB")).toBe(2 * 2 ** 30);
    expect(memory(undefined, "512 mib")).toBe(512 * 2 ** 20);
    expect([memory("1.5GiB"), memory("2GB"), memory("1TiB")]).toEqual([1.5 * 2 ** 30, 2e9, 2 ** 40]);
  });

  test.each(["2", "2G", "GiB", "-1GiB", "2 GiB x", "1e3MiB", "0x10GiB", "lots", "50%"])("%p is no size", (text) => {
    expect(() => memory(text)).toThrow(`--memory (STRATA_MEMORY) must be a size such as 2GiB or 512MiB (MiB, GiB, TiB, MB, GB, TB); it is "${text}"`);
  });

  test("has a least size", () => {
    expect(memory("128MiB")).toBe(128 * 2 ** 20);
    expect(() => memory("127MiB")).toThrow('--memory (STRATA_MEMORY) must be at least 128MiB; it is "127MiB"');
  });
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
