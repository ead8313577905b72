/** A bounded number of resources kept open: which is closed for another, who waits, and what a failure leaves. */
import { describe, expect, test } from "bun:test";
import { KeptOpen } from "../../src/base/kept-open.ts";

/** Notes what is opened and closed; at most `most` were open at once. */
class World {
  readonly events: string[] = [];
  readonly open = new Set<string>();
  most = 0;
  /** What closing waits for. */
  gate: Promise<void> = Promise.resolve();

  readonly opener = (name: string) => async () => {
    await Bun.sleep(0);
    if (this.open.has(name)) throw new Error(`${name} is open twice`);
    this.open.add(name);
    this.events.push(`+${name}`);
    this.most = Math.max(this.most, this.open.size);
    return {
      name,
      close: async () => {
        await this.gate;
        this.open.delete(name);
        this.events.push(`-${name}`);
      },
    };
  };
}

function worldOf(max: number, waitMs = 60_000) {
  const world = new World();
  const kept = new KeptOpen<{ name: string; close(): Promise<void> }>({ max, waitMs });
  const use = <T>(name: string, work: () => Promise<T>) => kept.during(name, world.opener(name), work);
  return { world, kept, use, touch: (name: string) => use(name, async () => name) };
}

describe("resources that are kept open", () => {
  test("the one that was let go of longest ago makes room", async () => {
    const { world, touch, kept } = worldOf(2);
    for (const name of ["a", "b", "a", "c", "a"]) await touch(name);
    expect(world.events).toEqual(["+a", "+b", "-b", "+c"]);
    expect(kept.values().map(({ name }) => name)).toEqual(["c", "a"]);
    expect(kept.size).toBe(2);
  });

  test("one that is held is never closed: who needs another waits", async () => {
    const { world, use, touch } = worldOf(1);
    const go = Promise.withResolvers<void>();
    const held = use("a", async () => {
      await go.promise;
      return world.open.has("a");
    });
    const others = ["b", "c", "d"].map(touch);
    await Bun.sleep(5);
    expect(world.events).toEqual(["+a"]);
    // One that is open already waits for nobody.
    expect(await touch("a")).toBe("a");
    go.resolve();
    expect(await held).toBe(true);
    expect(await Promise.all(others)).toEqual(["b", "c", "d"]);
    expect(world.events).toEqual(["+a", "-a", "+b", "-b", "+c", "-c", "+d"]);
  });

  test("who wants one that is being closed opens it anew", async () => {
    const { world, touch } = worldOf(1);
    await touch("a");
    const go = Promise.withResolvers<void>();
    world.gate = go.promise;
    const both = [touch("b"), touch("a")];
    await Bun.sleep(5);
    expect(world.events).toEqual(["+a"]);
    go.resolve();
    expect(await Promise.all(both)).toEqual(["b", "a"]);
    expect(world.events).toEqual(["+a", "-a", "+b", "-b", "+a"]);
  });

  test("many at once are all served, and no more are open than may be", async () => {
    const { world, use } = worldOf(3);
    const names = Array.from({ length: 200 }, (_, index) => `n${index % 40}`);
    const served = await Promise.all(names.map((name, index) => use(name, () => Bun.sleep(index % 3).then(() => world.open.has(name)))));
    expect(served).toEqual(names.map(() => true));
    expect(world.most).toBe(3);
  });

  test("one that does not open gives its place back, and is tried again", async () => {
    const { kept, touch } = worldOf(1);
    const broken = kept.during(
      "a",
      () => Promise.reject(new Error("broken")),
      async () => "never",
    );
    const other = touch("b");
    await expect(broken).rejects.toThrow("broken");
    expect(await other).toBe("b");
    expect(await touch("a")).toBe("a");
  });

  test("who waits too long is refused, and the next is served", async () => {
    const { use, touch, kept } = worldOf(1, 20);
    const go = Promise.withResolvers<void>();
    const held = use("a", () => go.promise);
    await expect(touch("b")).rejects.toMatchObject({ kind: "unavailable" });
    go.resolve();
    await held;
    expect(await touch("b")).toBe("b");
    expect(kept.size).toBe(1);
  });

  test("close closes what is open and on its way, and refuses whoever waits or comes", async () => {
    const { world, touch, use, kept } = worldOf(2);
    await kept.keep("a", world.opener("a"));
    const opening = use("b", () => Bun.sleep(1));
    const waiting = touch("c").catch((error: unknown) => error);
    await Promise.all([kept.close(), opening]);
    expect(await waiting).toMatchObject({ kind: "unavailable" });
    expect(world.events.toSorted()).toEqual(["+a", "+b", "-a", "-b"]);
    expect(world.open.size).toBe(0);
    await expect(touch("a")).rejects.toMatchObject({ kind: "unavailable" });
  });
});
