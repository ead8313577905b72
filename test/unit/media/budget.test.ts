/** The memory budget: who is granted what, in which order, and what is too little. */
import { describe, expect, test } from "bun:test";
import { FFMPEG_MAX_BYTES, MEDIA_PROCESS_FIRST_BYTES, MEDIA_PROCESS_MAX_BYTES } from "../../../src/base/limits.ts";
import { defaultMemoryBytes, memoryOfMachine } from "../../../src/runtime/memory.ts";
import { bytesOf, checkReadable, MemoryBudget, shareFor, unreadableKinds } from "../../../src/media/sandbox/memory-budget.ts";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** A budget whose grants are told by name. */
function counted(bytes: number) {
  const budget = new MemoryBudget(bytes);
  const granted: string[] = [];
  const release = new Map<string, () => void>();
  const ask = async (name: string, size: number, leave = 0, signal?: AbortSignal) => {
    release.set(name, await budget.take(size, leave, signal));
    granted.push(name);
  };
  return { budget, granted, ask, giveBack: (name: string) => release.get(name)?.() };
}

const settle = () => Bun.sleep(0);

describe("a budget", () => {
  test("grants no more than it has, first come first served, and a small one does not pass a large one", async () => {
    const { granted, ask, giveBack } = counted(10);
    void ask("a", 6);
    void ask("b", 6);
    void ask("c", 1);
    await settle();
    expect(granted).toEqual(["a"]);
    giveBack("a");
    await settle();
    expect(granted).toEqual(["a", "b", "c"]);
  });

  test("is granted whole to one who asks for more, alone", async () => {
    const { granted, ask, giveBack } = counted(10);
    void ask("a", 1);
    void ask("b", 50);
    await settle();
    expect(granted).toEqual(["a"]);
    giveBack("a");
    await settle();
    void ask("c", 1);
    await settle();
    expect(granted).toEqual(["a", "b"]);
  });

  test("keeps free what files are to leave, and serves those first for whom it is", async () => {
    const { granted, ask, giveBack } = counted(10);
    void ask("file 1", 5, 4);
    void ask("file 2", 5, 4);
    await settle();
    expect(granted).toEqual(["file 1"]);
    void ask("preview 1", 4);
    void ask("preview 2", 4);
    await settle();
    expect(granted).toEqual(["file 1", "preview 1"]);
    giveBack("file 1");
    await settle();
    expect(granted).toEqual(["file 1", "preview 1", "preview 2"]);
    giveBack("preview 1");
    giveBack("preview 2");
    await settle();
    expect(granted.at(-1)).toBe("file 2");
  });

  test("what is not used is freed for who waits, the oldest first, and not before", async () => {
    const { budget, granted, ask, giveBack } = counted(10);
    for (const name of ["a", "b"]) await ask(name, 5);
    const freed: string[] = [];
    // One that ended by itself has nothing to free: it is passed over.
    budget.offer(() => false);
    for (const name of ["a", "b"]) {
      budget.offer(() => {
        freed.push(name);
        giveBack(name);
        return true;
      });
    }
    expect(freed).toEqual([]);
    await ask("c", 5);
    expect(freed).toEqual(["a"]);
    expect(granted).toEqual(["a", "b", "c"]);
  });

  test("who gives up waiting holds nobody up, and what is given back twice counts once", async () => {
    const { budget, granted, ask, giveBack } = counted(10);
    await ask("a", 5);
    const impatient = new AbortController();
    const large = ask("large", 9, 0, impatient.signal).catch((error: unknown) => error);
    void ask("b", 5);
    await settle();
    expect([granted, budget.crowded]).toEqual([["a"], true]);
    impatient.abort(new Error("enough"));
    expect(String(await large)).toContain("enough");
    await settle();
    expect([granted, budget.crowded]).toEqual([["a", "b"], false]);
    giveBack("a");
    giveBack("a");
    void ask("c", 6);
    await settle();
    expect(granted).toEqual(["a", "b"]);
  });
});

describe("a share", () => {
  test("is what nearly all files need, and the most there is for one that needed more", () => {
    expect(shareFor("picture", false, 12 * GIB)).toEqual({ processBytes: MEDIA_PROCESS_FIRST_BYTES, ffmpegBytes: 0 });
    expect(shareFor("video", true, 12 * GIB)).toEqual({ processBytes: MEDIA_PROCESS_MAX_BYTES, ffmpegBytes: FFMPEG_MAX_BYTES });
  });

  test("is never more than the budget, ffmpeg included", () => {
    for (const kind of ["log", "document", "picture", "sound", "video"] as const) {
      for (const budget of [128 * MIB, 700 * MIB, GIB + 1, 3 * GIB, 64 * GIB]) {
        for (const most of [false, true]) expect(bytesOf(shareFor(kind, most, budget))).toBeLessThanOrEqual(budget);
      }
    }
    expect(shareFor("video", false, GIB).ffmpegBytes).toBeGreaterThan(0.5 * GIB);
  });

  test("too little memory names the kinds of files that cannot be read", () => {
    expect(unreadableKinds(64 * GIB)).toEqual([]);
    expect(unreadableKinds(300 * MIB)).toEqual(["picture", "sound", "video"]);
    expect(() => checkReadable("document", 300 * MIB)).not.toThrow();
    expect(() => checkReadable("video", 300 * MIB)).toThrow(
      "to read a video file takes 1024 MiB of memory, and this service may use 300 MiB for files (--memory)",
    );
  });
});

describe("the machine's memory", () => {
  const files = (entries: Record<string, string>) => (path: string) => entries[path] ?? null;
  const MEMINFO = { "/proc/meminfo": "MemTotal:       16777216 kB\nMemFree:        1 kB\n" };

  test("is all of it without a control group, and half of it is the default", () => {
    expect(memoryOfMachine(files(MEMINFO))).toBe(16 * GIB);
    expect(defaultMemoryBytes(files(MEMINFO))).toBe(8 * GIB);
    expect(memoryOfMachine()).toBeGreaterThan(64 * MIB);
  });

  test("is the least limit of the groups around it, version 2", () => {
    const group = { ...MEMINFO, "/proc/self/cgroup": "0::/system.slice/strata.service\n" };
    const own = "/sys/fs/cgroup/system.slice/strata.service/memory.max";
    expect(memoryOfMachine(files({ ...group, [own]: "max\n" }))).toBe(16 * GIB);
    expect(memoryOfMachine(files({ ...group, [own]: `${4 * GIB}\n` }))).toBe(4 * GIB);
    expect(memoryOfMachine(files({ ...group, [own]: `${4 * GIB}\n`, "/sys/fs/cgroup/system.slice/memory.max": `${3 * GIB}\n` }))).toBe(3 * GIB);
  });

  test("is found at the root inside a container", () => {
    const inside = { ...MEMINFO, "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": `${2 * GIB}\n` };
    expect(memoryOfMachine(files(inside))).toBe(2 * GIB);
  });

  test("is the limit of version 1, whose number for none is no limit", () => {
    const group = { ...MEMINFO, "/proc/self/cgroup": "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n" };
    const root = "/sys/fs/cgroup/memory/memory.limit_in_bytes";
    expect(memoryOfMachine(files({ ...group, [root]: "9223372036854771712\n" }))).toBe(16 * GIB);
    expect(memoryOfMachine(files({ ...group, [root]: `${GIB}\n` }))).toBe(GIB);
  });
});
