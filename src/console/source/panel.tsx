/** Opens a Unit at its place, in a panel over the page. */
import { api } from "../api.ts";
import { useLoad } from "../hooks.ts";
import type { Span, Unit } from "../types.ts";
import { Dialog, ErrorNote, Skeleton } from "../ui/index.ts";
import { nameOf, type Sourced } from "./place.ts";
import { UnitSource } from "./unit-source.tsx";

export interface SourcePanelProps {
  /** What is known of the Unit; its text is asked for. */
  sourced: Sourced;
  marks: readonly Span[];
  onClose(): void;
}

export function SourcePanel({ sourced, marks, onClose }: SourcePanelProps) {
  const { data, error, reload } = useLoad<Unit>((signal) => api.unit(sourced.unit_id, signal), [sourced.unit_id]);
  return (
    <Dialog title={nameOf(data ?? sourced)} kind="side" onClose={onClose}>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {data === null && error === null && <Skeleton lines={6} label="Loading the source" />}
      {data !== null && <UnitSource key={data.unit_id} unit={data} marks={marks} />}
    </Dialog>
  );
}
