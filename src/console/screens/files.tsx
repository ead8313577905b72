/** Takes files in, shows how far the work on them is, and what was taken in before. */
import { useCallback, useState } from "preact/hooks";
import { DropZone } from "../files/drop-zone.tsx";
import { StoredFiles } from "../files/stored-files.tsx";
import type { Taken } from "../files/take.ts";
import { TransferList, useTransfers } from "../files/transfer-list.tsx";
import { transfers } from "../files/transfers.ts";
import { operations } from "../operations.ts";
import { may, type Session, useSession } from "../session.tsx";
import { Checkbox, Confirm, Note, PageHead, toast } from "../ui/index.ts";

interface Doomed {
  fileId: string;
  name: string;
  /** The transfer that brought it; null: it was stored before. */
  transfer: number | null;
}

export function FilesScreen() {
  const session = useSession();
  const list = useTransfers();
  const [groups, setGroups] = useState<readonly string[]>([]);
  const [doomed, setDoomed] = useState<Doomed | null>(null);
  const [deleted, setDeleted] = useState(0);
  const { scope } = session;
  const writes = may(session, "write");
  const take = useCallback(
    (taken: Taken[]) => {
      if (taken.length === 0) toast("There is no file in it, but for hidden ones.", "bad");
      else transfers.add(taken, { scope, groups });
    },
    [scope, groups],
  );
  const remove = async ({ fileId, name, transfer }: Doomed) => {
    await operations.removeFile(fileId);
    if (transfer !== null) transfers.forget([transfer]);
    setDeleted(deleted + 1);
    toast(`${name} is deleted.`);
  };
  // What was taken or is done since stands among the stored ones.
  const version = list.filter(({ fileId }) => fileId !== null).length + list.filter(({ state }) => state === "done").length;
  return (
    <div class="stack">
      <PageHead
        title="Files"
        about={
          writes ? "What you drop here is read, cut into Units, and found by the next search." : "What was read, cut into Units, and can be found."
        }
      />
      {writes ? (
        <>
          <DropZone onTake={take} />
          <Destination session={session} groups={groups} onGroups={setGroups} />
        </>
      ) : (
        <Note icon="lock">You may read here. Adding files takes the permission to write.</Note>
      )}
      <TransferList list={list} onDelete={({ id, fileId, name }) => fileId !== null && setDoomed({ fileId, name, transfer: id })} />
      <StoredFiles version={`${version} ${deleted}`} onDelete={({ file_id, name }) => setDoomed({ fileId: file_id, name, transfer: null })} />
      {doomed !== null && (
        <Confirm title="Delete this file?" action="Delete" danger onConfirm={() => remove(doomed)} onClose={() => setDoomed(null)}>
          <p class="break">
            <strong dir="auto">{doomed.name}</strong> goes with all its Units and its bytes. This cannot be undone.
          </p>
        </Confirm>
      )}
    </div>
  );
}

/** Where new files of a principal go that has no scope of its own. */
const DEFAULT_SCOPE = "default";
const ALL = "*";

function Destination({ session, groups, onGroups }: { session: Session; groups: readonly string[]; onGroups(groups: string[]): void }) {
  const { requested_scope, principal } = session.context;
  const toggle = (group: string) => onGroups(groups.includes(group) ? groups.filter((one) => one !== group) : [...groups, group]);
  return (
    <div class="destination">
      <p>
        They go to <strong class="break">{requested_scope === ALL ? DEFAULT_SCOPE : requested_scope}</strong>
        <span class="muted">{requested_scope === ALL ? "; choose another scope at the top." : ", the scope that is chosen at the top."}</span>
      </p>
      {principal.groups.length > 0 && (
        <fieldset class="checkboxes">
          <legend>Who may read them, besides you and admins</legend>
          {principal.groups.map((group) => (
            <Checkbox key={group} label={group} checked={groups.includes(group)} onChange={() => toggle(group)} />
          ))}
        </fieldset>
      )}
    </div>
  );
}
