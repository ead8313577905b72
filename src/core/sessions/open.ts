import { type Static, Type } from "@sinclair/typebox";
import { Fault } from "../../base/fault.ts";
import { TOKEN_MAX_CHARS } from "../../base/limits.ts";
import type { Caller } from "../../domain/principal.ts";
import { resolveView, type View } from "../access/view.ts";
import { record } from "../audit/record.ts";
import { type Call, openOperation, PUBLIC } from "../operation.ts";
import { describe, Millis, text } from "../schema.ts";
import { homeOf } from "../tokens/tokens.ts";

const SessionBody = Type.Object({ token: Type.String({ minLength: 1, maxLength: TOKEN_MAX_CHARS, description: "Secret of a live API token." }) });

/** Exchanges a live API token for a console session, whose secret is returned this once. Errors: `unauthorized`. */
export const openSession = openOperation({
  name: "openSession",
  summary: "Exchanges an API token for a console session cookie",
  action: "session.create",
  access: { ...PUBLIC, admission: "token-in-input", changesState: true },
  input: SessionBody,
  output: Type.Object({
    principal_id: text("Whom the session stands for."),
    namespace: text("Its namespace."),
    expires_at: describe(Millis, "When it ends, in ms since the Unix epoch."),
  }),
  async run({ input: { token }, services }: Call<Static<typeof SessionBody>, View | null>) {
    const { directory, trustSeeded } = services;
    const found = await directory.byToken(token);
    const namespace = found && (await homeOf(directory, found.principal));
    if (found === null || namespace === null || (found.seeded && !trustSeeded)) throw new Fault("unauthorized", "the token is not valid");
    const caller: Caller = { principal: found.principal, credential: "token", namespace };
    await services.withTenant(namespace, async (tenant) => {
      await record(await resolveView(tenant, caller, null), "session.create", { scope: null });
    });
    const { secret, expires_at } = await directory.openSession(token);
    return { principal_id: found.principal.principal_id, namespace: namespace.namespace, expires_at, secret };
  },
});
