/** What a plan tells of what the core has no place for. Pure. */

import type { Contact } from "../account/user-record.js";
import type { AccountPlan } from "./account-plan.js";

export const NONE: readonly string[] = [];
const PHONE_LOST: readonly string[] = ["phone_not_migrated"];
const VERIFICATION_LOST: readonly string[] = ["verification_not_migrated"];
const BOTH_LOST: readonly string[] = [...PHONE_LOST, ...VERIFICATION_LOST];

/** What a user who isn't passwordless has no place for; and the core takes the email for unverified, unless it is told otherwise. */
export function leftBehind(
  email: Contact | null,
  phone: Contact | null,
  account: AccountPlan | null,
): readonly string[] {
  const isTold = account !== null && account.verified !== null;
  if (email?.verified !== true || isTold) return phone === null ? NONE : PHONE_LOST;
  return phone === null ? VERIFICATION_LOST : BOTH_LOST;
}

/** Most users have no notice, and most others the same ones: nothing new is made for them. */
export function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}

/** The code as a list, where it is so and not told yet. */
export function toldOnce(told: readonly string[], isSo: boolean, code: string): readonly string[] {
  return isSo && !told.includes(code) ? [code] : NONE;
}
