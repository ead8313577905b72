import { type Static, Type } from "@sinclair/typebox";
import { JOB_STATES } from "../../domain/file.ts";
import { record } from "../audit/record.ts";
import { shownJob } from "../jobs/schema.ts";
import { type Call, operation, READ } from "../operation.ts";
import { choiceOf, Context, NextCursor, Page, pageOf } from "../schema.ts";
import { readableFiles } from "./read.ts";
import { FileBody, shownFile } from "./schema.ts";

const FilesPage = Type.Object({ ...Page.properties, state: Type.Optional(choiceOf(JOB_STATES, "Those whose last job is in this state.")) });
type FilesPage = Static<typeof FilesPage>;

/** Files of which the caller may read something, newest first, each with its last job. What is hidden is not counted. */
export const listFiles = operation({
  name: "files",
  summary: "Files by time, newest first",
  action: "files.list",
  access: READ,
  input: FilesPage,
  output: Type.Object({
    files: Type.Array(
      Type.Object({ ...FileBody, unit_count: Type.Integer({ minimum: 0, description: "How many of its Units the caller may read." }) }),
      { description: "Newest first." },
    ),
    context: Context,
    next_cursor: NextCursor,
  }),
  async run({ view, input }: Call<FilesPage>) {
    const { limit, offset } = pageOf(input);
    const state = input.state ?? null;
    const found = await readableFiles(view, state, limit + 1, offset);
    await record(view, "files.list", { detail: { limit, cursor: offset, state } });
    return {
      files: found.slice(0, limit).map(({ file, job, unitCount }) => ({ ...shownFile(file), unit_count: unitCount, job: job && shownJob(job) })),
      context: view.context,
      next_cursor: found.length > limit ? offset + limit : null,
    };
  },
});
