import { Type } from "@sinclair/typebox";
import { type Call, operation } from "../operation.ts";
import { Count, Nullable } from "../schema.ts";
import { READ_AUDIT } from "./list.ts";
import { record } from "./record.ts";

export const verifyAudit = operation({
  name: "verify",
  summary: "Recomputes the audit chain",
  action: "audit.verify",
  access: READ_AUDIT,
  input: null,
  output: Type.Object({
    namespace: Type.String(),
    intact: Type.Boolean(),
    checked: Count,
    head_seq: Count,
    head_hash: Type.String(),
    break_at: Nullable(Count),
    reason: Nullable(Type.String()),
  }),
  async run({ view }: Call<unknown>) {
    const report = await view.tenant.reader.ledger.verify();
    await record(view, "audit.verify", { scope: null, detail: { intact: report.intact, checked: report.checked } });
    return report;
  },
});
