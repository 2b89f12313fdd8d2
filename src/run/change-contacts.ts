/** Sets the contacts of a finished user whose row has changed (interface.md 4.3). */

import type { UpdateRequest } from "../core/core.js";
import type { CallOutcome, ChangeContactsAction, Done, Task } from "../plan/action.js";
import type { Entry, UserKeys } from "../plan/entry.js";
import { CONTACT_CONFLICT, rejected, unfinished } from "../plan/outcomes.js";
import { RANK } from "../plan/rank.js";
import { refuseChange } from "../plan/refusals.js";
import { MARK } from "../plan/states.js";
import type { CallContext } from "./call-context.js";

/** The call sets absolute values, so it may be repeated. */
export async function changeContacts(
  { core, caller }: CallContext,
  { keys, entry, coreId: userId }: Task,
  { plan, clears, keeps }: ChangeContactsAction,
): Promise<CallOutcome> {
  // A user can't be updated without the id at the core.
  if (userId === null) return rejected(refuseChange("removed_at_core"));
  const { mapped } = entry;
  const done: Done = { kind: "done", outcome: "created", coreId: userId, notices: [], mapped };
  const notices = keeps ? ["contact_kept"] : [];
  let values: Contacts = {
    ...(plan.email !== null || clears === "email" ? { email: plan.email } : {}),
    ...(plan.phone !== null || clears === "phone" ? { phoneNumber: plan.phone } : {}),
  };
  let outcome = { ...done, notices: [...notices, "contacts_updated"] };
  for (;;) {
    const request = { userId, ...values };
    const result = await caller.call("update", () => core.updateUser(request));
    if (!result.ok) return unfinished({ ...result, maybeApplied: true });
    const { status } = result.value;
    if (status === "OK") {
      if (typeof values.email !== "string" || !isNewlyVerified(keys, entry)) return outcome;
      // By a code it would have been verified at the core; and a code would sign the user in.
      return { ...outcome, notices: [...outcome.notices, "verification_not_migrated"] };
    }
    if (status === "UNKNOWN_USER_ID_ERROR") return rejected(refuseChange("removed_at_core"));
    // Another user has one of the two contacts; the other contact may still be set.
    values = without(values, status === "EMAIL_ALREADY_EXISTS_ERROR" ? "email" : "phoneNumber");
    outcome = { ...done, notices: [CONTACT_CONFLICT] };
    if (Object.values(values).every((value) => value === null)) return outcome;
  }
}

/** The vendor says that the email is verified, and no earlier run brought the user under it. */
function isNewlyVerified({ contacts }: UserKeys, { previous }: Entry): boolean {
  const email = contacts.find(({ kind }) => kind === "email");
  const had = previous?.contacts.some(({ key, mark }) => key === email?.key && mark === MARK.held);
  return email?.rank === RANK.verified && had !== true;
}

type Contacts = Pick<UpdateRequest, "email" | "phoneNumber">;

function without(values: Contacts, field: keyof Contacts): Contacts {
  const { [field]: _taken, ...rest } = values;
  return rest;
}
