/** The one file that is delivered, run as a stranger runs it: alone in a directory of its own, with an empty environment. */
import { Database } from "bun:sqlite";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { SCRATCH } from "../support/scratch.ts";

const ROOT = join(import.meta.dir, "../..");
const BUILT = join(ROOT, "dist/strata");
const SOURCES = ["src", "data", "models", "build.ts", "package.json"];
/** A cold start unpacks 230 MB and embeds the demo, perhaps beside another suite. */
export const START_MAX_MS = 120_000;
/** What follows the listening line comes right behind it. */
export const LINE_MAX_MS = 10_000;
const POLL_MS = 10;

export const ADMIN = "strata_demo_admin";
export const READER = "strata_demo_reader";

/** Files and directories below a path, relative, sorted. */
export function treeOf(path: string): string[] {
  return (readdirSync(path, { recursive: true }) as string[]).sort();
}

function newestSource(): number {
  const times = SOURCES.flatMap((name) => {
    const path = join(ROOT, name);
    return statSync(path).isDirectory() ? treeOf(path).map((file) => statSync(join(path, file)).mtimeMs) : [statSync(path).mtimeMs];
  });
  return Math.max(...times);
}

if (!existsSync(BUILT)) throw new Error("dist/strata is missing: run `npm run build` first");
if (statSync(BUILT).mtimeMs < newestSource()) throw new Error("dist/strata is older than the sources: run `npm run build` first");
const PROGRAM = join(SCRATCH, "strata");
copyFileSync(BUILT, PROGRAM);

type Sought<T> = T | null | undefined | false;

/** Waits until `found` gives something. Errors: after `ms`, with what was waited for. */
export async function eventually<T>(what: string, found: () => Sought<T> | Promise<Sought<T>>, ms = START_MAX_MS): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    const value = await found();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`waited ${ms} ms for ${what}`);
    await Bun.sleep(POLL_MS);
  }
}

export interface CallOptions {
  token?: string | null;
  /** Goes as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
  body: any;
  headers: Headers;
}

/** One request over HTTP; as the demo's admin unless told otherwise. */
export async function call(url: string, method: string, path: string, { token = ADMIN, body, headers = {} }: CallOptions = {}): Promise<Answer> {
  const init: RequestInit = { method, headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers } };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "content-type": "application/json", ...(init.headers as Record<string, string>) };
  }
  const response = await fetch(url + path, init);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** A process of the executable, with what it has written so far. */
export class Process {
  stdout = "";
  stderr = "";
  private readonly drained: Promise<unknown>;

  constructor(readonly child: Bun.Subprocess<"ignore", "pipe", "pipe">) {
    const collect = async (stream: ReadableStream<Uint8Array>, name: "stdout" | "stderr") => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) this[name] += decoder.decode(chunk, { stream: true });
    };
    this.drained = Promise.all([collect(child.stdout, "stdout"), collect(child.stderr, "stderr")]);
  }

  get pid(): number {
    return this.child.pid;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async ended(): Promise<Ended> {
    const code = await this.child.exited;
    await this.drained;
    return { code, stdout: this.stdout, stderr: this.stderr };
  }

  kill(signal: "SIGTERM" | "SIGKILL"): Promise<Ended> {
    this.child.kill(signal);
    return this.ended();
  }
}

/** A process that listens. */
export class Server {
  private constructor(
    readonly process: Process,
    /** As its own line tells it. */
    readonly address: string,
  ) {}

  /** Errors: when it ends instead of listening, with what it wrote. */
  static async of(process: Process): Promise<Server> {
    const address = await eventually("the listening line", () => {
      const [, found] = /^listening on (http:\/\/\S+)$/m.exec(process.stderr) ?? [];
      if (found === undefined && !process.running) throw new Error(`it ended: ${process.stderr}`);
      return found;
    });
    return new Server(process, address);
  }

  get port(): number {
    return Number(new URL(this.address).port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    return call(this.url, method, path, options);
  }

  /** SIGTERM, and the orderly end that it asks for. */
  stop(): Promise<Ended> {
    return this.process.kill("SIGTERM");
  }
}

export type Environment = Record<string, string>;

/** A working directory that holds the executable and nothing else, and an empty HOME beside it. */
export class Sandbox {
  readonly root = mkdtempSync(join(SCRATCH, "box-"));
  readonly work = join(this.root, "work");
  readonly home = join(this.root, "home");
  readonly data = join(this.work, "strata-data");
  private readonly started: Process[] = [];

  constructor() {
    mkdirSync(this.work);
    mkdirSync(this.home);
    linkSync(PROGRAM, join(this.work, "strata"));
  }

  /** `env -i HOME=… PATH=/nonexistent ./strata …` */
  spawn(args: readonly string[], env: Environment = {}): Process {
    return this.spawnCommand([join(this.work, "strata"), ...args], { HOME: this.home, PATH: "/nonexistent", ...env });
  }

  spawnCommand(command: readonly string[], env: Environment): Process {
    const process = new Process(Bun.spawn([...command], { cwd: this.work, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" }));
    this.started.push(process);
    return process;
  }

  run(args: readonly string[], env?: Environment): Promise<Ended> {
    return this.spawn(args, env).ended();
  }

  /** `strata serve` on a free port, once it listens. */
  serve(args: readonly string[] = [], env?: Environment): Promise<Server> {
    return Server.of(this.spawn(["serve", "--port", "0", ...args], env));
  }

  /** Ends what still runs and removes everything. */
  async dispose(): Promise<void> {
    await Promise.all(this.started.filter(({ running }) => running).map((process) => process.kill("SIGKILL")));
    rmSync(this.root, { recursive: true, force: true });
  }
}

export const RUNTIME = "runtime";

/** A copy of a data directory that nobody holds. What is only ever read is linked, not copied. */
export function copyData(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => path !== join(from, RUNTIME) });
  copyRuntime(from, to);
}

/** Spares a new data directory the unpacking, which other tests look at. */
export function copyRuntime(from: string, to: string): void {
  for (const file of treeOf(join(from, RUNTIME))) {
    const source = join(from, RUNTIME, file);
    const target = join(to, RUNTIME, file);
    if (statSync(source).isDirectory()) continue;
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    linkSync(source, target);
  }
}

let seeding: Promise<string> | null = null;

/** A data directory with the demo, made once by `strata seed`; copy it, never use it. */
export function seededData(): Promise<string> {
  seeding ??= (async () => {
    const sandbox = new Sandbox();
    const { code, stderr } = await sandbox.run(["seed"]);
    if (code !== 0) throw new Error(`strata seed ended with ${code}: ${stderr}`);
    return sandbox.data;
  })();
  return seeding;
}

/** A sandbox whose data directory has the demo. */
export async function seededSandbox(): Promise<Sandbox> {
  const sandbox = new Sandbox();
  copyData(await seededData(), sandbox.data);
  return sandbox;
}

/** The content of every file below a directory; of unpacked files, which are large, their size and age. */
export function contentOf(directory: string): Record<string, string> {
  const entries = treeOf(directory).map((name) => {
    const path = join(directory, name);
    const stats = lstatSync(path);
    if (!stats.isFile()) return [name, `directory ${stats.mode}`] as const;
    if (name.startsWith(`${RUNTIME}/`)) return [name, `${stats.size} ${stats.mtimeMs}`] as const;
    return [name, createHash("sha256").update(readFileSync(path)).digest("hex")] as const;
  });
  return Object.fromEntries(entries);
}

/** Changes a SQLite file that no process holds. */
export function withDatabase<T>(path: string, work: (db: Database) => T): T {
  const db = new Database(path, { readwrite: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

export function programPath(name: string): string | null {
  return Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin:/sbin` });
}

/** True when the command is there and ends well. */
export function works(...command: string[]): boolean {
  const [name = "", ...args] = command;
  const path = programPath(name);
  return path !== null && spawnSync(path, args, { stdio: "ignore" }).status === 0;
}

/** Network sockets of a process, as `local -> remote`; a listener has the remote `*`. */
export function socketsOf(pid: number): { local: string; remote: string }[] {
  const inodes = new Set<string>();
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(linkTarget(`/proc/${pid}/fd/${fd}`)) ?? [];
    if (inode !== undefined) inodes.add(inode);
  }
  return ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"].flatMap((table) => {
    const path = `/proc/${pid}/net/${table}`;
    const rows = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").slice(1) : [];
    return rows
      .map((row) => row.trim().split(/\s+/))
      .filter((row) => inodes.has(row[9] ?? ""))
      .map((row) => ({ local: addressOf(row[1] ?? ""), remote: addressOf(row[2] ?? "") }));
  });
}

/** Empty for a descriptor that was closed since it was listed. */
function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** The kernel's `0100007F:125C` as `127.0.0.1:4700`. */
function addressOf(text: string): string {
  const [host = "", port = ""] = text.split(":");
  const bytes = (host.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse().map((byte) => Number.parseInt(byte, 16)));
  const name = bytes.length === 4 ? bytes.join(".") : `[${Buffer.from(bytes).toString("hex")}]`;
  return `${name}:${Number.parseInt(port, 16)}`;
}

/** One line that begins with the name of the program, and nothing else. */
export const ONE_LINE = /^strata: [^\n]+\n$/;
