import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { useObjectUrl } from "../hooks.ts";
import { type Box, boxOf, fileOf, hasPicture, KIND_ICONS, kindOf, nameOf, placeIn, type Sourced } from "./place.ts";
import { Icon } from "../ui/index.ts";

export interface PictureProps {
  unit: Sourced;
  /** Longer side in pixels. */
  size: number;
  /** The whole page or picture with the Unit's box on it; else only what is in the box. */
  whole?: boolean;
}

/** The page, picture or frame of a Unit. A Unit without a file has none: where its box lies is then drawn on an empty page. */
export function Picture({ unit, size, whole = false }: PictureProps) {
  const box = boxOf(unit);
  if (hasPicture(unit)) return <Preview unit={unit} size={size} box={whole ? box : null} whole={whole} />;
  return whole && box !== null && fileOf(unit) === null ? <Sketch box={box} /> : null;
}

function Preview({ unit, size, box, whole }: { unit: Sourced; size: number; box: Box | null; whole: boolean }) {
  const { url, error } = useObjectUrl((signal) => api.preview(unit.unit_id, { size, whole }, signal), [unit.unit_id, size, whole]);
  const [loaded, setLoaded] = useState(false);
  if (error !== null) return <Missing unit={unit} />;
  return (
    <span class={loaded ? "picture" : "picture loading"}>
      {url !== null && <img src={url} alt={altOf(unit)} onLoad={() => setLoaded(true)} />}
      {loaded && box !== null && <BoxMark box={box} />}
    </span>
  );
}

function Missing({ unit }: { unit: Sourced }) {
  return (
    <span class="picture missing" title="There is no picture of it">
      <Icon name={KIND_ICONS[kindOf(unit)]} size={24} />
    </span>
  );
}

function altOf(unit: Sourced): string {
  const place = placeIn(unit);
  const labels = unit.metadata?.labels;
  const shows = Array.isArray(labels) && labels.length > 0 ? `: ${labels.join(", ")}` : "";
  return `${nameOf(unit)}${place === null ? "" : `, ${place}`}${shows}`;
}

/** Where something lies on its page; as SVG, since positions by style would take a style of its own for each. */
function BoxMark({ box: { x, y, w, h } }: { box: Box }) {
  return (
    <svg class="box" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <rect x={x} y={y} width={w} height={h} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

function Sketch({ box }: { box: Box }) {
  return (
    <figure class="sketch">
      <span class="picture paper">
        <BoxMark box={box} />
      </span>
      <figcaption class="muted small">Where it lies; the picture itself is not stored here.</figcaption>
    </figure>
  );
}
