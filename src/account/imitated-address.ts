/** Tells which address a look-alike passes for, to compare it with others. */

import { skeletonOf } from "../contact/lookalike.js";
import type { UserRecord } from "./user-record.js";

/**
 * @returns the address that a record's email imitates, as {@link skeletonOf} gives it; null where
 * it imitates none. Nothing may be sent to it.
 */
export function imitatedAddress({ email, notices }: UserRecord): string | null {
  return email !== null && notices.includes("email_lookalike") ? skeletonOf(email.value) : null;
}
