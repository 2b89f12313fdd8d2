/** How good a row's right to a contact is: the vendor has verified it, doesn't say, or says that it hasn't. Pure. */

/** The lower the better. */
export const RANK = { verified: 0, notSaid: 1, unverified: 2 } as const;

export type Rank = (typeof RANK)[keyof typeof RANK];

/** The rights by which a user has an email and a phone, in two bits each: one more than the rank, 0 where there is none or it wasn't kept. */
export type Ranks = number;

/** The rights by which a row has its contacts; it has one of a kind. */
export function ranksOf(
  contacts: readonly { readonly kind: string; readonly rank: Rank }[],
): Ranks {
  let ranks = 0;
  for (const { kind, rank } of contacts) {
    if (kind === "email") ranks |= rank + 1;
    else if (kind === "phone") ranks |= (rank + 1) << 2;
  }
  return ranks;
}

/** The right by which a user has a contact. Of a social account it is always the best one: the provider said who it is. */
export function rankIn(ranks: Ranks, kind: "email" | "phone" | "social"): Rank {
  const packed = kind === "email" ? ranks & 3 : kind === "phone" ? ranks >> 2 : 0;
  return packed === 0 ? RANK.verified : ((packed - 1) as Rank);
}
