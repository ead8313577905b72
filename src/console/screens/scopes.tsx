/** The scopes that the caller may use, as a tree. */
import { useState } from "preact/hooks";
import { date, plural } from "../format.ts";
import { operations } from "../operations.ts";
import { linkTo } from "../router.ts";
import { may, type Session, useSession } from "../session.tsx";
import type { ScopeEntry } from "../types.ts";
import { Badge, Button, Card, Confirm, Empty, Icon, IconButton, PageHead, toast } from "../ui/index.ts";
import { PLANE_WORDS } from "../words.ts";

interface Branch {
  entry: ScopeEntry;
  children: Branch[];
}

export function ScopesScreen() {
  const session = useSession();
  const [doomed, setDoomed] = useState<string | null>(null);
  const { scopes, context } = session;
  const remove = async (path: string) => {
    await operations.removeScope(path);
    if (session.scope === path) session.chooseScope(null);
    await session.refresh();
    toast(`${path} is removed.`);
  };
  return (
    <div class="stack">
      <PageHead
        title="Scopes"
        about={`Units lie in scopes, and permissions hold for a scope with all below it. You see ${plural(scopes.length, "scope")} of ${context.principal.namespace}.`}
      />
      {scopes.length === 0 ? (
        <Empty icon="scopes" title="No scopes yet">
          <p>
            A scope comes into being with the first thing that is stored in it. <a href={linkTo(["files"])}>Add a file</a>
          </p>
        </Empty>
      ) : (
        <Card>
          <Branches branches={treeOf(scopes)} session={session} onRemove={setDoomed} />
        </Card>
      )}
      {doomed !== null && (
        <Confirm title="Remove this scope?" action="Remove" danger onConfirm={() => remove(doomed)} onClose={() => setDoomed(null)}>
          <p class="break">
            <strong>{doomed}</strong> can be removed while nothing is in it: no Units, no files, no scopes below it.
          </p>
        </Confirm>
      )}
    </div>
  );
}

/** A scope whose parent the caller may not use stands at the root. */
export function treeOf(entries: readonly ScopeEntry[]): Branch[] {
  const branches = new Map(entries.map((entry) => [entry.scope, { entry, children: [] as Branch[] }]));
  const roots: Branch[] = [];
  for (const branch of [...branches.values()].sort((a, b) => a.entry.scope.localeCompare(b.entry.scope))) {
    const parent = branch.entry.parent === null ? undefined : branches.get(branch.entry.parent);
    (parent?.children ?? roots).push(branch);
  }
  return roots;
}

interface BranchesProps {
  branches: readonly Branch[];
  session: Session;
  onRemove(path: string): void;
}

function Branches({ branches, session, onRemove }: BranchesProps) {
  return (
    <ul class="tree">
      {branches.map(({ entry, children }) => (
        <li key={entry.scope}>
          <ScopeRow entry={entry} leaf={children.length === 0} session={session} onRemove={onRemove} />
          {children.length > 0 && <Branches branches={children} session={session} onRemove={onRemove} />}
        </li>
      ))}
    </ul>
  );
}

function ScopeRow({ entry, leaf, session, onRemove }: { entry: ScopeEntry; leaf: boolean; session: Session; onRemove(path: string): void }) {
  const { scope, parent, planes, read_only_agents, created_at } = entry;
  const chosen = session.context.requested_scope === scope;
  const shown = parent !== null && scope.startsWith(`${parent}/`) ? scope.slice(parent.length + 1) : scope;
  return (
    <div class="scope-row">
      <div class="scope-name">
        <Icon name="scopes" size={16} />
        <strong class="break" title={scope}>
          {shown}
        </strong>
        {read_only_agents && (
          <Badge tone="warn" title="Whoever comes with an API token and is no admin only reads here">
            <Icon name="lock" size={12} />
            agents only read
          </Badge>
        )}
        {chosen && <Badge tone="accent">chosen</Badge>}
      </div>
      <div class="scope-facts">
        <span class="row">
          {planes.map((plane) => (
            <Badge key={plane}>{PLANE_WORDS[plane]}</Badge>
          ))}
        </span>
        <span class="muted small">since {date(created_at)}</span>
      </div>
      <div class="row end">
        {!chosen && (
          <Button size="small" aria-label={`Look here: ${scope}`} onClick={() => session.chooseScope(scope)}>
            Look here
          </Button>
        )}
        {may(session, "admin") && leaf && <IconButton label={`Remove ${scope}`} icon="trash" onClick={() => onRemove(scope)} />}
      </div>
    </div>
  );
}
