/** Rows of one user that a join has multiplied, as one user. They agree in all but social accounts, roles, and metadata that only some of them have. Pure. */

import { isDeepStrictEqual } from "node:util";
import { type AccountPlan, SOCIAL_LEFT } from "./account-plan.js";
import type { PlannedUser } from "./action.js";
import { joined, NONE } from "./codes.js";
import { type Digester, socialText } from "./digests.js";
import { partKeys } from "./parts.js";
import { isRefusal, type SentPlan } from "./plan.js";

interface SentUser extends PlannedUser {
  readonly plan: SentPlan;
}

/**
 * Two rows of one vendor's id as one user, whatever their order; of who is kept out nothing but that is
 * compared. Hashes and emails aren't: a dry run keeps their digests alone.
 *
 * @param first its place is the user's
 * @returns `first` itself where the other has nothing more; null where they differ in more
 */
export function asOneUser(
  first: PlannedUser,
  other: PlannedUser,
  digester: Digester,
): PlannedUser | null {
  if (!isSent(first) || !isSent(other)) {
    // Rejects are mended row by row.
    const isOut = first.plan.kind === "skip" && isDeepStrictEqual(first.plan, other.plan);
    return isOut && isDeepStrictEqual(first.keys.reserved, other.keys.reserved) ? first : null;
  }
  if (!isDeepStrictEqual(sharedOf(first.plan), sharedOf(other.plan))) return null;
  const isBySocial = [first, other].some(({ plan }) => plan.kind === "thirdparty");
  if (!isBySocial && !isDeepStrictEqual(wayInOf(first), wayInOf(other))) return null;
  const metadata = joinedMetadata(first.plan.account, other.plan.account);
  if (metadata === null) return null;
  const [way, left] = placeOf(other) < placeOf(first) ? [other, first] : [first, other];
  const account = joinedAccount(way.plan.account, left.plan.account, metadata);
  const isOneLeft = left.plan.kind === "thirdparty" && placeOf(left) !== placeOf(way);
  const lost = isOneLeft ? [SOCIAL_LEFT] : NONE;
  const plan = {
    ...way.plan,
    account,
    notices: joined(first.plan.notices, other.plan.notices, lost),
  };
  if (isDeepStrictEqual(plan, first.plan)) return first;
  const { kind, contacts } = way.keys;
  const parts = partKeys(plan, contacts, digester);
  return { plan, keys: { ...first.keys, kind, contacts, plan: digester.plan(plan), parts } };
}

function isSent(user: PlannedUser): user is SentUser {
  return !isRefusal(user.plan);
}

/** What a join changes in none. */
function sharedOf({ kind, keepId, letIn, account }: SentPlan): unknown {
  const { joined: since = null, totp = [] } = account ?? {};
  return [kind === "import", keepId === null, letIn ?? [], since, totp];
}

/** How the user signs in with a password or by a code. */
function wayInOf({ plan, keys }: SentUser): unknown {
  const bridged = plan.kind === "import" ? (plan.bridged ?? null) : null;
  return [plan.kind, keys.contacts, bridged, plan.account?.verified ?? null];
}

/** By the first of these a user is brought: a social account if there is one, whatever the order of the rows. */
function placeOf({ plan }: SentUser): string {
  return plan.kind === "thirdparty" ? `${socialText(plan.identity)}${plan.email}` : "~";
}

/** Null where a field has two values: which one is the user's can't be told. */
function joinedMetadata(
  one: AccountPlan | null,
  other: AccountPlan | null,
): Pick<AccountPlan, "metadata"> | null {
  const [own, more] = [one?.metadata ?? {}, other?.metadata ?? {}];
  if (isDeepStrictEqual(own, more)) return { metadata: one?.metadata ?? null };
  const all = { ...own, ...more };
  if (!Object.entries(own).every(([name, value]) => isDeepStrictEqual(all[name], value)))
    return null;
  // In one order, by which the digest of both orders of the rows is the same.
  const sorted = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  return { metadata: Object.fromEntries(sorted) };
}

function joinedAccount(
  own: AccountPlan | null,
  left: AccountPlan | null,
  metadata: Pick<AccountPlan, "metadata">,
): AccountPlan | null {
  const account = own ?? left;
  if (account === null) return null;
  const roles = joined(account.roles, left?.roles ?? NONE);
  return { ...account, ...metadata, roles: roles === account.roles ? roles : roles.toSorted() };
}
