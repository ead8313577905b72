/** Answers that are followed as they are made: the events, what they leave out, and what becomes of a client that goes. */
import type { Tenant, WithTenant } from "../../src/core/tenant.ts";
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { silentLog } from "../../src/base/log.ts";
import type { Entailment } from "../../src/domain/port/entailment.ts";
import type { Reranker } from "../../src/domain/port/reranker.ts";
import { type Listener, listen } from "../../src/http/listener.ts";
import type { WorkLimits } from "../../src/http/room.ts";
import type { HttpOptions } from "../../src/http/server.ts";
import { type Answered, checkForm } from "../support/answers.ts";
import { type Engines, servicesWith, unhurried } from "../support/engines.ts";
import { eventsIn, type ServerEvent } from "../support/events.ts";
import { type Harness, HOST } from "../support/harness.ts";
import { ADMIN, auditRows, FREE, hire, READER } from "../support/people.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";
import { head, Wire } from "../support/wire.ts";

setDefaultTimeout(60_000);

const STOP = "why did turbine 7 stop?";
const STREAM = "text/event-stream";

let h: Harness;
let steady: Engines;
beforeAll(async () => {
  h = await openSeeded();
  steady = unhurried(h);
}, START_MS);
afterAll(() => h.close());

const listeners: Listener[] = [];
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
});

interface Asking {
  token?: string;
  accept?: string;
  scope?: string;
}

/** A front with these engines. */
function front(engines: Partial<Engines> = {}, options: Partial<HttpOptions> = {}) {
  return h.front({ services: servicesWith(h, { ...steady, ...engines }), ...options });
}

function request(body: unknown, { token = READER, accept = STREAM, scope }: Asking = {}): Request {
  const headers = { host: HOST, authorization: `Bearer ${token}`, "content-type": "application/json", accept };
  return new Request(`http://${HOST}/v1/answer`, {
    method: "POST",
    headers: scope === undefined ? headers : { ...headers, "x-svc-scope": scope },
    body: typeof body === "string" ? body : JSON.stringify({ answer: true, ...(body as object) }),
  });
}

async function follow(body: unknown, asking: Asking = {}, { http } = front()): Promise<ServerEvent[]> {
  const response = await http.handle(request(body, asking));
  const text = await response.text();
  expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({ status: 200, type: STREAM });
  return eventsIn(text);
}

const named = (events: readonly ServerEvent[], name: string) => events.filter(({ event }) => event === name).map(({ data }) => data);

async function ingest(units: object[], token = ADMIN): Promise<string[]> {
  const { status, body } = await h.call("POST", "/v1/ingest", { token, body: { units } });
  expect(status).toBe(200);
  return body.units.map(({ unit_id }: { unit_id: string }) => unit_id);
}

/** What differs from one run to the next. */
function timeless({ trace, ...body }: { trace: { stages: { ms: number }[]; rounds: { ms: number }[]; total_ms: number } }) {
  const untimed = (each: { ms: number }) => ({ ...each, ms: 0 });
  return { ...body, trace: { ...trace, total_ms: 0, stages: trace.stages.map(untimed), rounds: trace.rounds.map(untimed) } };
}

describe("the events of an answer", () => {
  test.each([
    ["the reader", READER, undefined],
    ["the admin", ADMIN, "harbour/ops"],
  ])("for %s: what was found, each claim, and the body of the JSON route", async (_who, token, scope) => {
    const asking = { token, ...(scope === undefined ? {} : { scope }) };
    const events = await follow({ q: STOP }, asking);
    const json = await front().call("POST", "/v1/answer", {
      token,
      body: { q: STOP, answer: true },
      ...(scope === undefined ? {} : { headers: { "x-svc-scope": scope } }),
    });
    const [search] = named(events, "search");
    const [final] = named(events, "final");
    const claims = named(events, "claim");
    expect(events.map(({ event }) => event)).toEqual(["search", ...claims.map(() => "claim"), "final"]);
    expect(timeless(final)).toEqual(timeless(json.body));
    expect(Object.keys(search).sort()).toEqual(["context", "hits", "trace"]);
    expect(search.context).toEqual(json.body.context);
    expect(search.hits).toEqual(json.body.hits.map(({ evidence: _evidence, ...hit }: { evidence?: unknown }) => hit));
    expect(search.trace.stages.map(({ name }: { name: string }) => name)).toContain("rerank");
    const answer = final.answer as Answered;
    expect(claims.length).toBe(answer.claims.length);
    expect(claims.length).toBeGreaterThan(0);
    claims.forEach(({ index, text, claim, citations }, at) => {
      expect({ index, claim }).toEqual({ index: at, claim: answer.claims[at] });
      expect(answer.text).toStartWith(text);
      expect(citations).toEqual(answer.citations.filter(({ marker }) => claim.citations.includes(marker)));
    });
    expect(claims.at(-1).text).toBe(answer.text);
    checkForm(answer, STOP);
  });

  test("of an abstention are what was found and the end", async () => {
    const events = await follow({ q: "what is the price of a helicopter in Mongolia?" });
    expect(events.map(({ event }) => event)).toEqual(["search", "final"]);
    expect(events[1]?.data.answer.status).toBe("abstained");
  });

  test.each(["text/event-stream", "application/json;q=0.5, Text/Event-Stream ;q=0.9", "text/event-stream, application/json"])(
    "come for Accept: %s",
    async (accept) => {
      const response = await front().http.handle(request({ q: STOP }, { accept }));
      expect(response.headers.get("content-type")).toBe(STREAM);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("x-request-id")).not.toBeNull();
      await response.text();
    },
  );

  test.each(["*/*", "application/json", "text/*", "text/event-stream;q=0", "text/event-streams"])("do not come for Accept: %s", async (accept) => {
    const response = await front().http.handle(request({ q: STOP }, { accept }));
    expect(response.headers.get("content-type")).toStartWith("application/json");
    await response.text();
  });

  test("a search has none", async () => {
    const found = await front().call("POST", "/v1/search", { token: READER, body: { q: STOP }, headers: { accept: STREAM } });
    expect(found.headers.get("content-type")).toStartWith("application/json");
  });

  test("before the first one an error is a usual response", async () => {
    const { http } = front();
    for (const [body, asking, status, error] of [
      ["{", {}, 400, "bad_request"],
      [{ q: "" }, {}, 400, "bad_request"],
      [{ q: STOP }, { token: FREE }, 402, "upgrade_required"],
      [{ q: STOP }, { token: "strata_nobody" }, 401, "unauthorized"],
      [{ q: STOP }, { token: hire(h, "stream-writer", { perms: ["write"] }) }, 403, "forbidden"],
    ] as const) {
      const response = await http.handle(request(body, asking));
      expect(response.headers.get("content-type")).toStartWith("application/json");
      expect({ status: response.status, body: await response.json() }).toMatchObject({ status, body: { error, status } });
    }
  });

  test("after it an error is one event with the usual body", async () => {
    const entailment: Entailment = { model: "broken", judge: () => Promise.reject(new Error("secret of the engine")) };
    const events = await follow({ q: STOP }, {}, front({ entailment }));
    expect(events.map(({ event }) => event)).toEqual(["search", "error"]);
    expect(events[1]?.data).toEqual({ error: "internal_error", detail: expect.stringContaining("request id"), status: 500 });
    expect(JSON.stringify(events)).not.toContain("secret");
  });

  test("the audit row is there before the first one, and only once", async () => {
    let before = 0;
    let during: string[] = [];
    const entailment: Entailment = {
      model: "looking",
      judge: async (pairs) => {
        if (during.length === 0) during = (await auditRows(h, "demo", 1)).map(({ seq, action }) => `${seq - before} ${action}`);
        return steady.entailment.judge(pairs);
      },
    };
    before = (await auditRows(h, "demo", 1))[0]?.seq ?? 0;
    await follow({ q: STOP }, {}, front({ entailment }));
    expect(during).toEqual(["1 answer"]);
    expect((await auditRows(h, "demo", 1))[0]?.seq).toBe(before + 1);
  });

  test("without an audit log nothing of what was found is told", async () => {
    const services = servicesWith(h, steady);
    const full = (tenant: Tenant) => ({ ...tenant, store: { ...tenant.store, transact: () => Promise.reject(new Error("disk is full")) } }) as never;
    const withTenant: WithTenant = (namespace, work) => services.withTenant(namespace, (tenant) => work(full(tenant)));
    const response = await h.front({ services: { ...services, withTenant } }).http.handle(request({ q: STOP }));
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 503, text: expect.not.stringContaining("hits") });
  });

  test("while nothing happens, comment lines say that the work goes on", async () => {
    const entailment: Entailment = { model: "slow", judge: (pairs) => Bun.sleep(150).then(() => steady.entailment.judge(pairs)) };
    const { http } = front({ entailment }, { limits: { heartbeatMs: 20 } });
    const text = await (await http.handle(request({ q: STOP }))).text();
    expect([...text.matchAll(/^: .+$/gm)].length).toBeGreaterThan(2);
    expect(eventsIn(text).at(-1)?.event).toBe("final");
  });
});

describe("what is closed to the caller meanwhile", () => {
  const SCOPE = "harbour/ops/mole";
  const FIRST = { modality: "text", scope: SCOPE, doc_id: "mole-a", text: "The mole of Hallow was rebuilt in 1988 by the Marn brothers." };
  const SECOND = { modality: "text", scope: SCOPE, doc_id: "mole-b", text: "In 1988 the Marn brothers rebuilt the mole of Hallow from oak." };
  const QUESTION = { q: "who rebuilt the mole of Hallow?", filters: { scope: SCOPE } };
  const ASKING = { scope: "harbour/ops" };
  const give = (unit: object, group: string) => ingest([{ ...unit, acl_groups: [group] }]);

  test("before the first event, is no hit of it", async () => {
    const [closing] = await give(FIRST, "ops");
    await give(SECOND, "ops");
    let first: Promise<unknown> | null = null;
    const reranker: Reranker = {
      model: steady.reranker.model,
      async score(query, texts) {
        first ??= give(FIRST, "finance");
        await first;
        return steady.reranker.score(query, texts);
      },
    };
    const events = await follow(QUESTION, ASKING, front({ reranker }));
    expect(JSON.stringify(events)).not.toContain(closing as string);
    expect(named(events, "search")[0].hits.length).toBe(1);
  });

  test("before a claim, is not told in it", async () => {
    const [closing] = await give(FIRST, "ops");
    const [staying] = await give(SECOND, "ops");
    let first: Promise<unknown> | null = null;
    const entailment: Entailment = {
      model: "interrupted",
      async judge(pairs) {
        first ??= give(FIRST, "finance");
        await first;
        return steady.entailment.judge(pairs);
      },
    };
    const events = await follow(QUESTION, ASKING, front({ entailment }));
    const told = events.filter(({ event }) => event !== "search");
    expect(JSON.stringify(told)).not.toContain(closing as string);
    const [final] = named(events, "final");
    expect(final.answer.citations.map(({ unit_id }: { unit_id: string }) => unit_id)).toEqual([staying]);
    // What holds is told from its beginning.
    const claims = named(events, "claim");
    const last = claims.slice(claims.findLastIndex(({ index }) => index === 0));
    expect(last.map(({ claim }) => claim)).toEqual(final.answer.claims);
  });

  test("while hidden Units are counted, takes the answer with it", async () => {
    await give({ ...SECOND, doc_id: "mole-hidden" }, "finance");
    const [closing] = await give(FIRST, "ops");
    const [other] = await give(SECOND, "ops");
    let asked = 0;
    const reranker: Reranker = {
      model: steady.reranker.model,
      async score(query, texts) {
        asked += 1;
        // First the ranking of what the reader may read, whose scores serve as evidence too; then that of all, for the count.
        if (asked > 1) await Promise.all([give(FIRST, "finance"), give(SECOND, "finance")]);
        return steady.reranker.score(query, texts);
      },
    };
    const events = await follow(QUESTION, ASKING, front({ reranker }));
    expect(asked).toBe(2);
    expect(named(events, "claim").length).toBeGreaterThan(0);
    const [final] = named(events, "final");
    expect(final).toMatchObject({ hits: [], answer: { status: "abstained", text: "", claims: [], citations: [] } });
    expect(final.trace.warnings).toContain("evidence was changed or closed to the caller while the answer was written: left out");
    for (const unit_id of [closing, other]) expect(JSON.stringify(final)).not.toContain(unit_id as string);
  });
});

describe("a client that goes", () => {
  /** Stands still from the first judgement on until its caller has gone. */
  function standing() {
    const calls: string[] = [];
    const reached = Promise.withResolvers<void>();
    const entailment: Entailment = {
      model: "standing",
      judge: (_pairs, signal) => {
        calls.push("judge");
        reached.resolve();
        return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("gone"))));
      },
    };
    return { calls, reached: reached.promise, entailment };
  }

  const one: Partial<WorkLimits> = { streams: 1 };
  const BODY = JSON.stringify({ q: STOP, answer: true });
  const ASK = head("POST /v1/answer", { token: READER, length: BODY.length }).replace("\r\n\r\n", `\r\nAccept: ${STREAM}\r\n\r\n`) + BODY;

  test("over a connection ends the work and frees its place", async () => {
    const { entailment, reached, calls } = standing();
    const { http } = front({ entailment }, { limits: one });
    const listener = listen(http, { hostname: "127.0.0.1", port: 0, log: silentLog });
    listeners.push(listener);
    const wire = new Wire(listener.port).send(ASK);
    await reached;
    expect(http.inFlight()).toBe(1);
    expect((await http.handle(request({ q: STOP }))).status).toBe(429);
    wire.hangUp();
    while (http.inFlight() > 0) await Bun.sleep(5);
    const before = calls.length;
    expect((await http.handle(request({ q: "" }))).status).toBe(400);
    expect(calls.length).toBe(before);
  });

  test("by cancelling the body ends the work as well", async () => {
    const { entailment, reached } = standing();
    const { http } = front({ entailment }, { limits: one });
    const response = await http.handle(request({ q: STOP }));
    await reached;
    await response.body?.cancel();
    while (http.inFlight() > 0) await Bun.sleep(5);
    expect((await http.handle(request({ q: "" }))).status).toBe(400);
  });

  test("a stop of the service lets a stream come to its end", async () => {
    const go = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const entailment: Entailment = {
      model: "waiting",
      async judge(pairs) {
        reached.resolve();
        await go.promise;
        return steady.entailment.judge(pairs);
      },
    };
    const { http } = front({ entailment });
    const listener = listen(http, { hostname: "127.0.0.1", port: 0, log: silentLog });
    const wire = new Wire(listener.port).send(ASK);
    await reached.promise;
    const stopped = listener.stop();
    go.resolve();
    await stopped;
    expect(await wire.closed()).toContain("event: final");
  });
});

test("of ten thousand streams at once as many are open as may be, the rest is told to come again, and nothing breaks", async () => {
  const go = Promise.withResolvers<void>();
  const entailment: Entailment = {
    model: "waiting",
    async judge(pairs) {
      await go.promise;
      return steady.entailment.judge(pairs);
    },
  };
  const { http, call } = front({ entailment });
  const opening = Array.from({ length: 10_000 }, () => http.handle(request({ q: STOP })));
  const responses = await Promise.all(opening);
  const open = responses.filter(({ status }) => status === 200);
  const refused = responses.filter(({ status }) => status === 429);
  expect({ open: open.length, refused: refused.length }).toEqual({ open: 96, refused: 9_904 });
  expect(await refused[0]?.json()).toEqual({
    error: "rate_limited",
    detail: "too many answers are being streamed at once; try again in a moment",
    status: 429,
  });
  expect(refused[0]?.headers.get("retry-after")).toBe("1");
  // Other requests have places of their own.
  expect((await call("POST", "/v1/search", { token: READER, body: { q: "turbine", mode: "fulltext" } })).status).toBe(200);
  go.resolve();
  const ends = await Promise.all(open.map(async (response) => eventsIn(await response.text()).at(-1)?.event));
  expect(ends).toEqual(open.map(() => "final"));
  expect(http.inFlight()).toBe(0);
  expect((await follow({ q: STOP }, {}, { http } as never)).at(-1)?.event).toBe("final");
});
