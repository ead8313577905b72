/** Files that Units are made of, and the jobs that make them. */
import { base32, canonicalJson, randomToken, sha256 } from "../base/hash.ts";
import type { FaultKind } from "../base/fault.ts";
import type { FileFormat } from "./media.ts";
import type { Metadata } from "./unit.ts";

/** What makes a file itself: the same bytes of the same owner in the same scope are one file. */
export interface FileIdentity {
  namespace: string;
  scope: string;
  acl_owner: string;
  /** Of the bytes, as hex. */
  sha256: string;
}

/** A file as it was taken in. */
export interface StoredFile extends Omit<FileIdentity, "namespace"> {
  file_id: string;
  acl_groups: string[];
  /** Groups its Units; `file_id` unless the caller named one. */
  doc_id: string;
  /** Relative to the folder that it was taken from, with "/" between its parts. */
  name: string;
  kind: FileFormat["kind"];
  mime: string;
  bytes: number;
  /** What the caller gave for all its Units. */
  metadata: Metadata | null;
  /** The version of the extractor of its kind that read it last, or is reading it for the first time. */
  extractor: number;
  created_at: number;
  updated_at: number;
}

export const JOB_STATES = ["queued", "running", "done", "failed"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** The work of making Units of a file. Times in ms since the epoch. */
export interface Job {
  job_id: string;
  file_id: string;
  /** Who asked for the file to be read again; null: it was sent. */
  asked_by: string | null;
  /** The version of the extractor that its parts come from; null before the first one. Parts of different versions do not go together. */
  extractor: number | null;
  state: JobState;
  /** What is being done, in a word or two. */
  stage: string;
  /** 0-1. */
  progress: number;
  /** The part of the file to go on with. */
  next_part: number;
  /** Units stored so far, and how many of them are new. */
  units: number;
  created: number;
  /** What was left out and why. */
  notes: string[];
  /** Why it failed; null unless it did. */
  error: { kind: FaultKind; detail: string } | null;
  created_at: number;
  updated_at: number;
}

/** `f_` and the base32 of the first 20 bytes of SHA-256 over the canonical JSON of the identity. */
export function fileId({ namespace, scope, acl_owner, sha256: hash }: FileIdentity): string {
  const canonical = canonicalJson({ namespace, scope, acl_owner, sha256: hash });
  return `f_${base32(sha256(canonical).subarray(0, 20))}`;
}

/** What the Units of a file name as their source. */
export function sourceUri(file_id: string): string {
  return `strata://files/${file_id}`;
}

export function isActive(job: Pick<Job, "state">): boolean {
  return job.state === "queued" || job.state === "running";
}

const JOB_ID_BYTES = 15;

export function newJobId(): string {
  return `j_${randomToken(JOB_ID_BYTES)}`;
}
