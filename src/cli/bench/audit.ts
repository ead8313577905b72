import type { AuditEvent } from "../../domain/audit.ts";
import { type Figure, timed } from "./measure.ts";
import type { Stand } from "./stand.ts";

const CLIENTS = 8;
const EVENT: AuditEvent = { principal_id: "bench", action: "search", outcome: "ok", scope: "bench", target: null, detail: { hits: 10 } };

/** Appends by eight clients that share commits, against one commit a row; then a whole verification. */
export async function benchAudit({ tenant }: Stand, rows: number): Promise<Figure[]> {
  const { store } = tenant;
  const append = () => store.transact((tx) => tx.ledger.append(EVENT));
  const work = Array.from({ length: rows }, (_, index) => index);
  const alone = await timed(work, 1, append);
  const grouped = await timed(work, CLIENTS, append);
  const start = performance.now();
  const report = await store.reader.ledger.verify();
  const verifyMs = performance.now() - start;
  if (!report.intact) throw new Error(`the chain broke while it was measured: ${report.reason}`);
  return [
    {
      name: `audit append, ${CLIENTS} clients`,
      value: (rows / grouped.total) * 1000,
      unit: "rows/s",
      baseline: { name: "a commit for each row", value: (rows / alone.total) * 1000 },
    },
    { name: "audit verify", value: (report.checked / verifyMs) * 1000, unit: "rows/s" },
  ];
}
