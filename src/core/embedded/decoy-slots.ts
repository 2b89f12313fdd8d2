/** Picks the number of the user whose hash a sign-in with an unknown email verifies. */

/**
 * As in linear hashing, a user who joins takes over one slot and moves no other pick.
 *
 * @param point from 0 up to but not including 1
 * @param last the newest user's number; numbers begin at 1 and may have gaps
 * @returns a number: the first user at or after it is picked; 1 where the core has no user
 */
export function pickedSlot(point: number, last: number): number {
  if (last < 1) return 1;
  const slots = 2 ** Math.ceil(Math.log2(last));
  const slot = Math.floor(point * slots) + 1;
  return slot > last ? slot - slots / 2 : slot;
}
