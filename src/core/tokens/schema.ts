/** API tokens as they are asked for and shown. */
import { Type } from "@sinclair/typebox";
import { badField } from "../../base/fault.ts";
import { GRANTS_MAX, GROUPS_MAX } from "../../base/limits.ts";
import { IDENTIFIER_RULE, isIdentifier, PERMS } from "../../domain/principal.ts";
import { ALL_SCOPES, isScopePath, SCOPE_RULE } from "../../domain/scope.ts";
import { describe, Id, Millis, Nullable, oneOf, text, validator } from "../schema.ts";
import type { TokenRequest } from "./tokens.ts";

const Scope = Type.String({ minLength: 1, maxLength: 1024 });
/** Closed: a misspelt `scopes` must not make a token for all of them. */
export const TokenBody = Type.Object(
  {
    name: describe(Id, "Name of the token."),
    principal_id: describe(Id, "Whom it stands for."),
    perms: Type.Optional(Type.Array(oneOf(PERMS), { maxItems: PERMS.length, description: "Of a new principal; read without it." })),
    scopes: Type.Optional(Type.Array(Scope, { maxItems: GRANTS_MAX, description: "Each with all below it; all without it." })),
    active_scope: Type.Optional(describe(Scope, "Of a new principal: the scope of requests that name none.")),
    groups: Type.Optional(Type.Array(Id, { maxItems: GROUPS_MAX, description: "Of a new principal; none without it." })),
    read_only: Type.Optional(describe(Type.Boolean(), "Of a new principal: it may only read. Without it: false.")),
  },
  { additionalProperties: false },
);
const tokenBody = validator(TokenBody);

const TokenFields = {
  id: text("Its id, for revoking it."),
  name: text("Its name."),
  namespace: text("Namespace of its principal."),
  principal_id: text("Whom it stands for."),
  perms: describe(Type.Array(oneOf(PERMS)), "What its principal may do."),
  scopes: describe(Type.Array(Type.String()), "Scopes of its principal, each with all below it; `*`: all."),
  groups: describe(Type.Array(Type.String()), "Groups of its principal."),
  read_only: describe(Type.Boolean(), "True: its principal may only read."),
  created_at: describe(Millis, "When it was made, in ms since the Unix epoch."),
};
export const TokenCreated = Type.Object({ ...TokenFields, token: Type.String({ description: "The secret, shown this once." }) });
export const TokenEntry = Type.Object({
  ...TokenFields,
  seeded: Type.Boolean({ description: "Published with the product." }),
  revoked_at: describe(Nullable(Millis), "When it was revoked, in ms since the Unix epoch; null while it is live."),
});

/** A token to make. Errors: `bad_request` with a pointer. */
export function parseToken(json: unknown): TokenRequest {
  const { name, principal_id, ...said } = tokenBody(json);
  const { perms, scopes, active_scope, groups } = said;
  const names = [["/name", name], ["/principal_id", principal_id], ...(groups ?? []).map((group, at) => [`/groups/${at}`, group])];
  for (const [pointer = "", text = ""] of names) if (!isIdentifier(text)) throw badField(pointer, `takes ${IDENTIFIER_RULE}`);
  const paths = [
    ...(scopes ?? []).map((scope, at) => [`/scopes/${at}`, scope]),
    ...(active_scope === undefined ? [] : [["/active_scope", active_scope]]),
  ];
  for (const [pointer = "", scope = ""] of paths) {
    if (scope !== ALL_SCOPES && !isScopePath(scope)) throw badField(pointer, `must be ${SCOPE_RULE}, or *`);
  }
  const fields = {
    ...said,
    ...(perms === undefined ? {} : { perms: PERMS.filter((perm) => perms.includes(perm)) }),
    ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
    ...(groups === undefined ? {} : { groups: [...new Set(groups)].sort() }),
  };
  return { name, principal_id, fields };
}
