/** Signing in: a token is exchanged for a session, which the browser keeps in a cookie that no script reads. */
import { useRef, useState } from "preact/hooks";
import { ApiError, api } from "../api.ts";
import { type DemoPrincipal, demoPrincipals } from "../demo.ts";
import { useLoad } from "../hooks.ts";
import { tellOtherTabs } from "../tabs.ts";
import { Button, ErrorNote, Field, Icon, Mark, Note, TextInput } from "../ui/index.ts";

export interface LoginProps {
  /** Whether somebody was in before. */
  expired: boolean;
  onDone(): void;
}

export function Login({ expired, onDone }: LoginProps) {
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { data: demo } = useLoad(demoPrincipals, []);
  const field = useRef<HTMLInputElement>(null);

  async function signIn(secret: string, who: string) {
    setBusy(who);
    setError(null);
    try {
      await api.openSession(secret);
      tellOtherTabs();
      onDone();
    } catch (failure) {
      setError(failure instanceof ApiError && failure.status === 401 ? new ApiError(401, "not_valid", "This token is not valid here") : failure);
      setBusy(null);
      field.current?.select();
    }
  }

  return (
    <main class="login">
      <div class="login-box">
        <header>
          <Mark />
          <h1>Strata</h1>
          <p class="muted">Search and answers over your documents, pictures, recordings and logs.</p>
        </header>
        {expired && <Note tone="warn">Your session has ended. Sign in, and you are back where you were.</Note>}
        {demo !== null && demo.length > 0 && (
          <DemoLogins principals={demo} busy={busy} onChoose={({ token: secret, name }) => void signIn(secret, name)} />
        )}
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void signIn(token.trim(), "token");
          }}
        >
          <Field label="API token" hint="It is exchanged for a session, and not kept in this page.">
            {(control) => (
              <TextInput
                {...control}
                ref={field}
                type="password"
                autocomplete="current-password"
                spellcheck={false}
                required
                value={token}
                onInput={(event) => setToken(event.currentTarget.value)}
              />
            )}
          </Field>
          {error !== null && <ErrorNote error={error} />}
          <Button type="submit" variant={demo?.length ? "plain" : "primary"} busy={busy === "token"} disabled={token.trim() === ""}>
            Sign in
          </Button>
        </form>
      </div>
    </main>
  );
}

interface DemoLoginsProps {
  principals: readonly DemoPrincipal[];
  /** Name of the one that is being signed in. */
  busy: string | null;
  onChoose(principal: DemoPrincipal): void;
}

function DemoLogins({ principals, busy, onChoose }: DemoLoginsProps) {
  return (
    <section class="stack" aria-label="Demo">
      <h2 class="small-head">Look at the demo as</h2>
      {principals.map((principal) => (
        <button key={principal.name} type="button" class="demo-login" disabled={busy !== null} onClick={() => onChoose(principal)}>
          <span class="avatar" aria-hidden="true">
            {principal.name
              .replace(/^demo-/, "")
              .slice(0, 1)
              .toUpperCase()}
          </span>
          <span>
            <strong>{principal.name}</strong>
            <span class="muted">{principal.note}</span>
          </span>
          <Icon name="right" />
        </button>
      ))}
      <p class="divider">
        <span>or with a token</span>
      </p>
    </section>
  );
}
