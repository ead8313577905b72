/** Jobs as they are shown. */
import { Type } from "@sinclair/typebox";
import { JOB_STATES, type Job } from "../../domain/file.ts";
import { Count, Millis, Nullable, oneOf, Ratio } from "../schema.ts";

export const JobBody = Type.Object({
  id: Type.String(),
  file_id: Type.String(),
  state: oneOf(JOB_STATES),
  stage: Type.String(),
  progress: Ratio,
  counts: Type.Object({ units: Count, created: Count }),
  notes: Type.Array(Type.String({ description: "What was left out and why." })),
  error: Nullable(Type.Object({ error: Type.String(), detail: Type.String() })),
  created_at: Millis,
  updated_at: Millis,
});

export function shownJob({ job_id, file_id, state, stage, progress, units, created, notes, error, created_at, updated_at }: Job) {
  const shown = error && { error: error.kind, detail: error.detail };
  return { id: job_id, file_id, state, stage, progress, counts: { units, created }, notes, error: shown, created_at, updated_at };
}
