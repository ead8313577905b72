/** One result in the list. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { linkTo } from "../router.ts";
import { Breadcrumb } from "../source/breadcrumb.tsx";
import { MarkedText } from "../source/marked-text.tsx";
import { Picture } from "../source/picture.tsx";
import { fileOf, hasPicture, KIND_ICONS, kindOf, nameOf, placeIn } from "../source/place.ts";
import { Sound } from "../source/sound.tsx";
import { LogLines, LogPattern, Passage } from "../source/text.tsx";
import { blocksOf } from "../source/table.ts";
import type { Hit, Span } from "../types.ts";
import { Badge, Button, Icon } from "../ui/index.ts";
import { MODALITY_WORDS } from "../words.ts";
import { legTitle, Why } from "./why.tsx";

export interface HitCardProps {
  hit: Hit;
  onOpen(hit: Hit): void;
}

export function HitCard({ hit, onOpen }: HitCardProps) {
  const [why, setWhy] = useState(false);
  const place = placeIn(hit);
  const kind = kindOf(hit);
  const pictured = hasPicture(hit);
  return (
    <article class={pictured ? "hit pictured" : "hit"}>
      {pictured && (
        <button type="button" class="hit-picture" tabIndex={-1} aria-hidden="true" onClick={() => onOpen(hit)}>
          <Picture unit={hit} size={320} />
          {kind === "video" && (
            <span class="play-mark">
              <Icon name="play" />
            </span>
          )}
        </button>
      )}
      <div class="hit-body">
        <header class="hit-head">
          <button type="button" class="hit-title" data-hit onClick={() => onOpen(hit)}>
            <Icon name={KIND_ICONS[kind]} size={16} />
            <span dir="auto">{nameOf(hit)}</span>
          </button>
          {place !== null && <span class="muted small">{place}</span>}
          <Badge>{MODALITY_WORDS[hit.modality]}</Badge>
          {hit.near_duplicate && <Badge tone="accent">Nearly the same</Badge>}
        </header>
        <Breadcrumb path={hit.path} />
        <HitContent hit={hit} />
        <footer class="hit-foot">
          <span class="muted small">{hit.scope}</span>
          <span class="legs">
            {hit.scores.legs.map(({ leg, rank }) => (
              <span key={leg} class="small muted">
                {legTitle(leg)} #{rank}
              </span>
            ))}
          </span>
          <span class="hit-actions">
            <Button variant="quiet" size="small" icon="info" aria-expanded={why} onClick={() => setWhy(!why)}>
              Why this
            </Button>
            <a class="button quiet small" href={linkTo(["search"], { like: hit.unit_id })}>
              <Icon name="similar" size={15} />
              <span>Similar</span>
            </a>
          </span>
        </footer>
        {why && <Why hit={hit} />}
      </div>
    </article>
  );
}

function HitContent({ hit }: { hit: Hit }): ComponentChildren {
  const kind = kindOf(hit);
  const file = fileOf(hit);
  if (kind === "log" && hit.modality === "log_template") return <LogPattern unit={hit} />;
  if (kind === "log") return <LogHit hit={hit} />;
  const sounds = kind === "sound" && file !== null && hit.locator?.kind === "time_range" ? hit.locator : null;
  return (
    <>
      <Snippet hit={hit} />
      {sounds !== null && file !== null && <Sound fileId={file} name={nameOf(hit)} startMs={sounds.t_start_ms} endMs={sounds.t_end_ms} />}
      <Labels hit={hit} />
    </>
  );
}

function Snippet({ hit: { text, snippet, highlights } }: { hit: Hit }) {
  if (text === undefined || snippet === null) return null;
  const start = text.indexOf(snippet);
  if (start < 0)
    return (
      <p class="snippet" dir="auto">
        {snippet}
      </p>
    );
  const shown = { start, end: start + snippet.length };
  if (blocksOf(text).some(({ table }) => table !== null) && text.length < 1500) return <Passage text={text} marks={highlights} />;
  return (
    <p class="snippet" dir="auto">
      {start > 0 && "… "}
      <MarkedText text={text} marks={highlights} shown={shown} />
      {shown.end < text.length && " …"}
    </p>
  );
}

/** Lines of a log that a hit shows: those that match, else the first. */
const LOG_SHOWN = 6;

function LogHit({ hit: { text = "", highlights, locator } }: { hit: Hit }) {
  const lines = text.split("\n");
  const firstMatch = Math.min(...highlights.map(({ start }) => text.slice(0, start).split("\n").length - 1), lines.length);
  const from = firstMatch === lines.length ? 0 : Math.max(0, Math.min(firstMatch - 1, lines.length - LOG_SHOWN));
  const before = lines.slice(0, from).reduce((length, line) => length + line.length + 1, 0);
  const shown = lines.slice(from, from + LOG_SHOWN).join("\n");
  const marks: Span[] = highlights
    .map(({ start, end }) => ({ start: start - before, end: end - before }))
    .filter(({ start }) => start >= 0 && start < shown.length);
  return <LogLines text={shown} marks={marks} first={(locator?.kind === "line_range" ? locator.start : 1) + from} />;
}

function Labels({ hit }: { hit: Hit }) {
  const labels = hit.metadata?.labels;
  if (!Array.isArray(labels) || labels.length === 0) return null;
  return (
    <p class="row">
      {labels.map((label) => (
        <Badge key={label}>{label}</Badge>
      ))}
    </p>
  );
}
