/** How commands follow the jobs of their files. */
import { expect, test } from "bun:test";
import { Fault } from "../../src/base/fault.ts";
import { JOBS_ASKED_MAX } from "../../src/base/limits.ts";
import type { Backend } from "../../src/cli/backend.ts";
import { type JobBody, JobFollower } from "../../src/cli/jobs.ts";

function jobOf(id: string, state: JobBody["state"] = "queued"): JobBody {
  return { id, state, stage: "text", progress: 0, counts: { units: 0, created: 0 }, notes: [], error: null };
}

/** Answers with jobs as they are in `states`, and notes which it was asked for. */
function serverOf(states: Map<string, JobBody["state"]>) {
  const asked: string[] = [];
  const backend: Backend = {
    async call(_, { input }) {
      const id = String(input?.id);
      asked.push(id);
      const state = states.get(id);
      if (state === undefined) throw new Fault("not_found", "no such job");
      return jobOf(id, state);
    },
    close: async () => {},
  };
  return { backend, asked };
}

const NEVER = new AbortController().signal;

test("it asks about those that began first in turn, and about all when one of them has ended", async () => {
  const ids = Array.from({ length: 3 * JOBS_ASKED_MAX }, (_, at) => `j${at}`);
  const states = new Map(ids.map((id) => [id, "queued" as JobBody["state"]]));
  const { backend, asked } = serverOf(states);
  const jobs = new JobFollower(backend, null, NEVER);
  const seen: string[] = [];
  const followed = ids.map((id) => jobs.follow(jobOf(id), (job) => seen.push(job.id)));
  expect(seen).toEqual(ids);
  while (asked.length < JOBS_ASKED_MAX) await Bun.sleep(1);
  const first = ids.slice(0, JOBS_ASKED_MAX);
  expect(asked).toEqual(first);
  for (const id of ids) states.set(id, id === "j1" ? "running" : "done");
  while (asked.length < first.length + ids.length) await Bun.sleep(1);
  expect(asked.slice(first.length)).toEqual(ids);
  states.set("j1", "failed");
  expect((await Promise.all(followed)).map(({ id, state }) => `${id} ${state}`)).toEqual(ids.map((id) => `${id} ${id === "j1" ? "failed" : "done"}`));
  expect(asked.at(-1)).toBe("j1");
});

test("one that has ended is not asked about, and one that is gone fails alone", async () => {
  const { backend, asked } = serverOf(new Map([["b", "done"]]));
  const jobs = new JobFollower(backend, null, NEVER);
  const [known, gone, other] = [jobOf("known", "done"), jobOf("a"), jobOf("b")].map((job) => jobs.follow(job, () => {}));
  expect(await known).toMatchObject({ id: "known" });
  await expect(gone as Promise<JobBody>).rejects.toMatchObject({ kind: "not_found" });
  expect(await other).toMatchObject({ id: "b", state: "done" });
  expect(asked).toEqual(["a", "b"]);
});

test("an interruption gives every job as it was last", async () => {
  const interruption = new AbortController();
  const { backend, asked } = serverOf(new Map([["a", "running"]]));
  const jobs = new JobFollower(backend, null, interruption.signal);
  const followed = ["a", "b"].map((id) => jobs.follow(jobOf(id), () => interruption.abort()));
  expect((await Promise.all(followed)).map(({ state }) => state)).toEqual(["queued", "queued"]);
  expect(asked).toEqual([]);
});
