/**
 * Long loops over Units share the main thread: in one turn of the event loop all of them together handle at most
 * UNITS_BEFORE_YIELD rows.
 */
import { UNITS_BEFORE_YIELD } from "./limits.ts";

let taken = 0;
let turn: Promise<void> | null = null;

/** Resolves in the next turn of the event loop, after sockets, timers and messages of Workers were served. */
function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      taken = 0;
      turn = null;
      resolve();
    });
  });
  return turn;
}

/** Waits for a turn with room and reserves some: how many rows may be handled now, at least 1 and at most `wanted`. */
export async function takeRoom(wanted = UNITS_BEFORE_YIELD): Promise<number> {
  while (taken >= UNITS_BEFORE_YIELD) await nextTurn();
  const room = Math.min(wanted, UNITS_BEFORE_YIELD - taken);
  taken += room;
  void nextTurn();
  return room;
}

/**
 * A listing page by page, until one is not full or `wanted` rows were given. `read` gets the last row of the pages before, if
 * there was one, and how many rows it may give back.
 */
export async function* pages<Row>(read: (after: Row | undefined, room: number) => Row[], wanted = Number.POSITIVE_INFINITY): AsyncGenerator<Row[]> {
  let after: Row | undefined;
  let left = wanted;
  for (let full = true; full && left > 0; ) {
    const room = await takeRoom(left);
    const rows = read(after, room);
    // Every page counts as one row at least, since reading an empty page takes time too.
    taken -= Math.max(0, room - rows.length - 1);
    yield rows;
    after = rows.at(-1) ?? after;
    full = rows.length === room;
    left -= rows.length;
  }
}

/** Goes through a list in pieces that fit the turns. */
export async function* inTurns<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; ) {
    const room = await takeRoom(items.length - at);
    yield items.slice(at, at + room);
    at += room;
  }
}
