/** API tokens of the namespace: made, listed and revoked by its admins. */
import { useState } from "preact/hooks";
import { date } from "../format.ts";
import { useLoad } from "../hooks.ts";
import { operations, type Token } from "../operations.ts";
import { may, useSession } from "../session.tsx";
import { Create } from "../tokens/create.tsx";
import { Secret } from "../tokens/secret.tsx";
import type { Context } from "../types.ts";
import { Badge, Button, Card, Checkbox, Confirm, Empty, ErrorNote, Note, PageHead, Skeleton, Table, toast } from "../ui/index.ts";

export function TokensScreen() {
  const session = useSession();
  return (
    <div class="stack">
      {may(session, "admin") ? (
        <Tokens {...session.context.principal} />
      ) : (
        <>
          <PageHead title="Tokens" />
          <Note icon="lock">Only admins of the namespace make and revoke tokens.</Note>
        </>
      )}
    </div>
  );
}

type Principal = Context["principal"];

function Tokens({ namespace, principal_id }: Principal) {
  const { data, error, reload } = useLoad(operations.tokens, []);
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  const [doomed, setDoomed] = useState<Token | null>(null);
  const [all, setAll] = useState(false);
  const shown = (data?.tokens ?? []).filter(({ revoked_at }) => all || revoked_at === null);
  const revoked = (data?.tokens.length ?? 0) - (data?.tokens ?? []).filter(({ revoked_at }) => revoked_at === null).length;
  const revoke = async ({ id, name }: Token) => {
    await operations.revokeToken(id);
    reload();
    toast(`${name} is revoked.`);
  };
  return (
    <>
      <PageHead
        title="Tokens"
        about={`Programs and people come with an API token to the namespace ${namespace}. A token may do what its principal may.`}
        actions={
          <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
            New token
          </Button>
        }
      />
      <Card
        title="Tokens of this namespace"
        actions={revoked > 0 && <Checkbox label={`Show revoked (${revoked})`} checked={all} onChange={() => setAll(!all)} />}
      >
        {error !== null && <ErrorNote error={error} onRetry={reload} />}
        {data === null && error === null && <Skeleton lines={4} label="Loading the tokens" />}
        {data !== null && shown.length === 0 && (
          <Empty icon="tokens" title="No live tokens">
            <p>Make one for every program that works with this namespace, so that each can be revoked by itself.</p>
          </Empty>
        )}
        {shown.length > 0 && <TokenTable tokens={shown} onRevoke={setDoomed} />}
      </Card>
      {creating && (
        <Create
          onClose={() => setCreating(false)}
          onMade={(token) => {
            setCreating(false);
            setMade(token);
            reload();
          }}
        />
      )}
      {made !== null && <Secret name={made.name} token={made.token} onClose={() => setMade(null)} />}
      {doomed !== null && (
        <Confirm title="Revoke this token?" action="Revoke" danger onConfirm={() => revoke(doomed)} onClose={() => setDoomed(null)}>
          <p class="break">
            Whoever works with <strong>{doomed.name}</strong> is refused from now on, and sessions made from it end. A revoked token never comes back.
          </p>
          {doomed.principal_id === principal_id && (
            <Note tone="warn" icon="warning">
              It is a token of yours. If you signed in with it, your own session ends, too.
            </Note>
          )}
        </Confirm>
      )}
    </>
  );
}

function TokenTable({ tokens, onRevoke }: { tokens: readonly Token[]; onRevoke(token: Token): void }) {
  return (
    <Table
      caption="API tokens"
      rows={tokens}
      keyOf={({ id }) => id}
      columns={[
        { title: "Name", lead: true, cell: TokenName },
        { title: "Principal", cell: ({ principal_id, read_only }) => (read_only ? `${principal_id}, read only` : principal_id) },
        { title: "May", cell: ({ perms }) => (perms.length === 0 ? "nothing" : perms.join(", ")) },
        { title: "Scopes", cell: ({ scopes }) => (scopes.includes("*") ? "all" : scopes.join(", ") || "none") },
        { title: "Groups", cell: ({ groups }) => groups.join(", ") || "none" },
        { title: "Made", whole: true, cell: ({ created_at }) => date(created_at) },
        {
          title: "Revoke",
          cell: (token) =>
            token.revoked_at === null ? (
              <Button size="small" variant="danger" aria-label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
                Revoke
              </Button>
            ) : (
              <span class="muted">{date(token.revoked_at)}</span>
            ),
        },
      ]}
    />
  );
}

function TokenName({ name, seeded, revoked_at }: Token) {
  return (
    <>
      <strong class="break">{name}</strong> {seeded && <Badge title="Published with the product">demo</Badge>}{" "}
      {revoked_at !== null && <Badge tone="bad">revoked</Badge>}
    </>
  );
}
