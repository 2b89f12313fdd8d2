/** Numbers of things for people. Pure. */

/** "1 row", "1,234 rows". */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}
