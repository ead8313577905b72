import { type Static, Type } from "@sinclair/typebox";
import { badField } from "../../base/fault.ts";
import { type ChainPart, GENESIS, WHOLE_CHAIN } from "../../domain/audit.ts";
import { type Call, operation } from "../operation.ts";
import { Count, describe, Nullable, text } from "../schema.ts";
import { READ_AUDIT } from "./list.ts";
import { record } from "./record.ts";

const Part = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "Go on after this row, for which the caller vouches with `hash`: nothing is said of it and those before.",
    }),
  ),
  hash: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$", description: "`row_hash` of the row `after`." })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: "Check at most so many rows; without it, all." })),
});
type Part = Static<typeof Part>;

export const verifyAudit = operation({
  name: "verify",
  summary: "Recomputes the audit chain, or a part of it",
  action: "audit.verify",
  access: READ_AUDIT,
  input: Part,
  output: Type.Object({
    namespace: text("Namespace of the chain."),
    intact: describe(Type.Boolean(), "True: of the rows that were checked none is missing or changed, and the signed checkpoints agree."),
    checked: describe(Count, "Rows that were checked."),
    head_seq: describe(Count, "Number of the last row that was checked."),
    head_hash: text("`row_hash` of that row."),
    break_at: describe(Nullable(Count), "The first row that is missing, changed or vouched for by no signature; null when intact."),
    reason: describe(Nullable(Type.String()), "What is wrong there, in words; null when intact."),
    after: Type.Optional(describe(Count, "The row after which the check began. Rows up to it were not checked, and nothing is said of them.")),
    more: Type.Optional(Type.Literal(true, { description: "There are rows behind `head_seq` that were not checked." })),
  }),
  async run({ view, input }: Call<Part>) {
    const part = partOf(input);
    const report = await view.tenant.reader.ledger.verify(part);
    const { intact, checked, after } = report;
    await record(view, "audit.verify", { scope: null, detail: { intact, checked, ...(after !== undefined && { after }) } });
    return report;
  },
});

/** Errors: `bad_request` for a row without its hash, or a hash without its row. */
function partOf({ after: seq, hash: row_hash, limit = WHOLE_CHAIN.limit }: Part): ChainPart {
  if (seq === undefined && row_hash === undefined) return { after: GENESIS, limit };
  if (seq === undefined) throw badField("/after", "is required with `hash`");
  if (row_hash === undefined) throw badField("/hash", "is required with `after`");
  return { after: { seq, row_hash }, limit };
}
