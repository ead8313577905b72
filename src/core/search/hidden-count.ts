/** `hidden_by_acl`, as exact as the namespace chooses. */
import type { Caller } from "../../domain/principal.ts";

/** The count that `coarse` gives for this many and more. */
const MANY = 10;
export const UNTOLD = "hidden_by_acl is always 0 here: this namespace does not tell how many Units its access lists hide";

/**
 * The count and its warning for the trace. `hidden`: the access classes that the ACL hides; `count` is called only when there
 * are some and the namespace tells the count.
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

/** 0 for none, 1 for fewer than MANY, else MANY. */
function coarse(count: number): number {
  if (count === 0) return 0;
  return count < MANY ? 1 : MANY;
}
