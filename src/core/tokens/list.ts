import { Type } from "@sinclair/typebox";
import { ADMINISTER, type Call, operation } from "../operation.ts";
import { TokenEntry } from "./schema.ts";
import { listTokens, tokensOf } from "./tokens.ts";

export const tokens = operation({
  name: "tokens",
  summary: "API tokens, live and revoked, without their secrets",
  action: "token.list",
  access: { ...ADMINISTER, changesState: false },
  input: null,
  output: Type.Object({ tokens: Type.Array(TokenEntry) }),
  run: async ({ view, services }: Call<unknown>) => ({ tokens: await listTokens(tokensOf(services.directory, view), view.caller) }),
});
