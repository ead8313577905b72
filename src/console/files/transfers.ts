/**
 * Files on their way into the service, and the jobs that make Units of them. They go on while another screen is shown, and
 * are forgotten with the page; what the service has taken it works on anyway.
 */
import { ApiError } from "../api.ts";
import { type Job, operations } from "../operations.ts";
import { mayHelpAgain, refusalOf } from "./refusals.ts";
import { send } from "./send.ts";
import type { Taken } from "./take.ts";

export interface Transfer {
  id: number;
  name: string;
  bytes: number;
  /** Bytes that have left. */
  sent: number;
  /** `working`: the service has it, and its job is not over. */
  state: "waiting" | "sending" | "working" | "done" | "failed";
  fileId: string | null;
  job: Job | null;
  /** Why it failed, or why it waits. */
  error: unknown;
  /** False where sending the same file again cannot help. */
  again: boolean;
}

/** Where files go, and who may read them. */
export interface Destination {
  scope: string | null;
  groups: readonly string[];
}

interface Source extends Destination {
  file: File;
  aborting: AbortController;
}

/** Files that are sent at once. */
const SENDING_MAX = 3;
/** Jobs that are asked about at once; they are worked on in their order. */
const ASKED_MAX = 6;
const ASK_MS = 700;
/** While the service cannot be reached. */
const ASK_AGAIN_MS = 3000;

let list: readonly Transfer[] = [];
let lastId = 0;
let asking = false;
/** Whose they are: nothing is sent or asked about while somebody else, or nobody, is signed in. */
let owner: string | null = null;
let inside = false;
const sources = new Map<number, Source>();
const listeners = new Set<() => void>();

export const transfers = {
  all: () => list,
  /** Returns what ends that. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  add(taken: readonly Taken[], destination: Destination): void {
    const added = taken.map(({ file, name }): Transfer => {
      lastId += 1;
      sources.set(lastId, { ...destination, file, aborting: new AbortController() });
      const error = refusalOf(file);
      const state = error === null ? "waiting" : "failed";
      return { id: lastId, name, bytes: file.size, sent: 0, state, fileId: null, job: null, error, again: false };
    });
    put([...list, ...added]);
    sendNext();
  },
  /** Sends one that failed once more. */
  retry(id: number): void {
    const source = sources.get(id);
    if (source === undefined) return;
    sources.set(id, { ...source, aborting: new AbortController() });
    change(id, { state: "waiting", sent: 0, error: null, job: null, fileId: null });
    sendNext();
  },
  /** Gives up those that have not reached the service, and forgets the others. */
  forget(ids: readonly number[]): void {
    for (const id of ids) {
      sources.get(id)?.aborting.abort();
      sources.delete(id);
    }
    put(list.filter(({ id }) => !ids.includes(id)));
    sendNext();
  },
  /** Goes on for somebody who has signed in, and forgets what was another's. */
  enter(principal: string): void {
    if (owner !== principal) transfers.forget(list.map(({ id }) => id));
    owner = principal;
    inside = true;
    addEventListener("beforeunload", askToStay);
    sendNext();
    void ask();
  },
  /** Nobody is signed in any more. */
  leave(): void {
    inside = false;
    removeEventListener("beforeunload", askToStay);
  },
};

/** With the page goes what has not reached the service: the browser asks first. */
function askToStay(event: Event): void {
  if (list.some(({ state }) => state === "waiting" || state === "sending")) event.preventDefault();
}

function put(next: readonly Transfer[]): void {
  list = next;
  for (const listener of listeners) listener();
}

function change(id: number, to: Partial<Transfer>): void {
  put(list.map((transfer) => (transfer.id === id ? { ...transfer, ...to } : transfer)));
}

function sendNext(): void {
  if (!inside) return;
  const free = SENDING_MAX - list.filter(({ state }) => state === "sending").length;
  for (const { id } of list.filter(({ state, error }) => state === "waiting" && error === null).slice(0, Math.max(0, free))) void sendOne(id);
}

async function sendOne(id: number): Promise<void> {
  const source = sources.get(id);
  const transfer = list.find((one) => one.id === id);
  if (source === undefined || transfer === undefined) return;
  change(id, { state: "sending" });
  const { file, groups, scope, aborting } = source;
  const onProgress = (sent: number) => change(id, { sent: Math.min(sent, file.size) });
  const outcome = await send({ file, name: transfer.name, groups, scope, onProgress }, aborting.signal);
  if (outcome === "aborted") return;
  if ("accepted" in outcome) {
    const { file_id, job } = outcome.accepted;
    change(id, { fileId: file_id, sent: file.size, ...stateOf(job) });
    void ask();
  } else if (outcome.refusal.retryAfterMs !== null) {
    change(id, { state: "waiting", sent: 0, error: outcome.refusal.fault });
    setTimeout(() => waitingNoMore(id), outcome.refusal.retryAfterMs);
  } else change(id, { state: "failed", error: outcome.refusal.fault, again: mayHelpAgain(outcome.refusal.fault) });
  sendNext();
}

/** The service had too much in hand; it is asked again. */
function waitingNoMore(id: number): void {
  if (list.some((transfer) => transfer.id === id && transfer.state === "waiting")) change(id, { error: null });
  sendNext();
}

function stateOf(job: Job): Partial<Transfer> {
  if (job.state === "failed") return { job, state: "failed", error: failureOf(job), again: false };
  return { job, state: job.state === "done" ? "done" : "working", error: null };
}

function failureOf({ error }: Job): ApiError {
  return new ApiError(400, error?.error ?? "unknown", error?.detail ?? "the file could not be read");
}

/** Asks about the jobs that are not over, until all are. */
async function ask(): Promise<void> {
  if (asking) return;
  asking = true;
  for (;;) {
    const working = inside ? list.filter(({ state }) => state === "working").slice(0, ASKED_MAX) : [];
    if (working.length === 0) break;
    const reached = await Promise.all(working.map(askAbout));
    await new Promise((resolve) => setTimeout(resolve, reached.every(Boolean) ? ASK_MS : ASK_AGAIN_MS));
  }
  asking = false;
}

/** False when there was no answer: the job goes on, so it is asked about again. */
async function askAbout({ id, job }: Transfer): Promise<boolean> {
  if (job === null) return true;
  try {
    change(id, stateOf(await operations.job(job.id)));
    return true;
  } catch (error) {
    const gone = error instanceof ApiError && error.status === 404;
    if (gone) change(id, { state: "failed", error: new ApiError(404, "not_found", "it was deleted while it was worked on"), again: true });
    return gone;
  }
}
