import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "./icon.tsx";
import { Spinner } from "./progress.tsx";

type NativeButton = Omit<JSX.IntrinsicElements["button"], "size" | "icon" | "class" | "className">;

export interface ButtonProps extends NativeButton {
  variant?: "plain" | "primary" | "quiet" | "danger";
  size?: "small" | "medium";
  icon?: IconName;
  /** Shows that its work goes on, and takes no further click. */
  busy?: boolean;
  children?: ComponentChildren;
}

export function Button({ variant = "plain", size = "medium", icon, busy = false, disabled, children, ...rest }: ButtonProps) {
  return (
    <button type="button" class={`button ${variant} ${size}`} disabled={disabled === true || busy} aria-busy={busy} {...rest}>
      {busy ? <Spinner /> : icon !== undefined && <Icon name={icon} size={size === "small" ? 15 : 17} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

/** A button that shows an icon alone; `label` says what it does. */
export function IconButton({ label, icon, size = 18, ...rest }: NativeButton & { label: string; icon: IconName; size?: number }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} {...rest}>
      <Icon name={icon} size={size} />
    </button>
  );
}
