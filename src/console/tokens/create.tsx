import { useState } from "preact/hooks";
import { ApiError } from "../api.ts";
import { type NewToken, operations } from "../operations.ts";
import { useSession } from "../session.tsx";
import type { Perm } from "../types.ts";
import { Button, Checkbox, Dialog, ErrorNote, Field, TextInput } from "../ui/index.ts";
import { PERM_WORDS } from "../words.ts";

const PERMS = Object.keys(PERM_WORDS) as Perm[];

const EXISTING = "This principal exists: the token gets its rights";
const TICK = "Tick “This principal exists” to make a token with the rights that it has";

/** The service's own words for it name a command, which nobody has at hand here. */
function otherRights(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code === "conflict" && failure.message.includes("exists with other");
}

interface CreateProps {
  onClose(): void;
  onMade(made: { name: string; token: string }): void;
}

/** Asks for a new token, and for what its principal may do when that is new. */
export function Create({ onClose, onMade }: CreateProps) {
  const [name, setName] = useState("");
  const [principal, setPrincipal] = useState("");
  const [existing, setExisting] = useState(false);
  const [perms, setPerms] = useState<readonly Perm[]>(["read"]);
  const [scopes, setScopes] = useState("");
  const [groups, setGroups] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const ready = name.trim() !== "" && principal.trim() !== "";
  async function create(event: Event) {
    event.preventDefault();
    if (busy || !ready) return;
    setBusy(true);
    setError(null);
    const asked: NewToken = { name: name.trim(), principal_id: principal.trim() };
    try {
      onMade(await operations.createToken(existing ? asked : { ...asked, ...rightsOf({ perms, scopes, groups }) }));
    } catch (failure) {
      setError(otherRights(failure) ? new ApiError(409, "conflict", `${asked.principal_id} exists with other rights. ${TICK}`) : failure);
      setBusy(false);
    }
  }
  return (
    <Dialog title="New token" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void create(event)}>
        <Field label="Name of the token" hint="What it is for, such as import-night. Letters, digits, dots, dashes.">
          {(control) => (
            <TextInput
              {...control}
              required
              autofocus
              autocomplete="off"
              spellcheck={false}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Principal" hint="Who acts with it. Units that it adds belong to this principal.">
          {(control) => (
            <TextInput
              {...control}
              required
              autocomplete="off"
              spellcheck={false}
              value={principal}
              onInput={(event) => setPrincipal(event.currentTarget.value)}
            />
          )}
        </Field>
        <Checkbox label={EXISTING} checked={existing} onChange={() => setExisting(!existing)} />
        {!existing && <Rights rights={{ perms, scopes, groups }} onPerms={setPerms} onScopes={setScopes} onGroups={setGroups} />}
        {error !== null && <ErrorNote error={error} />}
        <div class="row end">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={busy} disabled={!ready}>
            Make the token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface Rights {
  perms: readonly Perm[];
  /** Paths with commas between them. */
  scopes: string;
  groups: readonly string[];
}

interface RightsProps {
  rights: Rights;
  onPerms(perms: Perm[]): void;
  onScopes(scopes: string): void;
  onGroups(groups: string[]): void;
}

/** What a new principal may do: nothing that the caller may not. */
function Rights({ rights: { perms, scopes, groups }, onPerms, onScopes, onGroups }: RightsProps) {
  const { context, scopes: known } = useSession();
  const examples = known.slice(0, 2).map(({ scope }) => scope);
  return (
    <>
      <Choices legend="It may" options={PERMS.filter((perm) => context.perms.includes(perm))} chosen={perms} words={PERM_WORDS} onChoose={onPerms} />
      <Field label="Scopes" hint="Paths with commas between them, each with all below it. Empty: all of the namespace.">
        {(control) => (
          <TextInput
            {...control}
            autocomplete="off"
            spellcheck={false}
            placeholder={examples.join(", ")}
            value={scopes}
            onInput={(event) => onScopes(event.currentTarget.value)}
          />
        )}
      </Field>
      {context.principal.groups.length > 0 && <Choices legend="Groups" options={context.principal.groups} chosen={groups} onChoose={onGroups} />}
    </>
  );
}

function rightsOf({
  perms,
  scopes,
  groups,
}: {
  perms: readonly Perm[];
  scopes: string;
  groups: readonly string[];
}): Omit<NewToken, "name" | "principal_id"> {
  const paths = scopes.split(/[,\s]+/).filter((path) => path !== "");
  return { perms: [...perms], groups: [...groups], ...(paths.length === 0 ? {} : { scopes: paths }) };
}

interface ChoicesProps<T extends string> {
  legend: string;
  options: readonly T[];
  chosen: readonly T[];
  words?: Record<T, string>;
  onChoose(chosen: T[]): void;
}

function Choices<T extends string>({ legend, options, chosen, words, onChoose }: ChoicesProps<T>) {
  return (
    <fieldset class="checkboxes">
      <legend>{legend}</legend>
      {options.map((option) => (
        <Checkbox
          key={option}
          label={words?.[option] ?? option}
          checked={chosen.includes(option)}
          onChange={() => onChoose(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option])}
        />
      ))}
    </fieldset>
  );
}
