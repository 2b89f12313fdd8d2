/** How many rejects an operator allows: a number, or a share of the users. Pure. */

/** A number, or a share in percent. */
export type RejectAllowance = { readonly count: number } | { readonly percent: number };

/** The most rejects that are allowed among so many users. */
export function allowedRejects(allowance: RejectAllowance, users: number): number {
  return "count" in allowance ? allowance.count : (allowance.percent / 100) * users;
}
