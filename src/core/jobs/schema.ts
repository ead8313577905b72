/** Jobs as they are shown. */
import { Type } from "@sinclair/typebox";
import { JOB_STATES, type Job } from "../../domain/file.ts";
import { Count, describe, Millis, Nullable, oneOf, Ratio, text } from "../schema.ts";

export const JobBody = Type.Object({
  id: text("Its id."),
  file_id: text("The file that it reads."),
  state: describe(oneOf(JOB_STATES), "How far it is."),
  stage: text("What is being done, in a word or two."),
  progress: describe(Ratio, "Share of the work that is done."),
  counts: Type.Object(
    { units: describe(Count, "Units stored so far."), created: describe(Count, "How many of them are new.") },
    { description: "For all but the owner and admins, over the Units that they may read." },
  ),
  notes: Type.Array(Type.String(), { description: "What was left out and why; empty for all but the owner and admins." }),
  error: describe(
    Nullable(Type.Object({ error: text("Code of the failure."), detail: text("What is wrong, in words.") })),
    "Why it failed; null unless it did.",
  ),
  created_at: describe(Millis, "When it was queued, in ms since the Unix epoch."),
  updated_at: describe(Millis, "When it last went on, in ms since the Unix epoch."),
});

export function shownJob({ job_id, file_id, state, stage, progress, units, created, notes, error, created_at, updated_at }: Job) {
  const shown = error && { error: error.kind, detail: error.detail };
  return { id: job_id, file_id, state, stage, progress, counts: { units, created }, notes, error: shown, created_at, updated_at };
}
