/** How many rejects an operator allows: a number, or a share of the rows. Pure. */

/** A number, or a share in percent. */
export type RejectAllowance = { readonly count: number } | { readonly percent: number };

/** A share says nothing before so many rows were read. */
const LEAST_ROWS = 500;

/** The most rejects that are allowed among so many rows. */
export function allowedRejects(allowance: RejectAllowance, rows: number): number {
  return "count" in allowance ? allowance.count : (allowance.percent / 100) * rows;
}

/**
 * Whether a run that is under way has more rejects than are allowed, whatever is still to come.
 *
 * @param expected the rows that there are, as far as the operator knows: a share is of these. Without
 *   it a share is of the rows read so far, from the first few hundred on
 */
export function hasTooManyRejects(
  allowance: RejectAllowance,
  { rejected, read, expected }: { rejected: number; read: number; expected: number | undefined },
): boolean {
  if ("percent" in allowance && expected === undefined && read < LEAST_ROWS) return false;
  return rejected > allowedRejects(allowance, expected ?? read);
}
