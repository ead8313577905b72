/** API tokens as they are asked for and shown. */
import { Type } from "@sinclair/typebox";
import { badField } from "../../base/fault.ts";
import { GRANTS_MAX, GROUPS_MAX } from "../../base/limits.ts";
import { IDENTIFIER_RULE, isIdentifier, PERMS } from "../../domain/principal.ts";
import { ALL_SCOPES, isScopePath, SCOPE_RULE } from "../../domain/scope.ts";
import { Id, Millis, Nullable, oneOf, validator } from "../schema.ts";
import type { TokenRequest } from "./tokens.ts";

const Scope = Type.String({ minLength: 1, maxLength: 1024 });
/** Closed: a misspelt `scopes` must not make a token for all of them. */
export const TokenBody = Type.Object(
  {
    name: Id,
    principal_id: Id,
    perms: Type.Optional(Type.Array(oneOf(PERMS), { maxItems: PERMS.length, description: "Of a new principal; read without it." })),
    scopes: Type.Optional(Type.Array(Scope, { maxItems: GRANTS_MAX, description: "Each with all below it; all without it." })),
    active_scope: Type.Optional(Scope),
    groups: Type.Optional(Type.Array(Id, { maxItems: GROUPS_MAX })),
    read_only: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
const tokenBody = validator(TokenBody);

const TokenFields = {
  id: Type.String(),
  name: Type.String(),
  namespace: Type.String(),
  principal_id: Type.String(),
  perms: Type.Array(oneOf(PERMS)),
  scopes: Type.Array(Type.String()),
  groups: Type.Array(Type.String()),
  read_only: Type.Boolean(),
  created_at: Millis,
};
export const TokenCreated = Type.Object({ ...TokenFields, token: Type.String({ description: "The secret, shown this once." }) });
export const TokenEntry = Type.Object({
  ...TokenFields,
  seeded: Type.Boolean({ description: "Published with the product." }),
  revoked_at: Nullable(Millis),
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
