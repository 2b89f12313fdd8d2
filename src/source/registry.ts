/** All sources. A new vendor is a mapping in `mappings/`; one that no mapping says is a file and a line here. */

import { builtInMappings } from "./built-in-mappings.js";
import { genericCsv, genericJson } from "./mapping/generic-files.js";
import type { Source } from "./source.js";
import { auth0 } from "./vendors/auth0/auth0.js";
import { firebase } from "./vendors/firebase/firebase.js";

/** Systems that most people come from, the first one last; the others stand behind them. */
const ASKED_FOR = "django okta keycloak cognito clerk supabase auth0 firebase".split(" ");

/** In the order in which messages list them. */
export const SOURCES: readonly Source[] = [
  ...[firebase, auth0, ...builtInMappings()].sort(
    (one, other) => ASKED_FOR.indexOf(other.name) - ASKED_FOR.indexOf(one.name),
  ),
  genericCsv,
  genericJson,
];

/** @returns the source of that name (`--from`), or null */
export function findSource(name: string): Source | null {
  return SOURCES.find((source) => source.name === name) ?? null;
}

/** Whether `--from` names a module, and none of these sources. */
export function isModule(from: string): boolean {
  return /\.[cm]?js$/.test(from);
}
