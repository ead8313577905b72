import { Fault } from "../../base/fault.ts";
import { record } from "../audit/record.ts";
import { readableJob } from "../files/read.ts";
import { type Call, operation, READ } from "../operation.ts";
import { ById } from "../schema.ts";
import { JobBody, shownJob } from "./schema.ts";

/** Errors: `not_found`, the same for an unknown job and for one of a file that the caller may not look at. */
export const getJob = operation({
  name: "job",
  summary: "How far the work on a file is",
  action: "job.get",
  access: READ,
  input: ById,
  output: JobBody,
  async run({ view, input: { id } }: Call<ById>) {
    const job = await readableJob(view, id);
    await record(view, "job.get", { target: id });
    if (job === null) throw new Fault("not_found", "no such job");
    return shownJob(job);
  },
});
