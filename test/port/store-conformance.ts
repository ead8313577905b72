/** What every NamespaceStore must do, as a suite over a factory. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Fault } from "../../src/base/fault.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { IDEMPOTENCY_TTL_MS, INGEST_QUEUE_MAX_BYTES } from "../../src/base/limits.ts";
import { MATCH_ALL, parseFilter } from "../../src/domain/filter.ts";
import { GENESIS, type RowMark } from "../../src/domain/audit.ts";
import type { TextWindow } from "../../src/domain/port/encoder.ts";
import type { NamespaceStore, NamespaceTransactor } from "../../src/domain/port/store.ts";
import { givenKey, unitId, type UnitDraft } from "../../src/domain/unit.ts";

/** Opens an empty store whose vectors are those of the model `m`. */
export type StoreFactory = (now: () => number) => { store: NamespaceStore; remove(): void };

const EVENT = { principal_id: "ann", action: "search", outcome: "ok", scope: null, target: null, detail: {} } as const;
const NOBODY = -1;

export function draftOf(text: string | null, more: Partial<UnitDraft> = {}): UnitDraft {
  const identity = {
    namespace: "n",
    scope: "here",
    acl_owner: "ann",
    doc_id: null,
    source_uri: text === null ? "https://somewhere" : null,
    path: null,
    locator: null,
    modality: "text" as const,
    plane: "text" as const,
    text,
    ...more,
  };
  return { acl_groups: [], mime: null, metadata: null, ...identity, unit_id: unitId(identity) };
}

/** One window over a text. */
export function windowsOf(...texts: string[]): Map<string, TextWindow[]> {
  return new Map(texts.map((text) => [sha256Hex(text), [{ start: 0, end: text.length, vector: Float32Array.of(0.5, 0.5, 0.5, 0.5) }]]));
}

async function kindOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  return error instanceof Fault ? error.kind : String(error);
}

export function storeConformance(name: string, open: StoreFactory): void {
  describe(`the store of ${name}`, () => {
    let store: NamespaceStore;
    let remove: () => void;
    let time: number;
    beforeEach(() => {
      time = 1_000;
      ({ store, remove } = open(() => time));
    });
    afterEach(async () => {
      await store.close();
      remove();
    });

    /** Stores a Unit of each text; returns their uids. */
    const put = async (...texts: string[]): Promise<number[]> => {
      const { value } = await store.transact((tx) =>
        tx.units.upsert(
          texts.map((text) => draftOf(text)),
          windowsOf(...texts),
        ),
      );
      return value.map(({ uid }) => uid);
    };
    const classes = async () => (await store.reader.access.classes()).map(({ classId }) => classId);
    const texts = async () => (await store.reader.units.list(await classes(), 100, 0)).map(({ text }) => text);

    describe("a transaction", () => {
      test("is seen by nobody before it commits, and by itself at once", async () => {
        const seen: (string | null)[][] = [];
        await store.transact(async (tx) => {
          await tx.units.upsert([draftOf("one")], windowsOf("one"));
          await tx.access.register("here", ["text"]);
          seen.push([...(await tx.units.byIds([draftOf("one").unit_id])).values()].map(({ text }) => text));
          seen.push(await texts());
          expect(await tx.access.scopes()).toHaveLength(1);
          expect(await store.reader.access.scopes()).toEqual([]);
        });
        seen.push(await texts());
        expect(seen).toEqual([["one"], [], ["one"]]);
        expect(await store.reader.access.scopes()).toHaveLength(1);
      });

      test("that throws leaves nothing of anything, and rejects with what it threw", async () => {
        await put("before");
        const revision = await store.reader.revision();
        const failing = store.transact(async (tx) => {
          await tx.access.register("new/scope", ["text"]);
          const [upserted] = await tx.units.upsert([draftOf("gone", { acl_owner: "eve" })], windowsOf("gone"));
          await tx.files.addUnits("f", [upserted?.uid ?? 0]).catch(() => {});
          await tx.idempotency.remember("ann", "key", "hash", "{}");
          await tx.ledger.append(EVENT);
          throw new Fault("quota_exceeded", "too many");
        });
        expect(await kindOf(failing)).toBe("quota_exceeded");
        expect(await texts()).toEqual(["before"]);
        expect([await store.reader.access.scopes(), await classes(), await store.reader.ledger.length()]).toEqual([[], [1], 0]);
        expect(await store.reader.idempotency.find("ann", "key")).toBeNull();
        expect(await store.outbox.pendingUids("text")).toHaveLength(1);
        expect(await store.reader.revision()).toBe(revision);
        // What memory holds follows: the class and the row are made as if they never had been.
        await store.transact(async (tx) => {
          await tx.units.upsert([draftOf("again", { acl_owner: "eve" })], windowsOf("again"));
          await tx.ledger.append(EVENT);
        });
        expect(await classes()).toEqual([1, 2]);
        expect(await store.reader.ledger.verify()).toMatchObject({ intact: true, checked: 1 });
      });

      test("cannot be used after its end, whichever that was", async () => {
        const kept: NamespaceTransactor[] = [];
        await store.transact(async (tx) => void kept.push(tx));
        await store
          .transact(async (tx) => {
            kept.push(tx);
            throw new Error("no");
          })
          .catch(() => {});
        for (const tx of kept) {
          expect(await kindOf(tx.units.upsert([draftOf("late")], new Map()))).toContain("after its end");
          expect(await kindOf(tx.revision())).toContain("after its end");
          expect(await kindOf(tx.ledger.append(EVENT))).toContain("after its end");
        }
        expect(await texts()).toEqual([]);
      });

      test("of several that wait, one that fails takes none of the others with it", async () => {
        const one = (text: string, fails = false) =>
          store.transact(async (tx) => {
            await tx.units.upsert([draftOf(text)], windowsOf(text));
            await tx.ledger.append(EVENT);
            if (fails) throw new Error("this one");
            return text;
          });
        const results = await Promise.allSettled([one("a"), one("b", true), one("c")]);
        expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
        expect((await texts()).sort()).toEqual(["a", "c"]);
        expect(await store.reader.ledger.verify()).toMatchObject({ intact: true, checked: 2 });
      });

      test("runs alone, in the order in which they were asked for", async () => {
        const order: string[] = [];
        const step = (label: string) =>
          store.transact(async (tx) => {
            order.push(`${label} begins`);
            await tx.units.count(null);
            await Promise.resolve();
            order.push(`${label} ends`);
          });
        await Promise.all([step("a"), step("b"), step("c")]);
        expect(order).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
      });

      test("is refused when too much waits, unless it holds nothing", async () => {
        const write = (bytes: number) => store.transact(async () => bytes, bytes).then(({ value }) => value);
        const waiting = [write(INGEST_QUEUE_MAX_BYTES - 1), write(1)];
        expect(await kindOf(write(1))).toBe("unavailable");
        expect(await Promise.all([...waiting, write(0)])).toEqual([INGEST_QUEUE_MAX_BYTES - 1, 1, 0]);
        expect(await write(2 * INGEST_QUEUE_MAX_BYTES)).toBe(2 * INGEST_QUEUE_MAX_BYTES);
      });

      test("is refused once the store closes, and what waits is done", async () => {
        const waiting = put("last");
        const closing = store.close();
        expect(await kindOf(put("later"))).toBe("unavailable");
        expect(await waiting).toHaveLength(1);
        await closing;
        ({ store, remove } = open(() => time));
      });
    });

    describe("the revision", () => {
      test("changes with Units, scopes and classes, and with nothing else", async () => {
        const changes = async (work: (tx: NamespaceTransactor) => Promise<unknown>) => {
          const before = await store.reader.revision();
          const { revision } = await store.transact(work);
          expect(await store.reader.revision()).toBe(revision);
          expect(revision).toBeGreaterThanOrEqual(before);
          return revision !== before;
        };
        expect(await changes((tx) => tx.units.upsert([draftOf("a")], windowsOf("a")))).toBe(true);
        expect(await changes((tx) => tx.units.upsert([draftOf("a")], windowsOf("a")))).toBe(false);
        expect(await changes((tx) => tx.units.upsert([{ ...draftOf("a"), acl_groups: ["g"] }], windowsOf("a")))).toBe(true);
        expect(await changes((tx) => tx.access.register("here/there", ["text"]))).toBe(true);
        expect(await changes((tx) => tx.access.register("here/there", ["text"]))).toBe(false);
        expect(await changes((tx) => tx.access.remove("here/there"))).toBe(true);
        expect(await changes((tx) => tx.ledger.append(EVENT))).toBe(false);
        expect(await changes((tx) => tx.units.remove([1]))).toBe(true);
        expect(await changes((tx) => tx.units.remove([1]))).toBe(false);
      });
    });

    describe("Units", () => {
      test("come back as they were stored, by either id, and unknown ones are missing", async () => {
        const draft = draftOf("one", { metadata: { page: 1 }, locator: { kind: "page", page: 1 } as never });
        await store.transact((tx) => tx.units.upsert([draft], windowsOf("one")));
        const unit = (await store.reader.units.byIds([draft.unit_id, "u_none"])).get(draft.unit_id);
        expect(unit).toMatchObject({ ...draft, uid: 1, version: 1, content_sha256: sha256Hex("one"), created_at: 1_000 });
        expect(await store.reader.units.byUids([1, 99])).toEqual(new Map([[1, unit as never]]));
        expect(await store.reader.units.live([1, 99])).toEqual(
          new Map([[1, { uid: 1, version: 1, classId: unit?.classId ?? 0, doc_id: null, unit_id: draft.unit_id }]]),
        );
      });

      test("have a path, and are found by its parts", async () => {
        const drafts = [draftOf("a", { path: ["Title", "Options"] }), draftOf("b", { path: ['"Title"', "-x"] }), draftOf("c")];
        await store.transact((tx) => tx.units.upsert(drafts, new Map()));
        const all = await classes();
        expect((await store.reader.units.list(all, 10, 0)).map(({ text, path }) => [text, path]).sort()).toEqual([
          ["a", ["Title", "Options"]],
          ["b", ['"Title"', "-x"]],
          ["c", null],
        ]);
        const uids = async (path: unknown) => (await store.reader.units.matching(parseFilter({ path }), all, 10, 10)).uids;
        expect([await uids("Title"), await uids(["-x", "Options"]), await uids({ $prefix: "T" })]).toEqual([[1], [1, 2], [1]]);
        expect([await uids({ $exists: false }), await uids({ $ne: "Title" })]).toEqual([[3], [2, 3]]);
      });

      test("are created, updated or left as they are, in the order of the drafts", async () => {
        await put("same", "other");
        const drafts = [{ ...draftOf("other"), mime: "text/plain" }, draftOf("same"), draftOf("new")];
        const { value } = await store.transact((tx) => tx.units.upsert(drafts, windowsOf("new")));
        expect(value.map(({ uid, status }) => [uid, status])).toEqual([
          [2, "updated"],
          [1, "unchanged"],
          [3, "created"],
        ]);
        expect((await store.reader.units.live([2])).get(2)?.version).toBe(2);
      });

      test("never get the uid of one that is gone", async () => {
        await put("a", "b");
        await store.transact((tx) => tx.units.remove([2]));
        expect(await put("c")).toEqual([3]);
      });

      test("share a class when scope, owner and groups agree, and a class id never stands for another", async () => {
        const draft = (acl_owner: string, text: string, acl_groups: string[]) => ({ ...draftOf(text, { acl_owner }), acl_groups });
        const drafts = [draft("ann", "a", ["x", "y"]), draft("ann", "b", ["y", "x"]), draft("bob", "c", [])];
        await store.transact((tx) => tx.units.upsert(drafts, windowsOf("a", "b", "c")));
        const acls = await store.reader.access.classes();
        expect(acls.map(({ owner, groups }) => [owner, groups])).toEqual([
          ["ann", ["x", "y"]],
          ["bob", []],
        ]);
        await store.transact((tx) => tx.units.remove([1, 2, 3]));
        expect(await store.reader.access.classes()).toEqual(acls);
      });

      test("are listed by time and id; a page goes on after a Unit whatever is stored and removed meanwhile", async () => {
        for (const text of ["a", "b", "c", "d", "e"]) {
          time += 1;
          await put(text);
        }
        const all = await classes();
        const first = await store.reader.units.list(all, 2, 0);
        expect(first.map(({ text }) => text)).toEqual(["a", "b"]);
        time += 1;
        await put("f");
        await store.transact((tx) => tx.units.remove([1]));
        const last = first.at(-1);
        if (last === undefined) throw new Error("a page has Units");
        const rest = await store.reader.units.list(all, 10, last);
        expect(rest.map(({ text }) => text)).toEqual(["c", "d", "e", "f"]);
        expect((await store.reader.units.list(all, 2, 3)).map(({ text }) => text)).toEqual(["e", "f"]);
        expect(await store.reader.units.list([NOBODY], 10, 0)).toEqual([]);
        const newest = await store.reader.units.list(all, 10, 0, "newest");
        expect(newest.map(({ text }) => text)).toEqual((await store.reader.units.list(all, 10, 0)).map(({ text }) => text).reverse());
        expect(await store.reader.units.list(all, 10, newest[1] ?? 0, "newest")).toEqual(newest.slice(2));
      });

      test("of one moment are listed by id, each once over the pages", async () => {
        await put("a", "b", "c", "d", "e");
        const all = await classes();
        const seen: string[] = [];
        for (let from: Parameters<typeof store.reader.units.list>[2] = 0; ; ) {
          const page = await store.reader.units.list(all, 2, from);
          seen.push(...page.map(({ unit_id }) => unit_id));
          const last = page.at(-1);
          if (last === undefined) break;
          from = last;
        }
        expect(seen).toEqual([...seen].sort());
        expect(seen).toHaveLength(5);
      });

      test("are counted and matched inside the classes that are asked for", async () => {
        const drafts = ["a", "b", "c"].map((text, index) => ({ ...draftOf(text, { acl_owner: `o${index % 2}` }), metadata: { part: index } }));
        await store.transact((tx) => tx.units.upsert(drafts, windowsOf("a", "b", "c")));
        const [even = 0, odd = 0] = await classes();
        const { units } = store.reader;
        expect([await units.count(null), await units.count([even]), await units.count([odd]), await units.count([])]).toEqual([3, 2, 1, 0]);
        const late = parseFilter({ "metadata.part": { $gte: 1 } });
        expect(await units.matching(late, [even, odd], 10, 10)).toEqual({ uids: [3, 2], complete: true });
        expect(await units.matching(late, [odd], 10, 10)).toEqual({ uids: [2], complete: true });
        expect((await units.matching(MATCH_ALL, [even, odd], 1, 10)).complete).toBe(false);
        expect(await units.passing(late, [1, 2, 3, 99])).toEqual(new Set([2, 3]));
        expect((await units.counts([even]))[0]).toEqual({ plane: "text", units: 2, vectors: 2, pending: 2, quarantined: 0 });
      });

      test("are matched by the numbers that their metadata has now", async () => {
        const write = (metadata: UnitDraft["metadata"], acl_groups: string[] = []) =>
          store.transact((tx) => tx.units.upsert([{ ...draftOf("a"), metadata, acl_groups }], windowsOf("a")));
        const found = async (filter: Record<string, unknown>) =>
          (await store.reader.units.matching(parseFilter(filter), await classes(), 10, 10)).uids;
        await write({ size: 5.5, flag: true, part: 7, name: "9" });
        expect(await found({ "metadata.size": { $gt: 5 } })).toEqual([1]);
        expect(await found({ "metadata.part": { $gt: 6 }, "metadata.name": "9" })).toEqual([1]);
        expect([await found({ "metadata.flag": { $gte: 0 } }), await found({ "metadata.name": { $gte: 0 } })]).toEqual([[], []]);
        await write({ part: 2 });
        expect([await found({ "metadata.size": { $gt: 4 } }), await found({ "metadata.part": { $gt: 6 } })]).toEqual([[], []]);
        await write({ part: 2 }, ["staff"]);
        expect(await found({ "metadata.part": { $lte: 2 } })).toEqual([1]);
        expect((await store.reader.units.matching(parseFilter({ "metadata.part": { $lte: 2 } }), [1], 10, 10)).uids).toEqual([]);
        await store.transact((tx) => tx.units.remove([1]));
        expect(await found({ "metadata.part": { $lte: 2 } })).toEqual([]);
      });

      test("are counted where they have come to: after changes of their groups, after what was undone, and after they are gone", async () => {
        const { units, features } = store.reader;
        const grouped = (text: string | null, acl_groups: string[]): UnitDraft => ({ ...draftOf(text), acl_groups });
        await store.transact((tx) => tx.units.upsert([grouped("a", []), grouped("b", []), grouped(null, [])], windowsOf("a", "b")));
        const eye = { kind: "picture" as const, labels: [], embedding: Float32Array.of(1, 0) };
        for (let twice = 0; twice < 2; twice += 1) await store.transact((tx) => tx.features.put(1, "eye", eye));
        const change = (tx: NamespaceTransactor) => tx.units.upsert([grouped("a", ["staff"])], new Map());
        const undone = store.transact(async (tx) => {
          await change(tx);
          await tx.units.remove([2]);
          throw new Error("no");
        });
        expect(await kindOf(undone)).toContain("no");
        expect([await units.count([1]), await features.count("picture", "eye", [1])]).toEqual([3, 1]);
        await store.transact(change);
        const seen = async (classId: number) => {
          const [text] = await units.counts([classId]);
          return [text?.units, text?.vectors, await units.count([classId]), await features.count("picture", "eye", [classId])];
        };
        expect([await seen(1), await seen(2)]).toEqual([
          [2, 1, 2, 0],
          [1, 1, 1, 1],
        ]);
        expect(await units.count(null)).toBe(3);
        await store.transact((tx) => tx.units.remove([1, 3]));
        expect([await seen(1), await seen(2)]).toEqual([
          [1, 1, 1, 0],
          [0, 0, 0, 0],
        ]);
      });

      test("are listed page by page as they are listed at once, for few classes and for many", async () => {
        const size = 60;
        const drafts = Array.from({ length: size }, (_, index) => draftOf(`unit ${index}`, { acl_owner: `owner ${index % 20}` }));
        for (const [index, draft] of drafts.entries()) {
          time = 1_000 + Math.floor(index / 7);
          await store.transact((tx) => tx.units.upsert([draft], windowsOf(draft.text ?? "")));
        }
        const all = await classes();
        // So many that their rows are not merged class by class.
        const padded = [...all, ...Array.from({ length: 20_000 }, (_, index) => 1_000 + index)];
        for (const within of [all, all.slice(0, 3), padded]) {
          for (const order of ["oldest", "newest"] as const) {
            const whole = (await store.reader.units.list(within, size, 0, order)).map(({ uid }) => uid);
            const listed: number[] = [];
            for (let offset = 0; ; offset += 7) {
              const page = await store.reader.units.list(within, 8, offset, order);
              listed.push(...page.slice(0, 7).map(({ uid }) => uid));
              if (page.length < 8) break;
            }
            expect(listed).toEqual(whole);
            expect((await store.reader.units.list(within, 5, 11, order)).map(({ uid }) => uid)).toEqual(whole.slice(11, 16));
          }
        }
      });
    });

    test("whoever watches hears of the Units that a commit changed before its transact resolves", async () => {
      const heard: number[][] = [];
      store.watch((uids) => heard.push([...uids]));
      await put("a", "b");
      expect(heard).toEqual([[1, 2]]);
      await put("a");
      await store.transact((tx) => tx.access.register("elsewhere", ["text"]));
      expect(heard).toEqual([[1, 2]]);
      await store.transact((tx) => tx.features.put(1, "eye", { kind: "picture", labels: [], embedding: Float32Array.of(1) }));
      await store.transact((tx) => tx.units.upsert([{ ...draftOf("b"), acl_groups: ["staff"] }], new Map()));
      await store.transact((tx) => tx.units.remove([1]));
      expect(heard.slice(1)).toEqual([[1], [2], [1]].map((uids) => expect.arrayContaining(uids)));
    });

    describe("embeddings", () => {
      test("hang on the text with its path", async () => {
        const drafts = [draftOf("same", { path: ["A"] }), draftOf("same", { path: ["B"] }), draftOf("same")];
        await store.transact((tx) => tx.units.upsert(drafts, windowsOf("A\nsame", "same")));
        const { embeddings, units } = store.reader;
        const [inA, inB, bare] = ["A\nsame", "B\nsame", "same"].map(sha256Hex) as [string, string, string];
        const stored = [...(await units.byUids([1, 2, 3])).values()];
        expect(stored.map(({ embeddedSha256, content_sha256 }) => [embeddedSha256, content_sha256])).toEqual([
          [inA, bare],
          [inB, bare],
          [bare, bare],
        ]);
        expect([...(await embeddings.windowsWithin([inA, inB, bare], await classes())).keys()].sort()).toEqual([inA, bare].sort());
        expect(await embeddings.missing(10)).toEqual([{ hash: inB, text: "B\nsame" }]);
        expect(stored.map(({ windows }) => windows)).toEqual([1, 0, 1]);
        await store.transact((tx) => tx.embeddings.put(inB, windowsOf("B\nsame").get(inB) ?? []));
        expect((await units.byUids([2])).get(2)?.windows).toBe(1);
        expect((await units.entriesAfter(0, 10)).map(({ windows }) => windows[0]?.end)).toEqual([6, 6, 4]);
        await store.transact((tx) => tx.units.remove([1]));
        expect([...(await embeddings.windows([inA, inB, bare])).keys()].sort()).toEqual([inB, bare].sort());
      });

      test("are those of texts, known within classes, and go with the last Unit that has the text", async () => {
        const both = [draftOf("same", { doc_id: "a" }), draftOf("same", { doc_id: "b", acl_owner: "bob" })];
        await store.transact((tx) => tx.units.upsert(both, windowsOf("same")));
        const hash = sha256Hex("same");
        const { embeddings } = store.reader;
        const [anns = 0] = await classes();
        expect((await embeddings.windows([hash, "none"])).get(hash)).toEqual(windowsOf("same").get(hash) as never);
        expect(await embeddings.spans([hash])).toEqual(new Map([[hash, [{ start: 0, end: 4 }]]]));
        expect((await embeddings.windowsWithin([hash], [anns])).size).toBe(1);
        await store.transact((tx) => tx.units.remove([1]));
        expect((await embeddings.windowsWithin([hash], [anns])).size).toBe(0);
        expect((await embeddings.windows([hash])).size).toBe(1);
        await store.transact((tx) => tx.units.remove([2]));
        expect((await embeddings.windows([hash])).size).toBe(0);
      });

      test("that come with a Unit are its alone, and leave with it or when it comes without", async () => {
        const [mine, other] = [draftOf("same"), draftOf("same", { doc_id: "other" })];
        const key = givenKey(mine.unit_id);
        const given = (...vector: number[]) => new Map([[key, [{ start: 0, end: 4, vector: Float32Array.from(vector) }]]]);
        const upsert = (drafts: UnitDraft[], windows: ReadonlyMap<string, TextWindow[]>) =>
          store.transact((tx) => tx.units.upsert(drafts, windows)).then(({ value }) => value.map(({ status }) => status));
        const hash = sha256Hex("same");
        const { embeddings, units } = store.reader;
        const vectors = async () => (await units.entriesAfter(0, 10)).map(({ windows }) => [...(windows[0]?.vector ?? [])]);
        expect(await upsert([mine, other], new Map([...given(1, 0), ...windowsOf("same")]))).toEqual(["created", "created"]);
        expect(await vectors()).toEqual([
          [1, 0],
          [0.5, 0.5, 0.5, 0.5],
        ]);
        await store.transact((tx) => tx.units.remove([2]));
        expect((await embeddings.windowsWithin([hash, key], await classes())).has(hash)).toBe(false);
        expect(await upsert([mine], given(1, 0))).toEqual(["unchanged"]);
        expect(await upsert([mine], given(0, 1))).toEqual(["updated"]);
        expect(await vectors()).toEqual([[0, 1]]);
        expect(await embeddings.missing(10)).toEqual([]);
        expect(await upsert([mine], windowsOf("same"))).toEqual(["updated"]);
        expect(await vectors()).toEqual([[0.5, 0.5, 0.5, 0.5]]);
        expect([...(await embeddings.windows([hash, key])).keys()]).toEqual([hash]);
        expect(await upsert([mine], given(1, 0))).toEqual(["updated"]);
        expect([...(await embeddings.windows([hash, key])).keys()]).toEqual([key]);
        expect((await units.byUids([1])).get(1)?.version).toBe(4);
        expect((await units.counts(await classes()))[0]).toMatchObject({ units: 1, vectors: 1 });
        await store.transact((tx) => tx.units.remove([1]));
        expect((await embeddings.windows([hash, key])).size).toBe(0);
      });

      test("that a text lacks are named until they are there", async () => {
        await store.transact((tx) => tx.units.upsert([draftOf("bare")], new Map()));
        expect(await store.reader.embeddings.missing(10)).toEqual([{ hash: sha256Hex("bare"), text: "bare" }]);
        await store.transact((tx) => tx.embeddings.put(sha256Hex("bare"), windowsOf("bare").get(sha256Hex("bare")) ?? []));
        expect(await store.reader.embeddings.missing(10)).toEqual([]);
        expect((await store.reader.units.counts(await classes()))[0]).toMatchObject({ vectors: 1 });
        expect(await store.reader.embeddings.foreign()).toBe(false);
      });
    });

    test("features are found by labels and by likeness, inside the classes", async () => {
      const drafts = ["a", "b"].map((text) => draftOf(text, { acl_owner: text, plane: "visual" }));
      await store.transact(async (tx) => {
        await tx.units.upsert(drafts, windowsOf("a", "b"));
        const labels = (score: number) => [{ label: 7, score }];
        await tx.features.put(1, "eye", { kind: "picture", labels: labels(0.5), embedding: Float32Array.of(1, 0) });
        await tx.features.put(2, "eye", { kind: "picture", labels: labels(0.25), embedding: Float32Array.of(0, 1) });
      });
      const { features } = store.reader;
      const all = await classes();
      const byLabels = (within: readonly number[], uids: readonly number[] | null, floor = 0) =>
        features.byLabels("picture", [{ label: 7, score: 2 }], { classes: within, uids }, { floor, logarithmic: false, limit: 10 });
      expect(await byLabels(all, null)).toEqual([
        { uid: 1, doc_id: null, score: 1 },
        { uid: 2, doc_id: null, score: 0.5 },
      ]);
      expect((await byLabels(all, [2])).map(({ uid }) => uid)).toEqual([2]);
      expect((await byLabels(all.slice(0, 1), null)).map(({ uid }) => uid)).toEqual([1]);
      expect((await byLabels(all, null, 0.75)).map(({ uid }) => uid)).toEqual([1]);
      const nearest = (least: number) =>
        features.nearest("picture", "eye", Float32Array.of(1, 0), { classes: all, filter: MATCH_ALL }, { limit: 10, least });
      expect(await nearest(-1)).toEqual([
        { uid: 1, score: 1 },
        { uid: 2, score: 0 },
      ]);
      expect(await nearest(0.5)).toHaveLength(1);
      const among = { classes: all, filter: MATCH_ALL, uids: [2, 9] };
      expect(await features.nearest("picture", "eye", Float32Array.of(1, 0), among, { limit: 10, least: -1 })).toEqual([{ uid: 2, score: 0 }]);
      expect([await features.uidsAfter("picture", "eye", 0, 10), await features.uidsAfter("picture", "eye", 0, 1)]).toEqual([[1, 2], [1]]);
      expect([await features.uidsAfter("picture", "eye", 1, 10), await features.uidsAfter("sound", "eye", 0, 10)]).toEqual([[2], []]);
      expect([await features.count("picture", "eye", null), await features.count("picture", "ear", null)]).toEqual([2, 0]);
      expect(await features.count("picture", "eye", all.slice(0, 1))).toBe(1);
      const has = async (kind: "picture" | "sound", within: readonly number[] | null) => features.has(kind, within);
      expect([await has("picture", null), await has("picture", all.slice(1)), await has("picture", [])]).toEqual([true, true, false]);
      expect([await has("sound", null), await has("sound", all)]).toEqual([false, false]);
      expect(await features.embeddings([1, 2, 9])).toEqual(
        new Map([1, 2].map((uid) => [uid, { kind: "picture", model: "eye", embedding: Float32Array.of(2 - uid, uid - 1) }])),
      );
      await store.transact((tx) => tx.units.remove([2]));
      expect([(await features.embeddings([2])).size, await features.count("picture", "eye", all)]).toEqual([0, 1]);
      expect([await has("picture", all), await has("picture", all.slice(1))]).toEqual([true, false]);
    });

    test("scopes are registered with their parents, keep their time, and tell what lies in them", async () => {
      await store.transact((tx) => tx.access.register("a/b", ["text"]));
      time += 5;
      await store.transact((tx) => tx.access.put({ scope: "a", planes: ["text", "code"] as never, read_only_agents: true }));
      await store.transact((tx) => tx.units.upsert([draftOf("one", { scope: "a/b" })], windowsOf("one")));
      const { access } = store.reader;
      expect((await access.scopes()).map(({ scope, parent, created_at, read_only_agents }) => [scope, parent, created_at, read_only_agents])).toEqual(
        [
          ["a", null, 1_000, true],
          ["a/b", "a", 1_000, false],
        ],
      );
      expect([await access.contentOf("a"), await access.contentOf("a/b"), await access.contentOf("c")]).toEqual(["scopes", "Units", null]);
    });

    describe("the outbox", () => {
      test("gets a row of every change for both indexes, and none of a Unit without text", async () => {
        await store.transact((tx) => tx.units.upsert([draftOf("one"), draftOf(null)], windowsOf("one")));
        const { outbox } = store;
        expect((await outbox.waiting()).sort()).toEqual(["fulltext", "text"]);
        expect((await outbox.pending("text", 0, 10)).map(({ unit, windows }) => [unit.uid, windows.length])).toEqual([[1, 1]]);
        expect(await outbox.pending("text", 1, 10)).toEqual([]);
        expect(await outbox.pendingUids("fulltext")).toEqual([1]);
      });

      test("keeps a row until the index holds that version", async () => {
        await put("one");
        const [entry] = await store.outbox.pending("text", 0, 1);
        await store.transact((tx) => tx.units.upsert([{ ...draftOf("one"), mime: "text/plain" }], new Map()));
        await store.outbox.done("text", [{ uid: 1, version: entry?.unit.version ?? 0 }]);
        expect(await store.outbox.pendingUids("text")).toEqual([1]);
        await store.outbox.done("text", [{ uid: 1, version: 2 }]);
        expect(await store.outbox.pendingUids("text")).toEqual([]);
        expect([await store.outbox.settledRows("text"), await store.outbox.settledRows("fulltext")]).toEqual([1, 0]);
      });

      test("counts a page that is not embedded among the rows of full text", async () => {
        const page = draftOf("one", { modality: "doc_page", plane: "doc_visual", metadata: { text_source: "layer" } });
        const { value } = await store.transact((tx) => tx.units.upsert([page], new Map()));
        const [{ uid } = { uid: 0 }] = value;
        for (const index of ["doc_visual", "fulltext"] as const) await store.outbox.done(index, [{ uid, version: 1 }]);
        expect([await store.outbox.settledRows("doc_visual"), await store.outbox.settledRows("fulltext")]).toEqual([0, 1]);
      });

      test("names what an index must let go of until it has", async () => {
        await put("one", "two");
        await store.transact((tx) => tx.units.remove([1, 2]));
        const { outbox } = store;
        expect((await outbox.waiting()).sort()).toEqual(["fulltext", "text"]);
        expect([await outbox.pendingUids("text"), await outbox.removals("text", 1)]).toEqual([[], [1]]);
        for (const index of ["text", "fulltext"] as const) await outbox.removed(index, [1, 2]);
        expect(await outbox.waiting()).toEqual([]);
      });

      test("remembers what is in hand until it is done, put back or set aside", async () => {
        await put("one");
        const { outbox } = store;
        const inHand = { first: 1, last: 1, attempts: 1 };
        for (const end of [
          () => outbox.putBack("text"),
          () => outbox.done("text", []),
          () => outbox.setAside("text", { uid: 1, version: 1 }, "why"),
        ]) {
          await outbox.take("text", inHand);
          expect([await outbox.taken("text"), await outbox.taken("fulltext")]).toEqual([inHand, null]);
          await end();
          expect(await outbox.taken("text")).toBeNull();
        }
      });

      test("sets a Unit aside until it changes or is let in again", async () => {
        await put("one", "two");
        const { outbox } = store;
        const aside = async () => (await outbox.quarantined("text")).map(({ uid, reason }) => [uid, reason]);
        await outbox.setAside("text", { uid: 1, version: 1 }, "no such field");
        await outbox.setAside("text", { uid: 2, version: 1 }, "nor this");
        expect(await aside()).toEqual([
          [1, "no such field"],
          [2, "nor this"],
        ]);
        await outbox.again("text", "all");
        expect(await outbox.pendingUids("text")).toEqual([]);
        await outbox.again("text", [1]);
        await store.transact((tx) => tx.units.upsert([{ ...draftOf("two"), mime: "text/plain" }], new Map()));
        expect([await aside(), await outbox.pendingUids("text")]).toEqual([[], [1, 2]]);
        await outbox.setAside("text", { uid: 1, version: 1 }, "again");
        await store.transact((tx) => tx.units.remove([1]));
        expect(await aside()).toEqual([]);
      });
    });

    describe("facets", () => {
      const many = [
        draftOf("one", { metadata: { tags: ["red", "blue", "red"], n: 1, "a.b": true }, path: ["Book", "Chapter"], doc_id: "d", mime: "text/plain" }),
        draftOf("two", { metadata: { tags: ["red"], n: "1" }, path: ["Book"], doc_id: "d", locator: { kind: "char_span", start: 0, end: 1 } }),
        draftOf("three", { scope: "there", modality: "ocr", plane: "doc_visual", metadata: { n: 1 } }),
      ];
      const fields = ["modality", "scope", "doc_id", "path", "mime", "locator.kind", "metadata.tags", "metadata.n", "metadata.a.b"] as const;
      const tally = async (text = "{}", within?: number[]): Promise<Record<string, unknown>> => {
        const filter = text === "{}" ? MATCH_ALL : parseFilter(JSON.parse(text));
        const { units, counts } = await store.reader.units.tally([1, 2, 3, 99], fields, { classes: within ?? (await classes()), filter });
        return { ...Object.fromEntries(fields.map((field, index) => [field, [...(counts[index] ?? [])].sort()])), units };
      };

      test("the values of Units under each field, counted", async () => {
        await store.transact((tx) => tx.units.upsert(many, new Map()));
        expect(await tally()).toEqual({
          units: 3,
          modality: [
            ["ocr", 1],
            ["text", 2],
          ],
          scope: [
            ["here", 2],
            ["there", 1],
          ],
          doc_id: [["d", 2]],
          path: [["Book", 2]],
          mime: [["text/plain", 1]],
          "locator.kind": [["char_span", 1]],
          "metadata.tags": [
            ["blue", 1],
            ["red", 2],
          ],
          "metadata.n": expect.arrayContaining([
            [1, 2],
            ["1", 1],
          ]),
          "metadata.a.b": [[true, 1]],
        });
      });

      test("of those alone that lie in the classes and pass the filter", async () => {
        await store.transact((tx) => tx.units.upsert(many, new Map()));
        expect(await tally('{"metadata.n":{"$gte":1}}')).toMatchObject({ units: 2, "metadata.n": [[1, 2]] });
        expect(await tally('{"path":"Chapter"}')).toMatchObject({ units: 1, path: [["Book", 1]] });
        const [first] = await classes();
        expect(await tally("{}", [first ?? 0])).toMatchObject({ units: 2, scope: [["here", 2]] });
        expect(await tally("{}", [])).toMatchObject({ units: 0, scope: [] });
      });
    });

    describe("files and jobs", () => {
      const facts = { scope: "here", acl_owner: "ann", acl_groups: [], doc_id: "d", name: "a.txt", kind: "document", mime: "text/plain" } as const;
      const file = { ...facts, file_id: "f", bytes: 7, sha256: "0".repeat(64), metadata: null, acl_groups: [] as string[], extractor: 1 };

      test("a file keeps its time, names its Units, and goes with its jobs", async () => {
        await put("one", "two");
        await store.transact(async (tx) => {
          await tx.files.put(file);
          await tx.files.addUnits("f", [1, 2]);
          await tx.jobs.enqueue("j", "f");
        });
        time += 5;
        await store.transact((tx) => tx.files.put({ ...file, name: "b.txt" }));
        const { files } = store.reader;
        const all = await classes();
        expect(await files.byId("f")).toEqual({ ...file, name: "b.txt", created_at: 1_000, updated_at: 1_005 });
        expect([(await files.ofUnit(2))?.file_id, await files.ofUnit(3)]).toEqual(["f", null]);
        expect([await files.uids("f"), (await files.unitIds("f", all)).length, await files.unitIds("f", [])]).toEqual([[1, 2], 2, []]);
        expect([await files.hasUnits("f", null), await files.hasUnits("f", all), await files.hasUnits("f", [])]).toEqual([true, true, false]);
        expect([(await files.withUnits()).length, await files.bytesIn(all), await files.bytesIn([])]).toEqual([1, 7, 0]);
        expect([await files.usesObject(file.sha256), await files.usesObject("1".repeat(64))]).toEqual([true, false]);
        await store.transact(async (tx) => {
          await tx.units.remove([1, 2]);
          await tx.files.remove("f");
        });
        expect([await files.byId("f"), await store.reader.jobs.byId("j"), await files.usesObject(file.sha256)]).toEqual([null, null, false]);
      });

      test("bytes and Units of files are told by class, and a file in several classes counts once", async () => {
        const { files } = store.reader;
        const [one = 0, two = 0, three = 0] = await put("one", "two", "three");
        await store.transact(async (tx) => {
          await tx.files.put(file);
          await tx.files.put({ ...file, file_id: "g", bytes: 100 });
          await tx.files.addUnits("f", [one, two]);
          await tx.files.addUnits("g", [three]);
        });
        const toOps = (text: string) => store.transact((tx) => tx.units.upsert([draftOf(text, { acl_groups: ["ops"] })], new Map()));
        await toOps("two");
        const [open = 0, ops = 0] = await classes();
        const bytes = () => Promise.all([[open], [ops], [open, ops], []].map((among) => files.bytesIn(among)));
        expect(await bytes()).toEqual([107, 7, 107, 0]);
        expect([await files.countUnits("f", [open]), await files.countUnits("f", [open, ops]), await files.countUnits("f", [])]).toEqual([1, 2, 0]);
        expect([await files.hasUnits("f", [ops]), await files.hasUnits("g", [ops])]).toEqual([true, false]);
        await toOps("one");
        expect(await bytes()).toEqual([100, 7, 107, 0]);
        // A Unit that another file gives as well is that one's.
        await store.transact((tx) => tx.files.addUnits("g", [one]));
        expect(await bytes()).toEqual([100, 107, 107, 0]);
        const { value } = await store.transact(async (tx) => {
          const [{ uid } = { uid: 0 }] = await tx.units.upsert([draftOf("four", { acl_owner: "bob" })], new Map());
          await tx.files.addUnits("g", [uid]);
          return uid;
        });
        expect([await files.bytesIn(await classes()), ...(await bytes())]).toEqual([107, 100, 107, 107, 0]);
        await store.transact((tx) => tx.units.remove([three]));
        expect([await files.bytesIn(await classes()), ...(await bytes())]).toEqual([107, 0, 107, 107, 0]);
        await store.transact((tx) => tx.units.remove([one, two, value]));
        expect(await bytes()).toEqual([0, 0, 0, 0]);
      });

      test("a file that is read again has former Units until it is done, and loses none when it is given up", async () => {
        const [one = 0, two = 0, three = 0] = await put("one", "two", "three");
        const { files } = store.reader;
        const begin = () => store.transact((tx) => tx.files.beginReading("f")).then(({ value }) => value);
        await store.transact(async (tx) => {
          await tx.files.put(file);
          await tx.files.addUnits("f", [one, two]);
        });
        expect([await begin(), await files.formerUnits("f")]).toEqual([[], 2]);
        await store.transact((tx) => tx.files.addUnits("f", [two, three], "fresh"));
        expect([await files.formerUnits("f"), await files.uids("f")]).toEqual([1, [one, two, three]]);
        // Begun once more, what the first try made is to go.
        expect([await begin(), await files.formerUnits("f")]).toEqual([[three], 2]);
        await store.transact((tx) => tx.files.addUnits("f", [two, three], "fresh"));
        expect((await store.transact((tx) => tx.files.abandonReading("f"))).value).toEqual([three]);
        expect(await files.formerUnits("f")).toBe(0);
        expect(await begin()).toEqual([three]);
        await store.transact((tx) => tx.files.addUnits("f", [two, three], "fresh"));
        expect((await store.transact((tx) => tx.files.endReading("f", 2))).value).toEqual([one]);
        expect(await files.byId("f")).toMatchObject({ extractor: 2 });
        await store.transact((tx) => tx.units.remove([one]));
        expect([await files.uids("f"), await begin()]).toEqual([[two, three], []]);
      });

      test("files that older extractors read are found by kind and scope, with what they have and had", async () => {
        const versions = { picture: 1, document: 2, sound: 1, video: 1, log: 2 };
        const [one = 0, two = 0] = await put("one", "two");
        await store.transact(async (tx) => {
          await tx.files.put({ ...file, file_id: "a" });
          await tx.files.put({ ...file, file_id: "b", scope: "there", sha256: "1".repeat(64) });
          await tx.files.put({ ...file, file_id: "c", kind: "picture", mime: "image/png", sha256: "2".repeat(64) });
          await tx.files.put({ ...file, file_id: "d", extractor: 2, sha256: "3".repeat(64) });
          await tx.files.addUnits("a", [one, two]);
          const job = await tx.jobs.enqueue("j1", "a", "ann");
          await tx.jobs.put({ ...job, state: "done", units: 3 });
          await tx.jobs.enqueue("j2", "a");
        });
        const { files, jobs } = store.reader;
        const found = async (scopes: string[], after = "", limit = 10) =>
          (await files.outdated(versions, scopes, after, limit)).map(({ file: { file_id }, units, made }) => [file_id, units, made]);
        expect(await found(["here", "there"])).toEqual([
          ["a", 2, 3],
          ["b", 0, null],
        ]);
        expect([await found(["here", "there"], "a"), await found(["here", "there"], "", 1), await found([])]).toEqual([
          [["b", 0, null]],
          [["a", 2, 3]],
          [],
        ]);
        expect([await files.countOutdated(versions, null), await files.countOutdated(versions, ["there"])]).toEqual([
          { files: 2, units: 2 },
          { files: 1, units: 0 },
        ]);
        expect([(await jobs.byId("j1"))?.asked_by, (await jobs.byId("j2"))?.asked_by, (await jobs.byId("j2"))?.extractor]).toEqual([
          "ann",
          null,
          null,
        ]);
      });

      test("files of some scopes, newest first, page by page, and their Units counted", async () => {
        await put("one", "two");
        const made = async (file_id: string, scope: string) => {
          await store.transact((tx) => tx.files.put({ ...file, file_id, scope, sha256: sha256Hex(file_id) }));
          time += 5;
        };
        await made("b", "here");
        await made("there", "there");
        await made("a", "here");
        time -= 5;
        await made("c", "here");
        const { files } = store.reader;
        const ids = (listed: readonly { file_id: string }[]) => listed.map(({ file_id }) => file_id);
        expect(ids(await files.newest(["here", "there"], null, 10))).toEqual(["c", "a", "there", "b"]);
        const first = await files.newest(["here"], null, 2);
        expect(ids(first)).toEqual(["c", "a"]);
        expect(ids(await files.newest(["here"], first.at(-1) ?? null, 2))).toEqual(["b"]);
        expect(await files.newest([], null, 10)).toEqual([]);
        await store.transact((tx) => tx.files.addUnits("b", [1, 2]));
        expect([await files.countUnits("b", await classes()), await files.countUnits("b", []), await files.countUnits("a", await classes())]).toEqual(
          [2, 0, 0],
        );
      });

      test("the different groups of a file's Units", async () => {
        const drafts = ["one", "two", "three"].map((text, at) => draftOf(text, { acl_groups: at === 0 ? ["crew"] : ["board", "crew"] }));
        await store.transact(async (tx) => {
          await tx.files.put(file);
          const stored = await tx.units.upsert(drafts, new Map());
          await tx.files.addUnits(
            "f",
            stored.map(({ uid }) => uid),
          );
        });
        expect(await store.reader.files.groupsOfUnits("f")).toEqual([["board", "crew"], ["crew"]]);
      });

      test("jobs stand in the order in which they were made", async () => {
        await store.transact(async (tx) => {
          await tx.files.put(file);
          const first = await tx.jobs.enqueue("j1", "f");
          await tx.jobs.enqueue("j2", "f");
          await tx.jobs.put({ ...first, state: "done", notes: ["a"], error: null });
        });
        const { jobs } = store.reader;
        expect((await jobs.active()).map(({ job_id }) => job_id)).toEqual(["j2"]);
        expect([await jobs.activeCount(), (await jobs.lastOf("f"))?.job_id, await jobs.wasDone("f")]).toEqual([1, "j2", true]);
        expect(await jobs.byId("j1")).toMatchObject({ state: "done", notes: ["a"], error: null });
        expect(Object.keys((await jobs.byId("j1")) ?? {})).not.toContain("lease");
      });

      test("a lease is one's own until it ends; who lost it stores nothing", async () => {
        const lease = (forMs: number) => store.transact((tx) => tx.jobs.lease("j", forMs)).then(({ value }) => value);
        await store.transact(async (tx) => {
          await tx.files.put(file);
          await tx.jobs.enqueue("j", "f");
        });
        const first = await lease(100);
        expect(await lease(100)).toBeNull();
        if (first === null) throw new Error("the first lease is given");
        const renewed = (await store.transact((tx) => tx.jobs.renew(first, 200))).value;
        time += 150;
        expect(await lease(100)).toBeNull();
        time += 100;
        const second = await lease(100);
        expect(second?.token).not.toBe(first.token);
        const work = (mine: typeof first) =>
          store.transact(async (tx) => {
            const job = await tx.jobs.byId("j");
            if (job === null) throw new Error("the job is there");
            await tx.units.upsert([draftOf("stored")], windowsOf("stored"));
            await tx.jobs.advance(mine, { ...job, state: "running", next_part: 1 });
          });
        expect(await kindOf(work(renewed))).toBe("conflict");
        expect([await texts(), (await store.reader.jobs.byId("j"))?.next_part]).toEqual([[], 0]);
        if (second === null) throw new Error("the second lease is given");
        await work(second);
        expect([await texts(), (await store.reader.jobs.byId("j"))?.next_part]).toEqual([["stored"], 1]);
        await store.transact((tx) => tx.jobs.release(second));
        expect(await lease(100)).not.toBeNull();
        await store.transact((tx) => tx.files.remove("f"));
        expect(await kindOf(store.transact((tx) => tx.jobs.renew(second, 100)))).toBe("conflict");
      });

      test("a job that is finished, or was never there, is leased to nobody", async () => {
        const { value } = await store.transact(async (tx) => {
          await tx.files.put(file);
          const job = await tx.jobs.enqueue("j", "f");
          await tx.jobs.put({ ...job, state: "failed" });
          return [await tx.jobs.lease("j", 100), await tx.jobs.lease("none", 100)];
        });
        expect(value).toEqual([null, null]);
      });
    });

    test("the ledger is verified for each who asks with all rows that were there when it was asked", async () => {
      const append = () => store.transact((tx) => tx.ledger.append(EVENT));
      const reports = [];
      for (let rows = 1; rows <= 4; rows += 1) {
        await append();
        reports.push(store.reader.ledger.verify(), store.reader.ledger.verify());
      }
      for (const [index, { intact, checked }] of (await Promise.all(reports)).entries()) {
        expect(intact).toBe(true);
        expect(checked).toBeGreaterThanOrEqual(Math.floor(index / 2) + 1);
      }
    });

    test("the ledger is a chain of what was committed, newest first", async () => {
      for (const target of ["a", "b", "c"]) {
        time += 10;
        await store.transact((tx) => tx.ledger.append({ ...EVENT, target }));
      }
      const { ledger } = store.reader;
      expect((await ledger.page(2, 0)).map(({ seq, target }) => [seq, target])).toEqual([
        [3, "c"],
        [2, "b"],
      ]);
      expect((await ledger.page(2, 2)).map(({ seq }) => seq)).toEqual([1]);
      expect([await ledger.length(), await ledger.countSince(["search"], 1_020), await ledger.countSince(["seed"], 0)]).toEqual([3, 2, 0]);
      const report = await ledger.verify();
      expect(report).toMatchObject({ intact: true, checked: 3, head_seq: 3, break_at: null });
      expect(report.head_hash).toBe((await ledger.page(1, 0))[0]?.row_hash ?? "");
    });

    test("the ledger is verified part by part, after rows that whoever asks vouches for", async () => {
      for (let rows = 0; rows < 5; rows += 1) await store.transact((tx) => tx.ledger.append(EVENT));
      const { ledger } = store.reader;
      const marks = (await ledger.page(5, 0)).map(({ seq, row_hash }) => ({ seq, row_hash })).reverse();
      const [, second = GENESIS, third = GENESIS, , last = GENESIS] = marks;
      const end = (mark: RowMark) => ({ head_seq: mark.seq, head_hash: mark.row_hash, break_at: null, reason: null });
      const namespace = store.namespace;
      expect(await ledger.verify({ after: GENESIS, limit: 2 })).toEqual({ namespace, intact: true, checked: 2, ...end(second), more: true });
      expect(await ledger.verify({ after: second, limit: 1 })).toEqual({ namespace, intact: true, checked: 1, ...end(third), after: 2, more: true });
      for (const limit of [2, 9]) {
        expect(await ledger.verify({ after: third, limit })).toEqual({ namespace, intact: true, checked: 2, ...end(last), after: 3 });
      }
      expect(await ledger.verify({ after: last, limit: 9 })).toEqual({ namespace, intact: true, checked: 0, ...end(last), after: 5 });
      for (const after of [
        { ...second, seq: 3 },
        { ...last, seq: 6 },
      ]) {
        expect(await ledger.verify({ after, limit: 9 })).toMatchObject({ intact: false, checked: 0, break_at: after.seq, after: after.seq });
      }
    });

    test("an answer is remembered by principal and key for IDEMPOTENCY_TTL_MS", async () => {
      await store.transact((tx) => tx.idempotency.remember("ann", "key", "hash", "{}"));
      const { idempotency } = store.reader;
      expect(await idempotency.find("ann", "key")).toEqual({ body_sha256: "hash", response: "{}" });
      expect([await idempotency.find("bob", "key"), await idempotency.find("ann", "other")]).toEqual([null, null]);
      time += IDEMPOTENCY_TTL_MS;
      expect(await idempotency.find("ann", "key")).toBeNull();
    });
  });
}
