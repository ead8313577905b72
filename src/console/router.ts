/** Goes to places (address.ts), and follows where the address points. */
import { useEffect, useState } from "preact/hooks";
import { type Place, placeOf } from "./address.ts";

export { linkTo, type Parameters, type Place } from "./address.ts";

/** A screen gets the place that it is shown for: its parts and parameters are its own. */
export interface ScreenProps {
  place: Place;
}

/** Goes to a place; `replace`: without a step that the back button would return to. */
export function go(link: string, replace = false): void {
  if (link === location.hash) return;
  if (!replace) {
    location.hash = link;
    return;
  }
  history.replaceState(null, "", link);
  dispatchEvent(new HashChangeEvent("hashchange"));
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
