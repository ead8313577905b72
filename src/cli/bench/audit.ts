import { canonicalJson, sha256Hex } from "../../base/hash.ts";
import type { AuditEvent } from "../../domain/audit.ts";
import type { LedgerReader } from "../../domain/port/store.ts";
import { atLeast, type Figure, rate, timed } from "./measure.ts";
import type { Stand } from "./stand.ts";

const CLIENTS = 8;
const PAGE_ROWS = 1_000;
const VERIFY_MIN_ROWS_PER_S = 200_000;
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
  const verified = (report.checked / verifyMs) * 1000;
  const hashing = await bareHashing(store.reader.ledger, report.checked);
  return [
    {
      name: `audit append, ${CLIENTS} clients`,
      value: rate(grouped),
      unit: "rows/s",
      baseline: { name: "a commit for each row", value: rate(alone) },
    },
    atLeast(VERIFY_MIN_ROWS_PER_S, {
      name: "audit verify",
      value: verified,
      unit: "rows/s",
      baseline: { name: "bare SHA-256 over the same bytes", value: hashing },
    }),
  ];
}

/** Rows a second of SHA-256 alone, over what the two hashes of each row of the chain are made of. */
async function bareHashing(ledger: LedgerReader, rows: number): Promise<number> {
  const hashed: string[] = [];
  for (let offset = 0; offset < rows; offset += PAGE_ROWS) {
    for (const { row_hash: _, ...row } of await ledger.page(PAGE_ROWS, offset)) {
      if (row.v === undefined) continue;
      const { salt, principal_id, scope, target, detail, ...place } = row;
      hashed.push(canonicalJson({ salt, principal_id, scope, target, detail }), canonicalJson(place));
    }
  }
  const start = performance.now();
  for (const text of hashed) sha256Hex(text);
  return (hashed.length / 2 / (performance.now() - start)) * 1000;
}
