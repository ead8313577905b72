/** What the benchmark measures with: bars, clients in a process of their own, and the exact order that recall is held against. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { CLIENTS_ARGUMENT, type Requests } from "../../src/cli/bench/clients.ts";
import { atLeast, atMost, figureRow, rate, StallMeter, timed, type Times } from "../../src/cli/bench/measure.ts";
import { nearest } from "../../src/cli/bench/vectors.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");

test("a limit is met up to itself, and by nothing that was not measured", () => {
  const figure = (value: number) => ({ name: "hybrid", value, unit: "ms" });
  const met = [
    atMost(8, figure(8)),
    atMost(8, figure(8.1)),
    atMost(8, figure(Number.NaN)),
    atLeast(8, figure(8)),
    atLeast(8, figure(7.9)),
    atLeast(8, figure(Number.NaN)),
  ];
  expect(met.map(({ bar }) => bar?.met)).toEqual([true, false, false, true, false, false]);
  expect(figureRow(atMost(8, figure(9))).at(-1)).toBe("at most 8 ms: MISSED");
});

test("times stand in the order of the items, whoever ends first", async () => {
  const times = await timed([20, 1, 1], 3, (ms) => Bun.sleep(ms));
  expect(times.each).toHaveLength(3);
  expect(times.each[0]).toBe(Math.max(...times.each));
  expect(rate({ each: [1, 1, 1], total: 500 })).toBe(6);
});

test("a stall in CPU time leaves out what the thread slept", async () => {
  const meter = new StallMeter();
  meter.start();
  Bun.sleepSync(200);
  expect(meter.stop()).toBeGreaterThan(150);
  expect(meter.longestWork()).toBeLessThan(100);
});

test("clients in another process send every request once, with its token", async () => {
  const seen: { token: string | null; body: unknown }[] = [];
  const { work, stop } = service(async (request) => {
    seen.push({ token: request.headers.get("authorization"), body: await request.json() });
    return Response.json({ hits: [] });
  });
  const { code, out } = await clients(work).finally(stop);
  expect(code).toBe(0);
  expect((JSON.parse(out) as Times).each).toHaveLength(3);
  expect(seen.toSorted((a, b) => String(a.token).localeCompare(String(b.token)))).toEqual(
    ["a", "b", "c"].map((token) => ({ token: `Bearer ${token}`, body: { q: token } })),
  );
});

test("an answer that is no success ends the clients, with what was answered", async () => {
  const { work, stop } = service(() => Response.json({ error: "bad_request" }, { status: 400 }));
  const { code, err } = await clients(work).finally(stop);
  expect(code).not.toBe(0);
  expect(err).toContain("bad_request");
});

/** A service for three requests of two clients. */
function service(search: (request: Request) => Response | Promise<Response>): { work: Requests; stop(): void } {
  const server = Bun.serve({ port: 0, routes: { "/livez": new Response("ok"), "/v1/search": search } });
  const requests = ["a", "b", "c"].map((token) => ({ token, path: "/v1/search", body: { q: token } }));
  return { work: { url: `http://localhost:${server.port}`, clients: 2, requests }, stop: () => void server.stop(true) };
}

async function clients(work: Requests): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, MAIN, CLIENTS_ARGUMENT], { stdin: new Blob([JSON.stringify(work)]), stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
  return { code, out, err };
}

test("the nearest rows are those with the greatest inner product", () => {
  const at = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle));
  const rows = [0, 1, 2, 3, 4, 5].map((id) => ({ id, vector: at(id / 2) }));
  expect(nearest(rows, [at(1.1), at(3)], 2).map((ids) => [...ids])).toEqual([
    [2, 3],
    [5, 4],
  ]);
});
