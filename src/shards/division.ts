/** Divides the rows of an export among parts: every row falls to exactly one, and the rows of one user to the same one. */

import type { RowRef } from "../events/events.js";
import { createDryDigester, type Key } from "../plan/digests.js";

/** Nothing random: a newer export of the same users comes to the same parts. */
export const DIVIDING = createDryDigester("");

/**
 * The number, from 1, of the part that a row falls to. A user falls to a part by the vendor's id, and by
 * the first contact only where there is no id: a newer export in which a contact has changed must come
 * to the part whose checkpoint knows the user, or that user would be brought a second time. A second
 * row of one user, and a row whose contact another user's has taken, follow that row, so that the
 * part's import finds the same.
 *
 * @param leader the identity of the row with which it goes; null for a row that no user can be told from
 */
export function partOf({ file, number }: RowRef, leader: Key | null, parts: number): number {
  const key = leader ?? DIVIDING.row(file, number);
  // By the key's first 48 bits.
  let bits = 0;
  for (let at = 0; at < 6; at += 1) bits = 256 * bits + key.charCodeAt(at);
  return 1 + (bits % parts);
}
