/** What an answer rests on. */
import { useEffect, useRef } from "preact/hooks";
import { Breadcrumb } from "../source/breadcrumb.tsx";
import { MarkedText } from "../source/marked-text.tsx";
import { Picture } from "../source/picture.tsx";
import { fileOf, hasPicture, KIND_ICONS, kindOf, nameOf, placeIn, type Sourced } from "../source/place.ts";
import { Sound } from "../source/sound.tsx";
import type { Citation, Hit } from "../types.ts";
import { Badge, Icon } from "../ui/index.ts";
import { MODALITY_WORDS } from "../words.ts";

export interface SourcesProps {
  citations: readonly Citation[];
  /** Of the same Units, where they are among them: they know more. */
  hits: readonly Hit[];
  pointed: number | null;
  onPoint(marker: number | null): void;
  onOpen(marker: number): void;
}

export function Sources({ citations, hits, ...rest }: SourcesProps) {
  return (
    <ol class="sources">
      {citations.map((citation) => (
        <Source key={citation.marker} citation={citation} sourced={hits.find(({ unit_id }) => unit_id === citation.unit_id) ?? citation} {...rest} />
      ))}
    </ol>
  );
}

type SourceProps = Omit<SourcesProps, "citations" | "hits"> & { citation: Citation; sourced: Sourced };

function Source({ citation, sourced, pointed, onPoint, onOpen }: SourceProps) {
  const item = useRef<HTMLLIElement>(null);
  const lit = pointed === citation.marker;
  const place = placeIn(sourced);
  const file = fileOf(sourced);
  const range = kindOf(sourced) === "sound" && citation.locator?.kind === "time_range" ? citation.locator : null;
  useEffect(() => {
    if (lit) item.current?.scrollIntoView({ block: "nearest" });
  }, [lit]);
  return (
    <li ref={item} class={lit ? "cited lit" : "cited"} onMouseEnter={() => onPoint(citation.marker)} onMouseLeave={() => onPoint(null)}>
      <span class="marker" aria-hidden="true">
        {citation.marker}
      </span>
      <div class="stack tight">
        <button type="button" class="hit-title" onClick={() => onOpen(citation.marker)}>
          <Icon name={KIND_ICONS[kindOf(sourced)]} size={16} />
          <span dir="auto">{nameOf(sourced)}</span>
        </button>
        <p class="row small muted">
          <Badge>{MODALITY_WORDS[citation.modality]}</Badge>
          {place !== null && <span>{place}</span>}
          <span>{citation.scope}</span>
        </p>
        <Breadcrumb path={citation.path} />
        {hasPicture(sourced) && <Picture unit={sourced} size={480} />}
        <blockquote class="quote" dir="auto">
          <MarkedText
            text={citation.quote}
            marks={[{ start: citation.mark_start - citation.quote_start, end: citation.mark_end - citation.quote_start }]}
          />
        </blockquote>
        {file !== null && range !== null && <Sound fileId={file} name={nameOf(sourced)} startMs={range.t_start_ms} endMs={range.t_end_ms} />}
      </div>
    </li>
  );
}
