/** What of their accounts was carried along, counted in users. Pure. */

import { CARRIED_BIT as BIT } from "../events/tally.js";
import type { Task } from "./action.js";
import { JOINED_LEFT } from "./joining.js";
import { isRefusal } from "./plan.js";
import { CARRIED_PARTS } from "./policy.js";

const PARTS = [...CARRIED_PARTS, "roles" as const];
/** What changes a user who is there, of whom the parts alone go along that it sends. */
const CHANGES: ReadonlySet<string> = new Set(["change_hash", "change_contacts", "change_parts"]);

type Part = (typeof PARTS)[number];

/** The notices of calls by which a part has stayed behind. */
const LEFT: Readonly<Record<Part, string>> = {
  verified: "verification_not_migrated",
  joined: JOINED_LEFT,
  metadata: "metadata_not_migrated",
  social: "social_identity_dropped",
  totp: "mfa_not_migrated",
  roles: "roles_not_migrated",
};

/**
 * What of an account a user brings, as bits: it is kept of every user
 * on the way. Who was there before this migration brings none.
 *
 * @param notices what the calls have told
 */
export function carriedBits(
  { plan, action }: Pick<Task, "plan" | "action">,
  notices: readonly string[] = [],
): number {
  if (isRefusal(plan) || ("theirs" in action && action.theirs)) return 0;
  const { account, kind } = plan;
  let bits = kind === "thirdparty" ? BIT.social : 0;
  if (account !== null) {
    if (account.verified === true) bits |= BIT.verified;
    if (account.joined !== null) bits |= BIT.joined;
    if (account.metadata !== null) bits |= BIT.metadata;
    if (account.totp.length > 0) bits |= BIT.totp;
    if (account.roles.length > 0) bits |= BIT.roles;
  }
  if (notices.length > 0) {
    for (const part of PARTS) if (notices.includes(LEFT[part])) bits &= ~BIT[part];
  }
  if (CHANGES.has(action.kind)) {
    const parts = "parts" in action ? action.parts : [];
    return bits & parts.reduce((sent, { part }) => sent | BIT[part], 0);
  }
  const isLeft = notices.includes(JOINED_LEFT) || plan.notices.includes(JOINED_LEFT);
  return isLeft ? bits | BIT.left : bits;
}

/** @param users how many have which bits */
export function carriedUsers(users: ReadonlyMap<number, number>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const part of PARTS) {
    let carried = 0;
    for (const [bits, count] of users) if ((bits & BIT[part]) !== 0) carried += count;
    if (carried > 0) counts[part] = carried;
  }
  return counts;
}
