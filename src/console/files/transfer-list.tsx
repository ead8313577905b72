import { useEffect, useState } from "preact/hooks";
import { bytes, count, plural } from "../format.ts";
import { linkTo } from "../router.ts";
import { Badge, Button, Card, IconButton, Progress, wordsFor } from "../ui/index.ts";
import { type Transfer, transfers } from "./transfers.ts";
import { shareDone, transferWords, wasStored } from "./words.ts";

/** Rows that are shown at once: of a large folder first those that are in work or went wrong. */
const SHOWN_MAX = 100;
const ORDER: Record<Transfer["state"], number> = { failed: 0, sending: 1, working: 2, waiting: 3, done: 4 };

export function useTransfers(): readonly Transfer[] {
  const [list, setList] = useState(transfers.all());
  useEffect(() => transfers.subscribe(() => setList(transfers.all())), []);
  return list;
}

/** What was dropped since the page was opened. */
export function TransferList({ list, onDelete }: { list: readonly Transfer[]; onDelete(transfer: Transfer): void }) {
  if (list.length === 0) return null;
  const counted = (...states: Transfer["state"][]) => list.filter(({ state }) => states.includes(state)).length;
  const open = counted("waiting", "sending", "working");
  const over = list.filter(({ state }) => state === "done");
  const share = list.reduce((sum, transfer) => sum + (shareDone(transfer) ?? 0), 0) / list.length;
  const parts = [
    `${count(counted("done"))} of ${plural(list.length, "file")} searchable`,
    ...(counted("failed") > 0 ? [`${count(counted("failed"))} failed`] : []),
  ];
  return (
    <Card
      title="Just added"
      actions={
        over.length > 0 && (
          <Button size="small" variant="quiet" onClick={() => transfers.forget(over.map(({ id }) => id))}>
            Clear finished
          </Button>
        )
      }
    >
      <p class="muted" role="status">
        {parts.join(", ")}
      </p>
      {open > 0 && <Progress value={share} label="All files" />}
      <ul class="transfers">
        {list
          .toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || a.id - b.id)
          .slice(0, SHOWN_MAX)
          .map((transfer) => (
            <TransferRow key={transfer.id} transfer={transfer} onDelete={onDelete} />
          ))}
      </ul>
      {list.length > SHOWN_MAX && <p class="muted">and {plural(list.length - SHOWN_MAX, "more file")}</p>}
    </Card>
  );
}

function TransferRow({ transfer, onDelete }: { transfer: Transfer; onDelete(transfer: Transfer): void }) {
  const { id, name, state, sent, bytes: size, job, error, again, fileId } = transfer;
  const { word, tone } = transferWords(transfer);
  const inWork = state === "sending" || state === "working";
  return (
    <li class="transfer">
      <div class="transfer-head">
        <span class="transfer-name" title={name} dir="auto">
          {name}
        </span>
        <Badge tone={tone}>{word}</Badge>
        {state === "failed" && again && (
          <Button size="small" icon="refresh" onClick={() => transfers.retry(id)}>
            Try again
          </Button>
        )}
        {fileId === null ? (
          <IconButton label={`Leave out ${name}`} icon="close" onClick={() => transfers.forget([id])} />
        ) : (
          <IconButton label={`Delete ${name}`} icon="trash" onClick={() => onDelete(transfer)} />
        )}
      </div>
      {inWork && <Progress value={shareDone(transfer)} label={`${name}: ${word}`} />}
      <p class="muted small">
        {state === "sending" ? `${bytes(sent)} of ${bytes(size)}` : bytes(size)}
        {job !== null && job.counts.units > 0 && (
          <>
            {" "}
            · <a href={linkTo(["units"], { file: fileId ?? undefined })}>{plural(job.counts.units, "Unit")}</a>
          </>
        )}
        {wasStored(transfer) && " · these bytes were stored already, and have this name and these readers now"}
        {state === "working" && job?.state === "running" && ` · ${job.stage}`}
      </p>
      {error !== null && <p class={state === "failed" ? "wrong" : "muted"}>{wordsFor(error)}</p>}
      <Remarks notes={job?.notes ?? []} />
    </li>
  );
}

/** What a job left out, and why. */
export function Remarks({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <details class="remarks">
      <summary>{plural(notes.length, "remark")}</summary>
      <ul>
        {notes.map((note, at) => (
          <li key={at}>{note}</li>
        ))}
      </ul>
    </details>
  );
}
