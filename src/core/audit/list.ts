import { Type } from "@sinclair/typebox";
import { AUDIT_ACTIONS, AUDIT_VERSION, shownTo } from "../../domain/audit.ts";
import { type Access, type Call, operation, READ } from "../operation.ts";
import { Count, describe, Millis, NextCursor, Nullable, oneOf, Page, pageOf, text } from "../schema.ts";
import { record } from "./record.ts";

export const READ_AUDIT: Access = { ...READ, anyOf: ["read", "admin"] };

/** What a row says of who did what to what is null for a reader who may not know; see docs/audit.md. */
const AuditRow = Type.Object({
  v: Type.Optional(Type.Literal(AUDIT_VERSION, { description: "Absent in rows of the first form." })),
  seq: describe(Count, "Its number, from 1 without gaps."),
  ts: describe(Millis, "When it was written, in ms since the Unix epoch."),
  namespace: text("Namespace of the chain."),
  principal_id: describe(Nullable(Type.String()), "Who acted; null where it is withheld."),
  action: describe(oneOf(AUDIT_ACTIONS), "What was done, or refused."),
  outcome: describe(oneOf(["ok", "denied", "error"]), "How it ended."),
  scope: describe(Nullable(Type.String()), "Scope that it was about; null without one, or where it is withheld."),
  target: describe(Nullable(Type.String()), "Id or path that it was about; null without one, or where it is withheld."),
  detail: describe(
    Nullable(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]))),
    "What was asked, never what was found; null where it is withheld.",
  ),
  salt: Type.Optional(Type.String({ description: "Base64url; only where the content is shown." })),
  content_hash: Type.Optional(text("Hash of the salted content; absent in rows of the first form.")),
  prev_hash: text("`row_hash` of the row before; 64 zeros in row 1."),
  row_hash: text("SHA-256 of the row, as hex."),
});

export const listAudit = operation({
  name: "audit",
  summary: "Rows of the audit chain, newest first",
  action: "audit.list",
  access: { ...READ_AUDIT, feature: "audit" },
  input: Page,
  output: Type.Object({
    namespace: text("Namespace of the chain."),
    rows: Type.Array(AuditRow, { description: "Newest first." }),
    count: describe(Count, "Rows of this page."),
    next_cursor: NextCursor,
  }),
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
