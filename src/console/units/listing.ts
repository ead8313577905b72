/** Pages of Units: of the chosen scope, or of one file. */
import { ApiError, api } from "../api.ts";
import { operations } from "../operations.ts";
import type { Unit } from "../types.ts";

export interface Listing {
  units: Unit[];
  /** Where the next page begins; null at the end. */
  next: number | null;
  /** Units in the scope that the caller may not read. */
  hidden: number;
  /** Name of the file that they are of; null: they are of the scope. */
  file: string | null;
}

export interface Asked {
  /** Id of the file whose Units are wanted; null: those of the scope. */
  file: string | null;
  offset: number;
  size: number;
}

/** Errors: as `request`. */
export async function listUnits({ file, offset, size }: Asked, signal: AbortSignal): Promise<Listing> {
  if (file !== null) return unitsOf(file, offset, size, signal);
  const { units, next_cursor, hidden_by_acl } = await operations.units({ limit: size, cursor: offset }, signal);
  return { units, next: next_cursor, hidden: hidden_by_acl, file: null };
}

async function unitsOf(id: string, offset: number, size: number, signal: AbortSignal): Promise<Listing> {
  const { name, units: ids } = await operations.file(id, signal);
  const found = await Promise.all(ids.slice(offset, offset + size).map((one) => unlessGone(api.unit(one, signal))));
  const next = offset + size < ids.length ? offset + size : null;
  return { units: found.filter((unit) => unit !== null), next, hidden: 0, file: name };
}

/** Null for one that was deleted since the file was asked for. */
function unlessGone(unit: Promise<Unit>): Promise<Unit | null> {
  return unit.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
}
