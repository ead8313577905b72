/** A Unit at its place in its source: what the panel beside results and answers shows. */
import { useEffect, useRef } from "preact/hooks";
import { contentUrl } from "../api.ts";
import { dateTime } from "../format.ts";
import { linkTo } from "../router.ts";
import { Breadcrumb } from "./breadcrumb.tsx";
import { Film } from "./film.tsx";
import { Picture } from "./picture.tsx";
import { boxOf, fileOf, hasPicture, kindOf, nameOf, placeIn } from "./place.ts";
import { Sound } from "./sound.tsx";
import { LogLines, LogPattern, Passage } from "./text.tsx";
import type { Span, Unit } from "../types.ts";
import { Badge, Facts, Icon } from "../ui/index.ts";
import { MODALITY_WORDS, PLANE_WORDS } from "../words.ts";

export interface UnitSourceProps {
  unit: Unit;
  /** What is looked for in its text. */
  marks: readonly Span[];
}

const SIZE = 1200;

export function UnitSource({ unit, marks }: UnitSourceProps) {
  const source = useRef<HTMLDivElement>(null);
  const reveal = () => revealMark(source.current);
  useEffect(reveal, []);
  const file = fileOf(unit);
  const range = unit.locator?.kind === "time_range" ? unit.locator : null;
  const kind = kindOf(unit);
  const place = placeIn(unit);
  return (
    <div ref={source} class="stack source" onLoadCapture={reveal}>
      <div class="row">
        <Badge tone="accent">{MODALITY_WORDS[unit.modality]}</Badge>
        {place !== null && <Badge>{place}</Badge>}
        <span class="muted small">{unit.scope}</span>
      </div>
      <Breadcrumb path={unit.path} />
      {kind === "sound" && file !== null && range !== null && (
        <Sound fileId={file} name={nameOf(unit)} startMs={range.t_start_ms} endMs={range.t_end_ms} />
      )}
      {kind === "video" && file !== null && <Film fileId={file} name={nameOf(unit)} startMs={range?.t_start_ms ?? 0} />}
      {(kind !== "video" || boxOf(unit) !== null) && (hasPicture(unit) || boxOf(unit) !== null) && <Picture unit={unit} size={SIZE} whole />}
      {range !== null && file === null && <p class="muted small">The recording itself is not stored here.</p>}
      <UnitText unit={unit} marks={marks} />
      {file !== null && (
        <div class="row">
          <a class="button small" href={contentUrl(file)} download>
            <Icon name="download" size={15} />
            <span>Download the file</span>
          </a>
          <a class="button small" href={linkTo(["search"], { like: unit.unit_id })}>
            <Icon name="similar" size={15} />
            <span>Similar</span>
          </a>
        </div>
      )}
      <details class="more">
        <summary>About this Unit</summary>
        <UnitFacts unit={unit} />
      </details>
    </div>
  );
}

/** Scrolls to the first marked words when they lie outside of the window, as they do when the picture above them has come. */
function revealMark(source: HTMLElement | null): void {
  const mark = source?.querySelector("mark");
  const at = mark?.getBoundingClientRect();
  if (at !== undefined && (at.bottom > innerHeight || at.top < 0)) mark?.scrollIntoView({ block: "center" });
}

function UnitText({ unit, marks }: UnitSourceProps) {
  const { text, locator } = unit;
  if (unit.modality === "log_template") return <LogPattern unit={unit} />;
  if (text === undefined || text === "") return null;
  if (kindOf(unit) === "log") return <LogLines text={text} marks={marks} first={locator?.kind === "line_range" ? locator.start : 1} />;
  return <Passage text={text} marks={marks} />;
}

function UnitFacts({ unit }: { unit: Unit }) {
  const metadata = Object.entries(unit.metadata ?? {}).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)] as const,
  );
  const facts: [string, string | undefined][] = [
    ["Id", unit.unit_id],
    ["Document", unit.doc_id],
    ["Source", unit.source_uri],
    ["Plane", PLANE_WORDS[unit.plane]],
    ["Owner", unit.acl_owner],
    ["Groups", unit.acl_groups.join(", ") || "none"],
    ["Stored", dateTime(unit.created_at)],
  ];
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
  return <Facts facts={[...known, ...metadata]} />;
}
