/** Files and jobs in plain words. */
import type { Job } from "../operations.ts";
import type { Tone } from "../ui/index.ts";
import type { Transfer } from "./transfers.ts";

const JOB_WORDS: Record<Job["state"], { word: string; tone: Tone }> = {
  queued: { word: "Waits", tone: "neutral" },
  running: { word: "Being read", tone: "accent" },
  done: { word: "Searchable", tone: "good" },
  failed: { word: "Failed", tone: "bad" },
};
const TRANSFER_WORDS: Record<Exclude<Transfer["state"], "working">, { word: string; tone: Tone }> = {
  waiting: { word: "Waits", tone: "neutral" },
  sending: { word: "Being sent", tone: "accent" },
  done: JOB_WORDS.done,
  failed: JOB_WORDS.failed,
};

export function jobWords({ state }: Pick<Job, "state">): { word: string; tone: Tone } {
  return JOB_WORDS[state];
}

export function transferWords({ state, job }: Transfer): { word: string; tone: Tone } {
  return state === "working" ? JOB_WORDS[job?.state ?? "queued"] : TRANSFER_WORDS[state];
}

/** True of a file of which every Unit was there: the same bytes of the same owner in the same scope are one file. */
export function wasStored({ state, job }: Transfer): boolean {
  return state === "done" && job !== null && job.counts.units > 0 && job.counts.created === 0;
}

/** Sending is the first half of the way, reading the second; null: nobody knows. */
export function shareDone({ state, bytes, sent, job }: Transfer): number | null {
  if (state === "sending") return bytes === 0 ? null : sent / bytes / 2;
  if (state === "working") return 0.5 + (job?.progress ?? 0) / 2;
  return state === "waiting" ? 0 : 1;
}

const KINDS: Record<string, string> = { picture: "Picture", document: "Document", sound: "Sound", video: "Video", log: "Log" };

export function kindWord(kind: string): string {
  return KINDS[kind] ?? kind;
}
