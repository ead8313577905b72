/** What every ObjectStore must do, as a suite over a factory. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { Fault } from "../../src/base/fault.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { FILE_MAX_BYTES } from "../../src/base/limits.ts";
import type { ObjectStore, Received } from "../../src/domain/port/objects.ts";

export type ObjectsFactory = () => { objects: ObjectStore; remove(): void };

const HELLO = Buffer.from("hello");
const ID = sha256Hex("hello");

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

export function objectsConformance(name: string, open: ObjectsFactory): void {
  describe(`the objects of ${name}`, () => {
    let objects: ObjectStore;
    let remove: () => void;
    beforeEach(() => {
      ({ objects, remove } = open());
    });
    afterEach(() => remove());

    const receive = () => objects.receive(chunks(HELLO.subarray(0, 2), HELLO.subarray(2)));
    const text = async (sha256: string) => (await objects.open(sha256))?.text() ?? null;
    const kept = async (): Promise<Received> => {
      const received = await receive();
      await objects.keep(received);
      return received;
    };

    test("what is received has its hash and size, and no name before it is kept", async () => {
      const received = await receive();
      expect(received).toMatchObject({ bytes: 5, sha256: ID });
      expect(await text(ID)).toBeNull();
      expect(await objects.onDisk(received, async (path) => (await readFile(path)).toString())).toBe("hello");
      await objects.keep(received);
      await objects.release(ID, true);
      expect(await text(ID)).toBe("hello");
      expect(await (await objects.open(ID))?.slice(1, 3).text()).toBe("el");
      expect(await objects.onDisk(ID, async (path) => (await readFile(path)).toString())).toBe("hello");
      expect([await objects.fault(ID), await objects.fault("0".repeat(64))]).toEqual([null, "missing"]);
    });

    test("a stream that breaks or is too long leaves nothing", async () => {
      const broken = objects.receive(
        (async function* () {
          yield HELLO;
          throw new Fault("bad_request", "cut");
        })(),
      );
      expect(await broken.catch((error: Fault) => error.kind)).toBe("bad_request");
      const long = objects.receive(chunks(new Uint8Array(FILE_MAX_BYTES + 1)));
      expect(await long.catch((error: Fault) => error.kind)).toBe("payload_too_large");
      expect(await objects.sweep(async () => false)).toBe(0);
    });

    test("an object that somebody is about to use is not removed", async () => {
      await kept();
      await objects.remove(ID);
      expect(await text(ID)).toBe("hello");
      await kept();
      await objects.release(ID, false);
      expect(await text(ID)).toBe("hello");
      await objects.release(ID, false);
      expect(await text(ID)).toBeNull();
    });

    test("a sweep removes what nobody uses, and nothing that is in hand", async () => {
      const other = await objects.receive(chunks(Buffer.from("other")));
      await kept();
      expect(await objects.sweep(async () => false)).toBe(0);
      await objects.release(ID, true);
      expect(await objects.sweep(async (sha256) => sha256 === ID)).toBe(0);
      expect(await text(ID)).toBe("hello");
      await objects.keep(other);
      expect(await text(other.sha256)).toBe("other");
      expect(await objects.sweep(async () => false)).toBe(1);
      expect(await text(ID)).toBeNull();
    });

    test("what is discarded is gone, and discarding what was kept is harmless", async () => {
      await objects.discard(await receive());
      const received = await kept();
      await objects.discard(received);
      await objects.release(ID, true);
      expect(await text(ID)).toBe("hello");
      expect(await objects.sweep(async () => true)).toBe(0);
    });
  });
}
