/** Goes to places (address.ts), and follows where the address points. Every address names the scope, if one is chosen. */
import { useEffect, useState } from "preact/hooks";
import { linkTo as linkToPlace, type Parameters, type Place, placeOf } from "./address.ts";
import { target } from "./api.ts";

export type { Parameters, Place } from "./address.ts";

/** A screen gets the place that it is shown for: its parts and parameters are its own. */
export interface ScreenProps {
  place: Place;
}

/** A link to a place in the chosen scope. */
export function linkTo(path: readonly string[], parameters: Parameters = {}): string {
  return linkToPlace(path, { ...parameters, scope: target.scope ?? undefined });
}

/** The scope that the address names; null: none. */
export function namedScope(): string | null {
  return placeOf(location.hash).parameters.get("scope");
}

/** Has the address name the chosen scope, without a step. */
export function nameScope(): void {
  const { screen, parts, parameters } = placeOf(location.hash);
  go(linkTo([screen, ...parts], Object.fromEntries(parameters)), true);
}

/** Goes to a place; `replace`: without a step that the back button would return to. */
export function go(link: string, replace = false): void {
  if (link === location.hash) return;
  if (!replace) {
    location.hash = link;
    return;
  }
  history.replaceState(history.state, "", link);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Of a step that opened something over what is shown. */
const OPENED = "opened";

/** Opens something that stands at `link`; `close` and the back button leave it again. */
export function open(link: string): void {
  if (link === location.hash) return;
  history.pushState(OPENED, "", link);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Leaves what was opened: takes the step back, or, where the address itself led to it, goes to `link`. */
export function close(link: string): void {
  if (history.state === OPENED) history.back();
  else go(link, true);
}

/** For a link's click: opens it here, unless another tab or window is asked for. */
export function opening(event: MouseEvent & { currentTarget: HTMLAnchorElement }): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open(event.currentTarget.hash);
}

/** The place that the address names now. */
export function usePlace(): Place {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const follow = () => setFragment(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return placeOf(fragment);
}
