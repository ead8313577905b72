/** Jobs of files, as commands follow them. */
import { JOB_POLL_MS, JOBS_ASKED_MAX } from "../base/limits.ts";
import { isActive, type JobState } from "../domain/file.ts";
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

interface Followed {
  job: JobBody;
  onProgress: (job: JobBody) => void;
  ended: PromiseWithResolvers<JobBody>;
}

/** Follows the jobs of one command, by one question at a time. They end about in the order in which they began, so it asks about the first ones. */
export class JobFollower {
  /** The job that began first comes first. */
  private readonly followed = new Set<Followed>();

  /** `signal` ends the following, not the jobs. */
  constructor(
    private readonly backend: Backend,
    private readonly scope: string | null,
    private readonly signal: AbortSignal,
  ) {}

  /** The job when it has ended, or as it was last when the signal aborts. Errors: as Backend.call. */
  follow(job: JobBody, onProgress: (job: JobBody) => void): Promise<JobBody> {
    if (!isActive(job)) return Promise.resolve(job);
    onProgress(job);
    const ended = Promise.withResolvers<JobBody>();
    this.followed.add({ job, onProgress, ended });
    if (this.followed.size === 1) void this.ask();
    return ended.promise;
  }

  /** Asks about one of the first jobs at a time. When it has ended, others have too: the indexes take the Units of several together. */
  private async ask(): Promise<void> {
    for (let turn = 0; this.followed.size > 0; turn += 1) {
      await Bun.sleep(JOB_POLL_MS);
      const first = [...this.followed].slice(0, JOBS_ASKED_MAX);
      if (await this.look(first[turn % first.length] as Followed)) await this.lookAtAll();
    }
  }

  /** Looks at one after another, until it has seen as many that go on as are worked on at once. */
  private async lookAtAll(): Promise<void> {
    let active = 0;
    for (const each of this.followed) {
      if (active === JOBS_ASKED_MAX) return;
      if (!(await this.look(each))) active += 1;
    }
  }

  /** Asks about a job. True when it need not be followed any more, and is not. */
  private async look(each: Followed): Promise<boolean> {
    const { onProgress, ended } = each;
    try {
      if (!this.signal.aborted) each.job = (await this.backend.call("job", { scope: this.scope, input: { id: each.job.id } })) as JobBody;
      if (isActive(each.job) && !this.signal.aborted) {
        onProgress(each.job);
        return false;
      }
      ended.resolve(each.job);
    } catch (error) {
      ended.reject(error);
    }
    this.followed.delete(each);
    return true;
  }
}
