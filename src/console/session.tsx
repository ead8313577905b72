/** Who is signed in, and where they look. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Context, Perm, ScopeEntry } from "./types.ts";

export interface Session {
  /** As the service resolved it for the chosen scope. */
  context: Context;
  /** The registered scopes that the principal may use. */
  scopes: readonly ScopeEntry[];
  /** The chosen scope; null: the principal's active one. */
  scope: string | null;
  chooseScope(scope: string | null): void;
  /** Looks into another namespace, which only super-admins can. Errors: ApiError. */
  chooseNamespace(namespace: string | null): Promise<void>;
  /** Asks again who and where one is: after scopes came or went. */
  refresh(): Promise<void>;
  signOut(): Promise<void>;
}

export const SessionContext = createContext<Session | null>(null);

/** The session of the page; there is always one inside the shell. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("a screen was shown outside the session");
  return session;
}

export function may({ context }: Session, perm: Perm): boolean {
  return context.perms.includes(perm);
}
