import { useState } from "preact/hooks";
import { Button, Dialog, Note } from "../ui/index.ts";

/** The secret of a new token, which nobody is shown again. */
export function Secret({ name, token, onClose }: { name: string; token: string; onClose(): void }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  // Where the clipboard is out of reach, as over plain HTTP from another machine, the field is there to copy from.
  const copy = () => {
    Promise.resolve(navigator.clipboard?.writeText(token) ?? Promise.reject(new Error("no clipboard"))).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <Dialog title={`Token ${name}`} onClose={onClose} stays>
      <div class="stack">
        <Note tone="warn" icon="warning">
          Copy it now. It is shown this once, and only its hash is stored.
        </Note>
        <div class="secret">
          <input class="input mono" readOnly aria-label="The token" value={token} onFocus={(event) => event.currentTarget.select()} />
          <Button variant="primary" icon={copied ? "check" : "copy"} onClick={copy}>
            {copied ? "Copied" : "Copy"}
          </Button>
        </div>
        <p class="muted" role="status">
          {copied === false && "The browser does not let this page copy: select the token and copy it yourself."}
        </p>
        <p class="muted small">
          Send it as <code>Authorization: Bearer …</code>
        </p>
        <div class="row end">
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}
