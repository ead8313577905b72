/** The text in the field, and the address that follows it as one types. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useDebounced } from "../hooks.ts";
import { go, linkTo } from "../router.ts";
import { parametersOf, type SearchState } from "./query.ts";

/** Pause after the last key before the service is asked. */
const TYPING_MS = 90;
/** Who types again after this time has looked at the results: the back button returns to them. */
const LOOKED_MS = 2000;

export interface Typing {
  typed: string;
  type(text: string): void;
  /** Searches for what is typed without waiting for a pause. */
  submit(): void;
  /** Goes to another search, by a step of its own. */
  put(next: SearchState): void;
  /** The search of the address stays a step when one types on. */
  keep(): void;
}

/** `onQuery` is called when a query, or a Unit to find the like of, takes the place of an example. */
export function useTyping(state: SearchState, onQuery: () => void): Typing {
  const [typed, type] = useState(state.q);
  const settled = useDebounced(typed, TYPING_MS);
  const own = useRef(state.q);
  const kept = useRef(true);
  /** When the address was last changed by typing. */
  const since = useRef(0);
  const keep = () => {
    kept.current = true;
  };
  const move = (next: SearchState, replace: boolean) => go(linkTo(["search"], parametersOf(next)), replace);
  const ask = (q: string) => {
    const replace = !kept.current && performance.now() - since.current < LOOKED_MS;
    own.current = q;
    kept.current = false;
    since.current = performance.now();
    move({ ...state, q, like: q === "" ? state.like : null }, replace);
  };
  useEffect(() => {
    if (settled !== state.q) ask(settled);
  }, [settled]);
  useEffect(() => {
    if (state.q !== "" || state.like !== null) onQuery();
    if (state.q === own.current) return;
    // The address was changed by a link or the back button.
    own.current = state.q;
    keep();
    type(state.q);
  }, [state.q, state.like]);
  return {
    typed,
    type,
    submit() {
      if (typed !== state.q) ask(typed);
      keep();
    },
    put(next) {
      keep();
      move(next, false);
    },
    keep,
  };
}
