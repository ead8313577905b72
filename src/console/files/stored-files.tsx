import { useState } from "preact/hooks";
import { bytes, count, date } from "../format.ts";
import { useLoad } from "../hooks.ts";
import { JOB_STATES, operations, type StoredFile } from "../operations.ts";
import { linkTo } from "../router.ts";
import { ScopePath } from "../scope-path.tsx";
import { may, useSession } from "../session.tsx";
import { Badge, Card, Empty, ErrorNote, IconButton, Pager, Select, Skeleton, Table, wordsFor } from "../ui/index.ts";
import { ApiError } from "../api.ts";
import { Remarks } from "./transfer-list.tsx";
import { jobWords, kindWord } from "./words.ts";

const PAGE = 25;
const ANY_STATE = "";
const STATE_CHOICES = [[ANY_STATE, "All files"], ...JOB_STATES.map((state) => [state, jobWords({ state }).word] as const)] as const;

/** Files that were taken in, newest first. Another `version` asks for them again. */
export function StoredFiles({ version, onDelete }: { version: string; onDelete(file: StoredFile): void }) {
  const session = useSession();
  const [offset, setOffset] = useState(0);
  const [state, setState] = useState(ANY_STATE);
  const chosen = JOB_STATES.find((one) => one === state);
  const query = { limit: PAGE, cursor: offset, ...(chosen === undefined ? {} : { state: chosen }) };
  const { data, error, loading, reload } = useLoad((signal) => operations.files(query, signal), [version, offset, state]);
  const filter = (
    <Select
      aria-label="State"
      options={STATE_CHOICES}
      value={state}
      onChange={(event) => {
        setState(event.currentTarget.value);
        setOffset(0);
      }}
    />
  );
  return (
    <Card title="Stored files" actions={filter}>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {data === null && loading && <Skeleton lines={4} label="Loading the files" />}
      {data !== null && data.files.length === 0 && (
        <Empty icon="files" title={state === ANY_STATE ? "No files here yet" : "No such file"}>
          <p>{state !== ANY_STATE ? "No file that you may read is in this state." : emptyHint(may(session, "write"))}</p>
        </Empty>
      )}
      {data !== null && data.files.length > 0 && (
        <>
          <FileTable files={data.files} session={session} onDelete={onDelete} />
          <Pager offset={offset} shown={data.files.length} next={data.next_cursor} size={PAGE} onMove={setOffset} />
        </>
      )}
    </Card>
  );
}

function emptyHint(writes: boolean): string {
  return writes
    ? "Drop some above: what they say, show and sound like can be found as soon as they are read."
    : "Ask somebody who may write to add some, or choose another scope above.";
}

interface FileTableProps {
  files: readonly StoredFile[];
  session: ReturnType<typeof useSession>;
  onDelete(file: StoredFile): void;
}

function FileTable({ files, session, onDelete }: FileTableProps) {
  const mayDelete = ({ acl_owner }: StoredFile) =>
    may(session, "admin") || (may(session, "write") && acl_owner === session.context.principal.principal_id);
  return (
    <Table
      caption="Stored files"
      rows={files}
      keyOf={({ file_id }) => file_id}
      columns={[
        { title: "Name", lead: true, cell: FileName },
        { title: "Kind", whole: true, cell: ({ kind }) => kindWord(kind) },
        { title: "Size", numeric: true, cell: (file) => bytes(file.bytes) },
        { title: "Units", numeric: true, cell: UnitCount },
        { title: "Scope", cell: ({ scope }) => <ScopePath path={scope} /> },
        { title: "Added", whole: true, cell: ({ created_at }) => date(created_at) },
        { title: "State", whole: true, cell: ({ job }) => job !== null && <Badge tone={jobWords(job).tone}>{jobWords(job).word}</Badge> },
        {
          title: "Delete",
          cell: (file) => mayDelete(file) && <IconButton label={`Delete ${file.name}`} icon="trash" onClick={() => onDelete(file)} />,
        },
      ]}
    />
  );
}

function UnitCount({ file_id, unit_count }: StoredFile) {
  return unit_count === 0 ? <>0</> : <a href={linkTo(["units"], { file: file_id })}>{count(unit_count)}</a>;
}

function FileName({ name, job }: StoredFile) {
  const failure = job?.error ?? null;
  return (
    <>
      <span class="break" dir="auto">
        {name}
      </span>
      {failure !== null && <p class="wrong small">{wordsFor(new ApiError(400, failure.error, failure.detail))}</p>}
      <Remarks notes={job?.notes ?? []} />
    </>
  );
}
