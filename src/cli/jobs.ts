/** Jobs of files, as commands follow them. */
import { JOB_POLL_MS } from "../base/limits.ts";
import type { JobState } from "../domain/file.ts";
import type { Backend } from "./backend.ts";

/** What a command reads of a job. */
export interface JobBody {
  id: string;
  state: JobState;
  stage: string;
  progress: number;
  counts: { units: number; created: number };
  notes: string[];
  error: { detail: string } | null;
}

/** Asks how far a job is until it has ended or `signal` aborts. Errors: as Backend.call. */
export async function followJob(
  backend: Backend,
  scope: string | null,
  begun: JobBody,
  onProgress: (job: JobBody) => void,
  signal: AbortSignal,
): Promise<JobBody> {
  let job = begun;
  while ((job.state === "queued" || job.state === "running") && !signal.aborted) {
    onProgress(job);
    await Bun.sleep(JOB_POLL_MS);
    job = await jobOf(backend, scope, job.id);
  }
  return job;
}

/** A job as it is now. Errors: as Backend.call. */
export async function jobOf(backend: Backend, scope: string | null, id: string): Promise<JobBody> {
  return (await backend.call("job", { scope, input: { id } })) as JobBody;
}
