/** Updates a finished user whose row has changed: is it still the user whom an earlier run brought, which call is made, and what the checkpoint is told. It brings no user. */

import type { UpdateRequest } from "../core/core.js";
import type { CallContext } from "./call-context.js";
import { type Applied, applyImport, type Done, unfinished } from "./apply-plan.js";
import { withoutContact } from "../plan/user-keys.js";
import type { OutcomeWrite } from "../plan/entry.js";
import { MARK, STATE } from "../plan/states.js";
import {
  type ChangeRefusal,
  type ContactsChange,
  refuseChange,
  type Update,
} from "../plan/delta.js";
import { hasBegun, refuseKind } from "../plan/kind-change.js";
import { CONTACT_CONFLICT, findExisting, RECIPES } from "./existing.js";
import type { Todo } from "./plan-batch.js";
import type { PasswordlessPlan, RefusalPlan } from "../plan/plan.js";
import { RANK } from "../plan/rank.js";

/**
 * Looks at the user before anything is sent: another user who has the email since must keep their password.
 *
 * @returns null where the update is to be made, else how it ended
 */
export async function checkUpdate(
  context: CallContext,
  { plan, entry, keys: { row } }: Todo,
  { coreId }: Update,
): Promise<Applied | null> {
  if (hasBegun(entry)) {
    const other = await findExisting(context, { plan, row, kind: "import" });
    if (!other.ok) return unfinished({ ...other, maybeApplied: false });
    if (other.value.user !== null) return rejected(refuseKind("begun"));
  }
  const lookup = await (coreId === null
    ? findExisting(context, { plan, row })
    : context.caller.call("lookup", () => context.core.getUser(coreId)));
  if (!lookup.ok) return unfinished({ ...lookup, maybeApplied: false });
  const found = lookup.value;
  const user = found !== null && "byFirst" in found ? found.user : found;
  if (user === null) return refuse("removed_at_core");
  const isOther = user.recipe !== null && user.recipe !== RECIPES[plan.kind];
  const hasMoved = plan.kind === "import" && user.email !== plan.email;
  return isOther || hasMoved ? refuse("changed_at_core") : null;
}

/** What is known of a finished user before the calls. */
const OURS = { entryId: null, maybeOurs: true, theirs: false, lookedAt: null } as const;

/** The call, interface.md 4.4 or 4.3. Either may be repeated: it sets absolute values. */
export async function applyUpdate(
  context: CallContext,
  { plan, keys, entry }: Todo,
  { change, coreId }: Update,
): Promise<Applied> {
  const ours = { mapped: entry.mapped };
  if (plan.kind === "import") {
    const before = { ...OURS, row: keys.row };
    const applied = await applyImport(context, plan, before);
    if (applied.kind !== "done") return applied;
    // The core may show the user by the vendor's id, which isn't the core's own.
    const userId = coreId ?? applied.coreId;
    return { ...applied, ...ours, coreId: userId, notices: ["hash_updated"] };
  }
  // A user can't be updated without the id at the core.
  if (change.kind !== "contacts" || coreId === null) return refuse("removed_at_core");
  const notices = change.keeps ? ["contact_kept"] : [];
  const done = { kind: "done", outcome: "created", coreId, ...ours, notices } as const;
  return updateContacts(context, { plan, keys, entry }, change, done);
}

async function updateContacts(
  { core, caller }: CallContext,
  { plan, keys, entry }: PasswordlessTodo,
  { clears }: ContactsChange,
  done: Done,
): Promise<Applied> {
  const { coreId: userId, notices } = done;
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
    if (status === "UNKNOWN_USER_ID_ERROR") return refuse("removed_at_core");
    // Another user has one of the two contacts; the other contact may still be set.
    values = without(values, status === "EMAIL_ALREADY_EXISTS_ERROR" ? "email" : "phoneNumber");
    outcome = { ...done, notices: [CONTACT_CONFLICT] };
    if (Object.values(values).every((value) => value === null)) return outcome;
  }
}

type PasswordlessTodo = Pick<Todo, "keys" | "entry"> & { readonly plan: PasswordlessPlan };

/** The vendor says that the email is verified, and no earlier run brought the user under it. */
function isNewlyVerified({ contacts }: Todo["keys"], { previous }: Todo["entry"]): boolean {
  const email = contacts.find(({ kind }) => kind === "email");
  const had = previous?.contacts.some(({ key, mark }) => key === email?.key && mark === MARK.held);
  return email?.rank === RANK.verified && had !== true;
}

type Contacts = Pick<UpdateRequest, "email" | "phoneNumber">;

function without(values: Contacts, field: keyof Contacts): Contacts {
  const { [field]: _taken, ...rest } = values;
  return rest;
}

/** What the checkpoint is told: the user stays finished, and only a success makes the new plan theirs. */
export function outcomeWriteOfUpdate(
  { entry }: Todo,
  { change, coreId }: Update,
  applied: Applied,
): OutcomeWrite {
  const settled = { entryId: entry.id, state: entry.state ?? STATE.planned };
  const done = applied.kind === "unmapped" ? applied.done : applied;
  const code = applied.kind === "unmapped" ? applied.code : null;
  // What isn't done is sent by every run, until it is.
  if (done.kind !== "done" || done.notices.includes(CONTACT_CONFLICT)) {
    return { ...settled, sawNobody: true, mapped: entry.mapped, coreId, code, updated: null };
  }
  const { mapped, coreId: userId } = done;
  const { updated } = change;
  const state = change.kind === "kind" ? STATE.imported : settled.state;
  return {
    ...settled,
    state,
    sawNobody: false,
    mapped,
    coreId: withoutContact(userId),
    code,
    updated,
  };
}

function refuse(code: ChangeRefusal): Applied {
  return rejected(refuseChange(code));
}

/** Nothing is sent, and the user stays as they are. */
export function rejected({ code, hint }: RefusalPlan): Applied {
  return { kind: "rejected", code, hint, maybeApplied: false };
}
