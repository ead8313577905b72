import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { useLoad } from "../hooks.ts";
import { operations } from "../operations.ts";
import { may, useSession } from "../session.tsx";
import { nameOf } from "../source/place.ts";
import { UnitSource } from "../source/unit-source.tsx";
import { Button, Confirm, Dialog, ErrorNote, Skeleton, toast } from "../ui/index.ts";

interface UnitDetailProps {
  id: string;
  onClose(): void;
  onRemoved(): void;
}

/** A Unit at its place in its source, and the way to delete it. */
export function UnitDetail({ id, onClose, onRemoved }: UnitDetailProps) {
  const session = useSession();
  const { data: unit, error, reload } = useLoad((signal) => api.unit(id, signal), [id]);
  const [asking, setAsking] = useState(false);
  const own = unit?.acl_owner === session.context.principal.principal_id;
  const remove = async () => {
    await operations.removeUnit(id);
    toast("The Unit is deleted.");
    onRemoved();
  };
  return (
    <Dialog title={unit === null ? "Unit" : nameOf(unit)} kind="side" onClose={onClose}>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {unit === null && error === null && <Skeleton lines={6} label="Loading the Unit" />}
      {unit !== null && (
        <div class="stack">
          <UnitSource unit={unit} marks={[]} />
          {(may(session, "admin") || (may(session, "write") && own)) && (
            <div class="row end">
              <Button variant="danger" icon="trash" onClick={() => setAsking(true)}>
                Delete this Unit
              </Button>
            </div>
          )}
        </div>
      )}
      {asking && (
        <Confirm title="Delete this Unit?" action="Delete" danger onConfirm={remove} onClose={() => setAsking(false)}>
          <p>It is found no more. With the last Unit of a file its bytes go. This cannot be undone.</p>
        </Confirm>
      )}
    </Dialog>
  );
}
