/** Who is slow, silent or gone holds nobody up: bodies that never come whole, waiting, and hanging up. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "../../src/base/log.ts";
import { REQUESTS_IN_WORK_MAX } from "../../src/base/limits.ts";
import { JobRunner } from "../../src/core/jobs/runner.ts";
import type { Encoder } from "../../src/domain/port/encoder.ts";
import type { Entailment } from "../../src/domain/port/entailment.ts";
import type { Reranker } from "../../src/domain/port/reranker.ts";
import { type Listener, listen } from "../../src/http/listener.ts";
import type { Http, HttpOptions } from "../../src/http/server.ts";
import type { WorkLimits } from "../../src/http/room.ts";
import { servicesWith } from "../support/engines.ts";
import type { Harness } from "../support/harness.ts";
import { ADMIN, hire, READER, unitCount } from "../support/people.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";
import { head, Wire } from "../support/wire.ts";
import { rowsOf } from "../support/rows.ts";

setDefaultTimeout(60_000);

let h: Harness;
beforeAll(async () => {
  h = await openSeeded();
}, START_MS);
afterAll(() => h.close());

const listeners: Listener[] = [];
const wires: Wire[] = [];
afterEach(async () => {
  for (const wire of wires.splice(0)) wire.hangUp();
  await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
});

interface Front {
  http: Http;
  wire(): Wire;
}

/** A listener in front of the harness's service, or of another one. */
function front(options: Partial<HttpOptions> = {}, idleSeconds?: number): Front {
  const { http } = h.front(options);
  const listener = listen(http, { hostname: "127.0.0.1", port: 0, log: silentLog, ...(idleSeconds === undefined ? {} : { idleSeconds }) });
  listeners.push(listener);
  const wire = () => {
    const made = new Wire(listener.port);
    wires.push(made);
    return made;
  };
  return { http, wire };
}

const SEARCH = JSON.stringify({ q: "turbine", mode: "fulltext" });
const health = head("GET /v1/health");
const search = head("POST /v1/search", { token: READER, length: SEARCH.length }) + SEARCH;

/** The status of one request on a connection of its own. */
async function ask({ wire }: Front, request: string): Promise<number | null> {
  const connection = wire().send(request);
  const status = await connection.status();
  connection.hangUp();
  return status;
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await Bun.sleep(5);
}

/** Uploads of a namespace that are not whole. */
function incoming(): string[] {
  const path = join(h.data, "namespaces/demo/objects/incoming");
  return existsSync(path) ? readdirSync(path) : [];
}

describe("half-sent bodies", () => {
  test("more of them than requests may be in work leave health and search answering", async () => {
    const { http, wire } = front();
    const half = [
      head("POST /v1/search", { token: READER, length: 100 }),
      head("POST /v1/ingest", { token: ADMIN, length: 100 }),
      // Nobody needs a credential for these.
      head("POST /v1/session", { length: 100 }),
    ];
    const held = Array.from({ length: REQUESTS_IN_WORK_MAX + half.length }, (_, index) => wire().send(`${half[index % half.length]}{"q`));
    await until(() => http.inFlight() === held.length);
    expect(await ask({ http, wire }, health)).toBe(200);
    expect(await ask({ http, wire }, search)).toBe(200);
    for (const connection of held) connection.hangUp();
    await until(() => http.inFlight() === 0);
  });

  test("without a credential on a guarded route they hold nothing", async () => {
    const { http, wire } = front();
    for (const [line, type] of [
      ["POST /v1/search", "application/json"],
      ["POST /v1/files?name=a.txt", "application/octet-stream"],
    ] as const) {
      expect(
        await wire()
          .send(`${head(line, { type, length: 100 })}{`)
          .status(),
      ).toBe(401);
    }
    expect(http.inFlight()).toBe(0);
  });

  test("half a head is no request yet", async () => {
    const { http, wire } = front();
    wire().send(health.slice(0, -2));
    expect(await ask({ http, wire }, health)).toBe(200);
    expect(http.inFlight()).toBe(0);
  });

  const QUICK: Partial<WorkLimits> = { pace: { pieceBytes: 64 * 1024, pieceMs: 300 } };
  const FORM = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc';

  test.each([
    ["a search", "POST /v1/search", { token: READER }, "{"],
    ["a token to exchange", "POST /v1/session", {}, "{"],
    ["a raw file", "POST /v1/files?name=a.txt", { token: ADMIN, type: "application/octet-stream" }, "abc"],
    ["a form", "POST /v1/files", { token: ADMIN, type: "multipart/form-data; boundary=x" }, FORM],
  ])("%s that trickles is refused, and all that it held is free", async (_what, line, more, begin) => {
    const { http, wire } = front({ limits: QUICK });
    const connection = wire().send(head(line, { ...more, length: 10_000 }) + begin);
    await until(() => http.inFlight() === 1);
    const trickle = setInterval(() => connection.send(" "), 20);
    const answer = await connection.closed();
    clearInterval(trickle);
    expect(answer).toContain("HTTP/1.1 400 ");
    expect(answer).toContain("the body came too slowly: send at least 64 KiB in every 0.3 s, or all of it");
    expect(http.inFlight()).toBe(0);
    expect(incoming()).toEqual([]);
  });

  test("what they hold in memory is bounded, and one namespace leaves some of it to others", async () => {
    const limits: Partial<WorkLimits> = { arrivingBytes: 3_000 };
    const { http, wire } = front({ limits });
    const half = `${head("POST /v1/ingest", { token: ADMIN, length: 5_000 })}${" ".repeat(1_900)}`;
    wire().send(half);
    await until(() => http.inFlight() === 1);
    expect(await wire().send(half).status()).toBe(429);
    const other = hire(h, "elsewhere", { namespace: "enterprise", scopes: ["*"], active_scope: "*" });
    const elsewhere = head("POST /v1/search", { token: other, length: SEARCH.length + 500 }) + " ".repeat(500) + SEARCH;
    expect(await ask({ http, wire }, elsewhere)).toBe(200);
  });
});

describe("connections on which nothing moves", () => {
  test("are closed, but not while their request is in work", async () => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const slow: Encoder = {
      ...h.app.services.encoder,
      encode: async (text, priority) => {
        asked.resolve();
        await go.promise;
        return h.app.services.encoder.encode(text, priority);
      },
    };
    const { wire } = front({ services: servicesWith(h, { encoder: slow }) }, 1);
    const body = JSON.stringify({ q: "a question that nobody has asked yet" });
    const working = wire().send(head("POST /v1/search", { token: READER, length: body.length }) + body);
    await asked.promise;
    const idle = wire().send(health);
    expect(await idle.status()).toBe(200);
    await idle.closed();
    go.resolve();
    expect(await working.status()).toBe(200);
    await working.closed();
  });
});

describe("wait=true", () => {
  const file = (name: string, wait: boolean) =>
    head(`POST /v1/files?name=${name}&scope=demo/${name}${wait ? "&wait=true" : ""}`, { token: ADMIN, type: "text/plain", length: 6 }) + name;

  test("holds no place while it waits, and ends when its client has gone", async () => {
    const { withTenant } = h.app.services;
    const jobs = new JobRunner({ withTenant, extractor: h.app.services.extractor, encoder: h.app.services.encoder, log: silentLog, workers: 0 });
    const world = front({ services: servicesWith(h, {}, { jobs }), limits: { uploads: 1, requests: 1 } });
    const { files } = rowsOf(await h.app.tenant({ namespace: "demo", tier: "enterprise" }));
    const waiting = world.wire().send(file("wa.txt", true));
    await until(() => files.activeJobs().length === 1);
    // What it was taken in with is free as soon as its job is durable.
    let status = await ask(world, file("no.txt", false));
    while (status === 429) status = await ask(world, file("no.txt", false));
    expect(status).toBe(202);
    expect(await ask(world, search)).toBe(200);
    expect({ open: waiting.open, seen: waiting.seen, inFlight: world.http.inFlight() }).toEqual({ open: true, seen: "", inFlight: 1 });
    waiting.hangUp();
    await until(() => world.http.inFlight() === 0);
    await jobs.close();
  });
});

/** Resolves with the signal, and then gives what it was asked for all the same. */
function whenGone(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
}

describe("a client that hangs up", () => {
  const question = JSON.stringify({ q: "why did turbine 7 stop?", answer: true });
  const answer = head("POST /v1/answer", { token: READER, length: question.length }) + question;

  test.each(["reranker", "entailment"] as const)("ends its answer before the next call of a model (%s)", async (which) => {
    const calls: string[] = [];
    const called = Promise.withResolvers<void>();
    const stuck = async (name: string, signal: AbortSignal | undefined) => {
      calls.push(name);
      if (name !== which) return;
      called.resolve();
      await whenGone(signal);
    };
    const reranker: Reranker = {
      model: "reranker",
      async score(_query, texts, _withinMs, signal) {
        await stuck("reranker", signal);
        return texts.map(() => 8);
      },
    };
    const entailment: Entailment = {
      model: "entailment",
      async judge(pairs, signal) {
        await stuck("entailment", signal);
        return pairs.map(() => ({ entailment: 1, neutral: 0, contradiction: 0 }));
      },
    };
    const { http, wire } = front({ services: servicesWith(h, { reranker, entailment }) });
    const connection = wire().send(answer);
    await called.promise;
    const before = calls.length;
    connection.hangUp();
    await until(() => http.inFlight() === 0);
    expect(calls.slice(before)).toEqual([]);
  });

  test("ends its ingest before it is committed, and nothing is stored", async () => {
    const called = Promise.withResolvers<void>();
    const encoder: Encoder = {
      ...h.app.services.encoder,
      encode: async (text, priority, options) => {
        called.resolve();
        await whenGone(options?.signal);
        return h.app.services.encoder.encode(text, priority);
      },
    };
    const { http, wire } = front({ services: servicesWith(h, { encoder }) });
    const body = JSON.stringify({ units: [{ modality: "text", text: "a sentence that nobody has sent yet", scope: "harbour/ops" }] });
    const before = await unitCount(h);
    const connection = wire().send(head("POST /v1/ingest", { token: ADMIN, length: body.length }) + body);
    await called.promise;
    connection.hangUp();
    await until(() => http.inFlight() === 0);
    expect(await unitCount(h)).toBe(before);
  });

  test("while its body is on the way, is no error of the service", async () => {
    const lines: string[] = [];
    const log = { ...silentLog, warn: (text: string) => void lines.push(text), error: (text: string) => void lines.push(text) };
    const { http, wire } = front({ log });
    const connection = wire().send(`${head("POST /v1/search", { token: READER, length: 100 })}{`);
    await until(() => http.inFlight() === 1);
    connection.hangUp();
    await until(() => http.inFlight() === 0);
    expect(lines).toEqual([]);
  });
});

describe("places", () => {
  test("health answers when every place is taken; a search is told to come again", async () => {
    const called = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const encoder: Encoder = {
      ...h.app.services.encoder,
      encode: async (text, priority) => {
        called.resolve();
        await go.promise;
        return h.app.services.encoder.encode(text, priority);
      },
    };
    const services = servicesWith(h, { encoder });
    const world = front({ services, limits: { requests: 2 } });
    const body = JSON.stringify({ q: "another question that nobody has asked yet" });
    const working = world.wire().send(head("POST /v1/search", { token: READER, length: body.length }) + body);
    await called.promise;
    expect(await ask(world, health)).toBe(200);
    const refused = world.wire().send(search);
    expect(await refused.status()).toBe(429);
    expect(refused.seen.toLowerCase()).toContain("retry-after: 1");
    // The namespace has its share; another one finds a place.
    const other = hire(h, "neighbour", { namespace: "enterprise", scopes: ["*"], active_scope: "*" });
    expect(await ask(world, head("POST /v1/search", { token: other, length: SEARCH.length }) + SEARCH)).toBe(200);
    go.resolve();
    expect(await working.status()).toBe(200);
  });
});

test("what the machine lacks is a 503 that says so, and nothing of the error itself", async () => {
  const services = servicesWith(
    h,
    {},
    {
      now: () => {
        throw Object.assign(new Error("EMFILE: too many open files, open '/secret/path'"), { code: "EMFILE" });
      },
    },
  );
  const { status, body, headers } = await h.front({ services }).call("GET", "/v1/catalog/stats");
  const detail = "the service cannot do this now: too many open files (raise the limit: ulimit -n); try again in a moment";
  expect({ status, body, after: headers.get("retry-after") }).toEqual({
    status: 503,
    body: { error: "unavailable", detail, status: 503 },
    after: "1",
  });
});
