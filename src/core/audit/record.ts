/** Writes rows of the audit chain for requests and denials. */
import { Fault } from "../../base/fault.ts";
import { sha256Hex } from "../../base/hash.ts";
import type { AuditAction, AuditDetail, AuditEvent } from "../../domain/audit.ts";
import { ALL_SCOPES, isScopePath } from "../../domain/scope.ts";
import type { NamespaceStore } from "../../domain/port/store.ts";
import type { View } from "../access/view.ts";

export interface Recorded {
  /** Null: the row names no scope. Default: the requested one. */
  scope?: string | null;
  /** What was asked for; null or absent: nothing in particular. */
  target?: string | null;
  detail?: AuditDetail;
}

/** Records that an operation was done; durable when it resolves. Errors: `unavailable`. */
export async function record(view: View, action: AuditAction, { scope = view.requested, target = null, detail = {} }: Recorded = {}): Promise<void> {
  const { principal_id } = view.caller.principal;
  await append(view.tenant.store, {
    principal_id,
    action,
    outcome: "ok",
    scope: scope && recordable(scope),
    target: target && recordableId(target),
    detail,
  });
}

/** Records a denial: who was denied what, and why. `target`: the id or path in the request; null: none. */
export async function recordDenial(view: View, { action }: { action: AuditAction | null }, target: string | null, { kind }: Fault): Promise<void> {
  if (action === null) return;
  const { principal_id } = view.caller.principal;
  // Ids are hashed, since a token may be sent by mistake where its id belongs; a scope is no secret.
  const named = action === "scope.delete" ? recordable : recordableId;
  await append(view.tenant.store, {
    principal_id,
    action,
    outcome: "denied",
    scope: view.scope && recordable(view.scope),
    target: target && named(target),
    detail: { error: kind },
  });
}

/** Appends a row; durable when it resolves. Rows of the same moment share a commit. Errors: `unavailable`, with this message. */
export async function append(
  store: NamespaceStore,
  event: AuditEvent,
  message = "the audit log cannot be written; nothing was returned",
): Promise<void> {
  await store
    .transact((tx) => tx.ledger.append(event))
    .catch((cause: unknown) => {
      throw new Fault("unavailable", message, { cause });
    });
}

/** A well-formed scope as it is; anything else that was sent in its place as its SHA-256. */
function recordable(scope: string): string {
  return scope === ALL_SCOPES || isScopePath(scope) ? scope : sha256Hex(scope);
}

/** What looks like an id as it is; anything else that was sent in its place as its SHA-256. */
function recordableId(text: string): string {
  return /^[a-z]_[A-Za-z0-9_-]{8,64}$/.test(text) ? text : sha256Hex(text);
}
