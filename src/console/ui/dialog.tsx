import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Button, IconButton } from "./button.tsx";
import { ErrorNote } from "./notes.tsx";

export interface DialogProps {
  title: string;
  /** Called when it was closed: by Escape, its button or a click beside it. */
  onClose(): void;
  /** `side`: as high as the window, at its right edge. */
  kind?: "centre" | "side";
  /** Stays until what it holds closes it: neither Escape nor a click beside it does. */
  stays?: boolean;
  children: ComponentChildren;
}

/** A modal dialog: the keyboard stays in it, and goes back to where it was when it closes. */
export function Dialog({ title, onClose, kind = "centre", stays = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={headingId}
      // The browser closes it for a second Escape whatever is said to the first.
      onClose={stays ? () => dialog.current?.showModal() : onClose}
      onCancel={(event) => stays && event.preventDefault()}
      onClick={(event) => !stays && event.target === dialog.current && dialog.current?.close()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={headingId} dir="auto">
            {title}
          </h2>
          {!stays && <IconButton label="Close" icon="close" onClick={() => dialog.current?.close()} />}
        </header>
        {children}
      </div>
    </dialog>
  );
}

export interface ConfirmProps {
  title: string;
  children: ComponentChildren;
  /** What the button says that does it. */
  action: string;
  danger?: boolean;
  onConfirm(): Promise<void>;
  onClose(): void;
}

/** Asks before something is done; says what went wrong if it did. */
export function Confirm({ title, children, action, danger = false, onConfirm, onClose }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function confirm() {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        {children}
        {error !== null && <ErrorNote error={error} />}
        <div class="row end">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant={danger ? "danger" : "primary"} busy={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
