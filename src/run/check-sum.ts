/** The sum that every run ends with. */

import { RunError } from "../errors/run-error.js";

/**
 * Holds the promise that every record read ends in exactly one place.
 *
 * @throws RunError `internal`: a sum that doesn't add up is a bug of ours and must not look like success
 */
export function checkSum(read: number, accountedFor: number): void {
  if (read === accountedFor) return;
  throw new RunError("internal", `${read} rows were read, but ${accountedFor} are accounted for.`, {
    hint: "This is a bug in auth-migrate; please report it. The checkpoint is intact.",
  });
}
