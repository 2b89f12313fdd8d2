/** All sources. A new vendor is one file and one line here. */

import { firebase } from "./firebase.js";
import { genericCsv } from "./generic-csv.js";
import type { Source } from "./source.js";

/** In the order in which messages list them. */
export const SOURCES: readonly Source[] = [firebase, genericCsv];

/** @returns the source of that name (`--from`), or null */
export function findSource(name: string): Source | null {
  return SOURCES.find((source) => source.name === name) ?? null;
}
