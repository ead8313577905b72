/** The typed client: its types are those of the document, refusals are errors, and a busy service is asked again. */
import { describe, expect, test } from "bun:test";
import { type AnswerEvent, streamAnswer } from "../../src/client/stream.ts";
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

describe("a streamed answer", () => {
  const query = { q: "x", answer: true } as const;
  /** The text in pieces of a few bytes, so that events and characters are cut anywhere. */
  const streamed = (text: string) => {
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) controller.close();
        else controller.enqueue(bytes.slice(at, at + 3));
        at += 3;
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream", "x-request-id": "r" } });
  };
  const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  async function followed(answers: Response[]): Promise<{ events: AnswerEvent[]; sent: Request[]; error: unknown }> {
    const { client, sent } = answered(answers);
    const events: AnswerEvent[] = [];
    try {
      for await (const each of streamAnswer(client, query, { scope: "a" })) events.push(each);
      return { events, sent, error: null };
    } catch (error) {
      return { events, sent, error };
    }
  }

  test("gives its events in order, and ends with the whole", async () => {
    const text = `${event("search", { hits: [] })}: the work goes on\n\n${event("claim", { index: 0, text: "Größe" })}${event("final", { hits: [] })}`;
    const { events, sent, error } = await followed([streamed(text)]);
    expect(error).toBeNull();
    expect(events).toEqual([
      { event: "search", data: { hits: [] } },
      { event: "claim", data: { index: 0, text: "Größe" } },
      { event: "final", data: { hits: [] } },
    ] as never);
    expect(["accept", "x-svc-scope", "authorization"].map((name) => sent[0]?.headers.get(name))).toEqual(["text/event-stream", "a", "Bearer t"]);
  });

  test("that fails throws, at once or late", async () => {
    const at = await followed([refusal(402, "upgrade_required")]);
    expect([at.events.length, at.error]).toMatchObject([0, { status: 402, body: { error: "upgrade_required" } }]);
    const late = await followed([streamed(event("search", {}) + event("error", { error: "unavailable", detail: "later", status: 503 }))]);
    expect([late.events.length, late.error]).toMatchObject([1, { status: 503, message: "later", requestId: "r" }]);
  });

  test("of a service that streams none is the whole alone", async () => {
    const { events, error } = await followed([Response.json({ hits: [] })]);
    expect([events, error]).toEqual([[{ event: "final", data: { hits: [] } }], null] as never);
  });

  test("that is cut is not whole", async () => {
    const { events, error } = await followed([streamed(`${event("search", {})}event: final\ndata: {"hi`)]);
    expect([events.length, String(error)]).toEqual([1, "Error: the stream ended before the answer was whole"]);
  });

  test("that nobody reads on is cancelled", async () => {
    const cancelled = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(event("search", {}))),
      cancel: () => cancelled.resolve(),
    });
    const { client } = answered([new Response(body, { headers: { "content-type": "text/event-stream" } })]);
    for await (const { event: name } of streamAnswer(client, query)) {
      expect(name).toBe("search");
      break;
    }
    await cancelled.promise;
  });
});
