import { Type } from "@sinclair/typebox";
import { record } from "../audit/record.ts";
import { AUTHENTICATED, type Call, operation } from "../operation.ts";

/** Ends the session that the caller came with, if it came with one. */
export const closeSession = operation({
  name: "closeSession",
  summary: "Ends the session of the cookie",
  action: "session.delete",
  access: { ...AUTHENTICATED, changesState: true, recordsMissing: true },
  input: null,
  output: Type.Object({ ended: Type.Boolean({ description: "False: the request came with no session." }) }),
  async run({ view, services }: Call<unknown>) {
    const { session = null } = view.caller;
    if (session !== null) {
      await record(view, "session.delete", { scope: null });
      await services.directory.closeSession(session);
    }
    return { ended: session !== null };
  },
});
