/** How the service is: its planes and indexes, what is stored, and the models that it runs. */
import { useEffect } from "preact/hooks";
import { bytes, count, dateTime, plural } from "../format.ts";
import { type Loaded, useLoad } from "../hooks.ts";
import { type CatalogStats, type Health, operations } from "../operations.ts";
import { linkTo } from "../router.ts";
import { useSession } from "../session.tsx";
import { Models } from "../status/models.tsx";
import { PlaneCards } from "../status/planes.tsx";
import { Badge, Button, Card, Empty, ErrorNote, Facts, PageHead, Skeleton, type Tone } from "../ui/index.ts";

/** How often it is asked again while it is looked at. */
const AGAIN_MS = 10_000;
const HEALTH: Record<Health["status"], { word: string; tone: Tone; says: string }> = {
  ok: { word: "Working", tone: "good", says: "Everything works." },
  degraded: { word: "Degraded", tone: "warn", says: "A part does not work at the moment; the rest goes on." },
  down: { word: "Down", tone: "bad", says: "Nothing can be searched at the moment." },
};
const GB = 1e9;

export function StatusScreen() {
  const health = useLoad(operations.health, []);
  const stats = useLoad(operations.stats, []);
  useEffect(() => {
    const timer = setInterval(() => {
      health.reload();
      stats.reload();
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="stack">
      <PageHead
        title="Status"
        about="Counts are of what you may read in the chosen scope."
        actions={
          <Button
            icon="refresh"
            onClick={() => {
              health.reload();
              stats.reload();
            }}
          >
            Look again
          </Button>
        }
      />
      <div class="cards">
        <Service health={health} />
        <Stored stats={stats} />
      </div>
      <Card title="Planes">
        {stats.error !== null && <ErrorNote error={stats.error} onRetry={stats.reload} />}
        {stats.data === null && stats.loading && <Skeleton lines={4} label="Loading the planes" />}
        {stats.data !== null && <PlaneCards planes={stats.data.planes} />}
        {stats.data?.storage.catalog_rows === 0 && <NothingStored />}
      </Card>
      <Models />
    </div>
  );
}

function Service({ health: { data, error, reload } }: { health: Loaded<Health> }) {
  return (
    <Card title="Service" actions={data !== null && <Badge tone={HEALTH[data.status].tone}>{HEALTH[data.status].word}</Badge>}>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {data === null && error === null && <Skeleton lines={3} label="Loading the health" />}
      {data !== null && (
        <div class="stack">
          <p>{HEALTH[data.status].says}</p>
          <Facts
            facts={[
              ["Version", data.version],
              ["Looked at", dateTime(Date.parse(data.time))],
              ["Catalog", data.bindings.catalog],
              ["Objects", data.bindings.object_store],
              ["Indexes", data.bindings.vector_index.join(", ")],
              ["Models", data.bindings.inference ? "passed their self-test" : "do not run"],
            ]}
          />
        </div>
      )}
    </Card>
  );
}

function Stored({ stats: { data, error, reload } }: { stats: Loaded<CatalogStats> }) {
  const { context } = useSession();
  return (
    <Card title="Stored">
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {data === null && error === null && <Skeleton lines={3} label="Loading the storage" />}
      {data !== null && (
        <Facts
          facts={[
            ["Namespace", data.namespace],
            ["Scope", data.scope === "*" ? "all scopes" : data.scope],
            [
              "Units",
              <a key="units" href={linkTo(["units"])}>
                {count(data.storage.catalog_rows)}
              </a>,
            ],
            ["Vectors", count(data.storage.vectors)],
            ["Files", bytes(data.storage.object_store_gb * GB)],
            ["Queries", `${count(data.queries_per_day)} in the last day`],
            ["Scopes", plural(context.folders_visible, "scope")],
            ...(data.language === undefined ? [] : ([["Language", data.language]] as const)),
          ]}
        />
      )}
    </Card>
  );
}

function NothingStored() {
  return (
    <Empty icon="units" title="Nothing is stored here yet">
      <p>
        <a href={linkTo(["files"])}>Add files</a>, or send Units with <code>POST /v1/ingest</code>.
      </p>
    </Empty>
  );
}
