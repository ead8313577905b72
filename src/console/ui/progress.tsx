/** What shows that something goes on, or that something is about to be shown. */

export function Spinner() {
  return <span class="spinner" aria-hidden="true" />;
}

/** `value`: 0-1; null while it is not known. */
export function Progress({ value, label }: { value: number | null; label: string }) {
  return value === null ? <progress class="progress" aria-label={label} /> : <progress class="progress" aria-label={label} max={1} value={value} />;
}

/** Grey lines in the place of what is being loaded. */
export function Skeleton({ lines = 3, label = "Loading" }: { lines?: number; label?: string }) {
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
