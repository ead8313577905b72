import { expect, test } from "bun:test";
import { LOG_KEPT_MAX_CHARS, LOG_LINE_MAX_CHARS, LOG_PART_BYTES, LOG_TEMPLATES_MAX } from "../../../src/base/limits.ts";
import type { ExtractedUnit } from "../../../src/domain/media.ts";
import { Drain, mask, templateText } from "../../../src/media/log/drain.ts";
import { extractLog } from "../../../src/media/log/extract.ts";
import { splitTime } from "../../../src/media/log/shape.ts";
import { file, partsOf, unitsOf } from "./files.ts";

const LOG = { kind: "log", mime: "text/plain" } as const;
const all = (text: string | Uint8Array) => unitsOf(extractLog(file(text, "a.log", LOG), 0));
const isTemplate = ({ modality }: ExtractedUnit) => modality === "log_template";
const units = async (text: string | Uint8Array) => (await all(text)).filter(isTemplate);

/** Numbers 0..1 that are the same in each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Fill = (random: () => number) => string;
const pick = (random: () => number, from: readonly string[]) => from[Math.floor(random() * from.length)] ?? "";
const int = (random: () => number, below: number) => Math.floor(random() * below);
const USERS = ["alice", "bob", "carol", "dave", "erin", "mallory", "root", "svc-backup"];
const ip: Fill = (random) => `10.${int(random, 256)}.${int(random, 256)}.${int(random, 256)}`;
const id: Fill = (random) =>
  int(random, 2 ** 30)
    .toString(16)
    .padStart(8, "0");

/** Thirty kinds of messages in the manner of system, web and storage logs. */
const KINDS: Fill[] = [
  (r) => `sshd[${int(r, 9999)}]: Failed password for ${pick(r, USERS)} from ${ip(r)} port ${int(r, 65_000)} ssh2`,
  (r) => `sshd[${int(r, 9999)}]: Accepted publickey for ${pick(r, USERS)} from ${ip(r)} port ${int(r, 65_000)} ssh2`,
  (r) => `sshd[${int(r, 9999)}]: Connection closed by ${ip(r)} [preauth]`,
  (r) => `sshd[${int(r, 9999)}]: pam_unix(sshd:session): session opened for user ${pick(r, USERS)} by (uid=${int(r, 9)})`,
  (r) => `kernel: [${int(r, 99_999)}.${int(r, 999_999)}] usb 1-${int(r, 9)}: new high-speed USB device number ${int(r, 99)} using xhci_hcd`,
  (r) => `kernel: [${int(r, 99_999)}.${int(r, 999_999)}] Out of memory: Killed process ${int(r, 9999)} (java) total-vm:${int(r, 1e6)}kB`,
  (r) => `kernel: [${int(r, 99_999)}.${int(r, 999_999)}] EXT4-fs (sda${int(r, 9)}): mounted filesystem with ordered data mode`,
  () => "systemd[1]: Started Daily apt download activities.",
  (r) => `systemd[1]: ${pick(r, ["nginx", "redis", "postgres"])}.service: Main process exited, code=exited, status=${int(r, 255)}/n/a`,
  (r) => `cron[${int(r, 9999)}]: (${pick(r, USERS)}) CMD (/usr/lib/sa/sa1 ${int(r, 9)} ${int(r, 9)})`,
  (r) => `nginx: ${ip(r)} "GET /api/v1/items/${int(r, 9999)} HTTP/1.1" ${pick(r, ["200", "404", "500"])} ${int(r, 99_999)}`,
  (r) => `nginx: upstream timed out (110: Connection timed out) while reading response header from upstream, client: ${ip(r)}`,
  (r) => `INFO dfs.DataNode$PacketResponder: PacketResponder ${int(r, 3)} for block blk_${int(r, 1e9)} terminating`,
  (r) =>
    `INFO dfs.FSNamesystem: BLOCK* NameSystem.addStoredBlock: blockMap updated: ${ip(r)}:50010 is added to blk_-${int(r, 1e9)} size ${int(r, 1e8)}`,
  (r) => `INFO dfs.DataNode$DataXceiver: Receiving block blk_${int(r, 1e9)} src: /${ip(r)}:${int(r, 65_000)} dest: /${ip(r)}:50010`,
  (r) => `WARN dfs.DataNode$DataXceiver: Got exception while serving blk_${int(r, 1e9)} to /${ip(r)}:`,
  (r) => `ERROR app.OrderService - order ${id(r)} rejected: stock of item ${int(r, 9999)} is ${int(r, 9)}`,
  (r) => `INFO app.OrderService - order ${id(r)} accepted in ${int(r, 999)}ms`,
  (r) => `INFO app.MailSender - sent mail to ${pick(r, USERS)}@example.org after ${int(r, 5)} retries`,
  (r) => `DEBUG app.Cache - evicted ${int(r, 999)} entries, ${int(r, 100)}% of ${int(r, 99)}MB in use`,
  (r) => `INFO app.Scheduler - job nightly-report finished in ${int(r, 99)}.${int(r, 99)} s`,
  (r) => `WARN app.Pool - connection to db-${int(r, 9)}.internal:5432 lost, reconnecting (attempt ${int(r, 9)})`,
  (r) => `ERROR app.Api - request ${id(r)}-${id(r)} failed with status ${pick(r, ["500", "502", "503"])}`,
  (r) => `redis: DB saved on disk, ${int(r, 99)} changes in ${int(r, 900)} seconds`,
  (r) => `redis: Accepted ${ip(r)}:${int(r, 65_000)}`,
  (r) => `postgres[${int(r, 9999)}]: LOG: checkpoint complete: wrote ${int(r, 9999)} buffers (${int(r, 9)}.${int(r, 9)}%)`,
  (r) => `postgres[${int(r, 9999)}]: ERROR: duplicate key value violates unique constraint "orders_pkey"`,
  (r) => `dhcpd: DHCPACK on ${ip(r)} to ${id(r).replace(/../g, "$&:")}aa:bb via eth${int(r, 3)}`,
  (r) => `temperature of sensor ${int(r, 20)} is ${int(r, 90)}.${int(r, 9)} C`,
  (r) => `turbine ${int(r, 9)} stopped: vibration ${int(r, 99)}.${int(r, 9)} mm/s above limit`,
];

/** Of the messages, those whose group is exactly that of their kind (the grouping accuracy of the Drain paper). */
function groupingAccuracy(kinds: readonly number[], groups: readonly number[]): number {
  const members = (of: readonly number[]) => Map.groupBy(of.keys(), (at) => of[at] ?? -1);
  const byGroup = members(groups);
  const right = [...members(kinds).values()].filter((kind) => {
    const group = byGroup.get(groups[kind[0] ?? 0] ?? -1) ?? [];
    return group.length === kind.length && group.every((at, index) => at === kind[index]);
  });
  return right.reduce((sum, kind) => sum + kind.length, 0) / kinds.length;
}

test(`lines of ${KINDS.length} known templates come back in their groups`, () => {
  const random = seeded(7);
  const drain = new Drain();
  const [kinds, groups]: [number[], number[]] = [[], []];
  for (let line = 0; line < 20_000; line += 1) {
    const kind = int(random, KINDS.length);
    kinds.push(kind);
    groups.push(drain.add(KINDS[kind]?.(random) ?? "").template.id);
  }
  expect(groupingAccuracy(kinds, groups)).toBeGreaterThanOrEqual(0.95);
});

test("a log gives the same Units each time, in the order of first lines", async () => {
  const random = seeded(3);
  const text = Array.from(
    { length: 3_000 },
    (_, at) =>
      `2024-10-11T22:${String(at % 60).padStart(2, "0")}:15Z ${pick(
        random,
        KINDS.map((kind) => kind(random)),
      )}`,
  ).join("\n");
  const once = await units(text);
  expect(await units(text)).toEqual(once);
  const starts = once.map(({ locator }) => (locator?.kind === "line_range" ? locator.start : -1));
  expect(starts).toEqual(starts.toSorted((one, two) => one - two));
  expect(once.reduce((sum, { metadata }) => sum + Number(metadata.count), 0)).toBe(3_000);
});

test("a template tells what was said, how often, where and when", async () => {
  const lines = [1, 2, 3].map((n) => `Jan  ${n} 10:00:0${n} gate login of user${n} from 10.0.0.${n} took ${n * 40}ms`);
  const [unit, ...others] = await units([lines[0], "", "Jan  2 09:00:00 gate closed", lines[1], lines[2]].join("\r\n"));
  expect(others).toHaveLength(1);
  expect(unit).toEqual({
    modality: "log_template",
    path: [],
    text: "gate login of <*> from <*> took <*>ms",
    locator: { kind: "line_range", start: 1, end: 1 },
    metadata: {
      count: 3,
      first_line: 1,
      last_line: 5,
      first_time: "Jan  1 10:00:01",
      last_time: "Jan  3 10:00:03",
      example: lines[0] ?? "",
      last_example: lines[2] ?? "",
    },
    features: null,
  });
});

test("a stack trace belongs to its entry", async () => {
  const trace = "\n\tat com.Foo.bar(Foo.java:7)\nCaused by: java.io.IOException: gone\n\t... 3 more\n\n  indented";
  const found = await units(`10:00:01 ERROR failed badly${trace}\n10:00:02 INFO all is well\n10:00:03 ERROR failed badly${trace}`);
  expect(found.map(({ text, locator }) => [text, locator])).toEqual([
    ["ERROR failed badly", { kind: "line_range", start: 1, end: 6 }],
    ["INFO all is well", { kind: "line_range", start: 7, end: 7 }],
  ]);
  expect(found[0]?.metadata).toMatchObject({ count: 2, last_line: 8 });
});

test("times are taken off the line", () => {
  const times = [
    "2024-10-11T22:14:15.003Z",
    "2024-10-11 22:14:15,003",
    "2024/10/11 22:14:15",
    "10/Oct/2000:13:55:36 -0700",
    "Oct 11 22:14:15",
    "Mon Oct 11 22:14:15 2024",
    "I1011 22:14:15.123456",
    "081109 203615 148",
    "22:14:15.1",
    "1728684855.12",
  ];
  for (const time of times) {
    expect(splitTime(`${time} disk full`)).toEqual({ time, rest: "disk full" });
    expect(splitTime(`[${time}] disk full`)).toEqual({ time, rest: "disk full" });
  }
  expect(splitTime("<34>1 2024-10-11T22:14:15Z disk full")).toEqual({ time: "2024-10-11T22:14:15Z", rest: "disk full" });
  expect(splitTime("12 disks full")).toEqual({ time: null, rest: "12 disks full" });
});

test("what is certainly a variable is masked", () => {
  const masked: Record<string, string> = {
    "from 10.0.0.1:443 to fe80:0:0:0:1:2:3:4": "from <*> to <*>",
    "id 123e4567-e89b-12d3-a456-426614174000 ptr 0x7fFF": "id <*> ptr <*>",
    "open /var/log/app/x.log failed": "open <*> failed",
    "took 15ms, 3.5s or 40%": "took <*>ms, <*>s or <*>%",
    "job-17 on node_3 of user12345": "job-<*> on node_<*> of user<*>",
    "mail ann@example.org see https://example.org/a?b=1": "mail <*> see <*>",
    "md5 and sha1 stay, so does ssh2": "md5 and sha1 stay, so does ssh2",
    "commit deadbeef01 of cafe": "commit <*> of cafe",
  };
  for (const [message, expected] of Object.entries(masked)) expect(mask(message)).toBe(expected);
});

test("a line too long is cut, and said so", async () => {
  const parts = await partsOf(extractLog(file(`10:00:00 ${"word ".repeat(200_000)}\n10:00:01 short\n`, "a.log", LOG), 0));
  const found = parts.flatMap((part) => part.units).filter(isTemplate);
  expect(found).toHaveLength(2);
  expect(found[0]?.text?.length).toBeLessThan(LOG_LINE_MAX_CHARS);
  expect(found[1]?.locator).toEqual({ kind: "line_range", start: 2, end: 2 });
  expect(parts.at(-1)?.notes.join()).toContain("1 lines were longer");
});

test("no log has more templates than the limit, and every line is counted", async () => {
  // Each line has a length and words of its own, so that none is like another.
  const words = (at: number) =>
    Array.from(
      { length: 1 + (at % 150) },
      (_, word) =>
        `w${String.fromCharCode(97 + (at % 26))}${"abcdefghij"[word % 10]}${at.toString(26).replace(/\d/g, "z")}q${word.toString(26).replace(/\d/g, "y")}`,
    );
  const lines = Array.from({ length: LOG_TEMPLATES_MAX + 3_000 }, (_, at) => words(at).join(" "));
  const parts = await partsOf(extractLog(file(lines.join("\n"), "a.log", LOG), 0));
  const found = parts.flatMap((part) => part.units).filter(isTemplate);
  expect(found.length).toBeGreaterThan(LOG_TEMPLATES_MAX / 2);
  expect(found.length).toBeLessThanOrEqual(LOG_TEMPLATES_MAX + 1);
  expect(found.reduce((sum, { metadata }) => sum + Number(metadata.count), 0)).toBe(lines.length);
  expect(parts.at(-1)?.notes.join()).toContain("joined the nearest");
});

test("lines are kept as they are, a few to a chunk, up to the limit", async () => {
  const lines = Array.from({ length: 3_000 }, (_, at) => `10:00:00 order 7f3a${at} failed with status ${at} ${"x".repeat(3_000)}`);
  const parts = await partsOf(extractLog(file(lines.join("\n"), "a.log", LOG), 0));
  const chunks = parts.flatMap((part) => part.units).filter(({ modality }) => modality === "chunk");
  const kept = lines.slice(0, chunks.length);
  expect(chunks.map(({ text }) => text)).toEqual(kept);
  expect(kept.join("\n").length).toBeLessThanOrEqual(LOG_KEPT_MAX_CHARS);
  expect(kept.join("\n").length).toBeGreaterThan(LOG_KEPT_MAX_CHARS - 4_000);
  expect(parts.at(-1)?.notes).toEqual([
    `the log has ${(lines.length - kept.length).toLocaleString("en")} more lines, of which only the templates are kept`,
  ]);
  expect(await partsOf(extractLog(file(lines.join("\n"), "a.log", LOG), 3))).toEqual(parts.slice(3));
  const [few] = await all("10:00:01 one id=7\n\n10:00:02 two id=8\n");
  expect(few).toMatchObject({
    modality: "chunk",
    path: [],
    text: "10:00:01 one id=7\n10:00:02 two id=8",
    locator: { kind: "line_range", start: 1, end: 3 },
  });
});

test("a long log shows signs of life, and gives the same parts when it goes on", async () => {
  const log = file(`10:00:00 ${"one and the same long line ".repeat(100)}\n`.repeat((LOG_PART_BYTES * 2.5) / 2_710), "a.log", LOG);
  const parts = await partsOf(extractLog(log, 0));
  expect(parts.map(({ part }) => part)).toEqual(parts.map((_, at) => at));
  expect(parts.slice(-2).map(({ units: found }) => found.length)).toEqual([0, 1]);
  expect(parts.at(-1)?.units[0]?.modality).toBe("log_template");
  expect(await partsOf(extractLog(log, 2))).toEqual(parts.slice(2));
  expect(parts.map(({ progress }) => progress)).toEqual(parts.map(({ progress }) => progress).toSorted());
});

test("colours, blank lines and an empty log", async () => {
  const [unit] = await units("\u001b[32m10:00:01\u001b[0m \u001b[1;31mdisk full\u001b[0m\n");
  expect(unit?.text).toBe("disk full");
  const parts = await partsOf(extractLog(file("\n \n\n", "a.log", LOG), 0));
  expect(parts).toEqual([{ part: 0, progress: 1, stage: "templates", units: [], notes: ["the log has no lines with text"] }]);
});

test("templates of one word and of none but variables", () => {
  const drain = new Drain();
  expect(drain.add("started").template).toBe(drain.add("started").template);
  expect(drain.add("17 18 19").template).toBe(drain.add("20 21 22").template);
  expect(templateText(drain.add("1 2 3").template)).toBe("<*> <*> <*>");
});

test("two states of one message are two templates; names are not", async () => {
  const [users, states] = [
    ["ann", "ben", "cid", "dan"],
    ["accepted", "declined"],
  ];
  const lines = Array.from({ length: 40 }, (_, at) => `10:00:${10 + at} payment of ${at} EUR by ${users[at % 4]} was ${states[(at >> 2) % 2]} today`);
  const found = await units(lines.join("\n"));
  expect(found.map(({ text, metadata }) => [text, metadata.count, metadata.first_line, metadata.last_time])).toEqual([
    ["payment of <*> EUR by <*> was accepted today", 20, 1, "10:00:45"],
    ["payment of <*> EUR by <*> was declined today", 20, 5, "10:00:49"],
  ]);
});
