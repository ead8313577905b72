import { ADMINISTER, type Call, operation } from "../operation.ts";
import { ById } from "../schema.ts";
import { TokenEntry } from "./schema.ts";
import { revokeToken, tokensOf } from "./tokens.ts";

/** Errors: `not_found`. */
export const endToken = operation({
  name: "revokeToken",
  summary: "Revokes an API token, and ends the sessions made from it",
  action: "token.revoke",
  access: ADMINISTER,
  input: ById,
  output: TokenEntry,
  run: async ({ view, input: { id }, services }: Call<ById>) => revokeToken(tokensOf(services.directory, view), view.caller, id),
});
