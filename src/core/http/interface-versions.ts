/** The versions of the public counterpart's interface that a request may name in `cdi-version`. Answers hold what all of them show; one list alone differs in its form. */

import type { IncomingMessage } from "node:http";
import { refusal } from "../core-failure.js";

/** A major version, and the first and last minor version of it. */
const RANGES = [
  [2, 7, 21],
  [3, 0, 1],
  [4, 0, 0],
  [5, 0, 4],
] as const;
const HEADER = "cdi-version";
/** The first major version that lists users as they are, not each beside its recipe. */
const FIRST_PLAIN_LISTS = 4;

/** Every version that is taken, oldest first. */
export const INTERFACE_VERSIONS: readonly string[] = RANGES.flatMap(([major, first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${major}.${first + index}`),
);
const KNOWN: ReadonlySet<string> = new Set(INTERFACE_VERSIONS);

/** @throws CoreFailure `refused`: the request names a version that isn't spoken here */
export function requireKnownVersion({ headers }: IncomingMessage): void {
  const version = headers[HEADER];
  if (version === undefined || (typeof version === "string" && KNOWN.has(version))) return;
  throw refusal(`${HEADER}: this version is not offered; GET /apiversion lists those that are`);
}

/** Whether the request names a version that lists each user beside its recipe. */
export function listsBesideRecipes({ headers }: IncomingMessage): boolean {
  const version = headers[HEADER];
  return typeof version === "string" && Number.parseInt(version, 10) < FIRST_PLAIN_LISTS;
}
