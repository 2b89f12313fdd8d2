/** Which rows of an input are read from the stage. */

import type { StagedRow } from "./staged-row.js";

/** By their numbers in the input. Where a file is cut off is read, whichever rows are left out. */
export type RowChoice =
  | { readonly only: ReadonlySet<number> }
  | { readonly allBut: ReadonlySet<number> };

export const EVERY_ROW: RowChoice = { allBut: new Set() };

export function isChosen({ kind, number }: StagedRow, choice: RowChoice): boolean {
  if ("only" in choice) return choice.only.has(number);
  return kind === "truncated" || !choice.allBut.has(number);
}

/** Whether one of the rows between two, both included, may be chosen. */
export function mayHave(
  { first, last }: { readonly first: number; readonly last: number },
  choice: RowChoice,
): boolean {
  return !("only" in choice) || [...choice.only].some((one) => one >= first && one <= last);
}
