import { expect, test } from "bun:test";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { DamageFault, Fault } from "../../src/base/fault.ts";
import { RpcClient, type ServeOptions, serve, type Transport } from "../../src/runtime/rpc.ts";

interface Calls {
  add(a: number, b: number): number;
  later(ms: number): Promise<string>;
  fail(kind: "plain" | "fault" | "damage"): never;
  bytes(): Uint8Array;
}

const methods: Calls = {
  add: (a, b) => a + b,
  later: async (ms) => {
    await Bun.sleep(ms);
    return `after ${ms}`;
  },
  fail: (kind) => {
    if (kind === "fault") throw new Fault("conflict", "public", { retry: "few", cause: "private" });
    if (kind === "damage") throw new DamageFault("public", new Error("private"));
    throw new Error("plain");
  },
  bytes: () => new Uint8Array([1, 2, 3]),
};

/** Two ends of a channel that clones what it carries. */
function connected(options: Partial<ServeOptions> = {}): RpcClient<Calls> {
  const { port1, port2 } = new MessageChannel();
  const end = (port: MessagePort): Transport => ({
    post: (message, transfer) => port.postMessage(message, transfer),
    onMessage: (receive) => {
      port.on("message", (message) => receive(message as never));
    },
  });
  serve<Calls>(end(port2), methods, {
    faultOf: (error) => (error instanceof Fault ? error : new Fault("unavailable", "it failed", { cause: String(error) })),
    ...options,
  });
  return new RpcClient<Calls>(end(port1));
}

test("calls overlap, and each gets its own reply", async () => {
  const client = connected();
  const slow = client.call("later", 20);
  expect(await client.call("add", 2, 3)).toBe(5);
  expect(await slow).toBe("after 20");
});

test("what a method throws arrives as a Fault with its kind, retry and cause", async () => {
  const client = connected();
  await expect(client.call("fail", "fault")).rejects.toMatchObject({
    kind: "conflict",
    message: "public",
    retry: "few",
    cause: { message: "private" },
  });
  await expect(client.call("fail", "damage")).rejects.toBeInstanceOf(DamageFault);
  await expect(client.call("fail", "plain")).rejects.toMatchObject({ kind: "unavailable", message: "it failed", cause: { message: "Error: plain" } });
});

test("after the end what waits fails, and every later call, with the first reason", async () => {
  const client = connected();
  const waiting = client.call("later", 60_000);
  client.end(new Fault("unavailable", "it died"));
  client.end(new Fault("unavailable", "once more"));
  await expect(waiting).rejects.toThrow("it died");
  await expect(client.call("add", 1, 1)).rejects.toThrow("it died");
});

test("buffers are transferred, and the end of a call is told", async () => {
  const told: string[] = [];
  const client = connected({
    transfer: (value) => (value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []),
    replied: (method) => told.push(method),
  });
  expect(await client.call("bytes")).toEqual(new Uint8Array([1, 2, 3]));
  expect(told).toEqual(["bytes"]);
});
