/** A number of things, for people: `1 line`, `1,200 lines`. */
export function amount(number: number, what: string): string {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}
