/** Makes the list of reasons for which a vendor keeps a user out. All of them count: to let disabled users in is not to let in users of an identity provider alone. */

import type { Exclusion } from "../account/user-record.js";

/** The one that no flag lifts comes first. */
const ORDER: readonly Exclusion[] = [
  "service_account",
  "deleted",
  "disabled",
  "anonymous",
  "sso_only",
];

/** @param found whether the user is kept out, by reason; the first is the one that is told */
export function exclusionsWhere(
  found: Readonly<Partial<Record<Exclusion, boolean>>>,
): readonly Exclusion[] {
  return ORDER.filter((reason) => found[reason]);
}
