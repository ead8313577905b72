import { Type } from "@sinclair/typebox";
import { Fault } from "../../base/fault.ts";
import { record } from "../audit/record.ts";
import { shownJob } from "../jobs/schema.ts";
import { type Call, operation, READ } from "../operation.ts";
import { ById } from "../schema.ts";
import { NO_FILE, readableFile, shownTo } from "./read.ts";
import { FileBody, shownFile } from "./schema.ts";

/** Errors: `not_found`, the same for an unknown file and for one of which the caller may read nothing. */
export const getFile = operation({
  name: "file",
  summary: "A file and its Units",
  action: "file.get",
  access: READ,
  input: ById,
  output: Type.Object({
    ...FileBody,
    units: Type.Array(Type.String(), { description: "Ids of its Units that the caller may read." }),
  }),
  async run({ view, input: { id } }: Call<ById>) {
    const found = await readableFile(view, id);
    await record(view, "file.get", { target: id });
    if (found === null) throw new Fault("not_found", NO_FILE);
    const { file, units, job } = await shownTo(view, found);
    return { ...shownFile(file), units, job: job && shownJob(job) };
  },
});
