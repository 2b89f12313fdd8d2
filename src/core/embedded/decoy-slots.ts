/** Which user's hash a sign-in with an unknown email verifies. It picks a number; what is there is the store's to find. */

/**
 * As in linear hashing, whoever joins takes one slot over and moves no other pick.
 *
 * @param point from 0 up to but not including 1
 * @param last the number of the user who joined last; numbers begin at 1 and may have gaps
 * @returns the number from which on the next user is the one picked; 1 where there is nobody
 */
export function pickedSlot(point: number, last: number): number {
  if (last < 1) return 1;
  const slots = 2 ** Math.ceil(Math.log2(last));
  const slot = Math.floor(point * slots) + 1;
  return slot > last ? slot - slots / 2 : slot;
}
