import { Type } from "@sinclair/typebox";
import { AUTHENTICATED, type Call, operation } from "../operation.ts";
import { Count, describe, Nullable, text } from "../schema.ts";

/** The same for every caller and namespace: it says what the build is made of, and leaves no audit row. */
export const listModels = operation({
  name: "models",
  summary: "The models inside the executable, with their licences",
  action: null,
  access: AUTHENTICATED,
  input: null,
  output: Type.Object({
    models: Type.Array(
      Type.Object({
        name: text("Its name."),
        task: Type.String({ description: "What it does: text-embedding, reranking, entailment, speech-recognition and others." }),
        dims: describe(Nullable(Count), "Length of its vectors; null where it makes none."),
        licence: text("Its licence."),
        bytes: describe(Count, "Size in bytes."),
        included: Type.Boolean({ description: "False for one that this build leaves out." }),
      }),
      { description: "All that a build may have." },
    ),
  }),
  run: async ({ services }: Call<unknown>) => ({ models: [...services.modelCards] }),
});
