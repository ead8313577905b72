import { checkValues } from "../schema.ts";
import { ADMINISTER, type Call, operation } from "../operation.ts";
import { parseToken, TokenBody, TokenCreated } from "./schema.ts";
import { createToken, type TokenRequest, tokensOf } from "./tokens.ts";

/** Makes a token in the caller's namespace; the secret is returned this once. Errors: as createToken. */
export const makeToken = operation({
  name: "createToken",
  summary: "Makes an API token, and its principal when that is new; never with more than the caller has",
  action: "token.create",
  access: ADMINISTER,
  input: TokenBody,
  faults: ["upgrade_required", "conflict"],
  output: TokenCreated,
  parse({ input }) {
    checkValues(input);
    return parseToken(input);
  },
  async run({ view, input, services }: Call<TokenRequest>) {
    const { view: made, secret } = await createToken(tokensOf(services.directory, view), view.caller, input);
    const { seeded: _seeded, revoked_at: _revoked, ...shown } = made;
    return { ...shown, token: secret };
  },
});
