/**
 * Where one is, in the fragment of the address: `#/units/u_1?tab=source` is screen `units`, parts `["u_1"]` and parameter
 * `tab`. A fragment never leaves the browser, so what was searched for stands in no log of a proxy.
 */

export interface Place {
  /** The first part; empty at the start. */
  screen: string;
  /** The parts behind it, decoded. */
  parts: string[];
  parameters: URLSearchParams;
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

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
