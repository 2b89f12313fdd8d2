/** How good a row's right to a contact is: the vendor has verified it, doesn't say, or says that it hasn't. Pure. */

import type { Contact } from "../account/user-record.js";

/** The lower the better. */
export const RANK = { verified: 0, notSaid: 1, unverified: 2 } as const;

export type Rank = (typeof RANK)[keyof typeof RANK];

/** The right by which a record has a contact. */
export function rankOf({ verified }: Pick<Contact, "verified">): Rank {
  if (verified === null) return RANK.notSaid;
  return verified ? RANK.verified : RANK.unverified;
}

/** The right by which a user has an email and a phone; null where there is none, or it wasn't kept. */
export interface Ranks {
  readonly email: Rank | null;
  readonly phone: Rank | null;
}

/** The right by which a user has a contact. Of a social account it is always the best one: the provider said who it is. */
export function rankIn(ranks: Ranks, kind: "email" | "phone" | "social"): Rank {
  return (kind === "social" ? null : ranks[kind]) ?? RANK.verified;
}

/** Both in one number, each in two bits: one more than the rank, 0 for null. */
export function packRanks({ email, phone }: Ranks): number {
  return packed(email) + 4 * packed(phone);
}

/** The inverse of {@link packRanks}. */
export function unpackRanks(number: number): Ranks {
  return { email: unpacked(number % 4), phone: unpacked(Math.floor(number / 4)) };
}

function packed(rank: Rank | null): number {
  return rank === null ? 0 : rank + 1;
}

function unpacked(number: number): Rank | null {
  return number === 0 ? null : ((number - 1) as Rank);
}
