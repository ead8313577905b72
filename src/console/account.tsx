/** Where one looks (scope, namespace), who one is, and the way out. */
import { useState } from "preact/hooks";
import { api } from "./api.ts";
import { plural } from "./format.ts";
import { useLoad } from "./hooks.ts";
import { useSession } from "./session.tsx";
import { chooseTheme, chosenTheme, THEMES, type Theme } from "./theme.ts";
import { Badge, Button, Dialog, ErrorNote, Facts, Field, Icon, type IconName, Select, TextInput } from "./ui/index.ts";

const THEME_ICONS: Record<Theme, IconName> = { system: "system", light: "sun", dark: "moon" };

export function Account() {
  const { context } = useSession();
  const [open, setOpen] = useState(false);
  const { principal_id, namespace } = context.principal;
  return (
    <div class="account">
      <ScopePicker />
      <ThemeToggle />
      <button type="button" class="who" onClick={() => setOpen(true)} aria-haspopup="dialog" title="Who you are, and signing out">
        <span class="avatar" aria-hidden="true">
          {principal_id.slice(0, 1).toUpperCase()}
        </span>
        <span class="who-text">
          <strong>{principal_id}</strong>
          <span class="muted">{namespace}</span>
        </span>
        <span class="visually-hidden">: your account</span>
      </button>
      {open && <AccountDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Values of the picker: the principal's own scope is none that could be chosen by its path. */
const OWN = "";
const ALL = "*";

function ScopePicker() {
  const { context, scopes, scope, chooseScope } = useSession();
  const own = context.active_scope === ALL ? "All scopes" : `${context.active_scope} (yours)`;
  const paths = scopes.map((entry) => entry.scope).filter((path) => path !== context.active_scope);
  const options: [string, string][] = [
    [OWN, own],
    ...(context.active_scope === ALL ? [] : ([[ALL, "All scopes"]] as [string, string][])),
    ...paths.map((path): [string, string] => [path, path]),
  ];
  return (
    <div class="scope-picker">
      <Icon name="scopes" size={16} />
      <Select
        aria-label="Scope"
        value={scope ?? OWN}
        options={options}
        onChange={(event) => chooseScope(event.currentTarget.value === OWN ? null : event.currentTarget.value)}
      />
    </div>
  );
}

function ThemeToggle() {
  const [theme, setTheme] = useState(chosenTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  function turn() {
    chooseTheme(next);
    setTheme(next);
  }
  const label = `Colours: ${theme}. Change to ${next}`;
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={turn}>
      <Icon name={THEME_ICONS[theme]} />
    </button>
  );
}

function AccountDialog({ onClose }: { onClose(): void }) {
  const { context, signOut } = useSession();
  const [error, setError] = useState<unknown>(null);
  const { principal_id, namespace, groups, read_only } = context.principal;
  return (
    <Dialog title={principal_id} onClose={onClose}>
      <div class="stack">
        <Facts
          facts={[
            ["Namespace", namespace],
            [
              "May",
              <span class="row" key="perms">
                {context.perms.map((perm) => (
                  <Badge key={perm}>{perm}</Badge>
                ))}
                {read_only && <Badge>read only</Badge>}
              </span>,
            ],
            ["Groups", groups.length === 0 ? "none" : groups.join(", ")],
            ["Scopes", `${plural(context.folders_visible, "scope")} to look into, of ${context.folders_total} that you may use`],
          ]}
        />
        <NamespaceForm onDone={onClose} />
        {error !== null && <ErrorNote error={error} />}
        <div class="row end">
          <Button icon="out" onClick={() => signOut().catch(setError)}>
            Sign out
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** A super-admin's requests may name a namespace; to everybody else the service gives their own, whatever they name. */
function NamespaceForm({ onDone }: { onDone(): void }) {
  const { context, chooseNamespace } = useSession();
  const [name, setName] = useState(context.principal.namespace);
  const [error, setError] = useState<unknown>(null);
  const admin = context.perms.includes("admin");
  const { data: offered } = useLoad((signal) => (admin ? api.mayNameNamespace(signal) : Promise.resolve(false)), []);
  if (offered !== true) return null;
  async function choose(event: Event) {
    event.preventDefault();
    try {
      await chooseNamespace(name.trim());
      onDone();
    } catch (failure) {
      setError(failure);
    }
  }
  return (
    <form class="stack tight" onSubmit={(event) => void choose(event)}>
      <Field label="Look into another namespace" hint="You are a super-admin">
        {(control) => (
          <span class="row together">
            <TextInput {...control} value={name} onInput={(event) => setName(event.currentTarget.value)} />
            <Button type="submit" disabled={name.trim() === "" || name === context.principal.namespace}>
              Change
            </Button>
          </span>
        )}
      </Field>
      {error !== null && <ErrorNote error={error} />}
    </form>
  );
}
