/** The page: signing in first, then the shell with the screen that the address names. */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { ApiError, api, onExpiry, target } from "./api.ts";
import { transfers } from "./files/transfers.ts";
import { Login } from "./screens/login.tsx";
import { type Session, SessionContext } from "./session.tsx";
import { Shell } from "./shell.tsx";
import type { Context, ScopeEntry } from "./types.ts";
import { ErrorNote, Mark, toast } from "./ui/index.ts";
import { Toasts } from "./ui/toast.tsx";

interface Known {
  context: Context;
  scopes: ScopeEntry[];
}

type State = { at: "start" } | { at: "login"; expired: boolean } | { at: "inside"; known: Known } | { at: "failed"; error: unknown };

const SCOPE_KEY = "strata.scope";

async function whoAmI(): Promise<Known> {
  const [context, { scopes }] = await Promise.all([api.context(), api.scopes()]);
  return { context, scopes };
}

/** The scope that was chosen last, if this principal may use it; else none is. */
async function enter(): Promise<Known> {
  target.scope = sessionStorage.getItem(SCOPE_KEY);
  const known = await whoAmI();
  if (target.scope === null || target.scope === "*" || known.context.allowed_scopes.includes(target.scope)) return known;
  target.scope = null;
  return whoAmI();
}

export function App() {
  const [state, setState] = useState<State>({ at: "start" });
  const start = useCallback(() => {
    enter().then(
      (known) => setState({ at: "inside", known }),
      (error: unknown) => setState(error instanceof ApiError && error.status === 401 ? { at: "login", expired: false } : { at: "failed", error }),
    );
  }, []);
  useEffect(start, []);
  useEffect(
    () => onExpiry(() => setState((before) => ({ at: "login", expired: before.at === "inside" || (before.at === "login" && before.expired) }))),
    [],
  );
  return (
    <>
      {state.at === "start" && (
        <main class="centred" aria-label="Opening the console">
          <Mark />
        </main>
      )}
      {state.at === "login" && <Login expired={state.expired} onDone={start} />}
      {state.at === "failed" && (
        <main class="centred">
          <ErrorNote error={state.error} onRetry={start} />
        </main>
      )}
      {state.at === "inside" && (
        <Inside known={state.known} onKnown={(known) => setState({ at: "inside", known })} onOut={() => setState({ at: "login", expired: false })} />
      )}
      <Toasts />
    </>
  );
}

interface InsideProps {
  known: Known;
  onKnown(known: Known): void;
  onOut(): void;
}

function Inside({ known, onKnown, onOut }: InsideProps) {
  const session = useMemo<Session>(() => sessionOf(known, onKnown, onOut), [known]);
  const { principal_id, namespace } = known.context.principal;
  useEffect(() => {
    transfers.enter(`${namespace}/${principal_id}`);
    return transfers.leave;
  }, [namespace, principal_id]);
  return (
    <SessionContext.Provider value={session}>
      <Shell />
    </SessionContext.Provider>
  );
}

function sessionOf({ context, scopes }: Known, onKnown: InsideProps["onKnown"], onOut: InsideProps["onOut"]): Session {
  const refresh = async () => onKnown(await whoAmI());
  return {
    context,
    scopes,
    scope: target.scope,
    refresh,
    chooseScope(scope) {
      target.scope = scope;
      if (scope === null) sessionStorage.removeItem(SCOPE_KEY);
      else sessionStorage.setItem(SCOPE_KEY, scope);
      refresh().catch(() => toast("The scope could not be changed", "bad"));
    },
    async chooseNamespace(namespace) {
      const before = { ...target };
      Object.assign(target, { namespace, scope: null });
      try {
        const found = await whoAmI();
        if (namespace !== null && found.context.principal.namespace !== namespace) {
          throw new ApiError(403, "own_namespace", "Your token reaches its own namespace alone");
        }
        sessionStorage.removeItem(SCOPE_KEY);
        onKnown(found);
      } catch (error) {
        Object.assign(target, before);
        throw error;
      }
    },
    async signOut() {
      await api.closeSession();
      sessionStorage.removeItem(SCOPE_KEY);
      Object.assign(target, { namespace: null, scope: null });
      onOut();
    },
  };
}
