/** The audit chain: what was done by whom, newest first, and whether the chain is whole. */
import { useState } from "preact/hooks";
import { Verification } from "../audit/verification.tsx";
import { AuditDetail, OUTCOMES } from "../audit/row-detail.tsx";
import { exactTime, plural } from "../format.ts";
import { useLoad } from "../hooks.ts";
import { type AuditRow, operations } from "../operations.ts";
import { close, linkTo, open, type ScreenProps } from "../router.ts";
import { ScopePath } from "../scope-path.tsx";
import { Badge, Button, Card, Dialog, ErrorNote, PageHead, Skeleton, Table } from "../ui/index.ts";

export function AuditScreen({ place }: ScreenProps) {
  const { data, error, loading, reload } = useLoad((signal) => operations.audit(0, signal), []);
  // Pages behind the first one, as they were asked for.
  const [older, setOlder] = useState<{ rows: readonly AuditRow[]; next: number | null } | null>(null);
  const [number] = place.parts;
  const rows = [...(data?.rows ?? []), ...(older?.rows ?? [])];
  const next = older === null ? (data?.next_cursor ?? null) : older.next;
  const refresh = () => {
    setOlder(null);
    reload();
  };
  return (
    <div class="stack">
      <PageHead
        title="Audit"
        about="Every search, answer, change and refusal leaves a row. Each row carries the hash of the one before it, so that nothing can be changed or taken out unseen."
        actions={
          <Button icon="refresh" busy={loading && data !== null} onClick={refresh}>
            Newest rows
          </Button>
        }
      />
      <Verification rows={rows[0]?.seq ?? null} />
      <Card title="Rows">
        {error !== null && <ErrorNote error={error} onRetry={refresh} />}
        {data === null && loading && <Skeleton lines={8} label="Loading the rows" />}
        {rows.length > 0 && (
          <>
            <Rows rows={rows} />
            <Older rows={rows} next={next} onRows={setOlder} before={older?.rows ?? []} />
          </>
        )}
      </Card>
      {number !== undefined && (
        <OpenedRow
          key={number}
          number={number}
          known={rows.find(({ seq }) => String(seq) === number) ?? null}
          onClose={() => close(linkTo(["audit"]))}
        />
      )}
    </div>
  );
}

function Rows({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <Table
      caption="Rows of the audit chain, newest first"
      rows={rows}
      keyOf={({ seq }) => seq}
      columns={[
        {
          title: "Row",
          cell: (row) => (
            <button type="button" class="link" aria-label={`Row ${row.seq}, all of it`} onClick={() => open(linkTo(["audit", String(row.seq)]))}>
              {row.seq}
            </button>
          ),
        },
        { title: "When", whole: true, cell: ({ ts }) => exactTime(ts) },
        { title: "Who", cell: ({ principal_id }) => principal_id ?? <span class="muted">not for you to see</span> },
        { title: "What", whole: true, cell: ({ action }) => <code>{action}</code> },
        { title: "Scope", cell: ({ scope }) => (scope === null ? <span class="muted">–</span> : <ScopePath path={scope} />) },
        { title: "Outcome", cell: ({ outcome }) => <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].word}</Badge> },
      ]}
    />
  );
}

interface OpenedRowProps {
  /** As it stands in the address. */
  number: string;
  /** Where it is among those that are shown. */
  known: AuditRow | null;
  onClose(): void;
}

/** The row that the address names; it is asked for where it is not shown. */
function OpenedRow({ number, known, onClose }: OpenedRowProps) {
  const [shown] = useState(known);
  const { data, error, loading, reload } = useLoad(
    (signal) => (shown === null ? operations.auditRow(Number(number), signal) : Promise.resolve(shown)),
    [],
  );
  const row = data ?? known;
  if (row !== null) return <AuditDetail row={row} onClose={onClose} />;
  return (
    <Dialog title={`Row ${number}`} onClose={onClose}>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {loading ? <Skeleton lines={4} label="Loading the row" /> : error === null && <p>There is no such row.</p>}
    </Dialog>
  );
}

interface OlderProps {
  /** All that are shown. */
  rows: readonly AuditRow[];
  before: readonly AuditRow[];
  next: number | null;
  onRows(older: { rows: readonly AuditRow[]; next: number | null }): void;
}

function Older({ rows, before, next, onRows }: OlderProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const load = async (cursor: number) => {
    setBusy(true);
    setError(null);
    try {
      const page = await operations.audit(cursor);
      // Rows that were written meanwhile push others on to this page that are shown already.
      const last = rows.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
      onRows({ rows: [...before, ...page.rows.filter(({ seq }) => seq < last)], next: page.next_cursor });
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <div class="pager">
      {error !== null && <ErrorNote error={error} />}
      {next === null ? (
        <span class="muted">{plural(rows.length, "row")}, all that there are</span>
      ) : (
        <Button busy={busy} onClick={() => void load(next)}>
          Older rows
        </Button>
      )}
    </div>
  );
}
