/** What is stored, Unit by Unit: of the chosen scope, or of one file. */
import { count, date, plural } from "../format.ts";
import { useLoad } from "../hooks.ts";
import { close, go, linkTo, opening, type Place, type ScreenProps } from "../router.ts";
import { ScopePath } from "../scope-path.tsx";
import { may, useSession } from "../session.tsx";
import { fileOf, nameOf } from "../source/place.ts";
import type { Unit } from "../types.ts";
import { Badge, Button, Card, Empty, ErrorNote, Field, Note, PageHead, Pager, Select, Skeleton, Table } from "../ui/index.ts";
import { listUnits, ORDERS, type Order } from "../units/listing.ts";
import { UnitDetail } from "../units/unit-detail.tsx";
import { MODALITY_WORDS } from "../words.ts";

const PAGE = 25;
const TEXT_MAX_CHARS = 200;

export function UnitsScreen({ place }: ScreenProps) {
  const session = useSession();
  const [id] = place.parts;
  const file = place.parameters.get("file");
  const offset = Math.max(0, Number(place.parameters.get("from")) || 0);
  const order = ORDERS.find((one) => one === place.parameters.get("sort")) ?? ORDERS[0];
  const { data, error, loading, reload } = useLoad((signal) => listUnits({ file, order, offset, size: PAGE }, signal), [file, order, offset]);
  const page = (from: number, sort: Order) =>
    linkTo(["units"], { file: file ?? undefined, sort: sort === ORDERS[0] ? undefined : sort, from: from === 0 ? undefined : String(from) });
  const move = (from: number) => go(page(from, order));
  const leave = () => close(page(offset, order));
  return (
    <div class="stack">
      <PageHead
        title="Units"
        about="The smallest things that are stored and found: passages, pages, pictures, seconds of sound."
        actions={
          <Button icon="refresh" busy={loading && data !== null} onClick={reload}>
            Look again
          </Button>
        }
      />
      {file === null ? <Sorting order={order} onChange={(chosen) => go(page(0, chosen))} /> : <OfFile name={data?.file ?? file} />}
      {data !== null && data.hidden > 0 && (
        <Note icon="lock">{plural(data.hidden, "more Unit lies", "more Units lie")} here that you may not read.</Note>
      )}
      <Card>
        {error !== null && <ErrorNote error={error} onRetry={reload} />}
        {data === null && loading && <Skeleton lines={8} label="Loading the Units" />}
        {data !== null && data.units.length === 0 && <Nothing writes={may(session, "write")} />}
        {data !== null && data.units.length > 0 && (
          <>
            <UnitTable units={data.units} place={place} />
            <Pager offset={offset} shown={data.units.length} next={data.next} size={PAGE} onMove={move} />
          </>
        )}
      </Card>
      {id !== undefined && (
        <UnitDetail
          key={id}
          id={id}
          onClose={leave}
          onRemoved={() => {
            leave();
            reload();
          }}
        />
      )}
    </div>
  );
}

const ORDER_WORDS: Record<Order, string> = { "-created_at": "Newest first", created_at: "Oldest first" };

function Sorting({ order, onChange }: { order: Order; onChange(order: Order): void }) {
  return (
    <div class="row">
      <Field label="Order">
        {(control) => (
          <Select
            {...control}
            value={order}
            options={ORDERS.map((one) => [one, ORDER_WORDS[one]] as const)}
            onChange={(event) => onChange(event.currentTarget.value as Order)}
          />
        )}
      </Field>
    </div>
  );
}

function OfFile({ name }: { name: string }) {
  return (
    <p class="row">
      <span>
        Of the file{" "}
        <strong class="break" dir="auto">
          {name}
        </strong>
      </span>
      <a href={linkTo(["units"])}>Show all Units</a>
    </p>
  );
}

function Nothing({ writes }: { writes: boolean }) {
  return (
    <Empty icon="units" title="Nothing is stored here yet">
      {writes ? (
        <p>
          <a href={linkTo(["files"])}>Add files</a>, or send Units with <code>POST /v1/ingest</code>.
        </p>
      ) : (
        <p>Nothing in this scope is for you to read. Choose another one at the top.</p>
      )}
    </Empty>
  );
}

function UnitTable({ units, place }: { units: readonly Unit[]; place: Place }) {
  const linkOf = ({ unit_id }: Unit) => linkTo(["units", unit_id], Object.fromEntries(place.parameters));
  return (
    <Table
      caption="Units"
      rows={units}
      keyOf={({ unit_id }) => unit_id}
      columns={[
        {
          title: "Unit",
          lead: true,
          cell: (unit) => (
            <>
              <a class="unit-title" href={linkOf(unit)} onClick={opening} dir="auto">
                {nameOf(unit)}
              </a>
              <p class="clamp muted" dir="auto">
                {(unit.text ?? (fileOf(unit) === null ? unit.source_uri : undefined) ?? "").slice(0, TEXT_MAX_CHARS)}
              </p>
            </>
          ),
        },
        { title: "Kind", whole: true, cell: ({ modality }) => <Badge>{MODALITY_WORDS[modality]}</Badge> },
        { title: "Scope", cell: ({ scope }) => <ScopePath path={scope} /> },
        { title: "Owner", cell: ({ acl_owner }) => acl_owner },
        { title: "Readers", cell: readersOf },
        { title: "Stored", whole: true, cell: ({ created_at }) => date(created_at) },
      ]}
    />
  );
}

function readersOf({ acl_groups }: Unit): string {
  if (acl_groups.length === 0) return "owner";
  return acl_groups.length > 2 ? `${count(acl_groups.length)} groups` : acl_groups.join(", ");
}
