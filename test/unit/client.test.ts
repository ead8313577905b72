/** The typed client: its types are those of the document, refusals are errors, and a busy service is asked again. */
import { describe, expect, test } from "bun:test";
import { ApiError, type ClientOptions, createClient, result } from "../../src/client/client.ts";
import { CLIENT_SCHEMA, clientSchema } from "../tools/client-schema.ts";

test("its types are made from the document of today: npm run client", async () => {
  expect((await Bun.file(CLIENT_SCHEMA).text()) === (await clientSchema())).toBe(true);
});

const refusal = (status: number, error: string, headers: Record<string, string> = {}) =>
  Response.json({ error, detail: "no", status }, { status, headers: { "x-request-id": "r", ...headers } });

/** A client whose service gives these answers in turn, and then an empty object. */
function answered(answers: Response[], options: Partial<ClientOptions> = {}) {
  const sent: Request[] = [];
  const pauses: number[] = [];
  const client = createClient({
    baseUrl: "http://strata.test",
    token: "t",
    namespace: "n",
    fetch: async (request) => {
      sent.push(request);
      return answers.shift() ?? Response.json({});
    },
    retry: {
      wait: async (ms) => {
        pauses.push(ms);
      },
    },
    ...options,
  });
  return { client, sent, pauses };
}

describe("a call", () => {
  test("carries token and namespace, and gives what was answered", async () => {
    const { client, sent } = answered([Response.json({ hits: [] })]);
    expect(await result(client.POST("/v1/search", { body: { q: "x" }, params: { header: { "X-Svc-Scope": "a/b" } } }))).toEqual({
      hits: [],
    } as never);
    const [request] = sent;
    expect([request?.method, request?.url, await request?.json()]).toEqual(["POST", "http://strata.test/v1/search", { q: "x" }]);
    const headers = ["authorization", "x-svc-namespace", "x-svc-scope", "content-type"].map((name) => request?.headers.get(name));
    expect(headers).toEqual(["Bearer t", "n", "a/b", "application/json"]);
  });

  test("writes members of the path so that they are one", async () => {
    const { client, sent } = answered([]);
    await client.GET("/v1/units/{id}", { params: { path: { id: "a/b?c" } } });
    expect(sent[0]?.url).toBe("http://strata.test/v1/units/a%2Fb%3Fc");
  });

  test("that is refused throws the error body", async () => {
    const { client } = answered([refusal(403, "forbidden"), refusal(403, "forbidden")]);
    expect((await client.GET("/v1/context")).error).toEqual({ error: "forbidden", detail: "no", status: 403 });
    const thrown = await result(client.GET("/v1/context")).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ApiError);
    expect(thrown).toMatchObject({ status: 403, requestId: "r", message: "no", body: { error: "forbidden", detail: "no", status: 403 } });
  });

  test("that something else answers throws without a body", async () => {
    const { client } = answered([new Response("<html>", { status: 502 })]);
    await expect(result(client.GET("/v1/context"))).rejects.toMatchObject({ status: 502, body: null });
  });
});

describe("a busy service", () => {
  test("is asked again as it wishes, with the same body", async () => {
    const { client, sent, pauses } = answered([refusal(429, "rate_limited", { "retry-after": "3" }), refusal(503, "unavailable")]);
    await result(client.POST("/v1/search", { body: { q: "x" } }));
    expect(pauses).toEqual([3_000, 2_000]);
    expect(await Promise.all(sent.map((request) => request.text()))).toEqual(Array(3).fill('{"q":"x"}'));
  });

  test("is given up on, and never obeyed for longer than the longest pause", async () => {
    const busy = Array.from({ length: 9 }, () => refusal(503, "unavailable", { "retry-after": "9999" }));
    const { client, sent, pauses } = answered(busy);
    await expect(result(client.GET("/v1/context"))).rejects.toMatchObject({ status: 503 });
    expect([sent.length, pauses]).toEqual([4, [30_000, 30_000, 30_000]]);
  });

  test("is not waited for once the call is aborted", async () => {
    const abort = new AbortController();
    const { client } = answered([refusal(503, "unavailable", { "retry-after": "20" })], { retry: {} });
    setTimeout(() => abort.abort(), 5);
    await expect(result(client.GET("/v1/context", { signal: abort.signal }))).rejects.toMatchObject({ name: "AbortError" });
  });
});
