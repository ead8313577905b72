import { AUTHENTICATED, type Call, operation } from "../operation.ts";
import { Context } from "../schema.ts";

export const getContext = operation({
  name: "context",
  summary: "The resolved enforcement context",
  action: "context",
  access: AUTHENTICATED,
  input: null,
  output: Context,
  run: async ({ view }: Call<unknown>) => view.context,
});
