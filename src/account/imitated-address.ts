/** Which address a look-alike passes for. It is for comparing, never an address to send anything to. */

import { skeletonOf } from "../contact/lookalike.js";
import type { UserRecord } from "./user-record.js";

/** @returns what a record's email looks like, where it imitates another one; else null */
export function imitatedAddress({ email, notices }: UserRecord): string | null {
  return email !== null && notices.includes("email_lookalike") ? skeletonOf(email.value) : null;
}
