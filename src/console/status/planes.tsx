import { count, percent, plural } from "../format.ts";
import type { PlaneStats } from "../operations.ts";
import { Badge, Facts, Progress, type Tone } from "../ui/index.ts";
import { PLANE_WORDS } from "../words.ts";

const HEALTH: Record<PlaneStats["health"], { word: string; tone: Tone }> = {
  green: { word: "up to date", tone: "good" },
  yellow: { word: "catching up", tone: "warn" },
  red: { word: "failing", tone: "bad" },
};

/** A plane each: its model, its vectors, and how far its index is. */
export function PlaneCards({ planes }: { planes: readonly PlaneStats[] }) {
  return (
    <ul class="planes">
      {planes.map((plane) => (
        <li key={plane.plane}>
          <PlaneCard plane={plane} />
        </li>
      ))}
    </ul>
  );
}

function PlaneCard({ plane: { plane, model, dims, metric, vectors, indexed, lag, quarantined, content, health } }: { plane: PlaneStats }) {
  const share = vectors === 0 ? 1 : indexed / vectors;
  return (
    <>
      <div class="row between">
        <h3>{PLANE_WORDS[plane]}</h3>
        <Badge tone={HEALTH[health].tone}>{HEALTH[health].word}</Badge>
      </div>
      <p class="big">{plural(vectors, "vector")}</p>
      <Progress value={share} label={`${PLANE_WORDS[plane]}: ${percent(share)} in the index`} />
      <p class="muted small">{lag === 0 ? "all in the index" : `${count(lag)} to come`}</p>
      <Facts
        facts={[
          ["Text by", `${model}, ${dims} dimensions, ${metric}`],
          ...(content === undefined
            ? []
            : ([["Content by", `${content.model}, ${content.dims} dimensions, ${plural(content.vectors, "vector")}`]] as const)),
          ...(quarantined === undefined ? [] : ([["Set aside", `${plural(quarantined, "Unit")}: strata doctor names them`]] as const)),
        ]}
      />
    </>
  );
}
