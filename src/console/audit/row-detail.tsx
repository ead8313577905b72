import { exactTime } from "../format.ts";
import type { AuditRow } from "../operations.ts";
import { Badge, Dialog, Facts, Note, type Tone } from "../ui/index.ts";

export const OUTCOMES: Record<AuditRow["outcome"], { word: string; tone: Tone }> = {
  ok: { word: "done", tone: "good" },
  denied: { word: "refused", tone: "warn" },
  error: { word: "failed", tone: "bad" },
};

/** All of a row that the caller may see. */
export function AuditDetail({ row, onClose }: { row: AuditRow; onClose(): void }) {
  const { seq, ts, principal_id, action, outcome, scope, target, detail, prev_hash, row_hash } = row;
  const hidden = principal_id === null;
  const nothing = <span class="muted">–</span>;
  return (
    <Dialog title={`Row ${seq}`} onClose={onClose}>
      <div class="stack">
        {hidden && <Note icon="lock">Who did this, and to what, only admins and they themselves see. The hashes are the same for everybody.</Note>}
        <Facts
          facts={[
            ["When", exactTime(ts)],
            ["What", <code key="action">{action}</code>],
            [
              "Outcome",
              <Badge key="outcome" tone={OUTCOMES[outcome].tone}>
                {OUTCOMES[outcome].word}
              </Badge>,
            ],
            ...(hidden
              ? []
              : ([
                  ["Who", principal_id],
                  ["Scope", scope ?? nothing],
                  ["Target", target ?? nothing],
                ] as const)),
            ...Object.entries(detail ?? {}).map(([name, value]) => [name.replaceAll("_", " "), String(value)] as const),
            ["Hash", <code key="hash">{row_hash}</code>],
            ["Hash before", <code key="before">{prev_hash}</code>],
          ]}
        />
      </div>
    </Dialog>
  );
}
