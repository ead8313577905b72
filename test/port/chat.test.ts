/** The chat endpoint, against endpoints that behave and endpoints that do not. */
import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { Fault } from "../../src/base/fault.ts";
import { CHAT_IN_FLIGHT_MAX, CHAT_MAX_BYTES, CHAT_MAX_TOKENS } from "../../src/base/limits.ts";
import type { ChatMessage, ChatModel } from "../../src/domain/port/chat-model.ts";
import { createChat } from "../../src/adapter/chat/chat-endpoint.ts";

const MESSAGES: ChatMessage[] = [
  { role: "system", content: "answer" },
  { role: "user", content: "why?" },
];
const KEY = "key-that-nobody-may-see";
const QUERY = "version=query-that-nobody-may-see";
const BODY = "body-that-nobody-may-see";
const PATIENCE_MS = 400;

type Endpoint = (request: Request) => Response | Promise<Response>;
let endpoint: Endpoint = () => new Response();
const server = Bun.serve({ port: 0, idleTimeout: 0, fetch: (request) => endpoint(request) });
/** For answers that no HTTP server would give. */
let wire: (socket: Socket) => void = () => {};
const sockets: Server = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => wire(socket));
});
await new Promise<void>((resolve) => sockets.listen(0, "127.0.0.1", resolve));
afterAll(async () => {
  sockets.close();
  await server.stop(true);
});

function chatOn(port: number | undefined, path = "/v1"): ChatModel {
  return createChat({ url: `http://127.0.0.1:${port}${path}?${QUERY}`, model: "m", key: KEY }, PATIENCE_MS);
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Fault)) throw new Error(`no fault but ${String(error)}`);
  return error;
}

/** What is said of an answer. No secret may be in it, nor in the causes that go to the log. */
async function saidOf(answer: Endpoint): Promise<string> {
  endpoint = answer;
  return secretless(await faultOf(chatOn(server.port).complete(MESSAGES)));
}

async function saidOfWire(answer: (socket: Socket) => void): Promise<string> {
  wire = answer;
  const address = sockets.address();
  return secretless(await faultOf(chatOn(typeof address === "object" ? address?.port : 0).complete(MESSAGES)));
}

function secretless(fault: Fault): string {
  expect(fault.kind).toBe("unavailable");
  const cause = fault.cause instanceof Error ? `${fault.cause.message} ${fault.cause.stack}` : "";
  for (const secret of [KEY, QUERY, BODY]) expect(fault.message + cause).not.toContain(secret);
  return fault.message;
}

function completion(content: unknown, finish_reason: unknown = "stop"): Response {
  return Response.json({ id: "x", choices: [{ index: 0, message: { role: "assistant", content }, finish_reason }], usage: {} });
}

function events(...lines: string[]): Response {
  return new Response(lines.map((line) => `${line}\n\n`).join(""), { headers: { "content-type": "text/event-stream" } });
}

function delta(content: string | null, finish_reason: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}`;
}

describe("a good answer", () => {
  test("comes to a fixed request", async () => {
    const seen: unknown[] = [];
    endpoint = async (request) => {
      const { method, url, headers } = request;
      seen.push({ method, path: url.slice(url.indexOf("/v1")), key: headers.get("authorization"), body: await request.json() });
      return completion("It stopped [1].");
    };
    const chat = chatOn(server.port);
    expect(chat.model).toBe("m");
    expect(await chat.complete(MESSAGES)).toBe("It stopped [1].");
    const body = { model: "m", messages: MESSAGES, temperature: 0, stream: false, max_tokens: CHAT_MAX_TOKENS };
    expect(seen).toEqual([{ method: "POST", path: `/v1/chat/completions?${QUERY}`, key: `Bearer ${KEY}`, body }]);
  });

  test("without a key no authorization is sent", async () => {
    let sent: string | null = "none yet";
    endpoint = (request) => {
      sent = request.headers.get("authorization");
      return completion("yes");
    };
    await createChat({ url: `http://127.0.0.1:${server.port}`, model: "m", key: null }).complete(MESSAGES);
    expect(sent).toBeNull();
  });

  test.each([
    ["/v1/", "/v1/chat/completions"],
    ["", "/chat/completions"],
    ["/openai/chat/completions", "/openai/chat/completions"],
    ["/openai/chat/completions/", "/openai/chat/completions"],
  ])("the address %p becomes %p", async (given, called) => {
    let path = "";
    endpoint = (request) => {
      path = new URL(request.url).pathname;
      return completion("yes");
    };
    await chatOn(server.port, given).complete(MESSAGES);
    expect(path).toBe(called);
  });

  test("whatever the content type says", async () => {
    endpoint = async () => new Response(await completion("yes").text(), { headers: { "content-type": "text/html" } });
    expect(await chatOn(server.port).complete(MESSAGES)).toBe("yes");
  });

  test("streamed although nobody asked", async () => {
    const usage = 'data: {"choices":[],"usage":{"total_tokens":3}}';
    endpoint = () => events(": keep-alive", delta(""), delta("It "), delta(null), delta("stopped."), usage, "data: [DONE]");
    expect(await chatOn(server.port).complete(MESSAGES)).toBe("It stopped.");
    endpoint = () => events(delta("It stopped."), delta(null, "stop"));
    expect(await chatOn(server.port).complete(MESSAGES)).toBe("It stopped.");
  });
});

describe("a bad answer", () => {
  const bad: [string, Endpoint, string][] = [
    ["a server error", () => new Response(BODY, { status: 503 }), "the chat model answered 503"],
    ["a refusal", () => new Response(BODY, { status: 401 }), "the chat model answered 401"],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/elsewhere", 307), "the chat model answered with a redirect"],
    ["garbage", () => new Response(`<html>${BODY}`), "the chat model answered something that is not JSON"],
    ["no text at all", () => new Response(""), "the chat model answered something that is not JSON"],
    ["bytes", () => new Response(new Uint8Array([0xff, 0xfe, 0xff])), "the chat model answered something that is not UTF-8"],
    ["another document", () => Response.json({ choices: [], error: BODY }), "the chat model answered something that is no chat completion"],
    ["a tool call", () => completion(null, "tool_calls"), "the chat model answered something that is no chat completion"],
    ["an empty text", () => completion(" \n"), "the chat model answered without a text"],
    ["a cut text", () => completion(BODY, "length"), "the chat model stopped before the end of its answer"],
    ["a cut stream", () => events(delta(BODY)), "the chat model closed the connection"],
    ["a stream cut by its length", () => events(delta(BODY), delta(null, "length")), "the chat model stopped before the end of its answer"],
    ["an error in a stream", () => events(`data: {"error":"${BODY}"}`), "the chat model streamed something that is no chat completion"],
    ["too much", () => new Response("a".repeat(2 * CHAT_MAX_BYTES)), "the chat model answered more than 1024 KiB"],
  ];
  test.each(bad)("%s", async (_name, answer, said) => {
    expect(await saidOf(answer)).toBe(said);
  });

  test("an endless body is left as soon as it is too much", async () => {
    let sent = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      sent += 64 * 1024;
      controller.enqueue(new Uint8Array(64 * 1024).fill(0x61));
    };
    expect(await saidOf(() => new Response(new ReadableStream({ pull })))).toBe("the chat model answered more than 1024 KiB");
    expect(sent).toBeLessThan(16 * CHAT_MAX_BYTES);
  });

  test("what is compressed is not unfolded", async () => {
    const packed = Bun.gzipSync(Buffer.from(await completion("yes").text()));
    expect(await saidOf(() => new Response(packed, { headers: { "content-encoding": "gzip" } }))).toStartWith("the chat model answered something");
  });

  test("silence, before an answer and in the middle of it", async () => {
    const started = performance.now();
    expect(await saidOfWire(() => {})).toBe("the chat model timed out");
    expect(await saidOfWire((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"choices"'))).toBe("the chat model timed out");
    expect(performance.now() - started).toBeLessThan(20 * PATIENCE_MS);
  });

  test("a connection that is cut, before an answer and in the middle of it", async () => {
    expect(await saidOfWire((socket) => socket.destroy())).toBe("the chat model closed the connection");
    expect(await saidOfWire((socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"${BODY}`))).toBe(
      "the chat model closed the connection",
    );
  });

  test("nobody there", async () => {
    expect(secretless(await faultOf(chatOn(1).complete(MESSAGES)))).toBe("the chat model cannot be reached");
  });
});

test("beyond a few exchanges at once it is busy, and free again after them", async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  endpoint = async () => {
    await opened;
    return completion("yes");
  };
  const chat = createChat({ url: `http://127.0.0.1:${server.port}`, model: "m", key: null });
  const running = Array.from({ length: CHAT_IN_FLIGHT_MAX }, () => chat.complete(MESSAGES));
  expect((await faultOf(chat.complete(MESSAGES))).message).toBe("the chat model is busy");
  open();
  expect(await Promise.all(running)).toEqual(Array(CHAT_IN_FLIGHT_MAX).fill("yes"));
  expect(await chat.complete(MESSAGES)).toBe("yes");
});

test("an exchange that nobody waits for any more is cut, and its place is free", async () => {
  const asked = Promise.withResolvers<void>();
  const cut = Promise.withResolvers<void>();
  endpoint = async (request) => {
    request.signal.addEventListener("abort", () => cut.resolve());
    asked.resolve();
    await cut.promise;
    return completion("nobody reads this");
  };
  const chat = createChat({ url: `http://127.0.0.1:${server.port}`, model: "m", key: null });
  const leaving = new AbortController();
  const running = Array.from({ length: CHAT_IN_FLIGHT_MAX }, () => faultOf(chat.complete(MESSAGES, leaving.signal)));
  await asked.promise;
  leaving.abort();
  for (const { kind, message } of await Promise.all(running))
    expect({ kind, message }).toEqual({ kind: "unavailable", message: "whoever asked has hung up" });
  await cut.promise;
  endpoint = () => completion("yes");
  expect(await chat.complete(MESSAGES)).toBe("yes");
});
