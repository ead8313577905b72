import { Fault } from "../../base/fault.ts";
import { record } from "../audit/record.ts";
import { type Call, operation, READ } from "../operation.ts";
import { ById } from "../schema.ts";
import { NO_FILE, readableFile } from "./read.ts";

/** The bytes of a file. Errors: `not_found`, as for the file. */
export const fileContent = operation({
  name: "fileContent",
  summary: "The bytes of a file; takes a Range",
  action: "file.content",
  access: READ,
  input: ById,
  faults: ["range_not_satisfiable"],
  output: null,
  async run({ view, input: { id } }: Call<ById>) {
    const file = await readableFile(view, id);
    await record(view, "file.content", { target: id });
    // Earlier versions kept no bytes of a file that could not be read.
    const content = file === null ? null : await view.tenant.objects.open(file.sha256);
    if (file === null || content === null) throw new Fault("not_found", NO_FILE);
    return { content, bytes: file.bytes, mime: file.mime, name: file.name, etag: file.sha256 };
  },
});
