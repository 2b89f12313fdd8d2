/** Is an answer of the core about the user who was asked for? A proxy that crosses answers would have a run take one user for another. */

import type { CodeRequest } from "../core/core.js";
import type { CoreUser } from "../core/user.js";
import { isSameContact } from "../core/same-contact.js";
import { RunError } from "../errors/run-error.js";
import type { RowRef } from "../events/events.js";
import { placeOf } from "../errors/place.js";
import { isBy } from "../plan/decide-change.js";
import type { SentPlan } from "../plan/plan.js";
import type { CallContext, CallStart } from "./call-context.js";

/** Whether a user may have a contact: has it as the core shows it, or is shown without any. */
export function mayHaveContact(user: CoreUser, asked: CodeRequest): boolean {
  return showsContact(user, asked) || contactsShown(user).length === 0;
}

/** Whether the core shows a user with a contact. */
export function showsContact(user: CoreUser, asked: CodeRequest): boolean {
  const { email, phoneNumber } = user;
  // Next to all answers repeat what was sent.
  if (asked.email === undefined ? phoneNumber === asked.phoneNumber : email === asked.email) {
    return true;
  }
  return contactsShown(user).some((contact) => isSameContact(contact, asked));
}

function contactsShown({ email, phoneNumber, otherContacts = [] }: CoreUser): string[] {
  return [email, phoneNumber, ...otherContacts].filter((one) => one !== undefined);
}

/**
 * Makes sure that an answer is about the contact that was sent.
 *
 * @throws RunError `answer_mismatch`
 */
export function requireContact(user: CoreUser, asked: CodeRequest, row: RowRef): void {
  if (showsContact(user, asked) || contactsShown(user).length === 0) return;
  throw answerMismatch(row, "with a user who has another contact than was sent");
}

/**
 * Makes sure that an answer is about the user who was sent: by their social account, their email, or
 * the contact under which they are brought.
 *
 * @throws RunError `answer_mismatch`
 */
export function requirePlanned(user: CoreUser, plan: SentPlan, row: RowRef): void {
  if (plan.kind !== "thirdparty") {
    requireContact(user, plan.kind === "import" ? plan : firstContact(plan), row);
  } else if (!isBy(user, plan)) {
    throw answerMismatch(row, "with a user who has another social account than was sent");
  }
}

/** The contact under which a plan brings its user; a social account's email. */
export function firstContact(plan: SentPlan): CodeRequest {
  if (plan.kind !== "passwordless") return { email: plan.email };
  const { first, email, phone } = plan;
  return first === "email" && email !== null ? { email } : { phoneNumber: phone ?? "" };
}

/**
 * Two users who are new at the core don't have one id. A core in this process isn't asked about: its
 * table holds ids unique, and no proxy crosses its answers.
 *
 * @throws RunError `answer_mismatch`
 */
export function requireOwnId(
  { core, ids }: Pick<CallContext, "core" | "ids">,
  { userId, recipeUserId = userId }: CoreUser,
  { row, entryId }: CallStart,
): void {
  if (entryId === null || core.target.kind === "embedded") return;
  const other = ids.claimId(recipeUserId, entryId);
  if (other === null) return;
  throw answerMismatch(row, `with the id of the user of ${other.file}, row ${other.number}`);
}

/** The error for an answer about another user; `what` follows "answered". Nothing may be built on it. */
export function answerMismatch(row: RowRef, what: string): RunError {
  return new RunError("answer_mismatch", `${placeOf(row)}: the core answered ${what}.`, {
    hint: "Answers are mixed up on their way, by a proxy or a cache before the core, or at the core itself. Nothing was written of this answer. Find the cause, then run the same command again: it looks at this user first. auth-migrate reconcile says whether earlier answers were right.",
  });
}
