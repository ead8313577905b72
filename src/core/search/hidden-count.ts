/** How much a namespace tells about what its access lists hide. */
import type { Caller } from "../../domain/principal.ts";

/** With `coarse`, a count of this many and more reads as this. */
const MANY = 10;
export const UNTOLD = "hidden_by_acl is always 0 here: this namespace does not tell how many Units its access lists hide";

/**
 * `hidden_by_acl` as the namespace tells it, and what the trace has to say about it. `hidden`: the access classes that the
 * ACL hides; `count` is asked only where there are some and the answer is told.
 */
export async function hiddenByAcl(
  { namespace }: Caller,
  hidden: readonly number[],
  count: () => number | Promise<number>,
): Promise<{ hidden_by_acl: number; warnings: string[] }> {
  const told = namespace.hidden_count ?? "exact";
  if (told === "none") return { hidden_by_acl: 0, warnings: [UNTOLD] };
  const exact = hidden.length === 0 ? 0 : await count();
  return { hidden_by_acl: told === "exact" ? exact : coarse(exact), warnings: [] };
}

/** 0 for none, 1 for a few, MANY for many. */
function coarse(count: number): number {
  if (count === 0) return 0;
  return count < MANY ? 1 : MANY;
}
