/**
 * Where one is, in the fragment of the address: `#/units/u_1?tab=source` is screen `units`, parts `["u_1"]` and parameter
 * `tab`. A fragment never leaves the browser, so what was searched for stands in no log of a proxy.
 */
import { useEffect, useState } from "preact/hooks";

export interface Place {
  /** The first part; empty at the start. */
  screen: string;
  /** The parts behind it, decoded. */
  parts: string[];
  parameters: URLSearchParams;
}

/** A screen gets the place that it is shown for: its parts and parameters are its own. */
export interface ScreenProps {
  place: Place;
}

export type Parameters = Record<string, string | undefined>;

export function placeOf(fragment: string): Place {
  const [path = "", query = ""] = fragment.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const [screen = "", ...parts] = path.split("/").map(decoded);
  return { screen, parts: parts.filter((part) => part !== ""), parameters: new URLSearchParams(query) };
}

/** A link to a place. Parameters without a value are left out. */
export function linkTo(path: readonly string[], parameters: Parameters = {}): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "");
  const query = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${query === "" ? "" : `?${query}`}`;
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

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
