import { Type } from "@sinclair/typebox";
import { type Call, operation } from "../operation.ts";
import { Count, describe, Nullable, text } from "../schema.ts";
import { READ_AUDIT } from "./list.ts";
import { record } from "./record.ts";

export const verifyAudit = operation({
  name: "verify",
  summary: "Recomputes the audit chain",
  action: "audit.verify",
  access: READ_AUDIT,
  input: null,
  output: Type.Object({
    namespace: text("Namespace of the chain."),
    intact: describe(Type.Boolean(), "True: no row is missing or changed, and the signed checkpoints agree."),
    checked: describe(Count, "Rows that were checked."),
    head_seq: describe(Count, "Number of the last row that was checked."),
    head_hash: text("`row_hash` of that row."),
    break_at: describe(Nullable(Count), "The first row that is missing, changed or vouched for by no signature; null when intact."),
    reason: describe(Nullable(Type.String()), "What is wrong there, in words; null when intact."),
  }),
  async run({ view }: Call<unknown>) {
    const report = await view.tenant.reader.ledger.verify();
    await record(view, "audit.verify", { scope: null, detail: { intact: report.intact, checked: report.checked } });
    return report;
  },
});
