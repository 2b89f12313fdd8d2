/** What an earlier run has found out about rows that follow each other, and what is known of each of them. */

import type { FindingCode } from "../events/findings.js";
import type { KindCount } from "./histogram.js";

/** How often something was told, and behind the first row how many rows and lines its first rows are. */
export interface Told<Name extends string> {
  readonly name: Name;
  count: number;
  readonly at: (readonly [rows: number, lines: number])[];
}

/** Of each row a number; one alone where all have the same. */
export type OfRows = number | readonly number[];

/** Rows that follow each other. */
export interface KnownSums {
  readonly rows: number;
  /** How many rows fill each column. */
  readonly filled: readonly number[];
  readonly byCode: number;
  readonly bySocial: number;
  readonly roles: readonly string[];
  readonly kinds: readonly KindCount[];
  readonly notes: readonly Readonly<Told<FindingCode>>[];
  readonly steps: readonly Readonly<Told<string>>[];
  /** Of each row, how many lines behind the first one it begins; alone: how many lines each row has. */
  readonly lines: OfRows;
  /** Of each row, the length of an argon2 hash's text as it stands; 0 for another hash. */
  readonly lengths: OfRows;
  /** Of each row the digests of hash, id and email, and the note of its address; 0 for what it doesn't have. */
  readonly keys: ArrayLike<number>;
}

/** What stands where in {@link KnownSums.keys}, and how many numbers a row has there. */
export const KEY = { hash: 0, id: 1, email: 2, note: 3 } as const;
export const KEYS_A_ROW = 4;

/** How many lines behind the first row another one begins. */
export function linesBefore({ lines }: KnownSums, index: number): number {
  return typeof lines === "number" ? lines * index : (lines[index] ?? 0);
}
