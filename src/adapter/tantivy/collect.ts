/** An index that was closed keeps its threads and mappings until it is collected, and these Workers make too little garbage for that to come by itself. */

/** Several indexes that are closed one after another are collected at once. */
const PAUSE_MS = 100;
let due = false;

/** Collects what nobody holds, in a moment. */
export function collectSoon(): void {
  if (due) return;
  due = true;
  setTimeout(() => {
    due = false;
    Bun.gc(true);
  }, PAUSE_MS);
}
