/** Watches the processes that read files, from outside, by /proc: their memory, their time, their sockets, and what they write to. */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { MEDIA_ARGUMENT } from "../../src/media/sandbox/protocol.ts";

const KIB = 1024;
const SAMPLE_MS = 25;
/** Of /proc/<pid>/clear_refs: the peak of the resident memory begins anew. */
const RESET_PEAK = "5";
const NETWORKS = ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"];
const INODE_COLUMN = 9;
/** Of /proc/<pid>/stat behind the name: user, and then system. */
const FIRST_TIME_FIELD = 11;
const TICK_MS = 10;
const ACCESS_MODE = 3;

function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    // The process has ended, or the descriptor is closed by now.
    return otherwise;
  }
}

function childrenOf(pid: number): number[] {
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`), []);
  const lists = threads.map((thread) => attempt(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1"), ""));
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

function withDescendants(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(withDescendants)];
}

/** The processes of media work of this process, and what they run. */
function readers(): number[] {
  const isReader = (pid: number) => attempt(() => readFileSync(`/proc/${pid}/cmdline`, "latin1"), "").includes(MEDIA_ARGUMENT);
  return childrenOf(process.pid).filter(isReader).flatMap(withDescendants);
}

function peakBytes(pid: number): number {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, "latin1"), "");
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) * KIB;
}

/** CPU time of a process so far, which a busy machine leaves alone. */
function cpuMs(pid: number): number {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"), "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(FIRST_TIME_FIELD, FIRST_TIME_FIELD + 2).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}

/** Inodes of all sockets of the network on this machine. */
function networkInodes(): Set<string> {
  const lines = NETWORKS.flatMap((name) =>
    attempt(() => readFileSync(`/proc/net/${name}`, "latin1"), "")
      .split("\n")
      .slice(1),
  );
  return new Set(lines.map((line) => line.trim().split(/\s+/)[INODE_COLUMN] ?? ""));
}

interface Descriptor {
  target: string;
  writable: boolean;
}

function descriptorsOf(pid: number): Descriptor[] {
  const numbers = attempt(() => readdirSync(`/proc/${pid}/fd`), []);
  return numbers.map((number) => {
    const target = attempt(() => readlinkSync(`/proc/${pid}/fd/${number}`), "");
    const flags = /flags:\s*([0-7]+)/.exec(attempt(() => readFileSync(`/proc/${pid}/fdinfo/${number}`, "latin1"), ""))?.[1] ?? "0";
    return { target, writable: (Number.parseInt(flags, 8) & ACCESS_MODE) !== 0 };
  });
}

export class Watch {
  /** What the readers did that they must not do. */
  readonly offences = new Set<string>();
  private readonly peaks = new Map<number, number>();
  private readonly times = new Map<number, { first: number; last: number }>();
  private readonly timer = setInterval(() => this.look(), SAMPLE_MS);

  /** `data`: the only directory that may be written to. */
  constructor(private readonly data: string) {}

  /** Peaks of memory and times begin anew. */
  begin(): void {
    this.peaks.clear();
    this.times.clear();
    for (const pid of readers()) {
      attempt(() => writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK), undefined);
      this.times.set(pid, { first: cpuMs(pid), last: 0 });
    }
  }

  /** The highest memory of one reader since `begin`, in bytes. */
  peak(): number {
    this.look();
    return Math.max(0, ...this.peaks.values());
  }

  /** CPU time of all readers since `begin`, in ms. */
  spent(): number {
    this.look();
    return [...this.times.values()].reduce((sum, { first, last }) => sum + Math.max(0, last - first), 0);
  }

  /** How many readers there are. */
  readers(): number {
    return readers().length;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const network = networkInodes();
    for (const pid of readers()) {
      this.peaks.set(pid, Math.max(this.peaks.get(pid) ?? 0, peakBytes(pid)));
      const { first, last } = this.times.get(pid) ?? { first: 0, last: 0 };
      this.times.set(pid, { first, last: Math.max(last, cpuMs(pid)) });
      for (const { target, writable } of descriptorsOf(pid)) {
        const socket = /^socket:\[(\d+)\]$/.exec(target)?.[1];
        if (socket !== undefined && network.has(socket)) this.offences.add("a reader has a socket of the network open");
        const isFile = target.startsWith("/") && !/^\/(?:dev|proc|sys|memfd:)/.test(target);
        if (writable && isFile && !target.startsWith(`${this.data}/`)) this.offences.add(`a reader writes to ${target}`);
      }
    }
  }
}
