import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { clock, dateTime, percent } from "../format.ts";
import { useLoad, useObjectUrl } from "../hooks.ts";
import { operations } from "../operations.ts";
import { may, useSession } from "../session.tsx";
import type { Locator, MetadataValue, Unit } from "../types.ts";
import { Badge, Button, Confirm, Dialog, ErrorNote, Facts, Skeleton, toast } from "../ui/index.ts";
import { MODALITY_WORDS, PLANE_WORDS } from "../words.ts";

interface UnitDetailProps {
  id: string;
  onClose(): void;
  onRemoved(): void;
}

/** All that is stored of a Unit, with its picture where it has one. */
export function UnitDetail({ id, onClose, onRemoved }: UnitDetailProps) {
  const session = useSession();
  const { data: unit, error, reload } = useLoad((signal) => api.unit(id, signal), [id]);
  const [asking, setAsking] = useState(false);
  const own = unit !== null && unit.acl_owner === session.context.principal.principal_id;
  const remove = async () => {
    await operations.removeUnit(id);
    toast("The Unit is deleted.");
    onRemoved();
  };
  return (
    <Dialog title={unit === null ? "Unit" : titleOf(unit)} kind="side" onClose={onClose}>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {unit === null && error === null && <Skeleton lines={6} label="Loading the Unit" />}
      {unit !== null && (
        <div class="stack">
          {unit.source_uri?.startsWith("strata://files/") && <Preview id={id} />}
          {unit.text !== undefined && <pre class="unit-text">{unit.text}</pre>}
          <Facts facts={factsOf(unit)} />
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

/** The page, the crop, the frame or the waveform; nothing where there is none. */
function Preview({ id }: { id: string }) {
  const { url } = useObjectUrl((signal) => api.bytes(`/v1/units/${encodeURIComponent(id)}/preview`, { size: 1024 }, signal), [id]);
  return url === null ? null : <img class="unit-preview" src={url} alt="What the Unit was made of" />;
}

export function titleOf({ metadata, path, doc_id, modality }: Unit): string {
  const file = metadata?.file_name;
  return typeof file === "string" ? file : (path?.[0] ?? doc_id ?? MODALITY_WORDS[modality]);
}

function factsOf(unit: Unit): (readonly [string, preact.ComponentChildren])[] {
  const { unit_id, modality, plane, scope, path, locator, doc_id, source_uri, mime, acl_owner, acl_groups, metadata = {} } = unit;
  const facts: (readonly [string, preact.ComponentChildren] | null)[] = [
    ["Kind", MODALITY_WORDS[modality]],
    ["Plane", PLANE_WORDS[plane]],
    ["Scope", scope],
    path === undefined ? null : ["Stands under", path.join(" › ")],
    locator === undefined ? null : ["Place", placeWords(locator)],
    doc_id === undefined ? null : ["Document", doc_id],
    source_uri === undefined ? null : ["Source", source_uri],
    mime === undefined ? null : ["Type", mime],
    ["Owner", acl_owner],
    [
      "Groups",
      acl_groups.length === 0 ? (
        "none: the owner and admins alone"
      ) : (
        <span class="row" key="groups">
          {acl_groups.map((group) => (
            <Badge key={group}>{group}</Badge>
          ))}
        </span>
      ),
    ],
    ...Object.entries(metadata).map(([name, value]) => [name.replaceAll("_", " "), shown(value)] as const),
    ["Stored", dateTime(unit.created_at)],
    ["Id", <code key="id">{unit_id}</code>],
  ];
  return facts.filter((fact) => fact !== null);
}

function shown(value: MetadataValue): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** Where in its source a Unit stands. */
export function placeWords(locator: Locator): string {
  if (locator.kind === "time_range") return `${clock(locator.t_start_ms)} to ${clock(locator.t_end_ms)}`;
  if (locator.kind === "line_range") return `lines ${locator.start} to ${locator.end}`;
  if (locator.kind === "char_span") return `characters ${locator.start} to ${locator.end}`;
  const { page, x, y, w, h } = locator;
  return `${page === undefined ? "" : `page ${page}, `}${percent(w)} × ${percent(h)} at ${percent(x)}, ${percent(y)}`;
}
