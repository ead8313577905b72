import { Type } from "@sinclair/typebox";
import { AUTHENTICATED, type Call, operation } from "../operation.ts";
import { Count, Nullable } from "../schema.ts";

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
        name: Type.String(),
        task: Type.String({ description: "What it does: text-embedding, reranking, entailment, speech-recognition and others." }),
        dims: Nullable(Count),
        licence: Type.String(),
        bytes: Count,
        included: Type.Boolean({ description: "False for one that this build leaves out." }),
      }),
    ),
  }),
  run: async ({ services }: Call<unknown>) => ({ models: [...services.modelCards] }),
});
