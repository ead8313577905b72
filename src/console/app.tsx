/** The page: signing in first, then the shell with the screen that the address names. */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { ApiError, api, onExpiry, onStranger, shown, target, whoIs } from "./api.ts";
import { transfers } from "./files/transfers.ts";
import { namedScope, nameScope } from "./router.ts";
import { Login } from "./screens/login.tsx";
import { type Session, SessionContext } from "./session.tsx";
import { Shell } from "./shell.tsx";
import { onOtherTab, tellOtherTabs } from "./tabs.ts";
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

/** The scope that the address names, else that was chosen last, if this principal may use it; else none is. */
async function enter(): Promise<Known> {
  target.scope = namedScope() ?? sessionStorage.getItem(SCOPE_KEY);
  const known = await whoAmI();
  if (target.scope === null || target.scope === "*" || known.context.allowed_scopes.includes(target.scope)) return known;
  target.scope = null;
  return whoAmI();
}

const asksWho = async () => whoIs(await api.context());
/** That the session has ended is told to who listens; that the service cannot be reached, the next request says. */
const ignored = () => {};

/** Calls `listener` when the page is looked at again while somebody is signed in. Returns what ends that. */
function whenLookedAt(listener: () => void): () => void {
  const look = () => document.visibilityState === "visible" && shown.who !== null && listener();
  document.addEventListener("visibilitychange", look);
  return () => document.removeEventListener("visibilitychange", look);
}

export function App() {
  const [state, setState] = useState<State>({ at: "start" });
  const show = useCallback((known: Known) => {
    shown.who = whoIs(known.context);
    setState({ at: "inside", known });
  }, []);
  const start = useCallback(() => {
    enter().then(show, (error: unknown) =>
      setState(error instanceof ApiError && error.status === 401 ? { at: "login", expired: false } : { at: "failed", error }),
    );
  }, []);
  useEffect(start, []);
  useEffect(
    () =>
      onExpiry(() => {
        shown.who = null;
        setState((before) => ({ at: "login", expired: before.at === "inside" || (before.at === "login" && before.expired) }));
      }),
    [],
  );
  useEffect(() => {
    // Nothing of what the page shows may stay: it may be another's.
    const anew = () => {
      shown.who = null;
      target.namespace = null;
      setState({ at: "start" });
      toast("In another tab somebody has signed in or out.");
      start();
    };
    const compare = (who: string) => shown.who !== null && who !== shown.who && anew();
    const ends = [onOtherTab(anew), onStranger(anew), whenLookedAt(() => asksWho().then(compare, ignored))];
    return () => {
      for (const end of ends) end();
    };
  }, []);
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
      {state.at === "inside" && <Inside known={state.known} onKnown={show} onOut={() => setState({ at: "login", expired: false })} />}
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
      nameScope();
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
        nameScope();
        onKnown(found);
      } catch (error) {
        Object.assign(target, before);
        throw error;
      }
    },
    async signOut() {
      await api.closeSession();
      shown.who = null;
      tellOtherTabs();
      sessionStorage.removeItem(SCOPE_KEY);
      Object.assign(target, { namespace: null, scope: null });
      nameScope();
      onOut();
    },
  };
}
