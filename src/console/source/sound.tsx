import { useEffect, useRef, useState } from "preact/hooks";
import { clock } from "../format.ts";
import { useLoad } from "../hooks.ts";
import { ErrorNote, Icon, Skeleton } from "../ui/index.ts";
import { type Recording, shareRecording } from "./wave.ts";

export interface SoundProps {
  fileId: string;
  /** Name of the recording. */
  name: string;
  /** The part that was found, ms. */
  startMs: number;
  endMs: number;
}

/** Plays a recording from the second that was found, above its waveform with that part in colour. */
export function Sound({ fileId, name, startMs, endMs }: SoundProps) {
  const {
    data: recording,
    error,
    reload,
  } = useLoad(
    (signal) => {
      const { opening, release } = shareRecording(fileId);
      signal.addEventListener("abort", release, { once: true });
      return opening;
    },
    [fileId],
  );
  if (error !== null) return <ErrorNote error={error} onRetry={reload} />;
  if (recording === null) return <Skeleton lines={1} label="Loading the recording" />;
  return <Player recording={recording} name={name} startMs={startMs} endMs={endMs} />;
}

type PlayerProps = Omit<SoundProps, "fileId"> & { recording: Recording };

function Player({ recording, name, startMs, endMs }: PlayerProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const [atMs, setAtMs] = useState(startMs);
  const [playing, setPlaying] = useState(false);
  const [lengthMs, setLengthMs] = useState(recording.durationMs ?? endMs);
  const [failed, setFailed] = useState(false);
  useEffect(() => seek(startMs), [startMs]);
  useEffect(() => {
    if (!playing) return;
    let frame = requestAnimationFrame(function follow() {
      setAtMs((audio.current?.currentTime ?? 0) * 1000);
      frame = requestAnimationFrame(follow);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing]);

  function seek(ms: number): void {
    if (audio.current !== null) audio.current.currentTime = ms / 1000;
    setAtMs(ms);
  }
  async function turn() {
    if (audio.current === null) return;
    if (!audio.current.paused) return audio.current.pause();
    // Silences the others: one recording is heard at a time.
    for (const other of document.querySelectorAll<HTMLMediaElement>("audio, video")) if (other !== audio.current) other.pause();
    if (audio.current.ended || audio.current.currentTime * 1000 < 1) seek(startMs);
    await audio.current.play().catch(() => setFailed(true));
  }
  const label = playing ? `Pause ${name}` : `Play ${name} from ${clock(atMs)}`;
  return (
    <div class="sound">
      {/* biome-ignore lint/a11y/useMediaCaption: what is said stands beside it, where anything is */}
      <audio
        ref={audio}
        src={recording.url}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
        onError={() => setFailed(true)}
        onLoadedMetadata={({ currentTarget }) => {
          if (Number.isFinite(currentTarget.duration)) setLengthMs(currentTarget.duration * 1000);
          if (atMs > 0) currentTarget.currentTime = atMs / 1000;
        }}
      />
      <button type="button" class="play" aria-label={label} title={label} onClick={() => void turn()}>
        <Icon name={playing ? "pause" : "play"} size={20} />
      </button>
      <div class="wave-box">
        {recording.peaks !== null && <Wave peaks={recording.peaks} part={[startMs / lengthMs, endMs / lengthMs]} at={atMs / lengthMs} />}
        <input
          type="range"
          class={recording.peaks === null ? "seek" : "seek over-wave"}
          aria-label={`Position in ${name}`}
          aria-valuetext={clock(atMs)}
          min={0}
          max={Math.max(1, Math.round(lengthMs))}
          step={100}
          value={Math.round(atMs)}
          onInput={(event) => seek(Number(event.currentTarget.value))}
        />
      </div>
      <span class="time">
        {clock(atMs)} <span class="muted">/ {clock(lengthMs)}</span>
      </span>
      {failed && <p class="muted small">The browser cannot play this recording.</p>}
    </div>
  );
}

const HEIGHT = 48;
/** Width of a bar with the gap behind it, in CSS pixels. */
const BAR = 3;

interface WaveProps {
  peaks: Float32Array;
  /** What was found, 0-1 of the whole. */
  part: [number, number];
  /** Where it plays, 0-1. */
  at: number;
}

function Wave({ peaks, part, at }: WaveProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (canvas.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(canvas.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (canvas.current !== null && width > 0) draw(canvas.current, width, peaks, part, at);
  }, [width, peaks, part[0], part[1], at]);
  return <canvas ref={canvas} class="wave" role="img" aria-label="Waveform, with what was found in colour" />;
}

function draw(canvas: HTMLCanvasElement, width: number, peaks: Float32Array, [from, to]: readonly [number, number], at: number): void {
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = HEIGHT * scale;
  const context = canvas.getContext("2d");
  if (context === null) return;
  const style = getComputedStyle(canvas);
  const [plain, found] = [style.getPropertyValue("--wave"), style.getPropertyValue("--wave-found")];
  context.scale(scale, scale);
  const bars = Math.floor(width / BAR);
  for (let bar = 0; bar < bars; bar += 1) {
    const [first, last] = [Math.floor((bar / bars) * peaks.length), Math.ceil(((bar + 1) / bars) * peaks.length)];
    const height = Math.max(2, Math.max(...peaks.subarray(first, last)) * HEIGHT);
    const place = (bar + 0.5) / bars;
    context.fillStyle = place >= from && place <= to ? found : plain;
    context.fillRect(bar * BAR, (HEIGHT - height) / 2, BAR - 1, height);
  }
  context.fillStyle = style.getPropertyValue("--wave-now");
  context.fillRect(Math.min(1, at) * width - 1, 0, 2, HEIGHT);
}
