import { useEffect, useRef, useState } from "preact/hooks";
import { contentUrl, fileContent, target } from "../api.ts";
import { useLoad } from "../hooks.ts";
import { Note, Skeleton } from "../ui/index.ts";

export interface FilmProps {
  fileId: string;
  name: string;
  /** Where what was found begins, ms. */
  startMs: number;
}

/** A film that stands at the second that was found, ready to be played from there. */
export function Film({ fileId, name, startMs }: FilmProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const { data: url } = useLoad((signal) => filmUrl(fileId, signal), [fileId, target.namespace]);
  useEffect(() => {
    if (video.current !== null && video.current.readyState > 0) video.current.currentTime = startMs / 1000;
  }, [startMs]);
  useEffect(() => () => (url?.startsWith("blob:") ? URL.revokeObjectURL(url) : undefined), [url]);
  if (failed) return <Note tone="warn">The browser cannot play this film. It can be downloaded.</Note>;
  if (url === null) return <Skeleton lines={3} label="Loading the film" />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: what is said stands beside it, where anything is
    <video
      ref={video}
      class="film"
      src={url}
      controls
      preload="metadata"
      aria-label={name}
      onLoadedMetadata={({ currentTarget }) => {
        currentTarget.currentTime = startMs / 1000;
      }}
      onError={() => setFailed(true)}
    />
  );
}

/** A player sends no header, so a film of another namespace is asked for whole. */
async function filmUrl(fileId: string, signal: AbortSignal): Promise<string> {
  if (target.namespace === null) return contentUrl(fileId);
  return URL.createObjectURL(await (await fileContent(fileId, signal)).blob());
}
