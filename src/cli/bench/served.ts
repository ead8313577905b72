/** This program again, as a process of its own: what users have. */
import { readFileSync } from "node:fs";
import { StartError } from "../../base/fault.ts";

const MB = 1_000_000;
const KIB = 1_024;
const LOOK_MS = 1_000;
/** A process rests that took no more CPU time than this in as many periods, one after another. */
const RESTING_MAX_MS = 100;
const STEADY_LOOKS = 5;
/** Of the kernel's clock for processes. */
const TICK_MS = 10;

/** The command line of this program: the executable by itself, or the sources under bun. */
export function program(...args: string[]): string[] {
  const script = process.argv[1] ?? "";
  return script.endsWith(".ts") && !script.startsWith("/$bunfs/") ? [process.execPath, script, ...args] : [process.execPath, ...args];
}

/** ms until a process of this program that does as good as nothing has ended. */
export async function bareStart(): Promise<number> {
  const start = performance.now();
  await Bun.spawn(program("version"), { stdout: "ignore", stderr: "ignore" }).exited;
  return performance.now() - start;
}

/** `strata serve` on a data directory. */
export class Served implements AsyncDisposable {
  private constructor(
    private readonly child: Bun.Subprocess,
    readonly url: string,
    /** From the start of the process to the line that tells its address. */
    readonly startMs: number,
  ) {}

  /** `serve`: `strata serve` with its flags. Errors: StartError with what the server said. */
  static async open(serve: readonly string[]): Promise<Served> {
    const start = performance.now();
    const child = Bun.spawn([...serve, "--port", "0"], { stdout: "ignore", stderr: "pipe" });
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      text += decoder.decode(chunk, { stream: true });
      const url = /listening on (http:\/\/\S+)\s/.exec(text)?.[1];
      if (url !== undefined) return new Served(child, url, performance.now() - start);
    }
    throw new StartError(`the server did not start: ${text.trim()}`);
  }

  get pid(): number {
    return this.child.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGTERM");
    await this.child.exited;
  }
}

/** Resident memory of a process in MB. */
export function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * KIB) / MB;
}

/** CPU time that a process has taken, in ms. */
function busyMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name, in brackets, may hold spaces. 12th and 13th behind it are the times in user mode and in the kernel.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Waits until a process rests: what its first search reads in the background is there then. */
export async function steady(pid: number): Promise<void> {
  for (let quiet = 0, before = busyMsOf(pid); quiet < STEADY_LOOKS; ) {
    await Bun.sleep(LOOK_MS);
    const now = busyMsOf(pid);
    quiet = now - before > RESTING_MAX_MS ? 0 : quiet + 1;
    before = now;
  }
}
