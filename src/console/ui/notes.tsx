/** What is said instead of content, or above it. */
import type { ComponentChildren } from "preact";
import { ApiError } from "../api.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

/** Nothing is here, and what to do about it. */
export function Empty({ icon = "info", title, children }: { icon?: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={26} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A remark of one or two lines. */
export function Note({
  tone = "neutral",
  icon = "info",
  children,
}: {
  tone?: "neutral" | "warn" | "bad" | "good";
  icon?: IconName;
  children: ComponentChildren;
}) {
  return (
    <div class={`note ${tone}`}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}

/** What an error says to somebody who did not write it. */
export function wordsFor(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something went wrong in this page. Reload it; if it happens again, that is a fault of ours.";
  if (error.code === "unauthorized") return "Your session has ended. Sign in again.";
  if (error.code === "forbidden") return `You may not do that: ${error.message}.`;
  if (error.code === "internal_error") return "The service made a mistake. Its log has the details.";
  const text = error.message.replace(/^./, (first) => first.toUpperCase());
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const id = error instanceof ApiError && error.status >= 500 ? error.requestId : null;
  return (
    <div class="note bad" role="alert">
      <Icon name="warning" />
      <div>
        <p>{wordsFor(error)}</p>
        {id !== null && <p class="muted small">Request {id}</p>}
      </div>
      {onRetry !== undefined && (
        <Button size="small" icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
