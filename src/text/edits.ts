/** How far two words are apart, in edits: a character more, less or other, or two neighbours changed about. */

/** A term that may be a word meant: no name, literal or number. */
export const LETTERS_ALONE = /^[\p{L}\p{M}]+$/u;

/** The edits from one word to the other (optimal string alignment), by code points; `most + 1` when there are more than `most`. */
export function editsBetween(a: string, b: string, most: number): number {
  const [from, to] = [[...a], [...b]];
  if (Math.abs(from.length - to.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, char] of from.entries()) {
    const next = [row + 1];
    for (const [column, other] of to.entries()) {
      const replaced = (last[column] as number) + (char === other ? 0 : 1);
      const swapped = char === to[column - 1] && from[row - 1] === other ? (before[column - 1] as number) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (last[column + 1] as number) + 1, (next[column] as number) + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    [before, last] = [last, next];
  }
  return Math.min(last.at(-1) as number, most + 1);
}
