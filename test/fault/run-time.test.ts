/** Faults while the service runs: it says so with 503, stays consistent, and recovers by itself. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PLANES } from "../../src/domain/plane.ts";
import type { Harness } from "../support/harness.ts";
import { auditRows } from "../support/people.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { canMount, Mount } from "./mount.ts";
import { faultsOf, fill, NAMESPACE, openWorld, TOKEN, unit } from "./small-world.ts";

setDefaultTimeout(120_000);

const ingest = (harness: Harness, units: unknown[]) => harness.call("POST", "/v1/ingest", { token: TOKEN, body: { units } });

async function found(harness: Harness, doc_id: string, mode: string): Promise<number> {
  const { body } = await harness.call("POST", "/v1/search", { token: TOKEN, body: { q: "common ferry", doc_id, mode, top_k: 50 } });
  return body.hits.length;
}

describe("an index that cannot be written", () => {
  let data: string;
  let harness: Harness;
  const table = () => join(harness.app.data.namespacePaths(NAMESPACE.namespace).vectors, "text/windows.lance");
  const late = { text: "common latecomer", modality: "text", source_uri: "fault://late", doc_id: "late" };

  beforeEach(async () => {
    data = temporaryDirectory();
    harness = await openWorld(data);
    await fill(
      harness,
      Array.from({ length: 40 }, (_, index) => unit(index)),
    );
  });
  afterEach(async () => {
    await harness.close();
    rmSync(data, { recursive: true, force: true });
  });

  function breakTable(): void {
    renameSync(table(), `${table()}.away`);
    writeFileSync(table(), "in the way");
  }
  function mendTable(): void {
    rmSync(table());
    renameSync(`${table()}.away`, table());
  }

  async function refuses(): Promise<void> {
    const { status, body, headers } = await ingest(harness, [late]);
    expect({ status, error: body.error }).toEqual({ status: 503, error: "unavailable" });
    expect(headers.get("retry-after")).not.toBeNull();
    expect(body.detail).not.toContain("/");
  }

  test("answers 503 and follows once it can, with the repeated request", async () => {
    breakTable();
    await refuses();
    await refuses();
    mendTable();
    const { status, body } = await ingest(harness, [late]);
    expect({ status, unchanged: body.unchanged }).toEqual({ status: 200, unchanged: 1 });
    expect(await found(harness, "late", "vector")).toBe(1);
    expect(await faultsOf(harness)).toEqual([]);
  });

  test("follows with the next request of anybody", async () => {
    breakTable();
    await refuses();
    mendTable();
    expect((await ingest(harness, [unit(41)])).status).toBe(200);
    expect(await found(harness, "late", "vector")).toBe(1);
    expect(await faultsOf(harness)).toEqual([]);
  });

  test("follows at the next start", async () => {
    breakTable();
    await refuses();
    await harness.close();
    mendTable();
    harness = await openWorld(data);
    expect(await found(harness, "late", "vector")).toBe(1);
    expect(await faultsOf(harness)).toEqual([]);
  });

  test("says 503, not 500, to searches of what it cannot read, and red in the stats", async () => {
    breakTable();
    const { status, body } = await harness.call("POST", "/v1/search", { token: TOKEN, body: { q: "common ferry", mode: "vector" } });
    expect({ status, error: body.error }).toEqual({ status: 503, error: "unavailable" });
    const stats = await harness.call("GET", "/v1/catalog/stats", { token: TOKEN });
    expect(stats.body.planes.find(({ plane }: { plane: string }) => plane === "text").health).toBe("red");
    mendTable();
    expect(await found(harness, "doc-0", "hybrid")).toBe(20);
    // The search that went well says so, without a write.
    const after = await harness.call("GET", "/v1/catalog/stats", { token: TOKEN });
    expect(after.body.planes.find(({ plane }: { plane: string }) => plane === "text").health).toBe("green");
  });

  test("is told by health: degraded while a plane fails, down while all do, ok when they are back", async () => {
    const health = async () => {
      const { status, body } = await harness.call("GET", "/v1/health", { token: null });
      return { http: status, status: body.status, vector_index: body.bindings.vector_index };
    };
    const search = (planes: string[]) => harness.call("POST", "/v1/search", { token: TOKEN, body: { q: "common ferry", mode: "vector", planes } });
    const { vectors } = harness.app.data.namespacePaths(NAMESPACE.namespace);
    const away = (plane: string) => renameSync(join(vectors, plane), join(vectors, `${plane}.away`));
    expect(await health()).toEqual({ http: 200, status: "ok", vector_index: [...PLANES] });
    away("audio");
    expect((await search(["audio"])).status).toBe(503);
    expect(await health()).toEqual({ http: 200, status: "degraded", vector_index: ["text", "visual", "doc_visual"] });
    for (const plane of ["text", "visual", "doc_visual"]) {
      away(plane);
      expect((await search([plane])).status).toBe(503);
    }
    expect(await health()).toEqual({ http: 200, status: "down", vector_index: [] });
    for (const plane of PLANES) {
      renameSync(join(vectors, `${plane}.away`), join(vectors, plane));
      expect((await search([plane])).status).toBe(200);
    }
    expect(await health()).toMatchObject({ status: "ok", vector_index: [...PLANES] });
  });
});

const searches = async (harness: Harness) => (await auditRows(harness, NAMESPACE.namespace)).filter(({ action }) => action === "search").length;

async function catalogHealth(harness: Harness): Promise<{ status: string; catalog: string }> {
  const { body } = await harness.call("GET", "/v1/health", { token: null });
  return { status: body.status, catalog: body.bindings.catalog };
}

describe.skipIf(!canMount)("a disk that fills up (needs the right to mount)", () => {
  test("refuses with 503, forgets nothing, and goes on when there is room again", async () => {
    const mount = Mount.tmpfs("96m");
    const harness = await openWorld(join(mount.path, "data"));
    try {
      await fill(
        harness,
        Array.from({ length: 60 }, (_, index) => unit(index)),
      );
      mount.fillUp();
      const big = Array.from({ length: 200 }, (_, index) => ({ ...unit(100 + index), metadata: { ballast: "x".repeat(1_500) } }));
      const answers: number[] = [];
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const { status, body } = await ingest(harness, big);
        answers.push(status);
        expect(body).toMatchObject({ error: "unavailable", detail: expect.stringContaining("no space left on the disk") });
      }
      expect(answers).toEqual([503, 503, 503, 503]);
      expect(await catalogHealth(harness)).toEqual({ status: "degraded", catalog: "bun:sqlite (a catalog cannot be written)" });
      // What is answered is in the audit: a row may still fit where the database has room, and else the search is refused.
      const before = await searches(harness);
      const { status } = await harness.call("POST", "/v1/search", { token: TOKEN, body: { q: "common ferry" } });
      mount.freeUp();
      expect({ status, audited: (await searches(harness)) - before }).toEqual(
        status === 200 ? { status: 200, audited: 1 } : { status: 503, audited: 0 },
      );
      expect((await ingest(harness, big)).status).toBe(200);
      expect(await catalogHealth(harness)).toEqual({ status: "ok", catalog: "bun:sqlite" });
      expect(await faultsOf(harness)).toEqual([]);
      expect((await harness.call("GET", "/v1/audit/verify", { token: TOKEN })).body).toMatchObject({ intact: true });
    } finally {
      await harness.close();
      mount.remove();
    }
  });

  test("refuses the demo with 503", async () => {
    const mount = Mount.tmpfs("96m");
    const harness = await openWorld(join(mount.path, "data"));
    try {
      mount.fillUp();
      const { status, body, headers } = await harness.call("POST", "/v1/admin/seed", { token: TOKEN, body: {} });
      expect({ status, detail: body.detail }).toEqual({ status: 503, detail: expect.stringContaining("no space left on the disk") });
      expect(headers.get("retry-after")).not.toBeNull();
    } finally {
      await harness.close();
      mount.remove();
    }
  });
});
