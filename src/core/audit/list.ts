import { Type } from "@sinclair/typebox";
import { AUDIT_ACTIONS, AUDIT_VERSION, shownTo } from "../../domain/audit.ts";
import { type Access, type Call, operation, READ } from "../operation.ts";
import { Count, Millis, Nullable, oneOf, Page, pageOf } from "../schema.ts";
import { record } from "./record.ts";

export const READ_AUDIT: Access = { ...READ, anyOf: ["read", "admin"] };

/** What a row says of who did what to what is null for a reader who may not know; see docs/audit.md. */
const AuditRow = Type.Object({
  v: Type.Optional(Type.Literal(AUDIT_VERSION, { description: "Absent in rows of the first form." })),
  seq: Count,
  ts: Millis,
  namespace: Type.String(),
  principal_id: Nullable(Type.String()),
  action: oneOf(AUDIT_ACTIONS),
  outcome: oneOf(["ok", "denied", "error"]),
  scope: Nullable(Type.String()),
  target: Nullable(Type.String()),
  detail: Nullable(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]))),
  salt: Type.Optional(Type.String({ description: "Base64url; only where the content is shown." })),
  content_hash: Type.Optional(Type.String()),
  prev_hash: Type.String(),
  row_hash: Type.String(),
});

export const listAudit = operation({
  name: "audit",
  summary: "Rows of the audit chain, newest first",
  action: "audit.list",
  access: { ...READ_AUDIT, feature: "audit" },
  input: Page,
  output: Type.Object({ namespace: Type.String(), rows: Type.Array(AuditRow), count: Count, next_cursor: Nullable(Count) }),
  async run({ view, input }: Call<Page>) {
    const { limit, offset } = pageOf(input);
    const { ledger } = view.tenant.reader;
    const rows = (await ledger.page(limit, offset)).map((row) => shownTo(view.caller, row));
    const more = offset + limit < (await ledger.length());
    // This listing appends a row itself, which moves the rows of the next page on by one.
    const next_cursor = more ? offset + limit + 1 : null;
    await record(view, "audit.list", { scope: null, detail: { limit, cursor: offset } });
    return { namespace: view.caller.namespace.namespace, rows, count: rows.length, next_cursor };
  },
});
