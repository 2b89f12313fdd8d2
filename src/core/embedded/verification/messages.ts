/** The messages between a pool and its threads: one password to verify, one answer. The answer never repeats the password. */

import type { RunErrorCode } from "../../../errors/run-error.js";

export interface VerifyRequest {
  /** One that `checkHash` accepts. */
  readonly hash: string;
  readonly password: string;
}

export type VerifyAnswer =
  | { readonly verified: boolean }
  /** A `RunError` in its parts, since errors cross a thread without their class. */
  | { readonly code: RunErrorCode; readonly message: string; readonly hint: string };
