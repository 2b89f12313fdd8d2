/** What is found of users who are brought, each by a bit: what findings say of them, and what is asked of new ones. Rows that bring no user, which only all rows show, are left out. */

import type { FindingCode } from "../events/findings.js";
import { isCostly } from "../hash/verify.js";
import type { HashAlgorithm } from "../hash/hash.js";
import { isSocialOnly } from "../plan/account-plan.js";
import type { PlannedUser } from "../plan/action.js";
import type { UserKeys } from "../plan/entry.js";
import { bringsDay, JOINED_LEFT, mayQueueNew } from "../plan/joining.js";
import { isRefusal, type SentPlan } from "../plan/plan.js";
import { RANK } from "../plan/rank.js";

export const SALT_LENGTH =
  "The vendor's salts are ten bytes long in every account that is known. A column or field on the way here may have been too narrow, and then these users can't sign in. Where salts of ten bytes are in the same file, shorter ones are refused; the others are sent. Compare some of them with the vendor's console.";

/** What the notice `proof_needed` of an accepted hash means. */
const PROOF_NEEDED: Readonly<Record<HashAlgorithm, string>> = {
  bcrypt:
    "These hashes come from a bcrypt with a fault (CVE-2011-2483). Users whose password has a character beyond ASCII can't sign in and need a password reset.",
  argon2:
    "The salts of these argon2 hashes have an unusual length: neither 16 bytes nor 8, 12, 22, 32 or 64. If your application chose that length, nothing is wrong. If only some hashes have it, they were damaged on the way, and their owners can't sign in.",
  vendor_scrypt: SALT_LENGTH,
};

export interface UserFinding {
  readonly code: FindingCode;
  /** What is told of these users before what the code says. */
  readonly says?: string | undefined;
  readonly holds: (plan: SentPlan, contacts: UserKeys["contacts"]) => boolean;
}

const noticed = (code: FindingCode): UserFinding => ({
  code,
  holds: ({ notices }) => notices.includes(code),
});

const hashedBy =
  (algorithm: string, notice = "") =>
  (plan: SentPlan): boolean =>
    plan.kind === "import" &&
    plan.algorithm === algorithm &&
    (notice === "" || plan.notices.includes(notice));

/** The finding of each of the first bits. To add one, put it here: a row has room for sixteen. */
export const USER_FINDINGS: readonly UserFinding[] = [
  noticed("unverified_email_with_password"),
  {
    // A contact by which a code lets in, an email or a phone.
    code: "way_in_not_verified",
    holds: ({ kind }, contacts) =>
      kind === "passwordless" && contacts.some(({ rank }) => rank !== RANK.verified),
  },
  noticed("bans_not_exported"),
  noticed("prehash_possible"),
  ...Object.entries(PROOF_NEEDED).map(
    ([algorithm, says]) =>
      ({ code: "proof_needed", says, holds: hashedBy(algorithm, "proof_needed") }) as const,
  ),
  { code: "hash_costly", holds: (plan) => plan.kind === "import" && isCostly(plan.passwordHash) },
  { code: "scrypt_non_ascii_passwords", holds: hashedBy("vendor_scrypt") },
  {
    // The user's only way in at the vendor is a social account, and it isn't the one at the core.
    code: "social_identity_dropped",
    holds: ({ kind, notices }) => kind === "passwordless" && isSocialOnly(notices),
  },
];

const asked = (at: number): number => 1 << (USER_FINDINGS.length + at);

/**
 * The bits behind them.
 *
 * - `sent`: the user is brought. `together`: the core's queue may have them.
 * - `leaves`: calls of their own leave their day of joining behind. `leavesAlways`: so does the queue.
 */
export const NEW_USER = {
  sent: asked(0),
  together: asked(1),
  leaves: asked(2),
  leavesAlways: asked(3),
} as const;

const isLeft = ({ notices }: SentPlan): boolean => notices.includes(JOINED_LEFT);

/** In the order of the bits. */
const HOLDS: readonly UserFinding["holds"][] = [
  ...USER_FINDINGS.map(({ holds }) => holds),
  () => true,
  mayQueueNew,
  (plan) => isLeft(plan) || bringsDay(plan),
  (plan) => isLeft(plan) || (bringsDay(plan) && !mayQueueNew(plan)),
];

/** What is found of a user, as bits; 0 for who isn't brought. */
export function foundOf({ plan, keys }: Pick<PlannedUser, "plan" | "keys">): number {
  if (isRefusal(plan)) return 0;
  return HOLDS.reduce((bits, holds, at) => bits | (holds(plan, keys.contacts) ? 1 << at : 0), 0);
}
