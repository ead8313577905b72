/** Opens a Unit at its place, in a panel over the page. */
import { api } from "../api.ts";
import { useLoad } from "../hooks.ts";
import type { Span, Unit } from "../types.ts";
import { Dialog, ErrorNote, Skeleton } from "../ui/index.ts";
import { nameOf, type Sourced } from "./place.ts";
import { UnitSource } from "./unit-source.tsx";

export interface SourcePanelProps {
  /** Of the Unit, which is asked for. */
  id: string;
  /** What is known of it already. */
  known: Sourced | null;
  marks: readonly Span[];
  onClose(): void;
}

export function SourcePanel({ id, known, marks, onClose }: SourcePanelProps) {
  const { data, error, reload } = useLoad<Unit>((signal) => api.unit(id, signal), [id]);
  const sourced = data ?? known;
  return (
    <Dialog title={sourced === null ? "Source" : nameOf(sourced)} kind="side" onClose={onClose}>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {data === null && error === null && <Skeleton lines={6} label="Loading the source" />}
      {data !== null && <UnitSource key={data.unit_id} unit={data} marks={marks} />}
    </Dialog>
  );
}
