/** Answers by the keys of requests. */
import type { Database } from "bun:sqlite";
import { IDEMPOTENCY_TTL_MS } from "../../base/limits.ts";

export class IdempotencyTable {
  constructor(
    private readonly db: Database,
    private readonly now: () => number,
  ) {}

  find(principal_id: string, key: string): { body_sha256: string; response: string } | null {
    return this.db
      .query("SELECT body_sha256, response FROM idempotency WHERE principal_id = ? AND key = ? AND created_at > ?")
      .get(principal_id, key, this.now() - IDEMPOTENCY_TTL_MS) as { body_sha256: string; response: string } | null;
  }

  remember(principal_id: string, key: string, body_sha256: string, response: string): void {
    this.db.query("DELETE FROM idempotency WHERE created_at <= ?").run(this.now() - IDEMPOTENCY_TTL_MS);
    this.db
      .query("INSERT OR REPLACE INTO idempotency (principal_id, key, body_sha256, response, created_at) VALUES (?, ?, ?, ?, ?)")
      .run(principal_id, key, body_sha256, response, this.now());
  }
}
