/** What of their accounts was carried along, counted in users. Pure. */

import { isRefusal, type Plan } from "./plan.js";
import { CARRIED_PARTS } from "./policy.js";

const PARTS = [...CARRIED_PARTS, "roles" as const];

type Part = (typeof PARTS)[number];

/** The notices of calls by which a part has stayed behind. */
const LEFT: Readonly<Record<Part, string>> = {
  verified: "verification_not_migrated",
  joined: "joined_not_migrated",
  metadata: "metadata_not_migrated",
  social: "social_identity_dropped",
  totp: "mfa_not_migrated",
  roles: "roles_not_migrated",
};

/**
 * What of an account a plan brings, a bit for each part: it is kept of every user on the way.
 *
 * @param notices what the calls have told
 */
export function carriedBits(plan: Plan, notices: readonly string[] = []): number {
  if (isRefusal(plan)) return 0;
  const { account, kind } = plan;
  const has: Readonly<Record<Part, boolean>> = {
    verified: account?.verified === true,
    joined: account !== null && account.joined !== null,
    metadata: account !== null && account.metadata !== null,
    social: kind === "thirdparty",
    totp: account !== null && account.totp.length > 0,
    roles: account !== null && account.roles.length > 0,
  };
  let bits = 0;
  for (const [at, part] of PARTS.entries()) {
    if (has[part] && !notices.includes(LEFT[part])) bits |= 1 << at;
  }
  return bits;
}

/** @param users how many have which bits */
export function carriedUsers(users: ReadonlyMap<number, number>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [at, part] of PARTS.entries()) {
    for (const [bits, count] of users) {
      if ((bits & (1 << at)) !== 0) counts[part] = (counts[part] ?? 0) + count;
    }
  }
  return counts;
}
