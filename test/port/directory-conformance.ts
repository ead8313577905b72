/** What every Directory must do, as a suite over a factory. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Fault } from "../../src/base/fault.ts";
import { NAMESPACE_MAX_TOKENS, SESSION_IDLE_MS, SESSION_MAX_MS } from "../../src/base/limits.ts";
import type { Directory, DirectoryTransactor } from "../../src/domain/port/directory.ts";
import { newPrincipal, superAdmin } from "../../src/domain/principal.ts";

export type DirectoryFactory = (now: () => number) => { directory: Directory; close(): void };

const ann = newPrincipal("main", "ann", { perms: ["read"] });

async function kindOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  return error instanceof Fault ? error.kind : String(error);
}

export function directoryConformance(name: string, open: DirectoryFactory): void {
  describe(`the directory of ${name}`, () => {
    let directory: Directory;
    let close: () => void;
    let time: number;
    beforeEach(async () => {
      time = 1_000;
      ({ directory, close } = open(() => time));
      await directory.transact(async (tx) => {
        await tx.putNamespace("main", "pro");
        await tx.putPrincipal(ann);
      });
    });
    afterEach(() => close());

    const create = (token = "t") => directory.transact((tx) => tx.createToken({ name: token, namespace: "main", principal_id: "ann" }));

    test("a transaction is seen by nobody before it commits, and leaves nothing when it throws", async () => {
      let during: Promise<unknown> = Promise.resolve();
      const failing = directory.transact(async (tx) => {
        await tx.putNamespace("other", "free");
        expect(await tx.namespace("other")).toMatchObject({ tier: "free" });
        during = directory.namespace("other");
        await tx.namespaces();
        throw new Fault("conflict", "no");
      });
      expect(await kindOf(failing)).toBe("conflict");
      expect([await during, await directory.namespace("other")]).toEqual([null, null]);
      expect((await directory.namespaces()).map(({ namespace }) => namespace)).toEqual(["main"]);
    });

    test("transactions run one after the other, and none is used after its end", async () => {
      const kept: DirectoryTransactor[] = [];
      const order: string[] = [];
      const step = (label: string) =>
        directory.transact(async (tx) => {
          kept.push(tx);
          order.push(`${label} begins`);
          await tx.hasTokens();
          order.push(`${label} ends`);
        });
      await Promise.all([step("a"), step("b")]);
      expect(order).toEqual(["a begins", "a ends", "b begins", "b ends"]);
      for (const tx of kept) expect(await kindOf(tx.putNamespace("late", "free"))).toContain("after its end");
    });

    test("a namespace keeps what it told of hidden Units until it is told otherwise", async () => {
      await directory.transact((tx) => tx.putNamespace("main", "pro", "coarse"));
      await directory.transact((tx) => tx.putNamespace("main", "enterprise"));
      expect(await directory.namespace("main")).toEqual({ namespace: "main", tier: "enterprise", hidden_count: "coarse", language: "en" });
    });

    test("the language of a namespace is chosen when it is made, and stays", async () => {
      await directory.transact((tx) => tx.putNamespace("werk", "pro", "exact", "de"));
      await directory.transact((tx) => tx.putNamespace("werk", "enterprise", "none", "zh"));
      expect(await directory.namespace("werk")).toEqual({ namespace: "werk", tier: "enterprise", hidden_count: "none", language: "de" });
    });

    test("a principal is refused without its namespace, beyond its tier, and when it would become a super-admin", async () => {
      const put = (principal: typeof ann) => kindOf(directory.transact((tx) => tx.putPrincipal(principal)));
      expect(await put({ ...ann, namespace: "none" })).toBe("not_found");
      await directory.transact((tx) => tx.putNamespace("main", "free"));
      expect(await put({ ...ann, perms: ["admin"] })).toBe("upgrade_required");
      expect(await put(superAdmin("main", "ann"))).toBe("conflict");
      expect(await directory.principal("main", "ann")).toEqual(ann);
    });

    test("a token stands for its principal until it is revoked, with its sessions", async () => {
      expect(await directory.hasTokens()).toBe(false);
      const { id, secret } = await create();
      expect(await directory.byToken(secret)).toEqual({ principal: ann, seeded: false, credential: "token" });
      expect(await directory.token(id)).toMatchObject({ id, name: "t", namespace: "main", principal_id: "ann", seeded: false, revoked_at: null });
      const session = await directory.openSession(secret);
      expect(session.expires_at).toBe(1_000 + SESSION_MAX_MS);
      expect(await directory.bySession(session.secret)).toEqual({ principal: ann, seeded: false, credential: "token" });
      await directory.transact((tx) => tx.revokeTokenById(id));
      expect([await directory.byToken(secret), await directory.bySession(session.secret)]).toEqual([null, null]);
      expect([await directory.hasTokens(), (await directory.token(id))?.revoked_at]).toEqual([true, 1_000]);
      await directory.transact((tx) => tx.putToken({ name: "t", secret, namespace: "main", principal_id: "ann", seeded: false }));
      expect(await directory.byToken(secret)).toBeNull();
    });

    test("a session lives while it is used, ends when it is not, and at its latest", async () => {
      const { secret } = await create();
      const session = await directory.openSession(secret);
      for (let used = 0; used < SESSION_MAX_MS - SESSION_IDLE_MS; used += SESSION_IDLE_MS / 2) {
        time += SESSION_IDLE_MS / 2;
        expect(await directory.bySession(session.secret)).not.toBeNull();
      }
      time = 1_000 + SESSION_MAX_MS;
      expect(await directory.bySession(session.secret)).toBeNull();
      const idle = await directory.openSession(secret);
      time += SESSION_IDLE_MS;
      expect(await directory.bySession(idle.secret)).toBeNull();
      const closed = await directory.openSession(secret);
      await directory.closeSession(closed.secret);
      expect(await directory.bySession(closed.secret)).toBeNull();
    });

    test("a name is one live token's, and a namespace holds so many of them", async () => {
      await create("t0");
      expect(await kindOf(create("t0"))).toBe("conflict");
      await directory.transact(async (tx) => {
        for (let n = 1; n < NAMESPACE_MAX_TOKENS; n += 1) {
          await tx.putToken({ name: `t${n}`, secret: `s${n}`, namespace: "main", principal_id: "ann", seeded: false });
        }
      });
      expect(await kindOf(create("more"))).toBe("conflict");
      const [first] = await directory.tokens("main");
      await directory.transact((tx) => tx.revokeTokenById(first?.id ?? ""));
      await create("more");
      expect([(await directory.tokens("main")).length, (await directory.tokens("none")).length]).toEqual([NAMESPACE_MAX_TOKENS + 1, 0]);
      expect(await directory.tokens(null)).toEqual(await directory.tokens("main"));
    });

    test("a seeding that has begun is known until it ends, with what an earlier one was to make", async () => {
      expect(await directory.begunSeeding()).toBeNull();
      await directory.transact((tx) => tx.beginSeeding({ principal_id: "first-run", super_admin: true }));
      const both = await directory.transact((tx) => tx.beginSeeding({ principal_id: "ann", super_admin: false }));
      expect(both).toEqual({ principal_id: "ann", super_admin: true });
      expect(await directory.begunSeeding()).toEqual(both);
      await directory.transact((tx) => tx.endSeeding());
      expect(await directory.begunSeeding()).toBeNull();
    });
  });
}
