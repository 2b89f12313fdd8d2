/** All sources. A new vendor is one file and one line here. */

import { auth0 } from "./auth0.js";
import { clerk } from "./clerk.js";
import { cognito } from "./cognito.js";
import { django } from "./django.js";
import { firebase } from "./firebase.js";
import { genericCsv } from "./generic-csv.js";
import { genericJson } from "./generic-json.js";
import { keycloak } from "./keycloak.js";
import { okta } from "./okta.js";
import type { Source } from "./source.js";
import { supabase } from "./supabase.js";

/** In the order in which messages list them. */
export const SOURCES: readonly Source[] = [
  firebase,
  auth0,
  supabase,
  clerk,
  cognito,
  keycloak,
  okta,
  django,
  genericCsv,
  genericJson,
];

/** @returns the source of that name (`--from`), or null */
export function findSource(name: string): Source | null {
  return SOURCES.find((source) => source.name === name) ?? null;
}
