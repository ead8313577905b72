/** Pages of Units: of the chosen scope, or of one file. */
import { operations } from "../operations.ts";
import type { Unit } from "../types.ts";

export const ORDERS = ["-created_at", "created_at"] as const;
/** By the time of storing: the newest first, or the oldest. */
export type Order = (typeof ORDERS)[number];

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
  /** Of a scope's Units; those of a file stand in the file's own order. */
  order: Order;
  offset: number;
  /** At most 100, as many as the service gives at once. */
  size: number;
}

/** Errors: as `answered`. */
export async function listUnits({ file, order, offset, size }: Asked, signal: AbortSignal): Promise<Listing> {
  if (file !== null) return unitsOf(file, offset, size, signal);
  const { units, next_cursor, hidden_by_acl } = await operations.units({ limit: size, cursor: offset, sort: order }, signal);
  return { units, next: next_cursor, hidden: hidden_by_acl, file: null };
}

/** Those that were deleted since the file was asked for are missing. */
async function unitsOf(id: string, offset: number, size: number, signal: AbortSignal): Promise<Listing> {
  const { name, units: all } = await operations.file(id, signal);
  const ids = all.slice(offset, offset + size);
  const units = ids.length === 0 ? [] : (await operations.unitsById(ids, signal)).units;
  const next = offset + size < all.length ? offset + size : null;
  return { units, next, hidden: 0, file: name };
}
