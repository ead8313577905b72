import type { ComponentChildren } from "preact";

export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

/** A short word about something; never its colour alone. */
export function Badge({ tone = "neutral", title, children }: { tone?: Tone; title?: string; children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}
